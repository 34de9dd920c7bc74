'use strict'
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Limiter } = require('../../../../bridge/host/supervisor/limiter')

test('only so much is under way, the rest begins in its order, and a failure makes room too', async () => {
  const limiter = new Limiter(2)
  const begun = /** @type {number[]} */ ([])
  /** @type {((error?: Error) => void)[]} */
  const finish = []
  const work = Array.from({ length: 5 }, (_, i) => limiter.pass(() => new Promise((resolve, reject) => {
    begun.push(i)
    finish[i] = (error) => error ? reject(error) : resolve(i)
  })))
  const turn = () => new Promise(setImmediate)
  await turn()
  assert.deepEqual(begun, [0, 1])
  finish[1](new Error('broken'))
  await assert.rejects(work[1], /broken/)
  await turn()
  assert.deepEqual(begun, [0, 1, 2])
  finish[0]()
  finish[2]()
  await turn()
  assert.deepEqual(begun, [0, 1, 2, 3, 4])
  finish[3]()
  finish[4]()
  assert.deepEqual(await Promise.all([work[0], work[2], work[3], work[4]]), [0, 2, 3, 4])
  assert.equal(await limiter.pass(async () => 'later'), 'later')
})

test('waiting work runs in order', async () => {
  const limiter = new Limiter(1)
  const begun = /** @type {string[]} */ ([])
  /** @param {string} name */
  const work = (name) => limiter.pass(async () => { begun.push(name) })
  const first = work('first').then(() => work('again'))
  await Promise.all([first, work('second')])
  assert.deepEqual(begun, ['first', 'second', 'again'])
})
