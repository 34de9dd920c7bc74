'use strict'
/**
 * Nothing of a program goes on after its end: position, keys, path, digging, windows and the hand of its bot stay as
 * they are for a hundred ticks of the server. The programs are of the corpus; bots, isolates and server are the
 * product's.
 */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { BotRoom } = require('../../../bridge/host/bots/bots')
const { RunGroups } = require('../../../bridge/host/isolates/run_groups')
const parts = require('../../../bridge/host/parts')
const { HOST, startBench, until } = require('../embedded/support')
const { attacks, CHECKED } = require('../host/fixtures/corpus')

const TICKS = 100
const FEET = -60
/** Blocks between two players: nobody is in another's way. */
const LANE = 12
/** Blocks that rounding may show as a step. */
const STILL = 0.001
const LIMITS = { wall_ms: 8000, cpu_ms: 5000, memory_mb: 64 }

/** @param {any} player @returns {object} what the server knows of it, besides where it is */
const doing = (player) => ({
  window: player.openWindow?.type ?? null, digs: player.digging.current !== null, uses: player.usingItem,
  sprints: player.sprinting, sneaks: player.sneaking
})

/** @param {any} bot @returns {object} what its client is about to do */
const about = (bot) => ({
  keys: ['forward', 'back', 'left', 'right', 'jump', 'sprint', 'sneak'].filter((key) => bot.getControlState(key)),
  walks: bot.pathfinder.isMoving() || bot.pathfinder.goal !== null,
  digs: bot.targetDigBlock !== null || bot.pathfinder.isMining(),
  window: bot.currentWindow?.type ?? null,
  uses: Boolean(bot.usingHeldItem)
})

const RESTS = {
  server: { window: null, digs: false, uses: false, sprints: false, sneaks: false },
  client: { keys: [], walks: false, digs: false, window: null, uses: false }
}

/** A room of the host's with a bot for each program, each beside a chest and with things in its hand. */
async function stage (
  /** @type {import('node:test').TestContext} */ t,
  /** @type {string[]} */ names,
  /** @type {(bot: string) => void} */ ended
) {
  const bench = await startBench()
  const room = new BotRoom(() => {})
  const emit = (/** @type {string} */ kind, /** @type {any} */ data) => {
    if (kind === 'policy' && data.state === 'ended') ended(data.bot)
  }
  const runs = new RunGroups({ room, parts, emit, forward: () => {}, onCatastrophe: () => {} })
  t.after(async () => {
    runs.close()
    for (const name of names) await room.disconnect(name)
    await bench.close()
  })
  // One after the other: a crowd that joins at once on a busy machine takes longer than a bot may.
  for (const bot of names) await room.connect({ bot, host: HOST, port: bench.port, version: '1.20.4' }, null)
  names.forEach((name, lane) => {
    bench.run(`tp ${name} ${lane * LANE}.5 ${FEET} 0.5`)
    bench.run(`setblock ${lane * LANE - 1} ${FEET} 0 chest`)
    // It takes four minutes by hand: no dig is over before its program is, on a machine as busy as may be.
    bench.run(`setblock ${lane * LANE} ${FEET - 1} 0 obsidian`)
    bench.run(`give ${name} golden_apple 8`)
    bench.run(`give ${name} dirt 8`)
  })
  const bots = names.map((name) => room.spawned(name).bot)
  const placed = (/** @type {any} */ bot, /** @type {number} */ lane) =>
    Math.abs(bot.entity.position.x - lane * LANE - 0.5) < 0.1 && bot.entity.onGround &&
    bot.inventory.count(bot.registry.itemsByName.dirt.id, null) === 8 &&
      bot.findBlock({ matching: bot.registry.blocksByName.chest.id, maxDistance: 4 })
  await until(() => bots.every(placed), 'everybody\'s place')
  return { bench, runs, bots, players: names.map((name) => /** @type {any} */ (bench.world.players.get(name))) }
}

test('nothing of a program goes on for a hundred ticks after its end', async (t) => {
  const attacked = Object.keys(CHECKED)
  const names = attacked.map((_name, at) => `Eve${at + 1}`)
  /**
   * Place and age at which each program ended.
   * @type {Map<string, { x: number, y: number, z: number, age: number }>}
   */
  const ends = new Map()
  const { bench, runs, bots, players } = await stage(t, names, (bot) => {
    const { x, y, z } = players[names.indexOf(bot)]
    ends.set(bot, { x, y, z, age: bench.world.age })
  })
  const policies = attacks(attacked, names).map((source, at) => ({ bot: names[at], source, seed: '1/1' }))
  await runs.prepare({ group: 'g', policies, players: names, span: false, limits: LIMITS })
  const running = runs.start({ group: 'g', at: 0, tick: null })
  /** @type {Record<string, string[]>} */
  const seen = {}
  const watched = (/** @type {string} */ name) => bench.world.age > (ends.get(name)?.age ?? Infinity) + TICKS
  while (!names.every(watched)) {
    const before = bench.world.age
    await until(() => bench.world.age > before, 'the next tick')
    names.forEach((name, at) => {
      const end = ends.get(name)
      if (end === undefined) return
      const { x, y, z } = players[at]
      const moved = Math.hypot(x - end.x, y - end.y, z - end.z) > STILL ? ['server: it moved'] : []
      const found = [
        ...moved, ...differences(doing(players[at]), RESTS.server, 'server'),
        ...differences(about(bots[at]), RESTS.client, 'client')
      ]
      if (found.length > 0) seen[attacked[at]] = [...new Set([...seen[attacked[at]] ?? [], ...found])]
    })
  }
  await running
  assert.deepEqual(seen, {})
})

/** @param {any} found @param {any} wanted @param {string} who @returns {string[]} */
function differences (found, wanted, who) {
  return Object.keys(wanted)
    .filter((key) => JSON.stringify(found[key]) !== JSON.stringify(wanted[key]))
    .map((key) => `${who}: ${key}`)
}
