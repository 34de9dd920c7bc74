'use strict'
/** Pictures of scenes: golden ones, what hides what, light, names, and that looking changes nothing. */
const test = require('node:test')
const assert = require('node:assert')
const { createHash } = require('node:crypto')
const { inflateSync } = require('node:zlib')
const { View, encodePng } = require('../../../engine/view')
const { World, gameData } = require('../../../engine/world')
const { materialOf } = require('../../../engine/view/materials')
const { Land } = require('../../../engine/view/land')
const { Window } = require('../../../engine/view/window')
const { Tracer } = require('../../../engine/view/tracer')
const { Camera } = require('../../../engine/view/camera')
const { writeCaptions } = require('../../../engine/view/letters')
const { Daylight } = require('../../../engine/view/sky')
const scenes = require('./scenes')

const SIZE = { width: 160, height: 90 }
/** @param {{ pixels: Uint8Array }} picture */
const hash = ({ pixels }) => createHash('sha256').update(pixels).digest('hex').slice(0, 16)
/** @param {{ width: number, pixels: Uint8Array }} picture @param {number} x @param {number} y */
const pixel = ({ width, pixels }, x, y) => [...pixels.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]
/** @param {number[]} rgb */
const brightness = ([r, g, b]) => r + g + b
/** Return a view of an empty flat world with some blocks, and a camera that looks south. @param {string[]} commands */
function looking (...commands) {
  const world = new World({ seed: 1 })
  scenes.run(world, commands)
  const view = new View(world)
  const take = (options = {}) => view.take({ eye: { x: 0.5, y: -58.5, z: 0.5 }, yaw: 0, pitch: 0 }, { ...SIZE,
    ...options })
  return { world, view, take }
}

/**
 * Compare the light of a view with that of a view without a history.
 * @param {World} world @param {View} view @param {string} about
 */
function sameLight (world, view, about) {
  const fresh = new Land(world)
  for (let x = -8; x < 9; x++) {
    for (let y = -61; y < -44; y++) {
      for (let z = -6; z < 14; z++) {
        assert.strictEqual(view.land.light.levels(x, y, z), fresh.light.levels(x, y, z), `${about}: ${x} ${y} ${z}`)
      }
    }
  }
}

/**
 * Pixels of the scenes, as people have looked at and approved them. A change of the renderer changes them knowingly.
 */
/** @type {Record<string, string>} */
const GOLDEN = {
  land: 'c97979858ed3d661', house: '9790e257027a6124', meeting: '2947001586e796fd',
  cave: 'ab3fb4c0bf85718e', sea: 'b29f075d29f7b869', winter: 'cef443b93803377e',
  lava: '3d197ac19061b0a7', garden: 'a1d795b7e6c06c6e', workshop: '6de30cd3948ea122',
  dusk: '60f522d64596c892'
}

for (const name of scenes.NAMES) {
  test(`the picture of ${name} is the golden one, at the first look and at the second`, () => {
    const { world, pose } = scenes.scene(name)
    const view = new View(world)
    const first = hash(view.take(pose, SIZE))
    view.take({ ...pose, yaw: 120 }, SIZE)
    assert.strictEqual(hash(view.take(pose, SIZE)), first)
    assert.strictEqual(first, GOLDEN[name])
  })
}

test('the file is a PNG with the pixels of the picture', () => {
  const { take } = looking()
  const picture = take()
  const file = encodePng(picture)
  assert.deepStrictEqual([...file.subarray(1, 4)], [...Buffer.from('PNG')])
  assert.deepStrictEqual([file.readUInt32BE(16), file.readUInt32BE(20)], [160, 90])
  const rows = inflateSync(file.subarray(41, 41 + file.readUInt32BE(33)))
  for (let y = 0; y < 90; y++) {
    assert.strictEqual(rows[y * 481], 0)
    assert.deepStrictEqual(rows.subarray(y * 481 + 1, (y + 1) * 481),
      Buffer.from(picture.pixels.subarray(y * 480, y * 480 + 480)))
  }
})

test('a wall hides a player, glass and a slab below the eyes do not', () => {
  const seen = (/** @type {string[]} */ ...commands) => {
    const { world, take } = looking(...commands)
    scenes.stand(world, { Gizmo: [0.5, 6.5, 180] })
    return take().seen.map(({ type }) => type)
  }
  assert.deepStrictEqual(seen(), ['player'])
  assert.deepStrictEqual(seen('fill -3 -60 3 3 -55 3 stone'), [])
  assert.deepStrictEqual(seen('fill -3 -60 3 3 -55 3 glass'), ['player'])
  assert.deepStrictEqual(seen('fill -3 -60 3 3 -60 3 stone_slab'), ['player'])
})

test('who is invisible, dead or a spectator is not in the picture, nor is whose eyes they are', () => {
  const { world, take, view } = looking()
  scenes.stand(world, { Gizmo: [0.5, 6.5, 180], Glitch: [2.5, 6.5, 180], Rusty: [-1.5, 6.5, 180] })
  const names = () => take().seen.map(({ displayName }) => displayName).sort()
  assert.deepStrictEqual(names(), ['Gizmo', 'Glitch', 'Rusty'])
  scenes.run(world, ['gamemode spectator Glitch', 'effect give Rusty invisibility 60'])
  assert.deepStrictEqual(names(), ['Gizmo'])
  const own = view.fromPlayer('Gizmo', { ...SIZE, from: 'eyes' })
  assert.deepStrictEqual(own.seen, [])
})

test('a torch lights a dark room, and its end makes it dark again', () => {
  const { world, take } = looking('fill -4 -61 -4 4 -55 8 stone hollow', 'time set midnight')
  const dark = brightness(pixel(take(), 80, 45))
  scenes.run(world, ['setblock 3 -58 6 torch'])
  assert.ok(brightness(pixel(take(), 80, 45)) > dark * 2)
  scenes.run(world, ['setblock 3 -58 6 air'])
  assert.strictEqual(brightness(pixel(take(), 80, 45)), dark)
})

test('the light that follows changes is that of a world looked at afresh', () => {
  const { world, view, take } = looking('fill -6 -61 -4 6 -55 12 stone hollow')
  take()
  const changes = ['setblock 2 -59 5 torch', 'setblock -2 -59 7 glowstone', 'setblock 0 -55 6 air',
    'setblock 2 -59 5 air',
    'fill -1 -60 4 1 -57 4 oak_planks', 'setblock 0 -55 6 oak_leaves', 'setblock -2 -59 7 water']
  for (const text of changes) {
    scenes.run(world, [text])
    take()
    sameLight(world, view, text)
  }
})

test('the light of many changes between two pictures is that of a world looked at afresh', () => {
  const { world, view, take } = looking('fill -6 -61 -4 6 -55 12 stone hollow', 'setblock 4 -60 9 glowstone')
  take()
  const changes = [
    ['setblock 2 -59 5 torch', 'setblock 2 -59 5 air', 'setblock -2 -59 7 torch', 'setblock 0 -55 6 air'],
    // A lamp goes as another comes beside it, behind a wall that opens.
    ['setblock 4 -60 9 air', 'setblock 5 -60 9 glowstone', 'setblock 6 -60 9 air', 'setblock -2 -59 7 stone'],
    ['fill -6 -61 -4 6 -55 12 air', 'setblock 5 -60 9 glowstone', 'setblock 5 -59 9 oak_leaves'],
    // More than wait for a picture.
    ['fill -8 -60 -6 8 -46 13 stone', 'fill -2 -58 0 2 -56 4 air', 'setblock 0 -57 2 torch']]
  for (const texts of changes) {
    scenes.run(world, texts)
    take()
    sameLight(world, view, texts.join(', '))
  }
})

test('what rays skip as empty is empty, also after blocks have been put into it', () => {
  const { world, view, take } = looking()
  take()
  const skipped = () => {
    const { sections, codes } = view.land.column(0, 0)
    const at = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
      sections[y >> 4]?.[(y & 15) << 8 | z << 4 | x] ?? 0
    let bricks = 0
    for (const [number, code] of codes.entries()) {
      const [h, v] = [code & 15, code >> 4]
      if (code === 0) continue
      bricks++
      const [x0, y0, z0] = [(number << 2 & 12) & ~h, (number >> 4 << 2) & ~v, (number & 12) & ~h]
      for (let x = x0; x <= x0 + h; x++) {
        for (let y = y0; y <= y0 + v; y++) for (let z = z0; z <= z0 + h; z++) assert.strictEqual(at(x, y, z), 0)
      }
    }
    return bricks
  }
  let before = skipped()
  for (const place of ['2 -59 3', '9 -50 9', '15 -47 0', '0 -52 15', '4 100 4']) {
    scenes.run(world, [`setblock ${place} stone`])
    take()
    const after = skipped()
    assert.ok(after < before, place)
    before = after
  }
})

test('rays that leave out what is empty meet the same at the same distances as steps from cell to cell', () => {
  class Stepping extends Tracer {
    march () { return this.marchExactly() }
  }
  // Poses on and between the borders of blocks, where rays meet two borders at once, and one without any order.
  const poses = [{ x: 0, y: -0.38, z: 0.5, yaw: 0, pitch: 0 }, { x: 0.5, y: 0.62, z: 0.5, yaw: 45, pitch: 30 },
    { x: 0, y: 3, z: 0, yaw: 270, pitch: 0 }, { x: 0.37, y: 0.71, z: -0.83, yaw: 163.7, pitch: 11.3 }]
  for (const name of ['land', 'meeting', 'sea']) {
    const { world, pose } = scenes.scene(name)
    const { looks, land } = new View(world)
    for (const { x, y, z, yaw, pitch } of poses) {
      land.begin()
      const eye = { x: Math.floor(pose.eye.x) + x, y: Math.floor(pose.eye.y) + y, z: Math.floor(pose.eye.z) + z }
      const camera = new Camera({ eye, yaw, pitch }, 64, 48)
      const window = new Window(land, eye, 64)
      const tracers = [Tracer, Stepping].map((Kind) => new Kind(looks, window, new Daylight(world, 'overworld'),
        { reach: 64, top: Infinity, fine: 16, glow: (state) => land.light.given(state) }))
      const [left, stepped] = tracers.map((tracer) => {
        tracer.from(eye)
        const ray = new Float64Array(3)
        const met = new Float64Array(64 * 48 * 4)
        for (let at = 0; at < 64 * 48; at++) {
          camera.direction(at % 64, Math.floor(at / 64), ray)
          tracer.aim(ray[0], ray[1], ray[2], Infinity)
          tracer.trace()
          met.set([...tracer.colour, tracer.depth], at * 4)
        }
        return met
      })
      assert.deepStrictEqual(left, stepped, `${name}, yaw ${yaw}`)
    }
  }
})

test('a camera bounds what is around it, beside it, before it and behind it by its pixels', () => {
  const camera = new Camera({ eye: { x: 0, y: 0, z: 0 }, yaw: 0, pitch: 0 }, 160, 90)
  const around = (/** @type {number} */ x, /** @type {number} */ z) => camera.rectangle(
    Array.from({ length: 8 }, (_, i) => [x + (i & 1 ? 0.3 : -0.3), i & 2 ? 1 : -1, z + (i & 4 ? 0.3 : -0.3)]))
  assert.deepStrictEqual(around(0, 0), [0, 0, 159, 89])
  // Some of its corners are before the camera, none of them in the picture.
  assert.strictEqual(around(5, 0), null)
  assert.strictEqual(around(0, -5), null)
  const [left, top, right, bottom] = /** @type {number[]} */ (around(0, 5))
  assert.ok(left > 60 && left < 80 && right > 80 && right < 100 && top > 20 && bottom < 70)
  // To the left of who looks south is the east, and only a part of it is in the picture.
  assert.deepStrictEqual(/** @type {number[]} */ (around(0.4, 0.2)).slice(0, 2), [0, 0])
})

test('an eye on the edge of a block sees what an eye beside the edge sees', () => {
  const { view } = looking('setblock 2 -58 -6 oak_log', 'setblock -5 -60 -4 grass_block')
  for (const yaw of [45, 135, 169.5, 225, 315]) {
    const [on, beside] = [0, -1e-6].map((x) =>
      view.take({ eye: { x, y: -53.75, z: x }, yaw, pitch: 22 }, SIZE).pixels)
    const others = on.filter((value, i) => value !== beside[i]).length
    assert.ok(others < on.length / 100, `${others} of ${on.length} at yaw ${yaw}`)
  }
})

test('an eye exactly as high as the ground sees the ground', () => {
  const { view } = looking()
  const [on, above] = [0, 1e-4].map((up) =>
    view.take({ eye: { x: 1.53, y: -60 + up, z: -1 }, yaw: 0, pitch: 45 }, SIZE).pixels)
  const others = on.filter((value, i) => value !== above[i]).length
  assert.ok(others < on.length / 100, `${others} of ${on.length}`)
})

test('from within a block that was never seen, the first picture is the later ones', () => {
  const { take } = looking('setblock 0 -59 0 target')
  const [first, second] = [take(), take()]
  assert.deepStrictEqual(first.pixels, second.pixels)
})

test('water tints what is in it, the more the deeper', () => {
  const blue = (/** @type {string[]} */ ...commands) => {
    const { take } = looking('fill -4 -64 -4 4 -61 10 white_concrete', ...commands)
    const [r,, b] = pixel(take(), 80, 88)
    return b - r
  }
  const [none, shallow, deep] = [blue(), blue('fill -3 -61 0 3 -61 9 water'), blue('fill -3 -63 0 3 -61 9 water')]
  assert.ok(none < shallow && shallow < deep, `${none} ${shallow} ${deep}`)
})

test('a look loads no column, draws no chance and changes no tick', () => {
  const [watched, alone] = [scenes.scene('land').world, scenes.scene('land').world]
  const view = new View(watched)
  for (let i = 0; i < 3; i++) {
    const before = watched.terrain.columns.size
    view.take({ eye: { x: watched.spawn.x, y: 90, z: watched.spawn.z }, yaw: i * 90, pitch: 20 }, SIZE)
    assert.strictEqual(watched.terrain.columns.size, before)
    for (const world of [watched, alone]) for (let n = 0; n < 20; n++) world.tick()
  }
  const state = (/** @type {World} */ world) => JSON.stringify([...world.entities.values()].map((each) => [each.type,
    each.uuid, each.x, each.z]))
  assert.strictEqual(state(watched), state(alone))
  assert.strictEqual(watched.random.stream('uuid').uuid(), alone.random.stream('uuid').uuid())
})

test('from above, the roof over a player is left out', () => {
  const { world, view } = looking('fill -4 -61 -4 4 -55 4 stone hollow', 'setblock 0 -61 2 gold_block')
  scenes.stand(world, { Gizmo: [0.5, 0.5, 0] })
  const seen = () => view.fromPlayer('Gizmo', { ...SIZE, from: 'above' }).seen.map(({ type }) => type)
  assert.deepStrictEqual(seen(), ['player'])
  assert.strictEqual(view.roofOver({ x: 0.5, y: -60, z: 0.5 }), -55)
  assert.strictEqual(view.roofOver({ x: 9.5, y: -60, z: 0.5 }), Infinity)
})

test('requests that are not legal are refused by name, value and what is legal', () => {
  const { world, view } = looking()
  scenes.stand(world, { Gizmo: [0.5, 0.5, 0] })
  const refused = (/** @type {string} */ name, /** @type {object} */ request, /** @type {RegExp} */ why) =>
    assert.throws(() => view.fromPlayer(name, { ...SIZE, from: 'eyes', ...request }), why)
  refused('Nobody', {}, /"Nobody" is not in the world: ask for one of Gizmo/)
  refused('Gizmo', { width: 8 }, /width 8 is not legal: use a whole number of pixels from 16 to 2048/)
  refused('Gizmo', { height: '90' }, /height 90 is not legal/)
  refused('Gizmo', { width: 2048, height: 2048 }, /use at most 1920 x 1080/)
  refused('Gizmo', { from: 'below' }, /from "below" is not legal: use eyes or above/)
  refused('Gizmo', { from: 'above', distance: 1e9 }, /distance 1000000000 is not legal: use 4 to 160 blocks/)
  for (const captions of ['x', [7], ['x'.repeat(401)], Array(9).fill('')]) {
    refused('Gizmo', { captions }, /these captions are not legal: use at most 8 of 400 letters/)
  }
})

test('every block that can be seen has a texture of its own family', () => {
  const data = gameData()
  const unseen = /^(air|cave_air|void_air|barrier|light|structure_void)$/
  const unknown = data.registry.blocksArray.filter(({ name, defaultState }) =>
    !unseen.test(name) && materialOf(name, data.state(/** @type {number} */ (defaultState)).props) === null)
  assert.deepStrictEqual(unknown.map(({ name }) => name), [])
})

test('a name with letters that the font lacks is drawn with question marks, and a long one is cut', () => {
  const { world, take } = looking()
  const before = take().pixels
  scenes.run(world, [`summon cow 0.5 -60 8 {NoAI:1b,CustomName:'"${'\u00e4<script>'.repeat(20)}"'}`])
  assert.notDeepStrictEqual(take().pixels, before)
})

/**
 * Return the rows of a picture with captions as text: letters and plates.
 * @param {number} width @param {number} height @param {string[]} captions
 */
function written (width, height, captions) {
  const picture = { width, height, pixels: new Uint8Array(width * height * 3).fill(100) }
  writeCaptions(picture, captions)
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) =>
    ({ 255: '#', 45: '.', 100: ' ' })[pixel(picture, x, y)[0]]).join('').trimEnd()).filter((line) => line !== '')
}

test('captions are at the lower edge with the last one at the bottom, each letter by letter', () => {
  assert.deepStrictEqual(written(27, 60, ['A: b', '\u4f60']), [
    ' .........................',
    ' ..###..............#.....',
    ' .#...#..##.........#.....',
    ' .#...#..##.........#.##..',
    ' .#####.............##..#.',
    ' .#...#..##.........#...#.',
    ' .#...#..##.........#...#.',
    ' .#...#.............####..',
    ' .........................',
    '          .......',
    '          ..###..',
    '          .#...#.',
    '          .....#.',
    '          ....#..',
    '          ...#...',
    '          .......',
    '          ...#...',
    '          .......'
  ])
})

/** Rows of dots of a line with its plate. */
const HEIGHT_OF_A_LINE = 9

test('long captions are broken between words and end in dots, and older ones give way', () => {
  const same = (/** @type {string[]} */ some, /** @type {string[]} */ others) =>
    assert.deepStrictEqual(written(61, 162, some), written(61, 162, others))
  const row = 'x'.repeat(10)
  same(['one two three four five'], ['one two', 'three four', 'five'])
  same(['x'.repeat(25)], [row, row, 'xxxxx'])
  same(['x'.repeat(400)], [row, row, row, 'xxxxxxx...'])
  same(['old', 'y'.repeat(30), 'x'.repeat(40)], ['y'.repeat(10), 'yyyyyyy...', row, row, row, row])
  same(['caf\u00e9 \u201cx\u201d\u2026'], ['cafe "x"...'])
  same(['constructor'], ['constructo', 'r'])
  assert.strictEqual(written(16, 16, ['x y']).length, HEIGHT_OF_A_LINE)
  assert.deepStrictEqual(written(61, 162, []), [])
})
