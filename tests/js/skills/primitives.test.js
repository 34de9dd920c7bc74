'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Sandbox, failure, item, registry } = require('./support')

/** @param {Sandbox} sandbox what digging does: the block goes, its drop comes */
function digGives (sandbox, drop = 'raw_iron') {
  sandbox.world.acts.dig = (x, y, z) => {
    sandbox.world.blocks.delete(String([x, y, z]))
    sandbox.world.give(drop, 1)
  }
}

test('mineBlock mines the nearest first with the tool that harvests, and tells what came', async () => {
  const sandbox = new Sandbox()
  const { world } = sandbox
  world.put('iron_ore', [3, 0, 0], [2, 0, 0], [9, 0, 0])
  world.give('iron_pickaxe', 1)
  digGives(sandbox)
  assert.deepEqual(await sandbox.value('return mineBlock(bot, "iron_ore", 2)'), { mined: 2, obtained: { raw_iron: 2 } })
  assert.deepEqual(world.calls.filter(({ method }) => method === 'dig').map(({ args }) => args[0]), [2, 3])
})

test('mineBlock goes on with the next block when another player was faster', async () => {
  const sandbox = new Sandbox()
  const { world } = sandbox
  world.put('iron_ore', [2, 0, 0], [3, 0, 0])
  world.give('stone_pickaxe', 1)
  world.acts.dig = (x, y, z) => {
    world.blocks.delete(String([x, y, z]))
    if (x === 2) throw failure('BlockGone', 'somebody was first')
    world.give('raw_iron', 1)
  }
  assert.deepEqual(await sandbox.value('return mineBlock(bot, "iron_ore", 2)'), { mined: 1, obtained: { raw_iron: 1 } })
  assert.equal(world.count('log'), 1)
})

test('mineBlock without a tool that harvests names the tools and breaks nothing', async () => {
  const sandbox = new Sandbox()
  sandbox.world.put('diamond_ore', [2, 0, 0])
  sandbox.world.give('stone_pickaxe', 1)
  await assert.rejects(sandbox.value('await mineBlock(bot, "diamond_ore")'), (/** @type {any} */ error) =>
    error.name === 'NoTool' && error.message.includes('iron_pickaxe') && error.message.includes('diamond_pickaxe'))
  assert.equal(sandbox.world.count('dig'), 0)
})

test('mineBlock says whether there is nothing, or nothing that can be reached', async () => {
  const none = new Sandbox()
  await assert.rejects(none.value('await mineBlock(bot, "iron_ore")'), { name: 'BlockNotFound' })
  const far = new Sandbox()
  far.world.put('dirt', [20, 0, 0])
  far.world.acts.goto = () => { throw failure('NoPath', 'a wall') }
  await assert.rejects(far.value('await mineBlock(bot, "dirt")'), { name: 'NoPath', message: 'a wall' })
  assert.deepEqual(far.world.calls.filter(({ method }) => method === 'goto').map(({ args }) => args[0].reach), [3, 4.2])
})

test('mineBlock gives a block up after two refusals of the server', async () => {
  const sandbox = new Sandbox()
  sandbox.world.put('dirt', [2, 0, 0])
  sandbox.world.acts.dig = () => { throw failure('NotBroken', 'protected') }
  await assert.rejects(sandbox.value('await mineBlock(bot, "dirt")'), { name: 'NotBroken' })
  assert.equal(sandbox.world.count('dig'), 2)
})

test('mineBlock waits for sand by the clock of a server that has fallen behind', async () => {
  const sandbox = new Sandbox()
  const { world } = sandbox
  /** Digs in their order: true where the block still stands. */
  const found = [true, false, false, true]
  /** @type {number[]} */
  const waits = []
  let [age, waited] = [20, 0]
  const self = world.read_self.bind(world)
  world.read_self = () => ({ ...self(), time: { age } })
  world.put('sand', [2, 0, 0])
  world.acts.dig = (x, y, z) => {
    world.blocks.delete(String([x, y, z]))
    waits.push(waited)
    waited = 0
    if (!found[waits.length - 1]) return false
    world.give('sand', 1)
  }
  world.acts.waitTicks = (ticks) => {
    waited += ticks
    if (waited % 30 === 0) age += 20 // its seconds take 30 of the bot's ticks
    if (waited === 25 && waits.length < found.length) world.put('sand', [2, 0, 0])
  }
  assert.deepEqual(await sandbox.value('return mineBlock(bot, "sand", 3)'), { mined: 2, obtained: { sand: 2 } })
  assert.deepEqual(waits, [0, 25, 25, 25])
  assert.equal(age, 60)
})

test('collectDrops walks over what lies there and counts what came', async () => {
  const sandbox = new Sandbox()
  const { world } = sandbox
  world.others.push(
    world.entity(5, 'item', [4, 0, 0], { item: item('raw_iron', 2, 0) }),
    world.entity(6, 'item', [30, 0, 0], { item: item('stick', 1, 0) })
  )
  world.acts.goto = (goal) => {
    if (goal.x === 4) {
      world.others.splice(0, 1)
      world.give('raw_iron', 2)
    }
  }
  assert.deepEqual(await sandbox.value('return collectDrops(bot, 16)'), { raw_iron: 2 })
  assert.deepEqual(await sandbox.value('return collectDrops(bot, 16)'), {})
})

test('collectDrops beside an item without room for it fails by name', async () => {
  const sandbox = new Sandbox()
  const { world } = sandbox
  for (let slot = 9; slot < 45; slot++) world.slots[slot] = item('cobblestone', 64, slot)
  world.others.push(world.entity(5, 'item', [1, 0, 0], { item: item('raw_iron', 2, 0) }))
  await assert.rejects(sandbox.value('await collectDrops(bot)'), { name: 'InventoryFull' })
})

/**
 * A chest at (2, 0, 0).
 * @param {Sandbox} sandbox
 * @param {Record<string, number>} holds
 */
function chest (sandbox, holds) {
  const { world } = sandbox
  world.put('chest', [2, 0, 0])
  const slots = Object.entries(holds).map(([name, count], index) => item(name, count, index))
  world.acts.openContainer = () => {
    world.window = { id: 3, type: 'minecraft:generic_9x3', title: '',
      inventoryStart: 27, inventoryEnd: 63, hotbarStart: 54, selectedItem: null,
      position: [2, 0, 0], slots: [...slots, ...Array(63 - slots.length).fill(null)] }
    return world.window
  }
  world.acts.closeWindow = () => { world.window = null }
}

test('getItemFromChest gives what was really obtained', async () => {
  const sandbox = new Sandbox()
  const { world } = sandbox
  chest(sandbox, { iron_pickaxe: 1, stick: 5 })
  world.acts.withdraw = (_id, type, count) => {
    if (type === registry.itemsByName.iron_pickaxe.id) throw failure('ItemNotInChest', 'another hand')
    return count - 1
  }
  assert.deepEqual(await sandbox.value('return getItemFromChest(bot, new Vec3(2, 0, 0), { ' +
    'iron_pickaxe: 1, stick: 3, bread: 1 })'),
    { iron_pickaxe: 0, stick: 2, bread: 0 })
  assert.equal(world.window, null)
  assert.equal(world.count('log'), 1)
})

test('getItemFromChest that obtains nothing says what the chest holds, and closes it', async () => {
  const sandbox = new Sandbox()
  chest(sandbox, { stick: 5 })
  await assert.rejects(sandbox.value('await getItemFromChest(bot, new Vec3(2, 0, 0), { iron_pickaxe: 1 })'),
    (/** @type {any} */ error) =>
    error.name === 'ItemNotInChest' && error.message.includes('5 stick') && error.message.includes('1 iron_pickaxe'))
  assert.equal(sandbox.world.window, null)
})

test('depositItemIntoChest puts in what is there and says so', async () => {
  const sandbox = new Sandbox()
  chest(sandbox, {})
  sandbox.world.give('raw_iron', 4)
  sandbox.world.acts.deposit = (_id, _type, count) => count
  assert.deepEqual(
    await sandbox.value('return depositItemIntoChest(bot, new Vec3(2, 0, 0), { raw_iron: 9, stick: 1 })'),
    { raw_iron: 4, stick: 0 }
  )
  await assert.rejects(
    sandbox.value('await depositItemIntoChest(bot, new Vec3(2, 0, 0), { stick: 1 })'), { name: 'ItemNotInInventory' }
  )
  sandbox.world.acts.deposit = () => { throw failure('ChestFull', 'full') }
  await assert.rejects(
    sandbox.value('await depositItemIntoChest(bot, new Vec3(2, 0, 0), { raw_iron: 1 })'), { name: 'ChestFull' }
  )
})

test('a block that is no chest is named in the error, with the nearest chest', async () => {
  const sandbox = new Sandbox()
  chest(sandbox, {})
  sandbox.world.put('stone', [4, 0, 0])
  await assert.rejects(sandbox.value('await checkItemInsideChest(bot, new Vec3(4, 0, 0))'),
    (/** @type {any} */ error) =>
    error.name === 'ChestNotFound' && error.message.includes('stone') && error.message.includes('(2, 0, 0)'))
  assert.deepEqual(await sandbox.value('return checkItemInsideChest(bot, { x: 2, y: 0, z: 0 })'), {})
})

test('waitSignal runs the function to its end before it waits', async () => {
  const sandbox = new Sandbox()
  /** @type {string[]} */
  const order = []
  sandbox.world.acts.waitTicks = () => { order.push('work') }
  sandbox.world.acts.waitSignal = (/** @type {string} */ name) => {
    order.push(`wait ${name}`)
    return { from: 'Glitch', name }
  }
  const program =
    'return [await waitSignal(bot, "done", async () => { ' +
      'await bot.waitForTicks(1) }), await waitSignal(bot, async (bot) => { ' +
      'await bot.waitForTicks(1) }), await waitSignal(bot)]'
  assert.deepEqual((await sandbox.value(program)).map((/** @type {any} */ signal) => signal.name), ['done', '', ''])
  assert.deepEqual(order, ['work', 'wait done', 'work', 'wait ', 'wait '])
})

test('bad arguments are refused with what is legal', async () => {
  const cases = [
    ['goTo(bot, null)', 'BadArgument', 'Vec3'],
    ['goTo(bot, { x: NaN, y: 0, z: 0 })', 'BadArgument', 'Vec3'],
    ['goTo(bot, new Vec3(4e7, 0, 0))', 'BadArgument', 'outside the world'],
    ['goTo(bot, new Vec3(1, 0, 0), -1)', 'BadArgument', '0 to 64'],
    ['goTo(new Vec3(1, 0, 0))', 'BadArgument', 'first argument must be bot'],
    ['mineBlock("iron_ore", 3)', 'BadArgument', 'first argument must be bot'],
    ['mineBlock(bot, "iron_ore", 0)', 'BadArgument', 'whole number'],
    ['mineBlock(bot, "iron_ore", 1.5)', 'BadArgument', 'whole number'],
    ['mineBlock(bot, "raw_iron")', 'UnknownName', 'raw_iron_block'],
    ['mineBlock(bot, 7)', 'BadArgument', 'iron_ore'],
    ['findBlock(bot, "iron_ore", 500)', 'BadArgument', '1 to 64'],
    ['getItemFromChest(bot, new Vec3(0, 0, 0), ["stick"])', 'BadArgument', 'iron_pickaxe'],
    ['getItemFromChest(bot, new Vec3(0, 0, 0), {})', 'BadArgument', 'empty'],
    ['getItemFromChest(bot, new Vec3(0, 0, 0), { stick: -1 })', 'BadArgument', 'whole number'],
    ['equipItem(bot, "iron_pickaxe", "mouth")', 'BadArgument', 'off-hand'],
    ['equipItem(bot, "iron_pickaxe")', 'ItemNotInInventory', 'nothing'],
    ['say(bot, {})', 'BadArgument', '256'],
    ['sendSignal(bot, 5)', 'BadArgument', 'name'],
    ['waitSignal(bot, 5)', 'BadArgument', 'text'],
    ['killMob(bot, "cwo")', 'UnknownName', 'cow'],
    ['killMob(bot, "cow")', 'MobNotFound', '48'],
    ['exploreUntil(bot, new Vec3(0, 0, 0), 5, () => 1)', 'BadArgument', 'direction'],
    ['exploreUntil(bot, new Vec3(1, 0, 0), 5, 7)', 'BadArgument', 'callback'],
    ['craftItem(bot, "stick", 0)', 'BadArgument', 'whole number'],
    ['smeltItem(bot, "raw_iron", "coal", 1)', 'ItemNotInInventory', 'have 0'],
    ['placeItem(bot, "dirt", new Vec3(0, 0, 0))', 'ItemNotInInventory', 'nothing'],
    ['shoot(bot, "spoon", "cow")', 'BadArgument', 'bow'],
    ['waitForMobRemoved(bot, null)', 'BadArgument', 'nearestEntity']
  ]
  for (const [call, name, text] of cases) {
    const { error } = await new Sandbox().run(`async function program (bot) { await ${call} }`)
    assert.deepEqual(
      [error?.name, error?.message.includes(text)], [name, true], `${call}: ${error?.name}: ${error?.message}`
    )
  }
})

test('every call of an action is reported once at its end, with its arguments and its error', async () => {
  const sandbox = new Sandbox()
  sandbox.world.put('iron_ore', [2, 0, 0])
  sandbox.world.give('stone_pickaxe', 1)
  digGives(sandbox)
  await sandbox.run('async function program (bot) { await mineBlock(bot, "iron_ore", 1); ' +
    'await goTo(bot, new Vec3(1, 2, 3)); findBlock(bot, "chest"); await mineBlock(bot, "iron_ore") }')
  const said = sandbox.world.calls.filter(({ method }) => method === 'action').map(({ args }) => args)
  assert.deepEqual(said.map(([name, args, ok, error]) => [name, args, ok, error?.name ?? null]), [
    ['mineBlock', ['iron_ore', 1], true, null],
    ['goTo', [[1, 2, 3]], true, null],
    ['mineBlock', ['iron_ore'], false, 'BlockNotFound']
  ])
})

test('craftItem names what is missing', async () => {
  const sandbox = new Sandbox()
  const stick = registry.itemsByName.stick.id
  const planks = registry.itemsByName.oak_planks.id
  const recipe = {
    index: 0,
    result: { id: stick, count: 4 },
    requiresTable: false,
    delta: [{ id: planks, count: -2 }, { id: stick, count: 4 }],
    ingredients: null,
    inShape: null
  }
  sandbox.world.commands.recipes = (_item, _min, _table, all) => all
    ? [recipe]
    : sandbox.world.slots.some((held) => held !== null) ? [recipe] : []
  await assert.rejects(sandbox.value('await craftItem(bot, "stick", 2)'), (/** @type {any} */ error) =>
    error.name === 'NoRecipe' && error.message.includes('4 more oak_planks'))
  sandbox.world.give('oak_planks', 4)
  sandbox.world.acts.craft = (_item, _recipe, count) => count * 4
  assert.equal(await sandbox.value('return craftItem(bot, "stick", 2)'), 8)
  assert.equal(await sandbox.value('return craftItem(bot, "stick", 5)'), 8)
  assert.deepEqual(sandbox.world.calls.filter(({ method }) => method === 'log').map(({ args }) => args[1]),
    ['crafted stick 2 of 5 times: for the others, get 6 more oak_planks'])
})

test('exploreUntil ends with what the callback finds, with null in time, and tries other ways', async () => {
  const sandbox = new Sandbox()
  const { world } = sandbox
  world.acts.goto = (goal) => {
    if (goal.x > 20 && goal.z < 5) throw failure('NoPath', 'a wall')
    world.me.position = [goal.x, 0, goal.z]
    world.time += 3000
  }
  const found =
    await sandbox.value('return exploreUntil(bot, new Vec3(1, 0, 0), 60, () => ' +
      'bot.entity.position.z > 8 ? bot.entity.position.x : null)')
  assert.ok(found > 8, `${found}`)
  assert.equal(await sandbox.value('return exploreUntil(bot, new Vec3(0, 0, 1), 10, () => false)'), null)
})
