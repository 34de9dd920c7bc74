'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const { createMockWorld, Vec3 } = require('../../../skills_js/mock')
const { Simulation } = require('../../../skills_js/mock/simulation')
const { seededRandom } = require('../../../skills_js/bot_facade/scope')

const STEPS = 10_000
const PLAYERS = ['Gizmo', 'Glitch', 'Nora', 'Pedro']
const CHESTS = [[2, -60, 2], [2, -60, -2], [3, -60, -2]]
const START = ['emerald 40', 'dirt 70', 'iron_pickaxe 2', 'oak_log 30', 'cobblestone 64']

/** Four players at three chests (two of them one double chest), all within reach. */
function market () {
  const simulation = new Simulation({ seed: 4 })
  const { world } = simulation
  for (const text of [
    'gamerule doMobSpawning false', 'setblock 2 -60 2 chest', 'setblock 2 -60 -2 chest[facing=north,type=left]',
    'setblock 3 -60 -2 chest[facing=north,type=right]'
  ]) {
    world.command(text)
  }
  for (const [index, name] of PLAYERS.entries()) {
    simulation.join(name)
    world.command(`tp ${name} ${index * 0.7} -60 0`)
    for (const stack of START) world.command(`give ${name} ${stack}`)
  }
  for (let tick = 0; tick < 10; tick++) simulation.tick()
  return simulation
}

/**
 * Every item there is: in inventories, on cursors, in crafting grids, on the ground, in chests.
 *
 * @param {Simulation} simulation
 * @returns {Record<string, number>}
 */
function census (simulation) {
  /** @type {Record<string, number>} */
  const counts = {}
  const add = (/** @type {any} */ item) => { if (item) counts[item.name] = (counts[item.name] ?? 0) + item.count }
  const { world } = simulation
  for (const player of world.players.values()) {
    const open = player.openWindow
    for (const [slot, item] of player.slots.entries()) if (slot > 0) add(item)
    add(player.windowView(open?.id ?? 0)?.carried)
  }
  for (const entity of world.entities.values()) {
    if (entity.type === 'item' && !entity.removed) add(/** @type {any} */ (entity).item)
  }
  for (const [x, y, z] of CHESTS) {
    for (let slot = 0; slot < 27; slot++) add(inChest(world, x, y, z, slot))
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a < b ? -1 : 1))
}

/**
 * @param {any} world
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @param {number} slot
 * @returns {any} by the vanilla command that tells it
 */
function inChest (world, x, y, z, slot) {
  const { ok, reply } = world.command(`data get block ${x} ${y} ${z} Items[{Slot:${slot}b}]`)
  const found = /Count: (\d+)b[^]*id: "minecraft:(\w+)"|id: "minecraft:(\w+)"[^]*Count: (\d+)b/.exec(reply)
  return ok && found ? { name: found[2] ?? found[3], count: Number(found[1] ?? found[4]) } : null
}

/** @returns {(most: number) => number} */
function dice () {
  const random = seededRandom(77)
  return (most) => Math.floor(random() * most)
}

/** @param {Simulation} simulation @param {(most: number) => number} draw one step of one player */
function act (simulation, draw) {
  const { player } = simulation.client(PLAYERS[draw(PLAYERS.length)])
  const open = player.openWindow
  const id = open?.id ?? 0
  const size = player.windowView(id)?.items.length ?? 46
  const slot = draw(12) === 0 ? -999 : draw(size)
  switch (draw(14)) {
    case 0: {
      const [x, y, z] = CHESTS[draw(CHESTS.length)]
      player.place({ pos: { x, y, z }, face: 1, cursor: { x: 0.5, y: 1, z: 0.5 }, hand: 0 })
      break
    }
    case 1: player.closeWindow(id); break
    case 2: player.holdSlot(draw(9)); break
    case 3: player.dropHeld(draw(2) === 0); break
    case 4: player.swapHands(); break
    case 5: player.click({ windowId: id, slot, button: draw(9), mode: 2 }); break
    case 6: player.click({ windowId: id, slot: draw(size), button: 0, mode: 6 }); break
    case 7: player.click({ windowId: id, slot, button: draw(2), mode: 4 }); break
    case 8: player.click({
      windowId: draw(3) === 0 ? 99 : id, slot: draw(4) === 0 ? 5000 : slot, button: draw(2), mode: 0
    }); break
    case 9: case 10: player.click({ windowId: id, slot: draw(size), button: 0, mode: 1 }); break
    default: player.click({ windowId: id, slot, button: draw(2), mode: 0 })
  }
}

test(`no item appears or disappears over ${STEPS} random steps of four players`, () => {
  const simulation = market()
  const draw = dice()
  const before = census(simulation)
  assert.equal(before.emerald, 160)
  for (let step = 1; step <= STEPS; step++) {
    act(simulation, draw)
    if (draw(3) === 0) simulation.tick()
    if (step % 100 === 0) {
      assert.deepEqual(withoutCrafting(census(simulation)), withoutCrafting(before), `after ${step} steps`)
    }
  }
  assert.ok(simulation.age > STEPS / 5)
})

/**
 * Logs may become planks, and so on, in a player's own grid; counted in planks nothing is lost either.
 *
 * @param {Record<string, number>} counts
 * @returns {Record<string, number>}
 */
function withoutCrafting (counts) {
  const {
    oak_log: logs = 0, oak_planks: planks = 0, stick = 0, crafting_table: tables = 0, oak_button: buttons = 0,
    oak_pressure_plate: plates = 0, oak_wood: wood = 0, ...rest
  } = counts
  return { ...rest, wood: logs * 4 + planks + stick / 2 + tables * 4 + buttons + plates * 2 + wood * 16 / 3 }
}

test('a census would notice: an item that is given is seen', () => {
  const simulation = market()
  const before = census(simulation)
  simulation.world.command('give Gizmo emerald 1')
  assert.equal(census(simulation).emerald, before.emerald + 1)
})

test('players who mine, store and drop at random lose nothing either', async () => {
  const world = createMockWorld({ seed: 9 })
  world.command('setblock 0 -60 4 chest')
  world.command('fill 5 -60 -3 7 -60 3 iron_ore')
  const random = seededRandom(9)
  const { skills } = require('../../../skills_js/mock')
  const chest = new Vec3(0, -60, 4)
  for (const name of PLAYERS) { world.join(name); world.command(`give ${name} stone_pickaxe`) }
  await world.runAll(Object.fromEntries(PLAYERS.map((name) => [name, async (/** @type {any} */ bot) => {
    for (let turn = 0; turn < 6; turn++) {
      await skills.mineBlock(bot, 'iron_ore', 1).catch(() => {})
      if (random() < 0.5) await skills.depositItemIntoChest(bot, chest, { raw_iron: 1 }).catch(() => {})
      else await bot.toss(bot.registry.itemsByName.raw_iron.id, null, 1).catch(() => {})
    }
    await skills.collectDrops(bot, 16).catch(() => {})
  }])))
  const left = [5, 6, 7].flatMap((x) => [-3, -2, -1, 0, 1, 2, 3].map((z) => world.block(x, -60, z)))
    .filter((name) => name === 'iron_ore').length
  const held = PLAYERS.reduce((sum, name) => sum + (world.items(name).raw_iron ?? 0), 0)
  /** @type {any} */
  const stored = await world.run(() => skills.checkItemInsideChest(world.join('Gizmo'), chest))
  const lying = new Set(
    Object.values(world.join('Gizmo').entities).filter((entity) => entity.name === 'item').map((entity) => entity.id)
  ).size
  assert.equal(left + held + (stored.raw_iron ?? 0) + lying, 21)
})
