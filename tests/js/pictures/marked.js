'use strict'
/** Ten marked blocks before one camera, and what the picture's rays meet, to compare with other renderers. */
const { Camera, FIELD } = require('../../../engine/view/camera')
const { Tracer } = require('../../../engine/view/tracer')
const { Window } = require('../../../engine/view/window')
const { Daylight } = require('../../../engine/view/sky')
const { View } = require('../../../engine/view')
const { World } = require('../../../engine/world')
const scenes = require('./scenes')

const REACH = 48
const POSE = Object.freeze({ eye: Object.freeze({ x: 0.3, y: -57.38, z: -3.7 }), yaw: -17, pitch: 9 })
/** The camera's angles in mineflayer's radians, from north and upwards. */
const TURNED = Object.freeze({ yaw: Math.PI * (1 - POSE.yaw / 180), pitch: -POSE.pitch * Math.PI / 180 })
/**
 * Places of the marked blocks, some of which hide parts of others; prismarine-viewer 1.33 draws no stairs.
 * @type {Readonly<Record<string, string>>}
 */
const MARKED = Object.freeze({
  white_concrete: '0 -59 1', orange_concrete: '1 -59 3', magenta_concrete: '2 -58 4', enchanting_table: '3 -59 5',
  yellow_concrete: '-1 -58 6', lime_concrete: '4 -57 8', stone_slab: '1 -57 7', gray_concrete: '6 -58 10',
  cyan_concrete: '5 -55 16', purple_concrete: '12 -56 22'
})

/** @typedef {{ name: string, distance: number }} Hit "sky" at Infinity if there is none */

/** Return flat land with the marked blocks. */
function markedWorld () {
  const world = new World({ seed: 1 })
  scenes.run(world, Object.entries(MARKED).map(([name, place]) => `setblock ${place} ${name}`))
  return world
}

/**
 * Return a function of a pixel's column and row that returns what the picture's ray meets.
 * @param {World} world @param {number} width @param {number} height pixels
 * @returns {(i: number, j: number) => Hit}
 */
function pictureHits (world, width, height) {
  const view = new View(world)
  const camera = new Camera(POSE, width, height)
  view.land.begin()
  const tracer = new Tracer(view.looks, new Window(view.land, POSE.eye, REACH), new Daylight(world, 'overworld'),
    { reach: REACH, top: Infinity, fine: 16, glow: (state) => view.land.light.given(state) })
  tracer.from(POSE.eye)
  const ray = new Float64Array(3)
  return (i, j) => {
    camera.direction(i, j, ray)
    tracer.aim(ray[0], ray[1], ray[2], Infinity)
    if (!tracer.trace()) return { name: 'sky', distance: Infinity }
    return { name: world.data.state(tracer.stateOf(tracer.x, tracer.y, tracer.z)).name, distance: tracer.depth }
  }
}

/**
 * Compare two renderers pixel by pixel.
 * @param {number} width @param {number} height
 * @param {((i: number, j: number) => Hit)[]} renderers two of them
 * @returns {{ orders: string[][], others: number, gap: number }} marked blocks by the distance of their nearest pixel,
 *   pixels with different blocks, and the largest difference of distances where the block is the same
 */
function compareDepths (width, height, renderers) {
  const nearest = renderers.map(() => /** @type {Map<string, number>} */ (new Map()))
  let [others, gap] = [0, 0]
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const hits = renderers.map((hitOf) => hitOf(i, j))
      if (hits[0].name !== hits[1].name) others++
      else if (hits[0].distance < Infinity) gap = Math.max(gap, Math.abs(hits[0].distance - hits[1].distance))
      for (const [side, { name, distance }] of hits.entries()) {
        if (name in MARKED) nearest[side].set(name, Math.min(distance, nearest[side].get(name) ?? Infinity))
      }
    }
  }
  const orders = nearest.map((found) => [...found].sort((a, b) => a[1] - b[1]).map(([name]) => name))
  return { orders, others, gap }
}

module.exports = { POSE, TURNED, MARKED, REACH, FIELD: FIELD.eyes, markedWorld, pictureHits, compareDepths }
