'use strict'
/**
 * Depth of pictures against an independent implementation: the rays of prismarine-world, which mineflayer uses, through
 * a camera as Three turns it. `benchmarks/against_viewer.js` compares with prismarine-viewer itself.
 */
const test = require('node:test')
const assert = require('node:assert')
const { Vec3 } = require('vec3')
const { RaycastIterator } = require('prismarine-world').iterators
const { POSE, TURNED, MARKED, REACH, FIELD, markedWorld, pictureHits, compareDepths } = require('./marked')

const [WIDTH, HEIGHT] = [128, 72]

/** Return the direction of a pixel through Three's camera: rotated by pitch about x, then by yaw about y. */
function threeDirection (/** @type {number} */ i, /** @type {number} */ j) {
  const { yaw, pitch } = TURNED
  const tall = Math.tan(FIELD * Math.PI / 360)
  const x = (2 * (i + 0.5) / WIDTH - 1) * tall * WIDTH / HEIGHT
  const [y, z] = [(1 - 2 * (j + 0.5) / HEIGHT) * tall, -1]
  const [py, pz] = [y * Math.cos(pitch) - z * Math.sin(pitch), y * Math.sin(pitch) + z * Math.cos(pitch)]
  return new Vec3(x * Math.cos(yaw) + pz * Math.sin(yaw), py, pz * Math.cos(yaw) - x * Math.sin(yaw)).normalize()
}

/**
 * Return what prismarine-world's ray meets.
 * @param {ReturnType<typeof markedWorld>} world @param {Vec3} direction @returns {import('./marked').Hit}
 */
function independentHit (world, direction) {
  const eye = new Vec3(POSE.eye.x, POSE.eye.y, POSE.eye.z)
  const ray = /** @type {any} */ (new RaycastIterator(eye, direction, REACH))
  for (let block = ray.block; block; block = ray.next()) {
    const { shapes, name } = world.data.state(world.terrain.get(block.x, block.y, block.z))
    const found = ray.intersect(shapes, new Vec3(block.x, block.y, block.z))
    if (found) return { name, distance: found.pos.distanceTo(eye) }
  }
  return { name: 'sky', distance: Infinity }
}

test('each pixel shows the block that independent rays meet, ten marked blocks in the same order of depth', () => {
  const world = markedWorld()
  const { orders, others, gap } = compareDepths(WIDTH, HEIGHT, [pictureHits(world, WIDTH, HEIGHT),
    (i, j) => independentHit(world, threeDirection(i, j))])
  assert.deepStrictEqual([...orders[0]].sort(), Object.keys(MARKED).sort())
  assert.deepStrictEqual(orders[0], orders[1])
  assert.strictEqual(others, 0)
  assert.ok(gap < 1e-6, String(gap))
})
