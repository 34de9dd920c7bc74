'use strict'
/** Kept pictures: the same pixels as rays would give again, few rays for who stands still, bounded memory. */
const test = require('node:test')
const assert = require('node:assert')
const { View } = require('../../../engine/view')
const { World } = require('../../../engine/world')
const { Tracer } = require('../../../engine/view/tracer')
const { KeptPictures, MAX_BYTES } = require('../../../engine/view/kept')
const { Changes } = require('../../../engine/view/changes')
const { Windows } = require('../../../engine/view/window')
const { Land } = require('../../../engine/view/land')
const scenes = require('./scenes')

const SIZE = { width: 96, height: 54 }
const ALL = SIZE.width * SIZE.height

/** @typedef {import('../../../engine/view/camera').Pose} Pose */

/**
 * Compare a view that has looked from a pose before with one that has not.
 * @param {View} view @param {Pose} pose @param {string} about
 * @returns {Uint8Array} pixels
 */
function sameAsAfresh (view, pose, about) {
  const [again, afresh] = [view, new View(view.world)].map((each) => each.take(pose, SIZE))
  assert.deepStrictEqual(again.pixels, afresh.pixels, about)
  assert.deepStrictEqual(again.seen, afresh.seen, about)
  return again.pixels
}

/** Return the number of rays that something casts. @param {() => void} work */
function raysOf (work) {
  const { trace } = Tracer.prototype
  let rays = 0
  Tracer.prototype.trace = function () {
    rays++
    return trace.call(this)
  }
  try { work() } finally { Tracer.prototype.trace = trace }
  return rays
}

for (const name of ['meeting', 'garden', 'sea', 'house', 'land']) {
  test(`who looks again in ${name} sees what a first look would see, whatever has changed`, () => {
    const { world, pose } = scenes.scene(name)
    const view = new View(world)
    const [x, y, z] = [pose.eye.x, pose.eye.y, pose.eye.z].map(Math.floor)
    // One that leaves the picture upwards, too: rays from above the land begin at its highest section.
    const poses = [pose, { ...pose, eye: { ...pose.eye, y: pose.eye.y + 24 }, pitch: 50 }]
    const changes = [[], [], [`setblock ${x} ${y} ${z + 4} oak_planks`], [`setblock ${x + 1} ${y + 1} ${z + 3} torch`],
      [`setblock ${x + 18} ${y + 1} ${z + 30} glowstone`, `setblock ${x - 16} ${y} ${z + 40} water`],
      [`summon cow ${x}.5 ${y} ${z + 3} {NoAI:1b}`], [`summon pig ${x + 1}.5 ${y + 2} ${z + 5} {NoAI:1b}`],
      [`setblock ${x} ${y} ${z + 4} air`], ['time set 18000'], ['weather rain'], ['time set 3000', 'weather clear'],
      [`setblock ${x - 2} ${y + 40} ${z + 20} stone`],
      [`fill ${x - 1} ${y - 1} ${z + 2} ${x + 1} ${y - 1} ${z + 6} glass`]]
    for (const commands of changes) {
      scenes.run(world, commands)
      for (const each of poses) sameAsAfresh(view, each, commands.join(', '))
      world.tick()
      for (const each of poses) sameAsAfresh(view, each, `a tick after ${commands.join(', ')}`)
    }
  })
}

test('the sun and the moon move on in the picture of who looks again', () => {
  const world = new World({ seed: 1 })
  for (const [time, yaw] of [[1800, 270], [10300, 90], [14500, 270]]) {
    scenes.run(world, [`time set ${time}`])
    const pose = { eye: { x: 0.5, y: -50, z: 0.5 }, yaw, pitch: -25 }
    const view = new View(world)
    for (let look = 0; look < 3; look++) sameAsAfresh(view, pose, `time ${time}`)
    const before = sameAsAfresh(view, pose, `time ${time}`)
    for (let tick = 0; tick < 160; tick++) world.tick()
    let after = before
    const rays = raysOf(() => { after = view.take(pose, SIZE).pixels })
    assert.notDeepStrictEqual(after, before)
    assert.deepStrictEqual(after, new View(world).take(pose, SIZE).pixels)
    assert.ok(rays > 0 && rays < ALL / 2, `${rays} rays`)
  }
})

test('from the third look on, only what has changed costs rays', () => {
  const { world, pose } = scenes.scene('garden')
  const view = new View(world)
  const look = () => raysOf(() => { view.take(pose, SIZE) })
  assert.strictEqual(look(), ALL)
  assert.strictEqual(look(), ALL)
  look()
  const bodies = look()
  assert.ok(bodies < ALL / 20, `${bodies} rays`)
  const turn = pose.yaw * Math.PI / 180
  const [x, z] = [pose.eye.x - Math.sin(turn) * 30, pose.eye.z + Math.cos(turn) * 30].map(Math.floor)
  scenes.run(world, [`setblock ${x} -60 ${z} stone`])
  const far = look()
  assert.ok(far > bodies && far < ALL, `${far} rays`)
  assert.strictEqual(look(), bodies)
  const below = [pose.eye.x, pose.eye.y - 9, pose.eye.z].map(Math.floor)
  scenes.run(world, [`setblock ${below.join(' ')} stone`])
  const own = look()
  assert.ok(own < ALL / 4, `${own} rays after a change in the column of the eyes`)
})

test('changes of a column are boxes since a stamp, until too many came or all may have changed', () => {
  const changes = new Changes(5)
  assert.deepStrictEqual([changes.since(5), changes.since(4)], [[], null])
  changes.add(1, 2, 3, 2, 3, 4)
  changes.add(-1, 9, 3, 0, 10, 4)
  changes.close(6)
  changes.close(7)
  assert.strictEqual(changes.stamp, 6)
  changes.add(0, 0, 0, 1, 1, 1)
  changes.close(8)
  const [first, second] = [[-1, 2, 3, 2, 10, 4], [0, 0, 0, 1, 1, 1]]
  assert.deepStrictEqual([5, 6, 8].map((stamp) => changes.since(stamp)), [[first, second], [second], []])
  for (let stamp = 9; stamp < 15; stamp++) {
    changes.add(0, 0, 0, 1, 1, 1)
    changes.close(stamp)
  }
  assert.strictEqual(changes.since(5)?.length, 8)
  changes.add(0, 0, 0, 1, 1, 1)
  changes.close(15)
  assert.deepStrictEqual([changes.since(5), changes.since(6)?.length], [null, 8])
  changes.restart(16)
  assert.deepStrictEqual([changes.since(15), changes.since(16)], [null, []])
})

test('a block that changes without a word opens its whole column', () => {
  const { world, pose } = scenes.scene('garden')
  const view = new View(world)
  for (let look = 0; look < 3; look++) view.take(pose, SIZE)
  const [x, z] = [Math.floor(pose.eye.x), Math.floor(pose.eye.z) - 12]
  scenes.run(world, [`setblock ${x} -60 ${z} glass`])
  world.terrain.set(x, -61, z + 4, world.data.stateId('stone'))
  sameAsAfresh(view, pose, 'one change told, one not')
})

test('players in one column of blocks look through one window, and windows have a limit', () => {
  const world = new World({ seed: 1 })
  const windows = new Windows(new Land(world))
  const first = windows.around({ x: 1, z: 1 }, 64)
  assert.strictEqual(windows.around({ x: 14, z: 9 }, 64), first)
  assert.notStrictEqual(windows.around({ x: 1, z: 17 }, 64), first)
  for (let x = 0; x < 20; x++) windows.around({ x: x * 16, z: 400 }, 64)
  assert.ok(windows.kept.size < 14)
  assert.notStrictEqual(windows.around({ x: 1, z: 1 }, 64), first)
})

test('who moves keeps nothing, and many who stand keep no more than the limit', () => {
  const { world, pose } = scenes.scene('meeting')
  const view = new View(world)
  for (let step = 0; step < 5; step++) view.take({ ...pose, yaw: step }, SIZE)
  assert.strictEqual(view.kept.bytes, 0)
  const kept = new KeptPictures()
  const half = { bytes: MAX_BYTES / 2 }
  for (const key of ['a', 'b', 'a', 'c']) {
    if (kept.find(key) !== undefined) continue
    kept.keep(key, /** @type {import('../../../engine/view/kept').KeptPicture} */ (half))
  }
  assert.deepStrictEqual([...kept.pictures.keys()], ['a', 'c'])
  assert.strictEqual(kept.bytes, MAX_BYTES)
  for (let i = 0; i < 2000; i++) kept.isRepeated(`${i}`)
  assert.ok(kept.once.size < 1000)
})
