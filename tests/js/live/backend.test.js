'use strict'
/** Primitives and the live backend with real bots on the embedded server: what they say is what the world shows. */
const assert = require('node:assert/strict')
const { after, before, beforeEach, describe, test } = require('node:test')
const { GROUND, startStage, until } = require('./support')
const primitives = require('../../../skills_js/primitives')
const { Vec3 } = require('../../../skills_js/bot_facade/vec3')

const FEET = GROUND + 1
const CHEST = [4, FEET, 0]

describe('two players on the embedded server', () => {
  /** @type {import('./support').Stage} */
  let stage
  /** @type {import('./support').Player} */
  let gizmo
  /** @type {import('./support').Player} */
  let glitch

  before(async () => {
    stage = await startStage(['Gizmo', 'Glitch'])
    ;[gizmo, glitch] = stage.players
  })

  after(() => stage.close())

  beforeEach(async () => {
    for (const player of stage.players) stage.tidy(`clear ${player.name}`)
    stage.tidy(`fill -12 ${FEET} -12 24 ${FEET + 8} 12 air`)
    stage.tidy('kill @e[type=item]')
    await stage.teleport(gizmo, [0.5, FEET, 0.5])
    await stage.teleport(glitch, [8.5, FEET, 0.5])
    await until(() => stage.players.every((player) => player.bot.inventory.items().length === 0), 'empty inventories')
  })

  /**
   * @param {string} name
   * @param {number[][]} spots
   */
  async function put (name, spots) {
    await stage.set(spots.map((at) => `setblock ${at.join(' ')} ${name}`),
      () => spots.every((at) => stage.players.every((player) => player.bot.blockAt(new Vec3(...at))?.name === name)))
  }

  /**
   * @param {import('./support').Player} player
   * @param {string} name
   * @param {number} [count]
   */
  async function give (player, name, count = 1) {
    await stage.set([`give ${player.name} ${name} ${count}`], () => player.has(name) >= count)
  }

  /** @param {Record<string, number>} items */
  async function chestWith (items) {
    const parts = Object.entries(items)
      .map(([name, count], slot) => `item replace block ${CHEST.join(' ')} container.${slot} with ${name} ${count}`)
    await put('chest', [CHEST])
    for (const command of parts) stage.run(command)
  }

  test('goTo ends within its range, and is done at once when it is there', async () => {
    const at = await primitives.goTo(gizmo.bot, new Vec3(10, FEET, 5), 2)
    assert.ok(at.floored().distanceTo(new Vec3(10, FEET, 5)) <= 2, String(at))
    await primitives.goTo(gizmo.bot, glitch.bot.entity, 1.5)
    assert.ok(gizmo.bot.entity.position.distanceTo(glitch.bot.entity.position) < 3)
    await primitives.goTo(gizmo.bot, gizmo.bot.entity.position, 0)
  })

  test('a goal behind walls, and one in the air, fail by name and say where the way ends', async () => {
    for (const [x, z, dx, dz] of [[14, -2, 4, 0], [14, 2, 4, 0], [14, -1, 0, 2], [18, -1, 0, 2]]) {
      stage.run(`fill ${x} ${FEET} ${z} ${x + dx} ${FEET + 3} ${z + dz} stone`)
    }
    await until(() => gizmo.bot.blockAt(new Vec3(18, FEET, 1))?.name === 'stone', 'the walls')
    await assert.rejects(
      primitives.goTo(gizmo.bot, new Vec3(16, FEET, 0), 1),
      (/** @type {any} */ error) => error.name === 'NoPath' && /stands at/.test(error.message)
    )
    await assert.rejects(primitives.goTo(gizmo.bot, new Vec3(0, FEET + 30, 0), 1), { name: 'NoPath' })
    assert.equal(gizmo.bot.blockAt(new Vec3(14, FEET, 0)).name, 'stone')
  })

  test('mineBlock takes a whole mound three blocks high, and its drops', async () => {
    const mound = []
    for (let x = 0; x < 2; x++) {
      for (let z = 0; z < 2; z++) for (let y = 0; y < 3; y++) mound.push([4 + x, FEET + y, 5 + z])
    }
    await put('iron_ore', mound)
    await give(gizmo, 'stone_pickaxe')
    const outcome = await primitives.mineBlock(gizmo.bot, 'iron_ore', 12)
    assert.deepEqual(outcome, { mined: 12, obtained: { raw_iron: 12 } })
    assert.equal(gizmo.has('raw_iron'), 12)
    assert.equal(gizmo.bot.findBlock({ matching: gizmo.bot.registry.blocksByName.iron_ore.id, maxDistance: 32 }), null)
  })

  test('with a tool that does not harvest mineBlock refuses; digging all the same gives nothing', async () => {
    await put('diamond_ore', [[2, FEET, 2]])
    await give(gizmo, 'stone_pickaxe')
    await assert.rejects(
      primitives.mineBlock(gizmo.bot, 'diamond_ore'),
      (/** @type {any} */ error) => error.name === 'NoTool' && error.message.includes('iron_pickaxe')
    )
    assert.equal(gizmo.bot.blockAt(new Vec3(2, FEET, 2)).name, 'diamond_ore')
    await primitives.equipItem(gizmo.bot, 'stone_pickaxe')
    await gizmo.bot.dig(gizmo.bot.blockAt(new Vec3(2, FEET, 2)))
    assert.equal(gizmo.bot.blockAt(new Vec3(2, FEET, 2)).name, 'air')
    assert.deepEqual(await primitives.collectDrops(gizmo.bot, 6), {})
  })

  test('exactly one of two bots that race for an item in a chest gets it, and both know', async () => {
    await chestWith({ iron_pickaxe: 1, stick: 3 })
    const race = await Promise.allSettled(
      stage.players.map((player) => primitives.getItemFromChest(player.bot, new Vec3(...CHEST), { iron_pickaxe: 1 }))
    )
    const won = stage.players.filter((_player, index) => race[index].status === 'fulfilled')
    const [lost] = race.filter((end) => end.status === 'rejected')
    assert.equal(won.length, 1, JSON.stringify(race))
    assert.equal(/** @type {any} */ (lost).reason.name, 'ItemNotInChest')
    assert.match(/** @type {any} */ (lost).reason.message, /3 stick/)
    const held = stage.players.map((player) => player === won[0] ? 1 : 0)
    await until(
      () => String(stage.players.map((player) => player.has('iron_pickaxe'))) === String(held), `pickaxes: ${held}`
    )
  })

  test('no item is doubled or lost when two bots race for many', async () => {
    await chestWith({ cobblestone: 40 })
    const race = await Promise.allSettled(
      stage.players.map((player) => primitives.getItemFromChest(player.bot, new Vec3(...CHEST), { cobblestone: 30 }))
    )
    const said = race.map((end) => end.status === 'fulfilled' ? /** @type {any} */ (end.value).cobblestone : 0)
    await until(
      () => String(stage.players.map((player) => player.has('cobblestone'))) === String(said),
      `what they were told: ${said}`
    )
    /** @type {any} */
    const stored = await primitives.checkItemInsideChest(gizmo.bot, new Vec3(...CHEST))
    const inside = stored.cobblestone ?? 0
    assert.equal(said[0] + said[1] + inside, 40, JSON.stringify(race))
  })

  test('items put into a chest are found there by another player', async () => {
    await chestWith({})
    await give(gizmo, 'raw_iron', 5)
    assert.deepEqual(
      await primitives.depositItemIntoChest(gizmo.bot, new Vec3(...CHEST), { raw_iron: 3 }), { raw_iron: 3 }
    )
    assert.equal(gizmo.has('raw_iron'), 2)
    assert.deepEqual(await primitives.checkItemInsideChest(glitch.bot, new Vec3(...CHEST)), { raw_iron: 3 })
    assert.deepEqual(
      await primitives.getItemFromChest(glitch.bot, new Vec3(...CHEST), { raw_iron: 9 }), { raw_iron: 3 }
    )
    await assert.rejects(primitives.getItemFromChest(
      glitch.bot, new Vec3(...CHEST), { raw_iron: 1 }
    ), (/** @type {any} */ error) =>
      error.name === 'ItemNotInChest' && error.message.includes('holds nothing'))
  })

  test('a full inventory is named, for a chest and for what lies on the ground', async () => {
    await chestWith({ iron_pickaxe: 1 })
    await give(gizmo, 'cobblestone', 36 * 64)
    await assert.rejects(
      primitives.getItemFromChest(gizmo.bot, new Vec3(...CHEST), { iron_pickaxe: 1 }), { name: 'InventoryFull' }
    )
    stage.run(`summon item 1 ${FEET} 1 {Item:{id:"minecraft:stick",Count:1b}}`)
    await until(
      () => gizmo.bot.nearestEntity((/** @type {any} */ entity) => entity.name === 'item') !== null, 'the stick'
    )
    await assert.rejects(primitives.collectDrops(gizmo.bot, 6, 'stick'), { name: 'InventoryFull' })
  })

  test('one of two bots that dig the same block breaks it, and the dig of the other ends', async () => {
    await put('iron_ore', [[4, FEET, 0]])
    for (const player of stage.players) {
      await give(player, 'stone_pickaxe')
      await primitives.equipItem(player.bot, 'stone_pickaxe')
    }
    await stage.teleport(gizmo, [2.5, FEET, 0.5])
    await stage.teleport(glitch, [6.5, FEET, 0.5])
    const digging = gizmo.bot.dig(gizmo.bot.blockAt(new Vec3(4, FEET, 0)))
    await glitch.bot.waitForTicks(6)
    await glitch.bot.dig(glitch.bot.blockAt(new Vec3(4, FEET, 0)))
    await digging
  })

  test('a cancel in the middle of digging leaves the block whole and no listener behind', async () => {
    const before = gizmo.listeners()
    await put('iron_ore', [[2, FEET, 0]])
    await give(gizmo, 'stone_pickaxe')
    await primitives.equipItem(gizmo.bot, 'stone_pickaxe')
    for (const wait of [0, 300, 900]) {
      const controller = new AbortController()
      const digging = gizmo.backend.act('dig', [2, FEET, 0], controller.signal)
      setTimeout(() => controller.abort(), wait)
      await assert.rejects(digging, { name: 'Cancelled' })
      await gizmo.bot.waitForTicks(30)
      assert.equal(
        stage.bench.world.blockAt(2, FEET, 0), gizmo.raw.registry.blocksByName.iron_ore.defaultState, `after ${wait} ms`
      )
    }
    assert.deepEqual(gizmo.listeners(), before)
  })

  test('a cancelled walk stands still, and digging out of reach is refused', async () => {
    const controller = new AbortController()
    const walking = gizmo.backend.act(
      'goto', [{ kind: 'near', x: 20, y: FEET, z: 0, range: 1 }, null], controller.signal
    )
    await gizmo.bot.waitForTicks(10)
    controller.abort()
    await assert.rejects(walking, { name: 'Cancelled' })
    await until(() => Math.abs(gizmo.raw.entity.velocity.x) < 0.001, 'its last slide')
    const { x } = gizmo.bot.entity.position
    await gizmo.bot.waitForTicks(10)
    assert.ok(x < 20 - 1, 'it had not arrived')
    assert.ok(Math.abs(gizmo.bot.entity.position.x - x) < 0.05, 'it slides to a halt')
    await put('stone', [[20, FEET, 0]])
    await assert.rejects(gizmo.bot.dig(gizmo.bot.blockAt(new Vec3(20, FEET, 0))), { name: 'OutOfReach' })
  })

  test('blocks are placed, and what is in the way is named', async () => {
    await give(gizmo, 'cobblestone', 2)
    await primitives.placeItem(gizmo.bot, 'cobblestone', new Vec3(3, FEET, 3))
    await until(() => glitch.bot.blockAt(new Vec3(3, FEET, 3)).name === 'cobblestone', 'the block for the other player')
    assert.equal(gizmo.has('cobblestone'), 1)
    await assert.rejects(primitives.placeItem(gizmo.bot, 'cobblestone', new Vec3(3, FEET, 3)), { name: 'NotPlaced' })
    await assert.rejects(
      primitives.placeItem(gizmo.bot, 'cobblestone', new Vec3(3, FEET + 6, 3)), { name: 'NotPlaced' }
    )
  })

  test('crafting by hand and at a table, with what is missing named', async () => {
    await assert.rejects(
      primitives.craftItem(gizmo.bot, 'stick'),
      (/** @type {any} */ error) => error.name === 'NoRecipe' && /planks/.test(error.message)
    )
    await give(gizmo, 'oak_planks', 9)
    assert.equal(await primitives.craftItem(gizmo.bot, 'stick', 1), 4)
    await assert.rejects(
      primitives.craftItem(gizmo.bot, 'wooden_pickaxe'),
      (/** @type {any} */ error) => error.name === 'NoRecipe' && /crafting_table/.test(error.message)
    )
    await put('crafting_table', [[3, FEET, 3]])
    assert.equal(await primitives.craftItem(gizmo.bot, 'wooden_pickaxe'), 1)
    assert.deepEqual([gizmo.has('stick'), gizmo.has('oak_planks'), gizmo.has('wooden_pickaxe')], [2, 4, 1])
  })

  test('smelting gives what came out of the furnace and burns no more fuel than it needs', async () => {
    await put('furnace', [[3, FEET, 3]])
    await give(gizmo, 'raw_iron', 1)
    await give(gizmo, 'coal', 2)
    assert.deepEqual(await primitives.smeltItem(gizmo.bot, 'raw_iron', 'coal', 1), { iron_ingot: 1 })
    assert.deepEqual([gizmo.has('iron_ingot'), gizmo.has('coal'), gizmo.has('raw_iron')], [1, 1, 0])
  })

  test('a mob is killed, and one that is not there is named', async () => {
    await assert.rejects(primitives.killMob(gizmo.bot, 'chicken', 5), { name: 'MobNotFound' })
    stage.run(`summon chicken 3 ${FEET} 3`)
    await until(
      () => gizmo.bot.nearestEntity((/** @type {any} */ entity) => entity.name === 'chicken') !== null, 'the chicken'
    )
    await primitives.killMob(gizmo.bot, 'chicken', 30)
    assert.equal(gizmo.bot.nearestEntity((/** @type {any} */ entity) => entity.name === 'chicken'), null)
  })

  test('chat is heard, and a command is refused', async () => {
    const heard = new Promise((resolve) =>
      glitch.bot.once('chat', (/** @type {string} */ who, /** @type {string} */ text) => resolve([who, text])))
    await primitives.say(gizmo.bot, 'I take\nthe iron')
    assert.deepEqual(await heard, ['Gizmo', 'I take the iron'])
    await assert.rejects(primitives.say(gizmo.bot, '/give Gizmo diamond 64'), { name: 'ChatRefused' })
    assert.equal(gizmo.has('diamond'), 0)
  })

  test('signals wake the other player', async () => {
    const waiting = primitives.waitSignal(glitch.bot, 'done', async () => { await glitch.bot.waitForTicks(1) })
    assert.equal(await primitives.sendSignal(gizmo.bot, 'Glitch', 'other'), false)
    await gizmo.bot.waitForTicks(4)
    assert.equal(await primitives.sendSignal(gizmo.bot, 'Glitch', 'done'), true)
    assert.deepEqual(await waiting, { from: 'Gizmo', name: 'done' })
  })
})

test('a quiet backend leaves nothing on the bot: no listener, key, window or way', async () => {
  const stage = await startStage(['Gizmo'])
  const [player] = stage.players
  try {
    const before = player.listeners()
    stage.run(`setblock 2 ${FEET} 0 chest`)
    await until(() => player.bot.blockAt(new Vec3(2, FEET, 0))?.name === 'chest', 'the chest')
    player.bot.on('physicsTick', () => {})
    player.bot.on('chat', () => {})
    await player.bot.openContainer(player.bot.blockAt(new Vec3(2, FEET, 0)))
    player.bot.setControlState('sneak', true)
    const walking = player.bot.pathfinder.goto({ __proto__: null, kind: 'none' })
      .catch((/** @type {any} */ error) => error.name)
    const sleeping = player.bot.waitForTicks(10_000).catch((/** @type {any} */ error) => error.name)
    await player.backend.quiesce()
    assert.deepEqual([await walking, await sleeping], ['BadArgument', 'Cancelled'])
    assert.deepEqual(player.listeners(), before)
    assert.equal(player.raw.currentWindow, null)
    assert.equal(player.raw.getControlState('sneak'), false)
    assert.equal(player.raw.pathfinder.goal, null)
    await assert.rejects(player.bot.waitForTicks(1), { name: 'Cancelled' })
  } finally {
    await stage.close()
  }
})
