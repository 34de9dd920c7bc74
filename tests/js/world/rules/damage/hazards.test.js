'use strict'
/**
 * Harm by blocks, falls and blows, and protection from it, with vanilla 1.20.4's figures (minecraft.wiki: each block's
 * page, "Damage", "Difficulty").
 */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { makeWorld, must, ticks, record, hold } = require('../../helpers')

/** @param {any} world */
const gizmo = (world) => world.players.get('Gizmo')
/** @param {any} world @param {string} type @returns {any} */
const one = (world, type) => [...world.entities.values()].find((e) => e.type === type)

/**
 * Return the health lost by a fall of `height` blocks onto `block`, whose top is `top` above y -60.
 * @param {string} block
 * @param {number} top
 * @param {number} height
 * @param {{ sneaking?: boolean }} [how]
 */
function fall (block, top, height, { sneaking = false } = {}) {
  const world = makeWorld()
  const player = gizmo(world)
  must(world, `setblock 0 -60 0 ${block}`)
  player.place3d({ x: 0.5, y: -60 + top + height, z: 0.5 })
  player.onGround = false
  player.setSneaking(sneaking)
  for (let y = player.y; y > -60 + top; y -= 2) {
    ticks(world, 2)
    player.moveTo({ x: 0.5, y: Math.max(y - 2, -60 + top), z: 0.5, onGround: y - 2 <= -60 + top })
  }
  return 20 - player.health
}

test('soft blocks reduce fall damage as in vanilla, and dripstone increases it', () => {
  for (const [block, top, height, lost] of /** @type {[string, number, number, number][]} */ ([
    ['stone', 1, 13, 10], ['hay_block', 1, 13, 2], ['honey_block', 0.9375, 13, 2], ['slime_block', 1, 13, 0],
    ['white_bed[part=foot]', 0.5625, 13, 4], ['lime_bed[part=head]', 0.5625, 5, 0],
    ['cobweb', 0, 13, 0], ['sweet_berry_bush', 0, 13, 0], ['powder_snow', 0, 13, 0], ['water', 0, 13, 0],
    ['pointed_dripstone', 0.6875, 6, 10]
  ])) assert.equal(fall(block, top, height), lost, block)
  assert.equal(fall('slime_block', 1, 13, { sneaking: true }), 10, 'who sneaks does not bounce')
})

/**
 * Return the health lost in 40 ticks by a player who stands at `y` above -60, on or in a block.
 * @param {string} block
 * @param {number} y
 * @param {(world: any, player: any) => void} [prepare]
 */
function stand (block, y, prepare = () => {}) {
  const world = makeWorld()
  must(world, 'gamerule naturalRegeneration false')
  const player = gizmo(world)
  must(world, `setblock 0 -60 0 ${block}`)
  player.place3d({ x: 0.5, y: -60 + y, z: 0.5 })
  player.onGround = true
  prepare(world, player)
  ticks(world, 40)
  return 20 - player.health
}

test('magma, campfires and soul fire hurt every half second, wither roses wither', () => {
  assert.equal(stand('magma_block', 1), 4)
  assert.equal(stand('magma_block', 1, (_, player) => player.setSneaking(true)), 0, 'sneaking over magma is safe')
  assert.equal(stand('magma_block', 1, (_, player) => player.addEffect('fire_resistance', 100, 0)), 0)
  assert.equal(stand('campfire', 0.4375), 4)
  assert.equal(stand('campfire[lit=false]', 0.4375), 0)
  assert.equal(stand('soul_campfire', 0.4375), 8)
  assert.ok(stand('wither_rose', 0) >= 1)
  assert.equal(stand('wither_rose', 0, (world) => must(world, 'difficulty peaceful')), 0)
  assert.equal(stand('magma_block', 1, (world) => must(world, 'gamerule fireDamage false')), 0)
})

test('a mob at rest on a magma block or in a campfire is hurt, unless it is fireproof', () => {
  for (const [type, hurt] of /** @type {[string, boolean][]} */ ([['pig', true], ['strider', false]])) {
    const world = makeWorld({ players: { Gizmo: { x: 5.5, z: 0.5 } } })
    must(world, 'setblock 0 -60 0 magma_block')
    must(world, `summon ${type} 0.5 -59 0.5 {NoAI:1b}`)
    const mob = one(world, type)
    ticks(world, 60)
    assert.equal(mob.health < mob.maxHealth, hurt, type)
  }
})

test('berry bushes hurt a body that moves in them, not one that stands still, and not while they are young', () => {
  const move = (/** @type {string} */ bush, /** @type {number} */ by) => {
    const world = makeWorld()
    must(world, 'gamerule naturalRegeneration false')
    const player = gizmo(world)
    must(world, `setblock 0 -60 0 ${bush}`)
    for (let i = 0; i < 40; i++) {
      player.moveTo({ x: 0.5 + (i % 2) * by, y: -60, z: 0.5, onGround: true })
      ticks(world, 1)
    }
    return 20 - player.health
  }
  assert.equal(stand('sweet_berry_bush[age=3]', 0), 0)
  assert.equal(move('sweet_berry_bush[age=3]', 0.1), 4)
  assert.equal(move('sweet_berry_bush[age=3]', 0.002), 0)
  assert.equal(move('sweet_berry_bush[age=0]', 0.1), 0)
})

test('powder snow freezes within seven seconds, then hurts every two; leather keeps warm; strays do not mind', () => {
  const freeze = (/** @type {(world: any, player: any) => void} */ prepare) => {
    const world = makeWorld()
    must(world, 'gamerule naturalRegeneration false')
    const player = gizmo(world)
    must(world, 'setblock 0 -60 0 powder_snow')
    must(world, 'setblock 0 -59 0 powder_snow')
    prepare(world, player)
    ticks(world, 130)
    assert.equal(player.health, 20)
    ticks(world, 110)
    return { lost: 20 - player.health, player, world }
  }
  const { lost, player, world } = freeze(() => {})
  assert.ok(lost === 2 || lost === 3, `${lost}`)
  assert.ok(player.frozenTicks >= 140)
  player.place3d({ x: 5.5, y: -60, z: 0.5 })
  ticks(world, 100)
  assert.equal(player.frozenTicks, 0)
  assert.equal(freeze((_, cold) => cold.store.set(8, cold.world.stacks.make('leather_boots'))).lost, 0)
  assert.equal(freeze((w) => must(w, 'gamerule freezeDamage false')).lost, 0)
})

test('monsters hit by difficulty: easy halves and adds one, never more than on normal; hard by half more', () => {
  for (const [difficulty, zombie, arrow] of /** @type {[string, number, number][]} */ ([['easy', 2.5, 3],
    ['normal', 3, 4], ['hard', 4.5, 6]])) {
    const world = makeWorld()
    world.difficulty = difficulty
    must(world, 'summon zombie 3.5 -60 0.5 {NoAI:1b}')
    const [player, mob] = [gizmo(world), one(world, 'zombie')]
    player.hurt(3, { type: 'mob', attacker: mob, direct: mob })
    assert.equal(20 - player.health, zombie, difficulty)
    ticks(world, 20)
    player.health = 20
    player.hurt(4, { type: 'arrow', attacker: mob, direct: mob })
    assert.equal(20 - player.health, arrow, difficulty)
    ticks(world, 20)
    player.health = 20
    player.hurt(4, { type: 'fall', piercing: true })
    assert.equal(20 - player.health, 4, 'a fall is the same on every difficulty')
  }
})

test('a zombie on easy does 2.5 with its own hands, and a wolf bites a sheep as hard as ever', () => {
  const world = makeWorld()
  must(world, 'difficulty easy')
  must(world, 'gamerule naturalRegeneration false')
  must(world, 'time set midnight')
  must(world, 'summon zombie 1.3 -60 0.5')
  const player = gizmo(world)
  for (let i = 0; i < 60 && player.health === 20; i++) ticks(world, 1)
  assert.equal(player.health, 17.5)
})

test('a totem in a hand saves from death, once, and not from the void or /kill', () => {
  const world = makeWorld()
  const player = gizmo(world)
  hold(world, player, 'totem_of_undying')
  player.addEffect('speed', 1000, 0)
  const seen = record(world, 'entityStatus')
  player.hurt(100, { type: 'fall', piercing: true })
  assert.ok(!player.dead)
  assert.equal(player.health, 1)
  assert.equal(player.heldItem, null)
  assert.ok(seen.some(({ entity, status }) => entity === player && status === 35))
  assert.equal(player.effectLevel('speed'), 0)
  assert.deepEqual([player.effects.get('regeneration'), player.effects.get('absorption'),
    player.effects.get('fire_resistance')].map((e) => [e.amplifier, e.duration]), [[1, 900], [1, 100], [0, 800]])
  player.store.set(45, world.stacks.make('totem_of_undying'))
  must(world, 'kill Gizmo')
  assert.ok(player.dead)
  const [, other] = [0, makeWorld()]
  gizmo(other).store.set(45, other.stacks.make('totem_of_undying'))
  gizmo(other).hurt(100, { type: 'lava' })
  assert.ok(!gizmo(other).dead && gizmo(other).store.get(45) === null)
})

test('/kill drops the same as a death: the loot of mobs, the items of players', () => {
  const world = makeWorld()
  hold(world, gizmo(world), 'diamond', 3)
  must(world, 'summon cow 5.5 -60 0.5')
  must(world, 'kill @e[type=cow]')
  must(world, 'kill Gizmo')
  const names = [...world.drops()].map((drop) => drop.item?.name)
  assert.ok(names.includes('beef'), names.join())
  assert.ok(names.includes('diamond'), names.join())
  must(world, 'gamerule doMobLoot false')
  const before = world.drops().size
  must(world, 'summon cow 5.5 -60 0.5')
  must(world, 'kill @e[type=cow]')
  assert.equal(world.drops().size, before)
})
