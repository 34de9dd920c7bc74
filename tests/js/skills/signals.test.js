'use strict'
const assert = require('node:assert/strict')
const { test } = require('node:test')
const { MAX_KEPT, MAX_SENT, SignalHub } = require('../../../skills_js/signals')

/**
 * Plays a table of steps and gives what every wait came to, in order.
 * @param {string[]} players
 * @param {any[][]} steps
 * @returns {string[]}
 */
function play (players, steps) {
  const hub = new SignalHub(players)
  /** @type {string[]} */
  const said = []
  /** @type {Record<string, () => void>} */
  const giveUp = {}
  const verbs = {
    send: (/** @type {string} */ from, /** @type {string} */ to, /** @type {string} */ name) => {
      said.push(`${hub.send(from, to, name) ? 'woke' : 'kept'} ${to}`)
    },
    wait: (/** @type {string} */ player, name = '') => {
      giveUp[player] = hub.wait(
        player,
        name,
        (error, signal) => said.push(`${player}: ${error ? error.name : `${signal?.name}/${signal?.from}`}`)
      )
    },
    giveUp: (/** @type {string} */ player) => giveUp[player](),
    end: (/** @type {string} */ player) => hub.end(player),
    busy: (/** @type {string} */ player, /** @type {1 | -1} */ step) => hub.busy(player, step),
    look: () => { said.push(`stuck ${hub.breakDeadlock().join(' ')}`) }
  }
  for (const [verb, ...args] of steps) /** @type {any} */ (verbs)[verb](...args)
  return said
}

const CASES = [
  ['a signal wakes who waits', [['wait', 'A'], ['send', 'B', 'A', 'go']], ['A: go/B', 'woke A']],
  ['a signal sent before is kept', [['send', 'B', 'A', 'go'], ['wait', 'A']], ['kept A', 'A: go/B']],
  [
    'kept signals are taken in the order they were sent',
    [['send', 'B', 'A', '1'], ['send', 'B', 'A', '2'], ['wait', 'A'], ['wait', 'A']],
    ['kept A', 'kept A', 'A: 1/B', 'A: 2/B']
  ],
  [
    'a signal is taken once', [['send', 'B', 'A', '1'], ['wait', 'A'], ['wait', 'A'], ['end', 'B'], ['end', 'C']],
    ['kept A', 'A: 1/B', 'A: SenderEnded']
  ],
  [
    'a name picks among kept signals',
    [['send', 'B', 'A', '1'], ['send', 'B', 'A', '2'], ['wait', 'A', '2'], ['wait', 'A']],
    ['kept A', 'kept A', 'A: 2/B', 'A: 1/B']
  ],
  [
    'another name does not wake', [['wait', 'A', 'x'], ['send', 'B', 'A', 'y'], ['send', 'B', 'A', 'x']],
    ['kept A', 'A: x/B', 'woke A']
  ],
  [
    'a player\'s name waits for that player', [['wait', 'A', 'C'], ['send', 'B', 'A', 'x'], ['send', 'C', 'A', 'y']],
    ['kept A', 'A: y/C', 'woke A']
  ],
  [
    'a signal of a player\'s name is not that player\'s',
    [['wait', 'A', 'C'], ['send', 'B', 'A', 'C'], ['send', 'C', 'A', 'y']], ['kept A', 'A: y/C', 'woke A']
  ],
  [
    'nor is one that was kept', [['send', 'B', 'A', 'C'], ['wait', 'A', 'C'], ['end', 'C']],
    ['kept A', 'A: SenderEnded']
  ],
  ['a sender and a name are both needed', [
    ['wait', 'A', { from: 'C', name: 'x' }], ['send', 'B', 'A', 'x'], ['send', 'C', 'A', 'y'], ['send', 'C', 'A', 'x']
  ], ['kept A', 'kept A', 'A: x/C', 'woke A']],
  [
    'a name alone may be a player\'s', [['wait', 'A', { from: '', name: 'C' }], ['send', 'B', 'A', 'C']],
    ['A: C/B', 'woke A']
  ],
  ['an unnamed signal wakes an unnamed wait', [['wait', 'A'], ['send', 'B', 'A', '']], ['A: /B', 'woke A']],
  ['the end of the last other player ends a wait', [['wait', 'A'], ['end', 'B'], ['end', 'C']], ['A: SenderEnded']],
  ['the end of the named player ends a wait for it', [['wait', 'A', 'B'], ['end', 'B']], ['A: SenderEnded']],
  [
    'a wait for one who has ended already fails at once', [['end', 'B'], ['end', 'C'], ['wait', 'A']],
    ['A: SenderEnded']
  ],
  [
    'what one who has ended sent before is still taken',
    [['send', 'B', 'A', 'x'], ['end', 'B'], ['end', 'C'], ['wait', 'A']], ['kept A', 'A: x/B']
  ],
  ['a signal to one who has ended is lost', [['end', 'A'], ['send', 'B', 'A', 'x']], ['kept A']],
  [
    'all waiting is a deadlock', [['wait', 'A'], ['wait', 'B'], ['wait', 'C'], ['look']],
    ['A: Deadlock', 'B: Deadlock', 'C: Deadlock', 'stuck A B C']
  ],
  [
    'all that still run waiting is one too', [['end', 'C'], ['wait', 'A'], ['wait', 'B'], ['look']],
    ['A: Deadlock', 'B: Deadlock', 'stuck A B']
  ],
  ['one that works on is none', [['wait', 'A'], ['wait', 'B'], ['look']], ['stuck ']],
  [
    'one that waits and works is none',
    [['wait', 'A'], ['wait', 'B'], ['wait', 'C'], ['busy', 'C', 1], ['look'], ['busy', 'C', -1], ['look']],
    ['stuck ', 'A: Deadlock', 'B: Deadlock', 'C: Deadlock', 'stuck A B C']
  ],
  [
    'a wait that was given up hears nothing', [['wait', 'A'], ['giveUp', 'A'], ['send', 'B', 'A', 'x'], ['wait', 'A']],
    ['kept A', 'A: x/B']
  ]
]

for (const [title, steps, expected] of CASES) {
  test(`signals: ${title}`, () => {
    assert.deepEqual(play(['A', 'B', 'C'], /** @type {any[][]} */ (steps)), expected)
  })
}

test('signals: wrong players, names and floods are refused', () => {
  const hub = new SignalHub(['A', 'B'])
  assert.throws(
    () => hub.send('A', 'Z', ''),
    (/** @type {any} */ error) => error.name === 'UnknownPlayer' && error.message.includes('A, B')
  )
  assert.throws(() => hub.send('A', 'B', 'x'.repeat(65)), { name: 'BadArgument' })
  for (let i = 0; i < MAX_KEPT; i++) hub.send('A', 'B', String(i))
  assert.throws(() => hub.send('A', 'B', 'one more'), { name: 'LimitExceeded' })
})

test('signals: who floods a player keeps nobody else from sending', () => {
  const hub = new SignalHub(['A', 'B', 'Eve'])
  for (let i = 0; i < MAX_KEPT; i++) hub.send('Eve', 'A', 'noise')
  assert.throws(() => hub.send('Eve', 'A', 'noise'), { name: 'LimitExceeded' })
  assert.equal(hub.send('B', 'A', 'honest'), false)
  for (let i = 0; i < 3; i++) hub.wait('A', 'noise', () => {})
  for (let i = 0; i < 3; i++) hub.send('Eve', 'A', 'noise')
  assert.throws(() => hub.send('Eve', 'A', 'noise'), { name: 'LimitExceeded' })
})

test('signals: one program sends so many and no more, whoever takes them', () => {
  const hub = new SignalHub(['A', 'B'])
  hub.end('A')
  for (let i = 0; i < MAX_SENT; i++) hub.send('B', 'A')
  for (let i = 0; i < 7; i++) {
    assert.throws(() => hub.send('B', 'A'), { name: 'LimitExceeded', message: /5000 signals/ })
  }
  assert.deepEqual([hub.refused('A'), hub.refused('B')], [0, 7])
})

test('signals: a wait for a sender who takes no part says who does', () => {
  const hub = new SignalHub(['A', 'B'])
  assert.throws(() => hub.wait('A', { from: 'Z', name: '' }, () => {}), { name: 'UnknownPlayer', message: /A, B/ })
})

test('signals: a deadlock says who waits for what, and what lies there under another name', () => {
  const hub = new SignalHub(['A', 'B'])
  /** @type {string[]} */
  const said = []
  hub.send('B', 'A', 'reday')
  hub.wait('A', 'ready', (error) => said.push(String(error?.message)))
  hub.wait('B', '', (error) => said.push(String(error?.message)))
  hub.breakDeadlock()
  assert.match(said[0], /A for "ready" \(not taken: "reday" from B\); B for any signal/)
})

test('signals: watchers hear every change until they stop', () => {
  const hub = new SignalHub(['A', 'B'])
  let heard = 0
  const stop = hub.watch(() => heard++)
  hub.wait('A', '', () => {})()
  hub.send('A', 'B')
  stop()
  hub.end('A')
  assert.equal(heard, 3)
})
