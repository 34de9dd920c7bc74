'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const { seededRandom } = require('../../../skills_js/bot_facade/scope')
const { makeWorld, must, ticks, census } = require('./helpers')

const WORLDS = 5
const STEPS = 2000
/** Drops despawn after 6000 ticks, so each world ends before. */
const MAX_TICKS = 6000
const PLAYERS = ['A', 'B', 'C', 'D']
/** The arena: blocks built and dug in it count with the items. */
const SIDE = 8
const HEIGHT = 3
const GROUND = -60
/**
 * Items and blocks that mining and smelting convert one for one; diamonds only change hands. Tools and fuel are used
 * up.
 */
const KINDS = { stone: ['stone', 'cobblestone', 'smooth_stone'], iron: ['iron_ore', 'raw_iron', 'iron_ingot'],
  furnace: ['furnace'], diamond: ['diamond'] }
const OUTSIDE = -999
const PICKAXE = 'diamond_pickaxe{Unbreakable:1b,Enchantments:[{id:"minecraft:efficiency",lvl:5s}]}'

/** @param {number} seed @returns {any} a world with ores, furnaces and two chests, and four players who can dig fast */
function arena (seed) {
  const world = makeWorld({ seed,
    players: Object.fromEntries(PLAYERS.map((name, index) => [name, { x: index * 2 + 0.5, z: 0.5 }])) })
  for (const text of ['fill 0 -60 2 7 -60 3 stone', 'fill 0 -59 2 7 -59 2 iron_ore', 'setblock 2 -60 5 furnace',
    'setblock 5 -60 5 furnace',
    'setblock 3 -60 7 chest', 'setblock 6 -60 7 chest',
    `give @a ${PICKAXE}`, 'give @a cobblestone 20', 'give @a raw_iron 10',
    'give @a coal 8', 'give @a diamond 3', 'give @a furnace 2']) must(world, text)
  return world
}

/** @param {any} world @returns {Record<string, number>} kind -> how much of it there is, as items and as blocks */
function masses (world) {
  /** @type {Record<string, number>} */
  const blocks = {}
  for (let x = 0; x < SIDE; x++) {
    for (let z = 0; z < SIDE; z++) {
      for (let y = GROUND; y < GROUND + HEIGHT; y++) {
        const { name } = world.stateAt(x, y, z)
        blocks[name] = (blocks[name] ?? 0) + 1
      }
    }
  }
  return Object.fromEntries(Object.entries(KINDS).map(([kind, names]) =>
    [kind, names.reduce((sum, name) => sum + census(world, name) + (blocks[name] ?? 0), 0)]))
}

/**
 * Run one step of one player; most of them fail, like those of a confused program.
 * @param {any} world
 * @param {(most: number) => number} draw
 * @param {Record<string, number>} done what succeeded, by its name
 */
function step (world, draw, done) {
  const player = world.players.get(PLAYERS[draw(4)])
  const pos = { x: draw(SIDE), y: GROUND + draw(HEIGHT), z: draw(SIDE) }
  const window = player.openWindow
  if (player.dead) player.respawn()
  const tell = (/** @type {string} */ what, /** @type {{ok: boolean} | undefined} */ verdict) => {
    if (verdict?.ok) done[what] = (done[what] ?? 0) + 1
  }
  const acts = [
    () => dig(world, player, pos, tell),
    () => build(world, player, pos, tell),
    () => open(world, player, draw, tell),
    () => {
      if (window) {
        tell('click', player.click(
          { windowId: window.id, slot: draw(20) === 0 ? OUTSIDE : draw(66), button: draw(2), mode: draw(7) }))
      }
    },
    () => { if (window) tell('move', player.click({ windowId: window.id, slot: draw(66), button: 0, mode: 1 })) },
    () => player.closeWindow(window?.id ?? 0),
    () => tell('drop', player.dropHeld(draw(2) === 0)),
    () => player.swapHands(),
    () => tell('hit', player.useEntity(world.players.get(PLAYERS[draw(4)]).id, 'attack')),
    () => stand(world, player, pos, GROUND),
    () => { if (draw(8) === 0) tell('death', { ok: world.command(`kill ${player.name}`).ok }) },
    () => { if (draw(8) === 0) tell('leave', comeBack(world, player)) }
  ]
  acts[draw(acts.length)]()
}

/** @param {any} world @param {any} player @param {{x: number, z: number}} column @param {number} y */
function stand (world, player, { x, z }, y) {
  if (!player.dead) must(world, `tp ${player.name} ${x}.5 ${y} ${z}.5`)
}

/**
 * @param {any} player
 * @param {RegExp} wanted
 * @returns {boolean} true if such an item is in the hand now
 */
function take (player, wanted) {
  const slot = player.slots.slice(36, 45).findIndex((/** @type {any} */ item) => item && wanted.test(item.name))
  if (slot >= 0) player.holdSlot(slot)
  return slot >= 0
}

/**
 * Dig the topmost block of a column.
 * @param {any} world
 * @param {any} player
 * @param {any} pos
 * @param {(what: string, verdict: any) => void} tell
 */
function dig (world, player, pos, tell) {
  // Tools are not counted, so a player without one gets another.
  if (!take(player, /_pickaxe$/)) return must(world, `give ${player.name} ${PICKAXE}`)
  must(world, `effect give ${player.name} haste infinite 2`)
  const y = [2, 1, 0].map((up) => GROUND + up).find((height) => world.stateAt(pos.x, height, pos.z).name !== 'air')
  // Chests stay, since they are the only thing here that would burn in a furnace.
  if (y === undefined || world.stateAt(pos.x, y, pos.z).name === 'chest') return
  stand(world, player, pos, GROUND + HEIGHT)
  player.startDig({ ...pos, y }, 1)
  ticks(world, 2)
  tell('dig', player.finishDig({ ...pos, y }))
}

/**
 * Set a block on a column.
 * @param {any} world
 * @param {any} player
 * @param {any} pos
 * @param {(what: string, verdict: any) => void} tell
 */
function build (world, player, pos, tell) {
  const y = [-1, 0, 1].map((up) => GROUND + up).find((height) => world.stateAt(pos.x, height + 1, pos.z).name === 'air')
  if (y === undefined || /chest|furnace/.test(world.stateAt(pos.x, y, pos.z).name)) return
  stand(world, player, pos, GROUND + HEIGHT)
  if (take(player, /cobblestone|^stone$|^furnace$/)) tell('place', player.place({ pos: { ...pos, y }, face: 1 }))
}

/**
 * @param {any} world
 * @param {any} player
 * @param {(most: number) => number} draw
 * @param {(what: string, verdict: any) => void} tell
 */
function open (world, player, draw, tell) {
  const [x, z] = [[3, 7], [6, 7], [2, 5], [5, 5]][draw(4)]
  player.setSneaking(false)
  const { name } = world.stateAt(x, GROUND, z)
  if (name === 'chest' || name === 'furnace') tell('open', player.place({ pos: { x, y: GROUND, z }, face: 1 }))
}

/** @param {any} world @param {any} player who leaves and joins again in the same tick @returns {{ok: boolean}} */
function comeBack (world, player) {
  world.removePlayer(player)
  const again = world.addPlayer(player.name)
  again.onGround = true
  return { ok: true }
}

for (let seed = 1; seed <= WORLDS; seed++) {
  test(`nothing comes from nowhere and nothing is lost: four players, ${STEPS} random steps, seed ${seed}`, () => {
    const world = arena(seed)
    const random = seededRandom(seed)
    const draw = (/** @type {number} */ most) => Math.floor(random() * most)
    const before = masses(world)
    /** @type {Record<string, number>} */
    const done = {}
    for (let n = 1; n <= STEPS; n++) {
      step(world, draw, done)
      if (draw(2) === 0) ticks(world, 1)
      if (n % 20 === 0) assert.deepEqual(masses(world), before, `after ${n} steps`)
    }
    assert.ok(world.age < MAX_TICKS, `${world.age} ticks: old drops would be gone by the rules`)
    const never = ['dig', 'place', 'open', 'click', 'move', 'drop', 'hit', 'death',
      'leave'].filter((what) => !(done[what] > 3))
    assert.deepEqual(never, [], `what happened: ${JSON.stringify(done)}`)
  })
}

test('smelting is counted: products replace their ingredients', () => {
  const world = arena(1)
  const before = masses(world)
  for (const [slot, item] of [[0, 'raw_iron'], [1, 'coal']]) {
    must(world, `item replace block 2 -60 5 container.${slot} with ${item} 2`)
  }
  ticks(world, 410)
  assert.equal(census(world, 'iron_ingot'), 2)
  assert.deepEqual(masses(world), { ...before, iron: before.iron + 2 })
})
