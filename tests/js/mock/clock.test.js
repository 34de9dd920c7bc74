'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { VirtualClock, ticksOf } = require('../../../skills_js/mock/clock')
const { TaskList, until } = require('../../../skills_js/mock/tasks')

test('alarms ring at their ticks, those of one tick in the order in which they were set', () => {
  fc.assert(fc.property(fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 40 }), (waits) => {
    const clock = new VirtualClock()
    /** @type {[number, number][]} */
    const rung = []
    waits.forEach((ticks, order) => clock.after(ticks, () => rung.push([clock.tick, order])))
    for (let tick = 1; tick <= 20; tick++) clock.moveTo(tick)
    const expected = waits.map((ticks, order) => [ticks, order]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
    assert.deepEqual(rung, expected)
  }), { seed: 3 })
})

test('an alarm that was taken back does not ring, nor hold up what comes after it', () => {
  const clock = new VirtualClock()
  let rung = 0
  const take = clock.after(5, () => { rung += 100 })
  clock.after(6, () => { rung += 1 })
  take()
  assert.equal(clock.next, 6)
  clock.moveTo(10)
  assert.equal(rung, 1)
  assert.equal(clock.next, null)
})

for (const [ms, ticks] of [[0, 1], [1, 1], [50, 1], [51, 2], [1000, 20]]) {
  test(`${ms} ms have passed after ${ticks} ticks`, () => assert.equal(ticksOf(ms), ticks))
}

/** A list of tasks and what became of each. */
function list () {
  const tasks = new TaskList()
  /** @type {[string | null, any][]} */
  const ends = []
  const start = (/** @type {any} */ steps) =>
    tasks.start(steps, (error, value) => { ends.push([error?.name ?? null, value]) })
  return { tasks, ends, start }
}

test('a task goes on once a tick, and waits as many ticks as it yields', () => {
  const { tasks, ends, start } = list()
  /** @type {number[]} */
  const seen = []
  let tick = 0
  start((function * () { seen.push(tick); yield; seen.push(tick); yield 3; seen.push(tick); return 'end' })())
  for (tick = 1; tick <= 6; tick++) tasks.advance()
  assert.deepEqual(seen, [0, 1, 4])
  assert.deepEqual(ends, [[null, 'end']])
  assert.equal(tasks.size, 0)
})

test('a task that is stopped cleans up at once and ends with an error, once', () => {
  const { tasks, ends, start } = list()
  let clean = 0
  const task = start((function * () { try { for (;;) yield } finally { clean++ } })())
  tasks.advance()
  task.stop()
  task.stop()
  tasks.advance()
  assert.equal(clean, 1)
  assert.deepEqual(ends, [['Cancelled', null]])
})

test('a task that throws ends with its error; one that needs no time ends where it began', () => {
  const { ends, start } = list()
  start((function * () { throw new RangeError('no') })())
  start((function * () { return 7 })())
  assert.deepEqual(ends, [['RangeError', null], [null, 7]])
})

test('until looks once a tick and gives up in time', () => {
  const { tasks, ends, start } = list()
  let looks = 0
  start((function * () { return yield * until(() => ++looks === 3, 10) })())
  start((function * () { return yield * until(() => false, 4) })())
  for (let tick = 0; tick < 6; tick++) tasks.advance()
  assert.equal(looks, 3)
  assert.deepEqual(ends, [[null, true], [null, false]])
})
