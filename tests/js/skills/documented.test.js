'use strict'
/**
 * Every member and event that mineflayer and its packages document is there, or is refused by name with what to do
 * instead.
 */
const test = require('node:test')
const assert = require('node:assert/strict')
const { readFileSync } = require('node:fs')
const ts = require('typescript')
const { INSTEAD } = require('../../../skills_js/bot_facade/documented')
const { eventOf } = require('../../../skills_js/bot_facade/event_names')
const { MEANINGS } = require('../../../skills_js/bot_facade/nearest_names')
const { createMockWorld, skills } = require('../../../skills_js/mock')
const { Vec3 } = require('vec3')

/** @param {string} file @returns {Record<string, string[]>} interface or class -> its members, of a package's types */
function documented (file) {
  const path = require.resolve(file)
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  /** @type {Record<string, string[]>} */
  const found = {}
  /** @param {any} node */
  const visit = (node) => {
    if ((ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) && node.name) {
      const names = node.members.filter((/** @type {any} */ member) => member.name &&
        !member.modifiers?.some((/** @type {any} */ each) => each.kind === ts.SyntaxKind.StaticKeyword))
        .map((/** @type {any} */ member) => ts.isComputedPropertyName(member.name)
          ? member.name.expression.getText()
          : member.name.text ?? member.name.getText())
      found[node.name.text] = [...found[node.name.text] ?? [], ...names]
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** @param {string} pattern @returns {string[]} members that the headings of mineflayer's documentation name */
function headings (pattern) {
  const text = readFileSync(require.resolve('mineflayer/docs/api.md'), 'utf8')
  return [...text.matchAll(new RegExp(`^#+ ${pattern}\\.(\\w+)`, 'gm'))].map(([, name]) => name)
}

/**
 * @param {any} object @param {string} path - of the table of substitutes @param {string[]} names
 * @returns {string[]} members that are neither there nor refused with a substitute
 */
function undocumented (object, path, names) {
  return names.filter((name) => {
    if (Object.hasOwn(INSTEAD[path] ?? {}, name)) {
      assert.throws(
        () => object[name], { name: 'NotSupported', message: new RegExp(`is not here: .{8,}`) }, `${path}.${name}`
      )
      return false
    }
    return !(name in object)
  })
}

const world = createMockWorld({ seed: 1 })
const bot = world.join('Gizmo')
for (const command of [
  'setblock 2 -60 0 furnace', 'setblock 0 -60 2 chest', 'give Gizmo coal 2', 'give Gizmo raw_iron 1'
]) {
  world.command(command)
}

test('every documented member of the bot exists or is refused by name', () => {
  const names = [...documented('mineflayer/index.d.ts').Bot, ...headings('bot').filter((name) => !/^_/.test(name))]
  assert.ok(names.length > 120)
  assert.deepEqual(undocumented(bot, 'bot', names), [])
  assert.deepEqual(
    undocumented(bot.pathfinder, 'bot.pathfinder', documented('mineflayer-pathfinder/index.d.ts').Pathfinder), []
  )
})

test('every documented member of entities, items and blocks exists or is refused by name', () => {
  assert.deepEqual(undocumented(bot.entity, 'entity', documented('prismarine-entity/index.d.ts').Entity), [])
  assert.deepEqual(undocumented(bot.inventory.items()[0], 'item', documented('prismarine-item/index.d.ts').Item), [])
  assert.deepEqual(
    undocumented(bot.blockAt(new Vec3(2, -60, 0)), 'block', documented('prismarine-block/index.d.ts').Block), []
  )
})

test('every documented member of windows exists or is refused, and a furnace tells its seconds', async () => {
  const { Window } = documented('prismarine-windows/index.d.ts')
  assert.deepEqual(undocumented(bot.inventory, 'window', Window), [])
  await world.run(async () => {
    const chest = await bot.openContainer(bot.blockAt(new Vec3(0, -60, 2)))
    assert.deepEqual(undocumented(chest, 'window', [...Window, 'withdraw', 'deposit', 'close']), [])
    await chest.close()
    const furnace = await bot.openFurnace(bot.blockAt(new Vec3(2, -60, 0)))
    const names = [
      ...documented('mineflayer/index.d.ts').Furnace, 'fuelSeconds', 'totalFuel', 'totalFuelSeconds', 'progressSeconds',
      'totalProgress', 'totalProgressSeconds'
    ]
    assert.deepEqual(undocumented(furnace, 'window', [...Window, ...names]), [])
    await furnace.putFuel(bot.registry.itemsByName.coal.id, null, 1)
    await furnace.putInput(bot.registry.itemsByName.raw_iron.id, null, 1)
    await bot.waitForTicks(40)
    assert.deepEqual([furnace.totalFuelSeconds, furnace.totalProgressSeconds], [80, 10])
    assert.ok(furnace.fuelSeconds > 76 && furnace.fuelSeconds < 79, String(furnace.fuelSeconds))
    assert.ok(furnace.progressSeconds > 7 && furnace.progressSeconds < 9, String(furnace.progressSeconds))
    await furnace.close()
  })
})

test('every documented event is heard, or refused by name', () => {
  const names = [
    ...documented('mineflayer/index.d.ts').BotEvents, ...documented('mineflayer-pathfinder/index.d.ts').BotEvents,
    'startedAttacking', 'stoppedAttacking', 'attackedTarget'
  ]
  assert.ok(names.length > 90)
  for (const name of names) {
    try {
      eventOf(name)
    } catch (error) {
      assert.equal(error.name, 'NotSupported', name)
      assert.match(error.message, /never told here; .{8,}/, name)
    }
  }
})

test('plugins that are built in may be loaded, and what they name is found by meaning', () => {
  bot.loadPlugin(() => {})
  bot.loadPlugins([() => {}])
  assert.equal(bot.hasPlugin(() => {}), true)
  assert.throws(() => bot.autoEat, { name: 'NotSupported', message: /eatFood/ })
  assert.throws(() => bot.armorManager, { name: 'NotSupported', message: /equipItem/ })
})

test('usual listeners end no program', () => {
  for (const name of [
    'message', 'messagestr', 'respawn', 'error', 'kicked', 'end', 'login', 'spawn', 'path_update', 'goal_reached',
    'goal_updated', 'path_reset', 'path_stop'
  ]) {
    const listener = () => {}
    bot.on(name, listener)
    bot.removeListener(name, listener)
  }
  assert.throws(() => bot.on('helth', () => {}), { name: 'NotSupported', message: /nearest: health/ })
})

test('names are suggested by meaning, and each meaning is the name of a block, an item or a mob', async () => {
  const { blocksByName, itemsByName, entitiesByName } = require('prismarine-registry')('1.20.4')
  for (const [wrong, meant] of Object.entries(MEANINGS)) {
    for (const name of meant) {
      assert.ok(name in blocksByName || name in itemsByName || name in entitiesByName, `${wrong}: ${name}`)
    }
  }
  await world.run(async () => {
    await assert.rejects(skills.mineBlock(bot, 'grass'), { name: 'UnknownName', message: /nearest names: short_grass/ })
    await assert.rejects(
      skills.killMob(bot, 'zombie_pigman'), { name: 'UnknownName', message: /nearest names: zombified_piglin/ }
    )
  })
})

test('members of an object may have the names of refused ones', () => {
  const item = bot.inventory.items()[0]
  item.stackId = 7
  assert.equal(item.stackId, 7)
})
