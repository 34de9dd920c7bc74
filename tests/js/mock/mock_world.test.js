'use strict'
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const test = require('node:test')
const assert = require('node:assert/strict')
const { createMockWorld } = require('../../../skills_js/mock')
const { mineBlock } = require('../../../skills_js/primitives/mineBlock')
const { goTo } = require('../../../skills_js/primitives/goTo')
const { collectDrops } = require('../../../skills_js/primitives/collectDrops')
const { getItemFromChest } = require('../../../skills_js/primitives/getItemFromChest')
const { waitSignal } = require('../../../skills_js/primitives/waitSignal')
const { sendSignal } = require('../../../skills_js/primitives/sendSignal')
const { immobilize } = require('../../../skills_js/primitives/immobilize')
const { readClock } = require('../../../skills_js/queries/readClock')
const { Vec3 } = require('../../../skills_js/bot_facade/vec3')

/** @param {string} name */
const error = (name) => (/** @type {Error} */ thrown) => thrown.name === name

/** A world with ores, a chest with tools, and two players. */
function mine (seed = 1) {
  const world = createMockWorld({ seed })
  const bots = { Gizmo: world.join('Gizmo'), Glitch: world.join('Glitch') }
  world.command('fill 6 -60 0 8 -60 1 iron_ore')
  world.command('setblock 0 -60 3 chest')
  world.command('item replace block 0 -60 3 container.0 with stone_pickaxe 1')
  world.command('item replace block 0 -60 3 container.1 with iron_pickaxe 1')
  return { world, ...bots }
}

test('a skill does in the mock world what it would do on a server, and time passes for it', async () => {
  const { world, Gizmo } = mine()
  const got = await world.run(async () => {
    await getItemFromChest(Gizmo, new Vec3(0, -60, 3), { stone_pickaxe: 1 })
    return mineBlock(Gizmo, 'iron_ore', 2)
  })
  assert.deepEqual(got, { mined: 2, obtained: { raw_iron: 2 } })
  assert.deepEqual(world.items('Gizmo'), { raw_iron: 2, stone_pickaxe: 1 })
  assert.equal(
    [6, 7, 8].flatMap((x) => [0, 1].map((z) => world.block(x, -60, z))).filter((name) => name === 'air').length, 2
  )
  assert.ok(world.tick > 60 && world.tick < 200, `${world.tick} ticks`)
})

test('the same seed gives the same events, byte for byte; another seed does not', async () => {
  const play = async (/** @type {number} */ seed) => {
    const { world } = mine(seed)
    await world.runAll({
      Gizmo: async (bot) => {
        await getItemFromChest(bot, new Vec3(0, -60, 3), { iron_pickaxe: 1 })
        await mineBlock(bot, 'iron_ore', 4)
      },
      Glitch: async (bot) => {
        await bot.waitForTicks(5)
        await getItemFromChest(bot, new Vec3(0, -60, 3), { stone_pickaxe: 1 })
        await mineBlock(bot, 'iron_ore', 4)
      }
    })
    return JSON.stringify([world.events, world.tick])
  }
  const first = await play(5)
  assert.equal(await play(5), first)
  assert.notEqual(await play(6), first)
})

test('players begin in the same tick, and each has its own end', async () => {
  const { world } = mine()
  const ends = await world.runAll({
    Gizmo: async (bot) => { await bot.waitForTicks(30); return 'done' },
    Glitch: async (bot) => { await bot.waitForTicks(10); throw new RangeError('enough') }
  })
  assert.equal(ends.Gizmo.value, 'done')
  assert.equal(ends.Gizmo.ticks, 30)
  assert.equal(ends.Glitch.error?.message, 'enough')
  assert.equal(ends.Glitch.ticks, 10)
})

test('signals wake, deadlocks end, and an ended sender is told', async () => {
  const { world } = mine()
  const woken = await world.runAll({
    Gizmo: async (bot) => { await bot.waitForTicks(20); return sendSignal(bot, 'Glitch', 'go') },
    Glitch: async (bot) => waitSignal(bot, 'go')
  })
  assert.deepEqual(woken.Glitch.value, { from: 'Gizmo', name: 'go' })
  assert.equal(woken.Gizmo.value, true)
  const stuck = await world.runAll({ Gizmo: (bot) => waitSignal(bot), Glitch: (bot) => waitSignal(bot) })
  assert.deepEqual([stuck.Gizmo.error?.name, stuck.Glitch.error?.name], ['Deadlock', 'Deadlock'])
  const left = await world.runAll({ Gizmo: async () => 1, Glitch: (bot) => waitSignal(bot, 'Gizmo') })
  assert.equal(left.Glitch.error?.name, 'SenderEnded')
})

test('a program that takes too long ends in game time, and leaves nothing under way', async () => {
  const { world, Gizmo } = mine()
  await assert.rejects(world.run(() => goTo(Gizmo, new Vec3(60, -60, 0), 1), { seconds: 2 }), error('TimedOut'))
  assert.equal(world.tick, 40)
  const { position } = world.observe('Gizmo')
  await world.wait(1)
  assert.deepEqual(world.observe('Gizmo').position, position)
})

test('a program that tries for ever after its time is up does not keep Node busy', async () => {
  const { world, Gizmo } = mine()
  await assert.rejects(world.run(async () => {
    for (;;) await goTo(Gizmo, new Vec3(60, -60, 0), 1).catch(() => {})
  }, { seconds: 1 }), error('TimedOut'))
  await world.wait(1)
  assert.equal(world.tick, 40)
})

test('a loop of actions that need no time still lets it pass', async () => {
  const { world, Gizmo } = mine()
  await assert.rejects(world.run(async () => {
    for (;;) await Gizmo.waitForTicks(0)
  }, { seconds: 1 }), error('TimedOut'))
  assert.equal(world.tick, 20)
})

test('outside of a run nothing happens that takes time; reading is free', async () => {
  const { Gizmo } = mine()
  assert.equal(Gizmo.blockAt(new Vec3(6, -60, 0)).name, 'iron_ore')
  await assert.rejects(Gizmo.waitForTicks(1), /inside of world\.run/)
})

test('names unknown to the bot or the world are refused, with the nearest known ones', () => {
  const { world, Gizmo } = mine()
  assert.throws(() => Gizmo.creativ, { name: 'NotSupported', message: /^bot\.creativ; nearest supported: bot\./ })
  assert.throws(
    () => Gizmo.creative, { name: 'NotSupported', message: /^bot\.creative is not here: bots play in survival/ }
  )
  assert.throws(
    () => /** @type {any} */ (world).comand, { name: 'NotSupported', message: /nearest supported: world\.command/ }
  )
})

test('wrong commands, names and limits are refused by name', async () => {
  const { world } = mine()
  assert.throws(
    () => world.command('setblock 0 0 0 no_such_block'), { name: 'CommandRefused', message: /no_such_block/ }
  )
  assert.throws(() => world.join('no spaces'), error('BadArgument'))
  assert.throws(() => world.items('Nobody'), { name: 'UnknownPlayer', message: /Gizmo, Glitch/ })
  await assert.rejects(world.run(() => 1, { seconds: NaN }), error('BadArgument'))
})

test('two runs at once are refused', async () => {
  const { world, Gizmo } = mine()
  const first = world.run(() => Gizmo.waitForTicks(5))
  await assert.rejects(world.run(() => 1), error('BadArgument'))
  await first
})

test('a player who leaves takes its actions along', async () => {
  const { world, Gizmo } = mine()
  await assert.rejects(world.run(async () => {
    const walk = goTo(Gizmo, new Vec3(60, -60, 0), 1)
    await Gizmo.waitForTicks(10)
    world.command('kick Gizmo')
    await walk
  }), error('PolicyAborted'))
})

test('a chest of one is emptied by one hand only, in whatever order the hands come', async () => {
  for (const late of ['Gizmo', 'Glitch']) {
    const { world } = mine()
    const take = (/** @type {any} */ bot) => getItemFromChest(bot, new Vec3(0, -60, 3), { iron_pickaxe: 1 })
    const ends = await world.runAll({
      Gizmo: async (bot) => { if (late === 'Gizmo') await bot.waitForTicks(1); return take(bot) },
      Glitch: async (bot) => { if (late === 'Glitch') await bot.waitForTicks(1); return take(bot) }
    })
    const errors = Object.values(ends).map((end) => end.error?.name ?? null)
    assert.deepEqual([...errors].sort(), ['ItemNotInChest', null])
    assert.equal((world.items('Gizmo').iron_pickaxe ?? 0) + (world.items('Glitch').iron_pickaxe ?? 0), 1)
  }
})

test('a player is hit where it stands, and who is not there is named', async () => {
  const { world, Gizmo, Glitch } = mine()
  world.command('tp Glitch 7 -60 5')
  const at = await world.run(() => immobilize(Gizmo, 'Glitch'))
  assert.ok(at.distanceTo(Glitch.entity.position) < 2, String(at))
  assert.ok(world.observe('Glitch').health < 20)
  await assert.rejects(
    world.run(() => immobilize(Gizmo, 'Pedro')), { name: 'UnknownPlayer', message: /in sight: Glitch/ }
  )
})

test('the clock that a skill reads is the world\'s', async () => {
  const { world, Gizmo } = mine()
  const [before, after] = await world.run(async () => {
    const first = readClock(Gizmo)
    await Gizmo.waitForTicks(50)
    return [first, readClock(Gizmo)]
  })
  assert.equal(after.tick - before.tick, 50)
  assert.equal(after.seconds - before.seconds, 2.5)
})

test('drops on both sides are picked up, though the way to one leads out of reach of the other', async () => {
  const { world, Gizmo } = mine()
  world.command('kill @e[type=item]')
  const { x, y, z } = Gizmo.entity.position
  for (const away of [-4, 4]) world.command(`summon item ${x} ${y} ${z + away} {Item:{id:"minecraft:stick",Count:1b}}`)
  assert.deepEqual(await world.run(() => collectDrops(Gizmo, 5)), { stick: 2 })
})

test('functions of a data pack\'s folder are run by their names', (t) => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pack-'))
  t.after(() => fs.rmSync(folder, { recursive: true }))
  fs.mkdirSync(path.join(folder, 'data/lab/functions'), { recursive: true })
  fs.writeFileSync(path.join(folder, 'data/lab/functions/mark.mcfunction'), '# a mark\nsetblock 3 -60 3 gold_block\n')
  const world = createMockWorld({ seed: 1, functions: folder })
  world.command('function lab:mark')
  assert.equal(world.block(3, -60, 3), 'gold_block')
})
