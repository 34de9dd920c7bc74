'use strict'
/** Charges of CPU time when more is claimed than the process has used: nobody is blamed for a busy machine. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { CpuWatch, usedByIsolates, usedByProcess } = require('../../../../bridge/host/isolates/cpu_watch')

/** @param {number} ms claimed at every look */
function member (ms) {
  const charged = /** @type {{ ms: number, burst: number }[]} */ ([])
  return {
    charged,
    claim: () => ({ ms, burst: ms / 2 }),
    look: (/** @type {{ ms: number, burst: number }} */ each) => { charged.push(each) }
  }
}

for (const [what, used, claims, charges] of /** @type {[string, number, number[], number[]][]} */ ([
  ['one that computes is charged for all of it', 40, [40], [40]],
  ['what the rest of the process used is nobody\'s', 70, [40], [40]],
  ['who waits for a processor is charged for what was really used', 5, [400], [5]],
  ['several share what was used', 80, [200, 200], [40, 40]],
  ['who waits for an answer is charged for nothing', 40, [0, 40], [0, 40]],
  ['a difference of two counters may be below nothing', -1, [0, 40], [0, 0]],
  ['a process that slept has used nothing', 0, [40], [0]]
])) {
  test(what, (t) => {
    let clock = 1000
    const watch = new CpuWatch(() => clock)
    const members = claims.map(member)
    for (const each of members) watch.add(each)
    t.after(() => { for (const each of members) watch.remove(each) })
    clock += used
    watch.look()
    assert.deepEqual(members.map(({ charged }) => charged), charges.map((ms) => [{ ms, burst: ms / 2 }]))
  })
}

test('a leaving member is charged to the last moment, and only once', () => {
  let clock = 0
  const watch = new CpuWatch(() => clock)
  const one = member(8)
  watch.add(one)
  clock += 20
  watch.remove(one)
  watch.remove(one)
  assert.deepEqual(one.charged, [{ ms: 8, burst: 4 }])
})

test('what this thread computes is no isolate\'s', () => {
  const [before, isolates] = [usedByProcess(), usedByIsolates()]
  let sum = 0
  while (usedByProcess() - before < 200) for (let i = 0; i < 1e5; i++) sum += i
  assert.ok(sum > 0)
  // Node's own helpers, which compile and collect, are other threads too.
  assert.ok(usedByIsolates() - isolates < 100)
})
