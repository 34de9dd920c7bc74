'use strict'
/** Data across the border of an isolate: bounded, and text that every file takes. */
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { described, parsed, verdictOf } = require('../../../../bridge/host/isolates/border')

test('texts of a call are well-formed, keys too, and all else is as it was', () => {
  const broken = ['\ud800', 'a\udfffb', '\ude00\ud83d', { '\ud800': ['\udfff', 1, null, true] }]
  assert.deepEqual(
    parsed(JSON.stringify(broken)), ['\ufffd', 'a\ufffdb', '\ufffd\ufffd', { '\ufffd': ['\ufffd', 1, null, true] }]
  )
  assert.deepEqual(parsed('["\ud800"]'), ['\ufffd'])
  const whole = ['\u{1f600}', '\\ud800', '\ufffd', { __proto__: null, toString: 1, '': [] }]
  assert.deepEqual(JSON.stringify(parsed(JSON.stringify(whole))), JSON.stringify(whole))
  const [own] = parsed('[{"__proto__":{"x":"\\ud800"}}]')
  assert.deepEqual([Object.getPrototypeOf(own) === Object.prototype, own.x], [true, undefined])
})

test('errors are well-formed, also where they are cut', () => {
  const end = verdictOf(
    JSON.stringify({ outcome: 'threw', error: { name: 'E\ud800', message: 'x'.repeat(1999) + '\u{1f600}', line: 1 } })
  )
  assert.deepEqual([end.error?.name, end.error?.message.at(-1), end.error?.line], ['E\ufffd', '\ufffd', 1])
  assert.equal(described(new Error('\udfff')).message, '\ufffd')
})
