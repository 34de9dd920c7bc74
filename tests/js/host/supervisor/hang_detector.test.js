'use strict'
/** A host that hangs is told from one that waits for a processor. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const {
  HangDetector, mainThread, SILENCE_MS, STUCK_MS, COMPUTED_MS, DELAY_TIMES
} = require('../../../../bridge/host/supervisor/hang_detector')

/**
 * [what, silence, CPU time used, time waited for a processor, how much too late the looks came, whether it hangs];
 * null: the system does not tell
 */
const CASES = /** @type {[string, number, number|null, number|null, number, boolean][]} */ ([
  ['one that was heard just now does not hang', SILENCE_MS, 1e6, 0, 0, false],
  ['one that computes without a word hangs', SILENCE_MS + 1, COMPUTED_MS + 1, 0, 0, true],
  [
    'one that computes without a word hangs on a busy machine, too', 2 * STUCK_MS, COMPUTED_MS + 1, 2 * STUCK_MS, 0,
    true
  ],
  ['one that had no processor to say something does not', SILENCE_MS + 1, 0, SILENCE_MS, 0, false],
  ['one that sleeps does not, up to a bound', STUCK_MS, COMPUTED_MS, 0, 0, false],
  ['one that neither computes nor speaks nor waits for a processor is stuck', STUCK_MS + 1, 0, 0, 0, true],
  ['what the machine kept it waiting does not count', STUCK_MS + 1, 0, 1, 0, false],
  ['however long that takes', 10 * STUCK_MS, COMPUTED_MS, 9 * STUCK_MS, 0, false],
  ['one that was stopped for good on a busy machine is found', 10 * STUCK_MS, 0, 9 * STUCK_MS - 1, 0, true],
  ['where nobody tells of waiting, the own delay counts', STUCK_MS + DELAY_TIMES * 100, 0, null, 100, false],
  ['and a stuck one is found all the same', STUCK_MS + DELAY_TIMES * 100 + 1, 0, null, 100, true],
  ['where waiting is told, the own delay does not count', STUCK_MS + 1, 0, 0, 1000, true],
  ['where nobody tells anything, silence is all there is', SILENCE_MS + 1, null, null, 0, true],
  ['and the own delay', SILENCE_MS + DELAY_TIMES * 100, null, null, 100, false],
  ['which is no excuse for ever', SILENCE_MS + DELAY_TIMES * 100 + 1, null, null, 100, true]
])

for (const [what, silent, used, waited, delay, hangs] of CASES) {
  test(what, () => {
    const told = { used: used === null ? null : 500, waited: waited === null ? null : 700 }
    const silence = new HangDetector(() => ({ ...told }), 0)
    silence.heard(1000)
    assert.equal(silence.since(1100), 100)
    if (told.used !== null) told.used += Number(used)
    if (told.waited !== null) told.waited += Number(waited)
    silence.delayed(delay)
    silence.delayed(-50)
    assert.equal(silence.hangs(1000 + silent), hangs)
    silence.heard(1001 + silent)
    assert.equal(silence.hangs(1001 + silent), false)
    assert.equal(silence.since(1002 + silent), 1, 'what was excused before is no excuse after a word')
  })
}

test('the main thread\'s times are the system\'s; nobody is no process', { skip: process.platform !== 'linux' }, () => {
  const before = mainThread(process.pid)
  const { user, system } = process.cpuUsage()
  while ((process.cpuUsage().user + process.cpuUsage().system - user - system) / 1000 < 300);
  const after = mainThread(process.pid)
  const used = Number(after.used) - Number(before.used)
  assert.ok(used >= 150 && used <= 1000, `${used} ms`)
  if (before.waited !== null) assert.ok(Number(after.waited) >= before.waited)
  assert.deepEqual(mainThread(0), { used: null, waited: null })
})
