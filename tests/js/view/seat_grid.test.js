'use strict'
/** A grid game on a person's page without a browser: what is told of a step, keys and actions, hostile texts. */
const assert = require('node:assert/strict')
const path = require('node:path')
const { test } = require('node:test')
const { pathToFileURL } = require('node:url')

/** @returns {Promise<any>} */
const load = () => import(pathToFileURL(path.join(__dirname, '../../../accord/viewer/page/seat_grid.mjs')).href)

/** @param {...string} names */
const options = (...names) => names.map((name) => ({ name, label: name }))
const VIEW = { step: 3, steps: 9, role: 'miner', goal: '', rules: '', seen: '', legend: '', holds: {}, society: [],
  actions: options('up', 'stay', 'pick wood', 'join 1'), words: 0, reward: 4, gained: 0, over: false, waits: false }

test('a step is told by what the player can do in it', async () => {
  const { isOpen, statusOf } = await load()
  /** @param {Record<string, any>} change */
  const told = (change) => [isOpen({ ...VIEW, ...change }), statusOf({ ...VIEW, ...change })]
  assert.deepEqual(told({}), [true, 'Step 3 of 9: choose an action.'])
  assert.deepEqual(told({ gained: 2.5 }), [true, 'Step 3 of 9: choose an action. You gained 2.5.'])
  assert.deepEqual(told({ gained: -1, waits: true }), [false, 'Step 3 of 9: waiting for the others. You lost 1.'])
  assert.deepEqual(told({ actions: options('stay') }), [false, 'Step 3 of 9: you have no choice; the others act.'])
  assert.deepEqual(told({ actions: [] }), [false, 'Step 3 of 9: waiting for the others.'])
  assert.deepEqual(told({ actions: [], over: true }), [false, 'The game is over. Your reward: 4.'])
})

test('a key chooses a legal action, and digits the others in their order', async () => {
  const { actionOf } = await load()
  const keys = ['w', 'W', 'ArrowUp', '.', '1', '2', '3', 's', 'e', 'Enter', 'Tab', 'x', 'constructor', '']
  assert.deepEqual(keys.map((key) => actionOf(VIEW, key)),
    ['up', 'up', 'up', 'stay', 'pick wood', 'join 1', '', '', '', '', '', '', '', ''])
  const many = { ...VIEW, actions: options(...Array.from({ length: 12 }, (_, number) => `join ${number}`)) }
  assert.deepEqual(['1', '9', '0', '-'].map((key) => actionOf(many, key)), ['join 0', 'join 8', 'join 9', ''])
})

test('a button names its target, and a number with its kind', async () => {
  const { signOf } = await load()
  assert.deepEqual([signOf('pick', 'pick wood'), signOf('join', 'join 1'), signOf('claim', 'claim 0.1'),
    signOf('accept', 'accept')], ['wood', 'join 1', 'claim 0.1', 'accept'])
})

test('the words of a message are whole numbers', async () => {
  const { wordsOf } = await load()
  assert.deepEqual(wordsOf(' 3, 2  1,'), [3, 2, 1])
  assert.deepEqual(wordsOf(''), [])
  for (const wrong of ['one', '-1', '1.5', '1e400', '<b>']) assert.throws(() => wordsOf(wrong), /are numbers/)
})

test('one action is sent for a step, and none while it is on its way', async () => {
  const { SeatGrid } = await load()
  /** @type {any[]} */
  const sent = []
  /** @type {string[]} */
  const told = []
  /** @type {(error: Error) => void} */
  let refuse = () => {}
  const game = Object.assign(Object.create(SeatGrid.prototype), { view: VIEW, sent: 0,
    tell: (/** @type {string} */ text) => told.push(text),
    ask: (/** @type {string} */ where, /** @type {any} */ how) => {
      sent.push([where, JSON.parse(how.body)])
      return new Promise((resolve, reject) => { refuse = reject })
    } })
  const first = game.act('up')
  await game.act('stay')
  refuse(new Error('too late'))
  await first
  game.view = { ...VIEW, waits: true }
  await game.act('up')
  assert.deepEqual(sent, [['api/input', { inputs: [{ do: 'act', step: 3, action: 'up', words: [] }] }]])
  assert.deepEqual([told, game.sent], [['too late'], 0])
})

test('an action of the next step is sent while the answer to the last one is on its way', async () => {
  const { SeatGrid } = await load()
  /** @type {number[]} */
  const steps = []
  /** @type {(() => void)[]} */
  const answers = []
  const game = Object.assign(Object.create(SeatGrid.prototype), { view: VIEW, sent: 0, tell: () => {},
    ask: (/** @type {string} */ _where, /** @type {any} */ how) => {
      steps.push(JSON.parse(how.body).inputs[0].step)
      return new Promise((resolve) => { answers.push(() => resolve({})) })
    } })
  const first = game.act('up')
  game.view = { ...VIEW, step: 4 }
  const second = game.act('up')
  answers[0]()
  await first
  await game.act('stay')
  answers[1]()
  await second
  assert.deepEqual([steps, game.sent], [[3, 4], 0])
})
