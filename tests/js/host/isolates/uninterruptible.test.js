'use strict'
/** Code that V8 cannot interrupt is refused if it is known and halted otherwise, and no other program pays for it. */
const { spawn } = require('node:child_process')
const path = require('node:path')
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { bundle } = require('../../../../skills_js/bot_facade/bundle')
const { backendOf, end } = require('../fixtures/policy')

const body = (/** @type {string} */ code) => `async function f (bot) { ${code} }`

const REFUSED = {
  'a long text in a longer one': "'a'.repeat(4e6).indexOf('a'.repeat(1e6) + 'b' + 'a'.repeat(1e6))",
  'the same from behind': "'a'.repeat(4e6).lastIndexOf('a'.repeat(1e6) + 'b' + 'a'.repeat(1e6))",
  'the same in others\' words': "'a'.repeat(4e6).split('a'.repeat(1e6) + 'b' + 'a'.repeat(1e6))",
  'the same, replaced': "'a'.repeat(4e6).replaceAll('a'.repeat(1e6) + 'b' + 'a'.repeat(1e6), '')",
  'accents without end': "'\\u0301\\u0316'.repeat(2e5).normalize()",
  'accents compared': "'\\u0301\\u0316'.repeat(2e5).localeCompare('\\u0316\\u0301'.repeat(2e5))",
  'an empty list that is long': 'new Array(2 ** 32 - 1).sort()',
  'what only calls itself a list': 'Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1)'
}
for (const [what, code] of Object.entries(REFUSED)) {
  test(`refused at once: ${what}`, async () => {
    const { outcome, error } = await end(body(code), { backend: looking(), bundle: bundle() })
    assert.deepEqual([outcome, error?.name], ['threw', 'RangeError'])
    assert.match(String(error?.message), /the most is \d+ here/)
  })
}

test('bounded built-ins do for honest programs what they always did', async () => {
  const code = `
    const same = (a, b) => { if (JSON.stringify(a) !== JSON.stringify(b)) throw new Error(JSON.stringify([a, b])) }
    same(['abcabc'.indexOf('c'), 'abcabc'.indexOf('c', 3), 'abc'.split('b'), 'aXa'.replaceAll('a', (m) => m + 1),
      'a1'.replace(/\\d/, '')], [2, 5, ['a', 'c'], 'a1Xa1', 'a'])
    same([[3, 1, 2].sort(), [1, , 2].join('-'), [[1], [2]].flat(), [1, 2, 3].splice(1, 1),
      [].concat([1], 2)], [[1, 2, 3], '1--2', [1, 2], [2], [1, 2]])
    same(['e\\u0301'.normalize().length, ['b', 'a'].sort((x, y) => x.localeCompare(y)),
      Array.prototype.join.call('abc', '.')], [1, ['a', 'b'], 'a.b.c'])
    same([Array.prototype.sort.name, Array.prototype.splice.length, String.prototype.split.length], ['sort', 2, 2])`
  const { outcome, error } = await end(body(code), { backend: looking(), bundle: bundle() })
  assert.deepEqual([outcome, error], ['returned', null])
})

for (const name of ['FinalizationRegistry', 'WeakRef']) {
  test(`a program has no ${name}, whose callbacks nobody watches`, async () => {
    const { error } = await end(body(`new ${name}(() => { for (;;); })`), { backend: looking(), bundle: bundle() })
    assert.equal(error?.name, 'ReferenceError')
  })
}

test('a thread that nothing interrupts is counted until it is halted, and the host hears of it', async () => {
  const child = spawn(process.execPath, ['--no-node-snapshot', path.join(__dirname, '..', 'fixtures', 'stuck.js')])
  child.stdout.setEncoding('utf8')
  let text = ''
  for await (const part of child.stdout) text += part
  const { used, ...said } = JSON.parse(text)
  assert.deepEqual(said, { outcome: 'timeout', name: 'TimeoutError', counted: 1, claims: true, stuck: true, left: 0 })
  assert.ok(used < 500, `the thread went on for ${used} ms of the second after it was halted`)
})

/** A backend of the bundle's. */
function looking () {
  return { ...backendOf(), read: () => ({ value: null }) }
}
