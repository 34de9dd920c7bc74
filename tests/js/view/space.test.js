'use strict'
/** The land of the page in three dimensions, without a browser: light, meshes, changes, cameras, addresses. */
const assert = require('node:assert/strict')
const path = require('node:path')
const { test } = require('node:test')
const { pathToFileURL } = require('node:url')
const zlib = require('node:zlib')
const { World } = require('../../../engine/world')
const { Survey } = require('../../../engine/view/survey')

/** @param {string} name @returns {Promise<any>} */
const load = (name) => import(pathToFileURL(path.join(__dirname, '../../../accord/viewer/page', name)).href)

/**
 * Return a model of the land around the origin as a survey sends it, with the survey and the world.
 * @param {string} terrain
 * @param {number} reach columns
 * @param {string[]} [commands]
 */
async function surveyed (terrain, reach, commands = []) {
  const { LandModel } = await load('land_model.mjs')
  const world = new World({ seed: 3, terrain })
  for (const text of commands) world.command(text, null)
  const survey = new Survey(world)
  const model = new LandModel(survey.facts())
  const buffers = []
  for (let x = -reach; x <= reach; x++) {
    for (let z = -reach; z <= reach; z++) {
      const bytes = zlib.inflateSync(survey.columns([[x, z]]))
      buffers.push(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
    }
  }
  model.addLooks(survey.news(0, 0).looks)
  for (const buffer of buffers) model.addColumns(buffer)
  return { model, survey, world }
}

/** Return how many blocks have another light than the engine gives. @param {any} model @param {any} light */
function otherLight (model, light) {
  let count = 0
  for (let x = -16; x < 32; x++) {
    for (let z = -16; z < 32; z++) {
      for (let y = -64; y < 130; y++) if (model.lightAt(x, y, z) !== light.levels(x, y, z)) count++
    }
  }
  return count
}

test('the light of the land is the engine\'s, in hills with caves and beside lamps', async () => {
  const { model, survey } = await surveyed('survival', 2)
  assert.equal(otherLight(model, survey.land.light), 0)
  const built = await surveyed('flat', 2, ['fill 0 -60 0 8 -56 8 stone hollow', 'setblock 3 -59 3 torch',
    'setblock 0 -59 4 air', 'setblock 12 -60 12 glowstone'])
  assert.equal(otherLight(built.model, built.survey.land.light), 0)
})

test('changes and steps back in time leave the light that a new land would have', async () => {
  const { model, survey } = await surveyed('flat', 2, ['fill 0 -60 0 8 -56 8 stone hollow', 'setblock 3 -59 3 torch'])
  const [stone, torch] = survey.named(['stone', 'torch'])
  model.addLooks(survey.news(model.looks.length, 0).looks)
  const before = otherLight(model, survey.land.light)
  model.addChanges([[4, -56, 4, 0], [3, -59, 3, 0], [20, -60, 5, torch], [20, -59, 5, stone], [0, 0, 0, -1],
    [5, -56, 5, 0]])
  for (const moment of [2, 4, 6, 3, 0]) model.setMoment(moment)
  assert.equal(before, 0)
  assert.equal(otherLight(model, survey.land.light), 0)
  model.setMoment(4)
  const changed = await surveyed('flat', 2, ['fill 0 -60 0 8 -56 8 stone hollow', 'setblock 4 -56 4 air',
    'setblock 20 -60 5 torch', 'setblock 20 -59 5 stone'])
  assert.equal(otherLight(model, changed.survey.land.light), 0)
  model.setMoment(5)
  assert.equal(model.lookAt(4, -56, 4), stone, 'the land was built anew')
})

/** Return the squares of a mesh: corners in blocks, face, texture. @param {any} mesh */
function squaresOf (mesh) {
  const view = new DataView(mesh.vertices)
  return Array.from({ length: mesh.lit + mesh.deep + mesh.clear }, (_, number) => {
    const at = number * 48
    const corners = [0, 12, 24, 36].map((corner) =>
      [0, 2, 4].map((part) => view.getInt16(at + corner + part, true) / 64))
    return { corners, face: view.getUint8(at + 9), texture: view.getUint16(at + 6, true), light: view.getUint8(at + 8) }
  })
}

test('equal squares merge, hidden ones are not made, and all are seen from outside', async () => {
  const { MeshMaker } = await load('mesh_maker.mjs')
  const { model } = await surveyed('flat', 1, ['fill 4 -60 4 6 -58 6 stone'])
  const maker = new MeshMaker(model)
  const flat = squaresOf(maker.meshOf(0, -1)).filter(({ face }) => face === 1)
  assert.ok(flat.length < 12, `${flat.length} squares for a flat column`)
  const squares = squaresOf(maker.meshOf(0, 0))
  const tower = squares.filter(({ corners }) =>
    Math.min(...corners.map(([, y]) => y)) >= 4 && Math.max(...corners.map(([, y]) => y)) > 4)
  assert.ok(tower.length > 0)
  const area = tower.reduce((sum, { corners: [a, b, , d] }) =>
    sum + Math.hypot(...a.map((part, axis) => b[axis] - part)) *
      Math.hypot(...a.map((part, axis) => d[axis] - part)), 0)
  assert.equal(area, 4 * 9 + 9, 'four walls and a roof')
  const outward = [[0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1], [-1, 0, 0], [1, 0, 0]]
  for (const { corners: [a, b, c], face } of tower) {
    const [u, v] = [b, c].map((corner) => corner.map((part, axis) => part - a[axis]))
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    assert.ok(normal.every((part, axis) => Math.sign(part) === outward[face][axis]), `face ${face}`)
  }
})

test('slabs, fences, crops, water and glass have their shapes', async () => {
  const { MeshMaker, partlyClear } = await load('mesh_maker.mjs')
  const { model, survey } = await surveyed('flat', 1, ['setblock 2 -60 2 oak_slab', 'setblock 5 -60 5 oak_fence',
    'setblock 8 -61 8 farmland', 'setblock 8 -60 8 wheat[age=7]', 'setblock 11 -61 11 water',
    'setblock 14 -60 14 glass'])
  const maker = new MeshMaker(model)
  const bytes = zlib.inflateSync(Buffer.from(survey.news(0, 0).textures, 'base64'))
  const words = new Uint32Array(new Uint8Array(bytes).buffer)
  for (const texture of partlyClear(words, 341, 0)) maker.clearTextures.add(texture)
  const mesh = maker.meshOf(0, 0)
  const within = (/** @type {number} */ x, /** @type {number} */ z) => squaresOf(mesh).filter(({ corners }) =>
    corners.every(([cx, cy, cz]) => cx >= x && cx <= x + 1 && cz >= z && cz <= z + 1 && cy >= 4))
  assert.equal(Math.max(...within(2, 2).flatMap(({ corners }) => corners.map(([, y]) => y))), 4.5)
  assert.ok(within(5, 5).flatMap(({ corners }) => corners.map(([x]) => x)).every((x) => x >= 5.375 && x <= 5.625))
  assert.equal(within(8, 8).filter(({ face }) => face === 6).length, 4)
  assert.equal(mesh.clear, 5 + 1, 'five sides of glass on the ground, and the surface of the water')
})

test('a camera projects places where the engine\'s camera does, and knows what is in view', async () => {
  const { ViewOf } = await load('matrix.mjs')
  const { Camera } = require('../../../engine/view/camera')
  const pose = { x: 3, y: 70, z: -4, yaw: 37, pitch: 21 }
  const view = new ViewOf(pose, 640, 360, 192)
  const camera = new Camera({ eye: pose, yaw: 37, pitch: 21 }, 640, 360)
  for (const [x, y, z] of [[0, 65, 9], [-30, 60, 40], [-5, 70, 8]]) {
    const [left, top, depth] = view.toScreen(x, y, z)
    const [column, row, far] = camera.project(x, y, z)
    assert.ok(Math.hypot(left - column - 0.5, top - row - 0.5, depth - far) < 1e-9)
    assert.equal(view.sees([x, y, z], [x + 1, y + 1, z + 1]), true)
  }
  assert.equal(view.sees([10, 60, -60], [11, 61, -59]), false)
})

test('the camera flies while keys are held, follows, and jumps for those who want little motion', async () => {
  const { Flight } = await load('flight.mjs')
  const flight = new Flight()
  Object.assign(flight.pose, { x: 0, y: 10, z: 0, yaw: 0, pitch: 0 })
  flight.held.add('w')
  flight.step(1, null)
  assert.ok(flight.pose.z > 5 && Math.abs(flight.pose.x) < 1e-9)
  flight.held.clear()
  const feet = { x: 50, y: 4, z: 0, yaw: 90 }
  flight.setMode('eyes')
  flight.step(0.1, feet)
  assert.equal(flight.pose.x, 50)
  assert.notEqual(flight.shown.x, 50, 'on its way')
  const calm = new Flight()
  calm.calm = true
  calm.setMode('eyes')
  calm.step(0.1, feet)
  assert.deepEqual([calm.shown.x, calm.shown.z, calm.shown.yaw], [50, 0, 90])
  calm.setMode('behind')
  calm.free = 3
  calm.step(0.1, feet)
  assert.ok(Math.hypot(calm.pose.x - 50, calm.pose.z) < 3, 'in front of a wall behind the player')
})

test('addresses name the view, and bad ones give the map', async () => {
  const { readPlace, writePlace } = await load('place.mjs')
  const place = readPlace('#run=a&view=3d&eyes=1&camera=1,2.5,-3,90,10')
  assert.deepEqual([place.view, place.eyes, place.camera], ['3d', true, [1, 2.5, -3, 90, 10]])
  assert.equal(readPlace(writePlace(place)).camera?.[1], 2.5)
  for (const bad of ['#view=4d&camera=1,2', '#camera=1,2,3,4,x', '#camera=1,,3,4,5', '#camera=9e99,0,0,0,0']) {
    assert.deepEqual([readPlace(bad).view, readPlace(bad).camera], ['', null])
  }
})

test('a player looks where it walks, and where it walked last while it stands', async () => {
  const { Cursor } = await load('scene.mjs')
  const at = (/** @type {number} */ t, /** @type {number[]} */ spot) => [t, 'at', 'Ada', spot]
  const cursor = new Cursor({ n: 0, at: 0, until: 9, count: 3, scene: { at: { Ada: [0, 0, 0] } },
    changes: [at(1, [0, 0, 3]), at(2, [3, 0, 3]), at(3, [3, 0, 3])] })
  assert.equal(cursor.headingAt('Ada', 0.5), 0)
  assert.equal(cursor.headingAt('Ada', 1.5), -90)
  assert.equal(cursor.headingAt('Ada', 8), -90)
  assert.equal(cursor.headingAt('Nobody', 1), 0)
})

test('keys fly only in the view of three dimensions', async () => {
  const { actionFor } = await load('keys.mjs')
  const press = (/** @type {string} */ key, /** @type {string} */ id) =>
    actionFor({ key, ctrlKey: false, metaKey: false, altKey: false, target: { id } })
  assert.equal(press('a', 'over'), null)
  assert.notEqual(press('a', 'map'), null)
  assert.notEqual(press('v', 'over'), null)
})

test('bodies of all kinds have boxes, unknown names are air, and illegal columns are refused', async () => {
  const { survey } = await surveyed('flat', 0)
  const { players, mobs, items } = survey.bodies(['Ada', '__proto__'], ['apple', 'constructor', 'oak_log'])
  assert.equal(players.length, 2)
  assert.ok(JSON.stringify(players[0]).includes('"dyed":true'))
  assert.ok(mobs.length > 40 && mobs.every(([, parts]) => parts.length > 0))
  assert.deepEqual(items.map(([name]) => name), ['apple', 'oak_log'])
  assert.deepEqual(survey.named(['constructor', 'no_such_block', '__proto__[facing=east]', '[', '']), [0, 0, 0, 0, 0])
  const texts = ['oak_stairs', 'oak_stairs[facing=east,half=top]', 'oak_stairs[half=top,facing=east]',
    'oak_stairs[facing=east,half=nowhere]', 'oak_stairs[facing=east]', 'oak_stairs[constructor=1,]']
  const [usual, turned, same, unknown, east, none] = survey.named(texts)
  assert.deepEqual([turned === same, unknown === east, none === usual, new Set([usual, turned, east]).size],
    [true, true, true, 3])
  assert.equal(survey.states[turned], survey.world.data.stateId('oak_stairs', { facing: 'east', half: 'top' }))
  for (const place of [[0.5, 0], [4e6, 0], [NaN, 0]]) {
    assert.throws(() => survey.columns([/** @type {[number, number]} */ (place)]), RangeError)
  }
  assert.throws(() => survey.columns(Array(65).fill([0, 0])), RangeError)
})

test('items lie on the ground at any moment, also backwards, as the engine draws them', async () => {
  const { Space } = await load('space.mjs')
  const { BodyBook } = await load('bodies3d.mjs')
  const { Cursor } = await load('scene.mjs')
  const { ViewOf } = await load('matrix.mjs')
  const survey = new Survey(new World({ seed: 3 }))
  const book = new BodyBook()
  book.add(survey.bodies([], ['apple', 'oak_log']))
  /** @type {any[]} */
  let put = []
  /** @type {string[]} */
  const wanted = []
  const space = Object.assign(Object.create(Space.prototype), { book, flight: { mode: 'free' }, lights: new Map(),
    want: (/** @type {string} */ kind) => wanted.push(kind),
    instances: { begin: () => { put = [] }, put: (/** @type {any[]} */ ...all) => put.push(all) } })
  const scene = { drop: { 4: ['apple', 2, 1, 64, 5] } }
  const cursor = new Cursor({ n: 0, at: 0, until: 9, count: 4, scene, changes: [
    [2, 'drop', '7', ['oak_log', 1, 2, 64, 5]], [4, 'drop', '4', null], [5, 'drop', '8', ['nothing', 1, 3, 64, 5]],
    [6, 'drop', '9', ['apple', 1, 900, 64, 5]]] })
  const seen = new ViewOf({ x: 0, y: 64, z: 0, yaw: 30, pitch: 0 }, 64, 64, 128)
  const at = (/** @type {number} */ moment) => {
    space.placeBodies({ colours: new Map(), scene: cursor.sceneAt(moment) }, seen)
    return put.map(([parts, to, yaw]) => [parts === book.things.get('apple')?.parts ? 'apple' : 'oak_log', ...to, yaw])
  }
  const [apple, log] = [['apple', 1, 0, 5, 30], ['oak_log', 2, 0, 5, 0]]
  assert.deepEqual([at(1), at(3), at(7), at(3), at(1)], [[apple], [apple, log], [log], [apple, log], [apple]])
  assert.deepEqual([...new Set(wanted)], ['apple', 'oak_log', 'nothing'])
})
