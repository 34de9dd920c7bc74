'use strict'
/** A host that hangs is told from one that waits for a processor. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Silence, mainThreadMs, SILENCE_MS, STUCK_MS, COMPUTED_MS } = require('../../../bridge/host/silence')

for (const [what, silent, used, hangs] of /** @type {[string, number, number|null, boolean][]} */ ([
  ['one that was heard just now does not hang', SILENCE_MS, 1e6, false],
  ['one that computes without a word hangs', SILENCE_MS + 1, COMPUTED_MS + 1, true],
  ['one that had no processor to say something does not', SILENCE_MS + 1, 0, false],
  ['however long that takes, up to a bound', STUCK_MS, COMPUTED_MS, false],
  ['one that neither computes nor speaks is stuck', STUCK_MS + 1, 0, true],
  ['where nobody tells, silence is all there is', SILENCE_MS + 1, null, true]
])) {
  test(what, () => {
    let clock = /** @type {number|null} */ (used === null ? null : 500)
    const silence = new Silence(() => clock, 0)
    silence.heard(1000)
    assert.equal(silence.since(1100), 100)
    if (clock !== null) clock += Number(used)
    assert.equal(silence.hangs(1000 + silent), hangs)
    silence.heard(1001 + silent)
    assert.equal(silence.hangs(1001 + silent), false)
  })
}

test('the main thread\'s time is the system\'s; nobody is no process', { skip: process.platform !== 'linux' }, () => {
  const before = Number(mainThreadMs(process.pid))
  const { user, system } = process.cpuUsage()
  while ((process.cpuUsage().user + process.cpuUsage().system - user - system) / 1000 < 300);
  const used = Number(mainThreadMs(process.pid)) - before
  assert.ok(used >= 150 && used <= 1000, `${used} ms`)
  assert.equal(mainThreadMs(0), null)
})
