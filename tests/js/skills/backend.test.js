'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { Backend, CAPS, EVENTS, METHODS, SignalHub } = require('../../../skills_js')
const { checkCall } = require('../../../skills_js/bot_facade/host_api')

/** @param {any} [parts] */
function backend (parts = {}) {
  const hub = new SignalHub(['A', 'B'])
  /** @type {any[]} */
  const said = []
  const made = new Backend({
    reads: { now: () => 5, chat: () => { throw Object.assign(new Error('no'), { name: 'ChatRefused' }) } },
    acts: { sleep: async () => null },
    listen: () => () => { said.push('stopped') },
    quiesce: async () => { said.push('quiet') },
    ...parts
  }, { signals: hub, tick: () => 1, emit: (kind, data) => { said.push([kind, data]) } }, 'A')
  return { made, hub, said, signal: new AbortController().signal }
}

test('calls that the table does not have, or whose arguments do not fit, are refused', () => {
  const cases = [
    ['read', 'nothing', []],
    ['read', 'toString', []],
    ['read', 'sleep', [5]],
    ['act', 'now', []],
    ['act', 'sleep', ['soon']],
    ['act', 'sleep', [NaN]],
    ['act', 'sleep', [null]],
    ['act', 'dig', [1, 2]],
    ['act', 'dig', [1.5, 2, 3]],
    ['act', 'equip', [1, 'x'.repeat(65)]],
    ['read', 'blockAt', [2 ** 60, 0, 0]],
    ['read', 'log', ['info', 7]]
  ]
  for (const [kind, method, args] of cases) {
    assert.throws(
      () => checkCall(/** @type {string} */ (method), /** @type {any[]} */ (args), [/** @type {any} */ (kind)]),
      { name: 'BadArgument' },
      `${method}(${args})`
    )
  }
  checkCall('craft', [1, 0, 1, null, null, null], ['act'])
})

test('names of signals are of characters that show, ' +
  'and others are refused in one line that spells them out', async () => {
  const { made, signal } = backend()
  for (const name of ['', 'iron-done', 'Fertig! (2/3)', '\u51c6\u5907\u597d', '\u{1f600}', 'x'.repeat(64)]) {
    assert.equal(await made.act('sendSignal', ['B', name], signal), false)
  }
  const hidden = [
    'a\nb', 'a\rb', '\u001b[31m', 'go\u202eog', 'a\u200bb', 'a\u2028b', 'a\u0000b', '\ud800', 'a\u00a0b', '\ufeff',
    'x'.repeat(65)
  ]
  for (const name of hidden) {
    for (const [method, args] of /** @type {[string, any[]][]} */ ([
      ['sendSignal', ['B', name]], ['waitSignal', [name]]
    ])) {
      await assert.rejects(made.act(method, args, signal), (/** @type {any} */ error) => error.name === 'BadArgument' &&
        /^[ -~]+$/.test(error.message) && error.message.includes('name is "') &&
          error.message.endsWith('give letters, digits, punctuation, symbols and spaces, at most 64'), name)
    }
  }
})

test('every method of the table has known types, and every event known kinds', () => {
  const types = ['int', 'num', 'text', 'name', 'signal', 'bool', 'json']
  for (const [method, { kind, args }] of Object.entries(METHODS)) {
    assert.ok(['read', 'command', 'act'].includes(kind), method)
    for (const type of Object.values(args)) assert.ok(types.includes(String(type).replace('?', '')), method)
  }
  for (const kinds of Object.values(EVENTS)) {
    assert.ok(kinds.every((kind) => ['plain', 'entity', 'block'].includes(kind)))
  }
})

test('answers come as values, errors too', () => {
  const { made } = backend()
  assert.deepEqual(made.read('now', []), { value: 5 })
  assert.deepEqual(made.read('chat', ['/op A']), { error: { name: 'ChatRefused', message: 'no' } })
  assert.equal(made.read('nothing', []).error?.name, 'BadArgument')
})

test('log lines are capped, and the last one says so', () => {
  const { made, said } = backend()
  for (let i = 0; i < CAPS.logLines + 10; i++) made.read('log', ['info', 'x'.repeat(5000)])
  assert.equal(said.length, CAPS.logLines)
  assert.ok(said.at(-1)[1].text.endsWith('(further lines of this run are not kept)'))
  assert.equal(said[0][1].text.length, CAPS.logChars)
})

test('listeners are capped, unknown events refused, and all end with the run', async () => {
  const { made, said } = backend()
  for (let i = 0; i < CAPS.listeners; i++) {
    assert.equal(made.read('subscribe', [i % 2 ? 'chat' : 'health']).error, undefined)
  }
  assert.equal(made.read('subscribe', ['chat']).error?.name, 'LimitExceeded')
  assert.equal(made.read('subscribe', ['inject_allowed']).error?.name, 'NotSupported')
  for (let i = 0; i < CAPS.listeners / 2; i++) made.read('unsubscribe', ['chat'])
  assert.deepEqual(said, ['stopped'])
  await made.quiesce()
  assert.deepEqual(said, ['stopped', 'stopped', 'quiet'])
})

test('signals: waiting is not being busy, acting is', async () => {
  const {
    made, hub, signal
  } = backend({ acts: { sleep: () => new Promise((resolve) => { release = () => resolve(null) }) } })
  let release = () => {}
  const wait = made.act('waitSignal', ['go'], signal)
  hub.wait('B', '', () => {})
  assert.deepEqual(hub.stuck(), ['A', 'B'])
  const sleep = made.act('sleep', [5], signal)
  assert.deepEqual(hub.stuck(), [])
  release()
  await sleep
  assert.deepEqual(hub.stuck(), ['A', 'B'])
  hub.send('B', 'A', 'go')
  assert.deepEqual(await wait, { from: 'B', name: 'go' })
})

test('signals: a wait that is cancelled is given up, an unknown player is refused', async () => {
  const { made, hub, signal } = backend()
  const controller = new AbortController()
  const wait = made.act('waitSignal', [''], controller.signal)
  controller.abort()
  await assert.rejects(wait, { name: 'Cancelled' })
  assert.equal(hub.send('B', 'A', 'late'), false)
  await assert.rejects(made.act('sendSignal', ['Z', ''], signal), { name: 'UnknownPlayer' })
  await assert.rejects(made.act('sleep', [1], controller.signal), { name: 'Cancelled' })
})
