'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Sandbox, failure, item } = require('./support')

test('a member that the bot does not have is refused by name, with the nearest ones', async () => {
  const cases = [
    ['bot.creative.flyTo(1)', 'bot.creative', 'bot.'],
    ['bot.mineBlok', 'bot.mineBlok', 'bot.'],
    ['bot.pathfinder.goTo(1)', 'bot.pathfinder.goTo', 'bot.pathfinder.goto'],
    ['bot.inventory.itmes()', 'bot.inventory.itmes', 'bot.inventory.items'],
    ['mcData.blockByName.stone', 'mcData.blockByName', 'mcData.blocksByName'],
    ['require("fs")', 'require("fs")', 'vec3']
  ]
  for (const [code, member, nearest] of cases) {
    const { outcome, error } = await new Sandbox().run(`async function program (bot) {\n  ${code}\n}`)
    assert.equal(outcome, 'threw', code)
    assert.equal(error.name, 'NotSupported', code)
    assert.ok(error.message.includes(member) && error.message.includes(nearest), error.message)
    assert.equal(error.line, 2, code)
  }
})

test('the bot may be awaited, printed and tested for members without being refused', async () => {
  const sandbox = new Sandbox()
  assert.equal(await sandbox.value('await bot; console.log(bot); return "dig" in bot && !("fly" in bot)'), true)
})

test('a program cannot replace the wiring, but may keep things of its own on the bot', async () => {
  const sandbox = new Sandbox()
  const program =
    'let said; try { bot.dig = null } catch (error) { said = error.name } bot.plan = [1]; ' +
      'return [said, bot.plan, typeof bot.dig]'
  assert.deepEqual(await sandbox.value(program), ['NotSupported', [1], 'function'])
})

test('built-in objects cannot be changed, errors and objects of a program can', async () => {
  const sandbox = new Sandbox()
  const program = `
    'use strict'
    const said = []
    for (const spoil of [() => { Array.prototype.map = null }, () => { Promise.prototype.then = null },
      () => { Object.prototype.x = 1 }, () => { JSON.parse = null }]) {
      try { spoil(); said.push('changed') } catch (error) { said.push(error.name) }
    }
    class Mine extends Error { constructor () { super('m'); this.name = 'Mine' } }
    const thing = {}; thing.toString = () => 'thing'
    return [said, new Mine().name, String(thing)]`
  assert.deepEqual(
    await sandbox.value(program), [['TypeError', 'TypeError', 'TypeError', 'TypeError'], 'Mine', 'thing']
  )
})

test('replacing globals does not break the bot facade', async () => {
  const sandbox = new Sandbox()
  sandbox.world.give('stick', 2)
  const program =
    'globalThis.JSON = null; globalThis.Promise = null; globalThis.Map = null; ' +
      'bot.plan = bot.inventory.items().length; globalThis.said = String(bot.plan)'
  const end = await sandbox.run(`async function program (bot) { ${program} }`)
  assert.deepEqual([end.outcome, sandbox.context.said], ['returned', '1'])
})

test('nothing of Node and no way to the host is in scope', async () => {
  const names = ['process', 'Buffer', 'module', 'exports', '__host', '__dirname', 'fetch', 'global']
  const program = `return [${names.map((name) => `typeof ${name}`).join(', ')}]`
  assert.deepEqual(await new Sandbox().value(program), names.map(() => 'undefined'))
})

test('an error of an awaited action carries the line of the program', async () => {
  const sandbox = new Sandbox()
  sandbox.world.acts.dig = async () => { throw failure('NotBroken', 'gone') }
  const end =
    await sandbox.run('async function program (bot) {\n  const at = new Vec3(0, 1, 0)\n  await bot.waitForTicks(1)\n' +
      '  await bot.dig({ position: at })\n}')
  assert.deepEqual(end, { outcome: 'threw', error: { name: 'NotBroken', message: 'gone', line: 4, column: 13 } })
})

test('an error inside a primitive carries the line of its call', async () => {
  const sandbox = new Sandbox()
  const end = await sandbox.run('async function program (bot) {\n\n  await mineBlock(bot, "iron_or")\n}')
  assert.equal(end.error.name, 'UnknownName')
  assert.ok(end.error.message.includes('iron_ore'), end.error.message)
  assert.equal(end.error.line, 3)
})

test('answers hold while a program only tells, and are asked for again after a command', async () => {
  const sandbox = new Sandbox()
  sandbox.world.commands.swing = () => null
  const program = `
    const look = () => bot.health
    look(); console.log('a line'); bot.on('rain', () => {}); look()
    try { await mineBlock(bot, 'iron_or') } catch (error) { look() }
    bot.swingArm(); look()`
  await sandbox.value(program)
  assert.equal(sandbox.world.count('self'), 2)
})

test('a caught error of a primitive has a stack to read and to replace', async () => {
  const sandbox = new Sandbox()
  const program = `
    const failed = () => mineBlock(bot, 'iron_or').catch((error) => error)
    const [read, replaced, frozen] = [await failed(), await failed(), Object.freeze(await failed())]
    replaced.stack = 'mine'
    return [read.stack.includes('policy.js:'), replaced.stack, frozen.stack.includes('policy.js:')]`
  assert.deepEqual(await sandbox.value(program), [true, 'mine', true])
})

test('a timer or listener that throws ends the run with its own line', async () => {
  const timer =
    await new Sandbox().run('async function program (bot) {\n  setTimeout(() => {\n    throw new TypeError("late")\n' +
      '  }, 10)\n  await new Promise(() => {})\n}')
  assert.deepEqual(timer.error, { name: 'TypeError', message: 'late', line: 3, column: 11 })
  const sandbox = new Sandbox()
  const ended =
    sandbox.run('async function program (bot) {\n  bot.on("chat", (who) => { throw new Error(who) })\n' +
      '  await new Promise(() => {})\n}')
  sandbox.deliver({ event: 'chat', args: ['Glitch', 'hi'] })
  assert.equal((await ended).error.message, 'Glitch')
})

test('whatever is thrown is described', async () => {
  const cases = [
    ['throw undefined', 'undefined was thrown'],
    ['throw "no"', 'no was thrown'],
    ['throw { get message () { throw new Error("x") }, toString () { return "odd" } }', 'odd'],
    ['throw new Proxy({}, { get () { throw new Error("x") } })', '']
  ]
  for (const [code, message] of cases) {
    const { outcome, error } = await new Sandbox().run(`async function program (bot) { ${code} }`)
    assert.deepEqual([outcome, error.name, error.message], ['threw', 'Error', message], code)
  }
})

test('an action that nobody awaits does not end the run when it fails', async () => {
  const sandbox = new Sandbox()
  sandbox.world.acts.dig = async () => { throw failure('NotBroken', 'gone') }
  const end =
    await sandbox.run('async function program (bot) { bot.dig({ position: new Vec3(0, 0, 0) }); ' +
      'await bot.waitForTicks(5) }')
  assert.equal(end.outcome, 'returned')
})

test('the main function is the last one at top level that takes a bot', async () => {
  const cases = [
    ['async function a (bot) { globalThis.ran = "a" }\nasync function b (bot) { globalThis.ran = "b" }', 'b'],
    ['async function a (bot) { globalThis.ran = "a" }\nfunction help (x) { globalThis.ran = "help" }', 'a'],
    ['const go = async (bot) => { globalThis.ran = "arrow" }', 'arrow'],
    ['async function a (bot) { globalThis.ran = "a" }\n// async function b (bot) {}', 'a'],
    ['(async (bot) => { globalThis.ran = "expression" })', 'expression']
  ]
  for (const [source, ran] of cases) {
    const sandbox = new Sandbox()
    assert.equal((await sandbox.run(source)).outcome, 'returned', source)
    assert.equal(sandbox.context.ran, ran, source)
  }
  const none = await new Sandbox().run('const x = 1')
  assert.deepEqual([none.outcome, none.error.name], ['threw', 'NoFunction'])
  const bad = await new Sandbox().run('async function a (bot) { await (')
  assert.equal(bad.outcome, 'syntax')
})

test('time and chance come from the world', async () => {
  const program =
    'return [Date.now(), new Date().getTime(), new Date(5).getTime(), new Date() instanceof Date, performance.now()]'
  assert.deepEqual(await new Sandbox().value(program), [1000, 1000, 5, true, 1000])
  const draw = async (/** @type {any} */ settings) => {
    const sandbox = new Sandbox()
    await sandbox.run('async function program (bot) { globalThis.said = [Math.random(), Math.random()] }', settings)
    return [...sandbox.context.said]
  }
  assert.deepEqual(await draw({ seed: 1 }), await draw({ seed: 1 }))
  assert.notDeepEqual(await draw({ seed: 1 }), await draw({ seed: 2 }))
  assert.notDeepEqual(await draw({ seed: 1 }), await draw({ seed: 1, bot: 'Glitch' }))
})

test('timers run in the world, and a cleared one is dropped', async () => {
  const sandbox = new Sandbox()
  sandbox.world.acts.sleep = (/** @type {number} */ ms) => ms === 99 ? new Promise(() => {}) : null
  const program = `
    const heard = []
    clearTimeout(setTimeout(() => heard.push('cleared'), 99))
    let n = 0
    await new Promise((resolve) => {
      const id = setInterval(() => { n++; if (n === 3) { clearInterval(id); resolve() } }, 5) })
    await new Promise((resolve) => setTimeout((text) => { heard.push(text); resolve() }, 10, 'once'))
    return [heard, n]`
  assert.deepEqual(await sandbox.value(program), [['once'], 3])
  assert.equal(sandbox.dropped.length, 2)
})

test('blocks are found by id, by ids and by a predicate that runs inside', async () => {
  const sandbox = new Sandbox()
  sandbox.world.put('iron_ore', [5, 0, 0], [2, 0, 0])
  sandbox.world.put('chest', [3, 0, 0])
  const program = `
    const id = mcData.blocksByName.iron_ore.id
    const spots = (options) => bot.findBlocks(options).map((at) => at.x)
    return [
      spots({ matching: id, maxDistance: 32, count: 9 }),
      spots({ matching: [id, mcData.blocksByName.chest.id], maxDistance: 32, count: 9 }),
      spots({ matching: (block) => block.name.endsWith('_ore'), maxDistance: 32, count: 9 }),
      spots({ matching: (block) => block.position.x > 4 && block.name === 'iron_ore',
        useExtraInfo: true, maxDistance: 32, count: 9 }),
      bot.findBlock({ matching: id, maxDistance: 1 }),
      bot.findBlock({ matching: id }).position.x,
      findBlock(bot, 'chest').name
    ]`
  assert.deepEqual(await sandbox.value(program), [[2, 5], [2, 3, 5], [2, 5], [5], null, 2, 'chest'])
})

test('between two messages of the host the same question is asked once', async () => {
  const sandbox = new Sandbox()
  sandbox.world.put('stone', [0, -1, 0])
  await sandbox.value('for (let i = 0; i < 50; i++) bot.blockAt(new Vec3(0, -1, 0))\n return bot.entity.position.x')
  assert.equal(sandbox.world.count('blockAt'), 1)
  const later = new Sandbox()
  await later.value('for (let i = 0; i < 3; i++) { bot.blockAt(new Vec3(0, -1, 0)); await bot.waitForTicks(1) }')
  assert.equal(later.world.count('blockAt'), 3)
})

test('an entity that is kept goes on telling the truth', async () => {
  const sandbox = new Sandbox()
  const { world } = sandbox
  world.others.push(world.entity(7, 'cow', [3, 0, 0]))
  world.acts.waitTicks = () => {
    if (world.others[0]?.position[0] === 3) world.others[0].position = [9, 0, 0]
    else world.others.length = 0
  }
  const program = `
    const cow = bot.nearestEntity((entity) => entity.name === 'cow')
    const seen = [cow.position.x, cow.isValid]
    await bot.waitForTicks(1)
    seen.push(cow.position.x)
    await bot.waitForTicks(1)
    seen.push(cow.isValid, cow.position.x, bot.nearestEntity())
    return seen`
  assert.deepEqual(await sandbox.value(program), [3, true, 9, false, 9, null])
})

test('the inventory answers as prismarine-windows does', async () => {
  const sandbox = new Sandbox()
  sandbox.world.slots[9] = item('cobblestone', 64, 9)
  sandbox.world.slots[36] = item('cobblestone', 3, 36)
  sandbox.world.slots[5] = item('iron_helmet', 1, 5)
  const program = `
    const id = mcData.itemsByName.cobblestone.id
    return [bot.inventory.items().length, bot.inventory.count(id), bot.inventory.findInventoryItem(id, null, true).slot,
      bot.inventory.findInventoryItem('cobblestone').slot, bot.inventory.emptySlotCount(),
        bot.heldItem.count, bot.inventory.slots[5].name]`
  assert.deepEqual(await sandbox.value(program), [2, 67, 36, 9, 34, 3, 'iron_helmet'])
})

test('mcData is lazy, read-only and can be listed', async () => {
  const sandbox = new Sandbox()
  const program = `
    let said; try { mcData.itemsByName.stick = 1 } catch (error) { said = error.name }
    return [said, mcData.itemsByName.stick.name, mcData.itemsByName.nothing_such ?? null, 'stick' in mcData.itemsByName,
      Object.keys(mcData.foodsByName).includes('bread'), mcData.version.minecraftVersion, bot.registry === mcData]`
  assert.deepEqual(await sandbox.value(program), ['NotSupported', 'stick', null, true, true, '1.20.4', true])
  assert.equal(sandbox.world.count('data'), 2) // a stick, and the name that there is not
})

test('listeners hear events once or always, and can be removed', async () => {
  const sandbox = new Sandbox()
  const ended = sandbox.value(`
    const heard = []
    bot.once('chat', (who, text) => heard.push(text))
    const fn = (who) => heard.push(who)
    bot.on('chat', fn)
    await new Promise((resolve) => bot.on('health', resolve))
    bot.removeListener('chat', fn)
    return [heard, bot.listenerCount('chat')]`)
  sandbox.deliver({ event: 'chat', args: ['Glitch', 'a'] })
  sandbox.deliver({ event: 'chat', args: ['Glitch', 'b'] })
  sandbox.deliver({ event: 'health', args: [] })
  assert.deepEqual(await ended, [['a', 'Glitch', 'Glitch'], 0])
  assert.equal(sandbox.world.count('unsubscribe'), 2)
})

test('walking neither digs nor places unless the program asks for it, ' +
  'as it does with movements of its own', async () => {
  const sandbox = new Sandbox()
  const asked = () => sandbox.world.calls.filter((call) => call.method === 'goto').map((call) => call.args[1])
  await sandbox.value('await bot.pathfinder.goto(new GoalBlock(1, 2, 3)); ' +
    'bot.pathfinder.setMovements(new Movements(bot, mcData)); await bot.pathfinder.goto(new GoalXZ(1, 2))')
  assert.equal(asked()[0], null)
  const { canDig, allow1by1towers, scafoldingBlocks, blocksCantBreak, blocksToAvoid } = asked()[1]
  assert.deepEqual(
    [canDig, allow1by1towers, scafoldingBlocks.length, blocksCantBreak.length, blocksToAvoid.length],
    [true, true, 2, 1, 3]
  )
  await sandbox.value(`const m = new Movements(bot, mcData); m.canDig = false; m.scafoldingBlocks = [];
    m.maxDropDown = 2; m.blocksToAvoid.add(77)
    bot.pathfinder.setMovements(m); await bot.pathfinder.goto(new GoalXZ(1, 2))`)
  assert.deepEqual(
    [asked()[2].canDig, asked()[2].scafoldingBlocks, asked()[2].maxDropDown, asked()[2].blocksToAvoid.at(-1)],
    [false, [], 2, 77]
  )
})

test('movements that weigh single blocks by a function are refused by name', async () => {
  const sandbox = new Sandbox()
  await assert.rejects(
    sandbox.value('const m = new Movements(bot); m.exclusionAreasBreak.push(() => 100); ' +
      'bot.pathfinder.setMovements(m)'),
    /exclusionAreasBreak.*blocksCantBreak/
  )
})
