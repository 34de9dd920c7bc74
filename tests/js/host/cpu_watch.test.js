'use strict'
/** Who is charged for computing, when more is claimed than the process has used: a busy machine is nobody's doing. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { CpuWatch } = require('../../../bridge/host/cpu_watch')

/** @param {number} ms claimed at every look */
function member (ms) {
  const charged = /** @type {number[]} */ ([])
  return { charged, claim: () => ms, look: (/** @type {number} */ each) => { charged.push(each) } }
}

for (const [what, used, claims, charges] of /** @type {[string, number, number[], number[]][]} */ ([
  ['one that computes is charged for all of it', 40, [40], [40]],
  ['what the rest of the process used is nobody\'s', 70, [40], [40]],
  ['who waits for a processor is charged for what was really used', 5, [400], [5]],
  ['several share what was used', 80, [200, 200], [40, 40]],
  ['who waits for an answer is charged for nothing', 40, [0, 40], [0, 40]],
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
    assert.deepEqual(members.map(({ charged }) => charged), charges.map((ms) => [ms]))
  })
}
