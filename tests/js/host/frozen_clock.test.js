'use strict'
/** A host's time stands still with the world: timers, clocks, programs and their limits. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { promisify } = require('node:util')
const { FreezableClock, installTime } = require('../../../bridge/host/frozen_clock')

/** A source of time that moves when it is told to. */
class Hand {
  #now = 1000
  /** @type {{ due: number, fn: () => void, every: number|null, referred: boolean }[]} */
  timers = []
  now = () => this.#now
  setTimeout = (/** @type {() => void} */ fn, /** @type {number} */ ms) => this.#add(fn, ms, null)
  setInterval = (/** @type {() => void} */ fn, /** @type {number} */ ms) => this.#add(fn, ms, ms)
  clearTimeout = (/** @type {any} */ timer) => { this.timers = this.timers.filter((each) => each !== timer) }

  /** @param {() => void} fn @param {number} ms @param {number|null} every */
  #add (fn, ms, every) {
    const timer = {
      due: this.#now + ms, fn, every, referred: true, ref () { timer.referred = true },
      unref () { timer.referred = false }, hasRef: () => timer.referred
    }
    this.timers.push(timer)
    return timer
  }

  /** @param {number} ms */
  pass (ms) {
    for (let i = 0; i < ms; i++) {
      this.#now++
      for (const timer of [...this.timers]) {
        if (timer.due > this.#now || !this.timers.includes(timer)) continue
        if (timer.every === null) this.clearTimeout(timer)
        else timer.due += timer.every
        timer.fn()
      }
    }
  }
}

function made () {
  const hand = new Hand()
  return { hand, clock: new FreezableClock(hand) }
}

test('a timer is due after so much time of its clock, however often and whenever that stands', () => {
  const { hand, clock } = made()
  /** @type {number[]} */
  const done = []
  clock.after((/** @type {number} */ n) => done.push(n), 100, 1)
  hand.pass(40)
  clock.stand(true)
  hand.pass(30)
  clock.stand(false)
  hand.pass(40)
  clock.stand(true)
  hand.pass(500)
  clock.after((/** @type {number} */ n) => done.push(n), 5, 2) // set while it stands
  hand.pass(500)
  const at = clock.now()
  hand.pass(1)
  assert.deepEqual([done, clock.now() - at, clock.standing], [[], 0, true])
  clock.stand(false)
  hand.pass(4)
  assert.deepEqual(done, [])
  hand.pass(1)
  assert.deepEqual(done, [2])
  hand.pass(14)
  assert.deepEqual(done, [2])
  hand.pass(1)
  assert.deepEqual(done, [2, 1])
  assert.equal(clock.now(), 1000 + 40 + 40 + 20)
})

test('while it never stands a timer costs one timer', () => {
  const { hand, clock } = made()
  let done = 0
  clock.after(() => done++, 7)
  hand.pass(7)
  assert.deepEqual([done, hand.timers.length], [1, 0])
})

test('ticks of an interval are skipped while frozen, and not made up for', () => {
  const { hand, clock } = made()
  let beats = 0
  const timer = clock.every(() => beats++, 50)
  hand.pass(100)
  clock.stand(true)
  hand.pass(1000)
  assert.equal(beats, 2)
  clock.stand(false)
  hand.pass(100)
  assert.equal(beats, 4)
  clock.forget(timer)
  hand.pass(100)
  assert.equal(beats, 4)
})

test('a timer can be forgotten at any time, also when it is due and its clock stands', () => {
  const { hand, clock } = made()
  let done = 0
  const [early, due, late] = [10, 20, 30].map((ms) => clock.after(() => done++, ms))
  clock.forget(early)
  hand.pass(5)
  clock.stand(true)
  hand.pass(50)
  clock.forget(due)
  clock.stand(false)
  hand.pass(10)
  late.close()
  hand.pass(100)
  assert.equal(done, 0)
  const again = clock.after(() => done++, 10).unref()
  assert.equal(again.hasRef(), false)
  hand.pass(9)
  again.ref().refresh()
  hand.pass(9)
  assert.deepEqual([done, again.hasRef()], [0, true])
  hand.pass(1)
  assert.equal(done, 1)
})

test('time passes for as long as something is in a hurry, and stands again behind it', async () => {
  const { hand, clock } = made()
  clock.stand(true)
  let went = 0
  clock.whenGoing(() => went++)
  let end = () => {}
  const hurry = clock.hurried(() => new Promise((resolve) => { end = () => resolve(undefined) }))
  assert.deepEqual([clock.standing, went], [false, 1])
  hand.pass(30)
  end()
  await hurry
  assert.equal(clock.standing, true)
  hand.pass(30)
  assert.equal(clock.now(), 1030)
  await assert.rejects(clock.hurried(async () => { throw new Error('no') }), /no/)
  assert.equal(clock.standing, true)
})

test('installed, it is the time of everything that asks for time by its usual names', async () => {
  const { hand, clock } = made()
  const scope = /** @type {any} */ ({ performance: { now: () => -1 } })
  installTime(clock, scope)
  let done = 0
  const timer = scope.setTimeout(() => done++, 10)
  scope.clearTimeout(scope.setTimeout(() => done++, 5))
  scope.clearInterval(scope.setInterval(() => done++, 5))
  const slept = promisify(scope.setTimeout)(10, 'slept')
  clock.stand(true)
  hand.pass(50)
  assert.deepEqual([done, scope.performance.now(), timer.hasRef()], [0, 1000, true])
  clock.stand(false)
  hand.pass(10)
  assert.deepEqual([done, await slept], [1, 'slept'])
  assert.throws(() => scope.setTimeout('text', 5), TypeError)
})
