'use strict'
/** Pictures from the columns that a client was sent: those of the world itself, as far as it was sent. */
const test = require('node:test')
const assert = require('node:assert')
const { createHash } = require('node:crypto')
const { View, poseOf } = require('../../../engine/view')
const { ReceivedView } = require('../../../engine/view/received')
const scenes = require('./scenes')

const REQUEST = { width: 96, height: 54, from: 'eyes' }
const DEGREES = { x: 0.5, y: -58, z: 0.5, yaw: 30, pitch: 10 }

/** @param {object} [fields] @returns {import('../../../engine/view/received').SentEntity} */
const sent = (fields = {}) => ({ type: 'player', name: 'Gizmo', ...DEGREES, width: 0.6, height: 1.8, eyeHeight: 1.62,
  slots: [], heldItem: null, customName: null, item: null, hidden: false, ...fields })

/**
 * Return a client that knows a scene's columns within some blocks, shifted up as in dimensions that begin at 0.
 * @param {string} name @param {{ reach?: number, entities?: object[], minY?: number }} [options]
 */
function clientOf (name, { reach = 160, entities = [], minY = -64 } = {}) {
  const { world } = scenes.scene(name)
  const self = sent()
  const columnAt = (/** @type {number} */ cx, /** @type {number} */ cz) => {
    if (Math.max(Math.abs(cx), Math.abs(cz)) * 16 > reach) return null
    const { sections } = world.terrain.info(cx, cz).chunk
    return { minY, sections: sections.slice((minY + 64) / 16) }
  }
  const known = new Map()
  return { world, client: { columnAt: (/** @type {number} */ cx, /** @type {number} */ cz) => {
    const key = `${cx},${cz}`
    if (!known.has(key)) known.set(key, columnAt(cx, cz))
    return known.get(key)
  }, timeOfDay: world.sky.timeOfDay, raining: world.weather !== 'clear', self,
  entities: [self, ...entities.map((each) => sent(each))] } }
}

/** @param {import('../../../engine/world').World} world */
const drawn = (world) => hash(new View(world).take(poseOf(/** @type {any} */ ({ eyes: { ...DEGREES,
  y: DEGREES.y + 1.62 }, yaw: 30, pitch: 10 })), REQUEST))
/** @param {{ pixels: Uint8Array }} picture */
const hash = ({ pixels }) => createHash('sha256').update(pixels).digest('hex')

test('a client draws the pixels of the world whose columns it was sent', () => {
  for (const name of ['house', 'dusk']) {
    const { world, client } = clientOf(name)
    for (const entity of [...world.entities.values()]) world.entities.delete(entity.id)
    const view = new ReceivedView('1.20.4', 'overworld')
    assert.strictEqual(hash(view.fromClient(client, REQUEST)), drawn(world))
  }
})

test('it follows a changed block, and forgets a column that was dropped', () => {
  const { world, client } = clientOf('dusk')
  for (const entity of [...world.entities.values()]) world.entities.delete(entity.id)
  const view = new ReceivedView('1.20.4', 'overworld')
  const first = hash(view.fromClient(client, REQUEST))
  const lamp = world.data.stateId('glowstone')
  world.terrain.set(-1, -58, 3, lamp)
  view.received.set(-1, -58, 3, lamp)
  const lit = hash(view.fromClient(client, REQUEST))
  assert.strictEqual(lit, drawn(world))
  assert.notStrictEqual(lit, first)
  view.received.forget(-1, 0)
  const gone = { ...client, columnAt: (/** @type {number} */ cx, /** @type {number} */ cz) =>
    cx === -1 && cz === 0 ? null : client.columnAt(cx, cz) }
  assert.notStrictEqual(hash(view.fromClient(gone, REQUEST)), lit)
  assert.strictEqual(hash(view.fromClient(client, REQUEST)), lit)
})

test('what was not sent is air, and hidden bodies are not drawn', () => {
  const { client } = clientOf('house', { reach: -1, entities: [{ name: 'Ghost', z: 3, x: -1, hidden: true }] })
  const picture = new ReceivedView('1.20.4', 'overworld').fromClient(client, REQUEST)
  assert.deepStrictEqual(picture.seen, [])
  const there = clientOf('house', { reach: -1, entities: [{ name: 'Sage', z: 3, x: -1 }] })
  const seen = new ReceivedView('1.20.4', 'overworld').fromClient(there.client, REQUEST).seen
  assert.deepStrictEqual(seen.map(({ displayName }) => displayName), ['Sage'])
})

test('columns that begin at another height are drawn at theirs, under the sky of their dimension', () => {
  const { client } = clientOf('house', { minY: -32 })
  const high = new ReceivedView('1.20.4', 'overworld').fromClient(client, REQUEST)
  const nether = new ReceivedView('1.20.4', 'the_nether').fromClient(client, REQUEST)
  assert.deepStrictEqual([...nether.pixels.subarray(0, 3)], [70, 18, 14])
  const strange = new ReceivedView('1.20.4', 'constructor').fromClient(client, REQUEST)
  assert.strictEqual(hash(strange), hash(high))
})
