'use strict'
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { SensingCache } = require('../../../../bridge/host/supervisor/sensing_cache')

/** A host that answers when it is told to. */
class Host {
  alive = true
  asked = /** @type {{ fields: any, answer: (rows: object[]) => void, fail: (error: Error) => void }[]} */ ([])

  /** @param {string} _type @param {object} fields @returns {Promise<any>} */
  request (_type, fields) {
    return new Promise((resolve, reject) => this.asked.push({ fields, answer: resolve, fail: reject }))
  }
}

const at = (/** @type {number} */ tick) => [{ name: 'Gizmo', tick }]
const PATIENT = { radius: 8, most: 6, blocks: [] }
const HASTY = { ...PATIENT, patience_ms: 1 }

test('a host that computes is not waited for: what it told last stands, and counts when it comes', async () => {
  const host = new Host()
  const cache = new SensingCache()
  const first = cache.of(host, ['Gizmo'], HASTY)
  host.asked[0].answer(at(1))
  assert.deepEqual(await first, at(1))
  assert.deepEqual(await cache.of(host, ['Gizmo'], HASTY), at(1))
  assert.deepEqual(await cache.of(host, ['Gizmo'], HASTY), at(1))
  assert.equal(host.asked.length, 2, 'it is asked once at a time')
  assert.deepEqual(host.asked[1].fields, { bots: ['Gizmo'], senses: PATIENT })
  const next = cache.of(host, ['Gizmo'], { ...HASTY, patience_ms: 60_000 })
  host.asked[1].answer(at(7))
  assert.deepEqual(await next, at(7))
})

test('the first answer is waited for, and any by who has patience', async () => {
  const host = new Host()
  const cache = new SensingCache()
  const first = cache.of(host, ['Gizmo'], HASTY)
  await new Promise((resolve) => setTimeout(resolve, 5))
  host.asked[0].answer(at(3))
  assert.deepEqual(await first, at(3))
  const patient = cache.of(host, ['Gizmo'], PATIENT)
  await new Promise((resolve) => setTimeout(resolve, 5))
  host.asked[1].answer(at(4))
  assert.deepEqual(await patient, at(4))
})

test('a lost host has no bots, and other failures are reported', async () => {
  const host = new Host()
  const cache = new SensingCache()
  const first = cache.of(host, ['Gizmo'], HASTY)
  host.asked[0].answer(at(1))
  await first
  const lost = cache.of(host, ['Gizmo'], { ...HASTY, patience_ms: 60_000 })
  host.asked[1].fail(Object.assign(new Error('gone'), { name: 'HostLost' }))
  assert.deepEqual(await lost, [])
  const broken = cache.of(host, ['Gizmo'], PATIENT)
  host.asked[2].fail(new Error('broken on purpose'))
  await assert.rejects(broken, /broken on purpose/)
})
