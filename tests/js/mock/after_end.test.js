'use strict'
/** The mock world's half of tests/js/live/after_end.test.js: nothing of a program goes on after its end. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Simulation } = require('../../../skills_js/mock/simulation')
const { Stage } = require('../../../skills_js/mock/stage')
const { Recorder } = require('../../../skills_js/mock/recorder')
const { bundle } = require('../../../skills_js/bot_facade/bundle')
const { RunGroup } = require('../../../bridge/mock/run_group')
const { attacks, CHECKED } = require('../host/fixtures/corpus')

const TICKS = 100
/** A body that jumped comes down, and slides a little. */
const LANDED = 20
const FEET = -60
const LANE = 12
const LIMITS = { wall_ms: 8000, cpu_ms: 20_000, memory_mb: 64 }
const RESTS = { walks: false, digs: false, window: null, uses: false, sprints: false, sneaks: false, acts: 0 }

/** @param {any} client @returns {object} what it does, and what it is about to do */
const doing = ({ player, walk, digging, body, tasks }) => ({
  walks: walk !== null || body.forward || body.back || body.left || body.right || body.jump,
  digs: digging !== null || player.digging.current !== null,
  window: player.openWindow?.type ?? null,
  uses: player.usingItem,
  sprints: player.sprinting || body.sprint,
  sneaks: player.sneaking || body.sneak,
  acts: tasks.size
})

test('nothing of a program goes on for a hundred ticks after its end', async () => {
  const attacked = Object.keys(CHECKED)
  const names = attacked.map((_name, at) => `Eve${at + 1}`)
  const simulation = new Simulation({ seed: 1 })
  const stage = new Stage(simulation)
  /** @type {Map<string, { x: number, y: number, z: number, age: number }>} */
  const ends = new Map()
  const recorder = new Recorder(simulation, (/** @type {any} */ { kind, data }) => {
    if (kind !== 'policy' || data.state !== 'ended') return
    const { x, y, z } = simulation.client(data.bot).body
    ends.set(data.bot, { x, y, z, age: simulation.age })
  })
  names.forEach((name, lane) => {
    recorder.joined(simulation.join(name, {}))
    for (const text of [
      `tp ${name} ${lane * LANE}.5 ${FEET} 0.5`, `setblock ${lane * LANE - 1} ${FEET} 0 chest`,
      `give ${name} golden_apple 8`, `give ${name} dirt 8`
    ]) {
      assert.ok(simulation.world.command(text, null).ok, text)
    }
  })
  const policies = attacks(attacked, names).map((source, at) => ({ bot: names[at], source, seed: '1/1' }))
  const group = new RunGroup({ simulation, stage, recorder, bundle: bundle(), threaded: true }, policies, LIMITS)
  await group.start()
  /** @type {Record<string, string[]>} */
  const seen = {}
  while (!names.every((name) => simulation.age > (ends.get(name)?.age ?? Infinity) + TICKS)) {
    await stage.tick()
    if (!group.over) await group.look()
    recorder.flush()
    names.forEach((name, at) => {
      const end = ends.get(name)
      if (end === undefined) return
      const client = /** @type {any} */ (simulation.client(name))
      const now = /** @type {Record<string, any>} */ (doing(client))
      const found = Object.entries(RESTS).filter(([key, value]) => now[key] !== value).map(([key]) => key)
      const { x, y, z } = client.body
      if (simulation.age <= end.age + LANDED) Object.assign(end, { x, y, z })
      else if (Math.hypot(x - end.x, y - end.y, z - end.z) > 0) found.push('it moved')
      if (found.length > 0) seen[attacked[at]] = [...new Set([...seen[attacked[at]] ?? [], ...found])]
    })
  }
  assert.deepEqual(seen, {})
})
