'use strict'
/**
 * Cost of an isolate and its border with nothing behind them, for benchmarks/sandbox.py.
 * Run: `node --no-node-snapshot benchmarks/isolates.js`; prints one line of JSON, times in ms.
 */
const { CpuWatch } = require('../bridge/host/isolates/cpu_watch')
const { PolicyRun } = require('../bridge/host/isolates/isolate')
const { PreparedIsolate } = require('../bridge/host/isolates/spare_isolate')
const { bundle } = require('../skills_js/bot_facade/bundle')

const STARTS = 80
const ROUNDS = 20
/** Isolates held ready at once, to measure the memory of one. */
const HELD = 40
const LIMITS = { wall_ms: 60_000, cpu_ms: 60_000, memory_mb: 64 }
const EMPTY = 'async function main (bot) {}'
const CROSSINGS = `async function main (bot) {
  for (let round = 0; round < ${ROUNDS}; round++) {
    const began = performance.now()
    for (let i = 0; i < 100; i++) bot.swingArm()
    const asked = performance.now()
    for (let i = 0; i < 100; i++) await bot.waitForTicks(1)
    console.log(JSON.stringify([(asked - began) / 100, (performance.now() - asked) / 100]))
  }
}`

/** @type {number[][]} */
const rounds = []
/** A backend that answers everything at once. @type {import('../bridge/host/isolates/isolate').Backend} */
const backend = {
  read: (method, args) => {
    if (method === 'log') rounds.push(JSON.parse(args[1]))
    return { value: method === 'now' ? performance.now() : null }
  },
  act: async () => null,
  quiesce: async () => {},
  onEvent: () => {}
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]

/** Measure an isolate held ready: time of the thread that makes it, and memory while nobody plays. */
async function held () {
  const text = bundle()
  const before = process.memoryUsage.rss()
  const blocked = []
  const all = []
  for (let i = 0; i < HELD; i++) {
    const began = performance.now()
    all.push(new PreparedIsolate(text, LIMITS.memory_mb, () => {}))
    blocked.push(performance.now() - began)
    await all[i].opened
  }
  const memory = (process.memoryUsage.rss() - before) / HELD / 2 ** 20
  for (const { isolate } of all) isolate.dispose()
  return { blocked: median(blocked), memory }
}

async function main () {
  const watch = new CpuWatch()
  const make = (/** @type {string} */ source) =>
    new PolicyRun({ bot: 'Gizmo', source, bundle: bundle(), limits: LIMITS, backend, watch })
  const starts = []
  for (let i = 0; i < STARTS; i++) {
    const run = make(EMPTY)
    const began = performance.now()
    await run.prepare()
    starts.push(performance.now() - began)
    run.start()
    await run.ended
  }
  const run = make(CROSSINGS)
  await run.prepare()
  run.start()
  const { outcome, error } = await run.ended
  if (outcome !== 'returned') throw new Error(`the crossings ended as ${outcome}: ${error?.message}`)
  const [read, act] = [0, 1].map((which) => median(rounds.map((each) => each[which])))
  console.log(JSON.stringify({ start: median(starts), read, act, ...await held() }))
  // isolated-vm may hang at exit.
  process.kill(process.pid, 'SIGKILL')
}

main()
