'use strict'
/**
 * Pictures of a world, drawn by casting rays over the engine's own columns: no graphics card, no native code, no
 * textures of the game. The same world gives the same pixels, whichever front asks and in whichever order.
 *
 *   const view = new View(world)
 *   const png = encodePng(view.fromPlayer('Gizmo', { width: 320, height: 180, from: 'eyes' }))
 */
const { Looks } = require('./looks')
const { Land } = require('./land')
const { Windows } = require('./window')
const { Tracer } = require('./tracer')
const { Caster } = require('./caster')
const { KeptPicture, KeptPictures } = require('./kept')
const { Bodies, BodyPixels } = require('./bodies')
const { Daylight } = require('./sky')
const { Camera, above } = require('./camera')
const { writeCaptions, writeLabel } = require('./letters')
const { encodePng } = require('./png')
const { SIDE } = require('./patterns')
const { dimensionAt } = require('../world/dimensions')

/** Distance up to which blocks are drawn, in blocks. */
const REACH = 64
/** Distance up to which names are drawn. */
const NAME_REACH = 40
/** Sizes that a request may ask for, in pixels along a side. */
const SIZE = Object.freeze({ min: 16, max: 2048 })
const MAX_PIXELS = 1920 * 1080
/** Steps of a player's pose in a block and in a degree. */
const FINE = 1024
/** Distance of a camera from above, in blocks. */
const DISTANCE = Object.freeze({ min: 4, max: 160 })
const FROM = Object.freeze(['eyes', 'above'])
/** Most captions of a picture, and letters of one. */
const CAPTIONS = Object.freeze({ most: 8, letters: 400 })
/** Names are drawn at one pixel a dot in pictures of up to this height, larger in larger ones. */
const LABEL_HEIGHT = 300

/** @typedef {import('../world/world').World} World */
/** @typedef {import('../world/entities/entity').Entity} Entity */
/** @typedef {import('../world/types').Pos} Pos */
/** @typedef {import('./camera').Pose} Pose */
/**
 * A request for a picture: size in pixels, "eyes" or "above", for the latter the distance of the camera in blocks, and
 * captions to be written at the lower edge, the last one at the bottom.
 * @typedef {{ width: number, height: number, from: string, distance?: number | null,
 *   captions?: readonly string[] }} PictureRequest
 */
/**
 * @typedef {{ width: number, height: number, pixels: Uint8Array, seen: Entity[] }} Picture `pixels`: red,
   green and blue
 *   by rows; `seen`: entities with at least one pixel, nearest first
 */

/** Tables by game data: all worlds of a process share them. @type {WeakMap<object, Looks>} */
const looksOf = new WeakMap()

/** Pictures of one world. It listens to changes, so make one for each world and keep it. */
class View {
  /** @param {World} world @param {Land} [land] */
  constructor (world, land = new Land(world)) {
    this.world = world
    this.land = land
    const looks = looksOf.get(world.data) ?? new Looks(world.data)
    looksOf.set(world.data, looks)
    this.looks = looks
    this.bodyPixels = new BodyPixels(0)
    this.windows = new Windows(land)
    this.kept = new KeptPictures()
  }

  /**
   * Return what a player sees, or the player and the surroundings from above.
   * @param {string} name
   * @param {PictureRequest} request
   * @returns {Picture}
   * @throws {RangeError} for a player who is not in the world, or a request that is not legal
   */
  fromPlayer (name, request) {
    checkRequest(request)
    const { width, height, from, distance, captions = [] } = request
    const player = this.world.players.get(name)
    if (!player) {
      const there = [...this.world.players.keys()].join(', ') || 'nobody'
      throw new RangeError(`${JSON.stringify(name)} is not in the world: ask for one of ${there}`)
    }
    const picture = from === 'above' ? this.fromAbove(player, { width, height, distance: distance ?? undefined })
      : this.take(poseOf(player), { width, height, self: player })
    writeCaptions(picture, captions)
    return picture
  }

  /**
   * Return a picture of a place from above. Under a roof, the roof and all above it are left out.
   * @param {Pos} at
   * @param {{ width: number, height: number, distance?: number }} request
   * @returns {Picture}
   */
  fromAbove (at, { width, height, distance }) {
    const pose = above(at, distance)
    return this.take(pose, { width, height, top: this.roofOver(at), reach: REACH + Math.ceil(pose.eye.y - at.y) })
  }

  /**
   * Return a picture.
   * @param {Pose} pose
   * @param {{ width: number, height: number, self?: Entity, top?: number, reach?: number }} options `self`: whose eyes
   *   these are, who is not drawn; `top`: blocks from this height on are not drawn
   * @returns {Picture}
   */
  take (pose, { width, height, self, top = Infinity, reach = REACH }) {
    this.land.begin()
    const camera = new Camera(pose, width, height)
    const window = this.windows.around(camera.eye, reach)
    const daylight = new Daylight(this.world, this.realmAt(camera.eye.x))
    const tracer = new Tracer(this.looks, window, daylight,
      { reach, top, fine: camera.distanceOf(SIDE), glow: (state) => this.land.light.given(state) })
    tracer.from(camera.eye)
    if (this.bodyPixels.count !== width * height) this.bodyPixels = new BodyPixels(width * height)
    const bodies = new Bodies(camera, tracer, this.bodyPixels)
    bodies.draw(this.world.entities.values(), self ?? null, reach)
    const pixels = new Uint8Array(width * height * 3)
    const { eye, yaw, pitch, field } = pose
    const key = [eye.x, eye.y, eye.z, yaw, pitch, field, width, height, top, reach].join(' ')
    const kept = this.kept.find(key)
    const renewed = kept?.renew(camera, window, daylight) ? kept : null
    const caster = new Caster(camera, tracer, bodies, new Uint8ClampedArray(pixels.buffer),
      renewed?.free ?? this.bodyPixels.free.fill(0))
    if (renewed !== null) caster.castOver(renewed)
    else {
      caster.cast()
      if (kept !== undefined || this.kept.isRepeated(key)) {
        this.kept.keep(key, new KeptPicture(pixels, bodies.depth, caster.free, window, daylight))
      }
    }
    const picture = { width, height, pixels, seen: bodies.drawn.filter((_, i) => caster.counts[i + 1] > 0) }
    writeNames(picture, camera)
    return picture
  }

  /** Return the dimension of a place. @param {number} x @returns {string} */
  realmAt (x) { return dimensionAt(x) }

  /** Return the height of the ceiling over a place, or Infinity under the open sky. @param {Pos} at */
  roofOver ({ x, y, z }) {
    const [bx, bz] = [Math.floor(x), Math.floor(z)]
    for (let by = Math.floor(y) + 2; by < this.world.minY + this.world.height; by++) {
      const state = this.world.data.state(this.land.blockAt(bx, by, bz))
      if (!state.air && state.shapes.length > 0 && !/leaves|log|glass/.test(state.name)) return by
    }
    return Infinity
  }
}

/**
 * Write the names of players and named entities that are in view, the nearest last.
 * @param {Picture} picture
 * @param {Camera} camera
 */
function writeNames (picture, camera) {
  const scale = Math.max(1, Math.floor(picture.height / LABEL_HEIGHT))
  for (const entity of [...picture.seen].reverse()) {
    if (entity.type !== 'player' && entity.customName === null) continue
    const [i, j, depth] = camera.project(entity.x, entity.y + entity.height + 0.2, entity.z)
    if (depth > 0 && depth < NAME_REACH) writeLabel(picture, entity.displayName, i, j, scale)
  }
}

/**
 * Return where a player's eyes are and look, rounded far below a pixel: clients of servers send angles of single
 * precision, which would otherwise move a ray over an edge that it meets in other worlds.
 * @param {import('../world/entities/entity').Entity & { eyes: Pos, yaw: number, pitch: number }} player
 * @returns {Pose}
 */
function poseOf ({ eyes, yaw, pitch }) {
  const fine = (/** @type {number} */ value) => Math.round(value * FINE) / FINE
  return { eye: { x: fine(eyes.x), y: fine(eyes.y), z: fine(eyes.z) }, yaw: fine(yaw), pitch: fine(pitch) }
}

/** Refuse a request for a picture that is not legal. @param {PictureRequest} request @throws {RangeError} */
function checkRequest ({ width, height, from, distance, captions = [] }) {
  const whole = `a whole number of pixels from ${SIZE.min} to ${SIZE.max}`
  for (const [side, pixels] of Object.entries({ width, height })) {
    if (!Number.isInteger(pixels) || pixels < SIZE.min || pixels > SIZE.max) {
      throw new RangeError(`${side} ${pixels} is not legal: use ${whole}`)
    }
  }
  if (width * height > MAX_PIXELS) {
    throw new RangeError(`${width} x ${height} pixels are too many: use at most 1920 x 1080`)
  }
  if (!FROM.includes(from)) {
    throw new RangeError(`a picture from ${JSON.stringify(from)} is not legal: use ${FROM.join(' or ')}`)
  }
  if (distance !== undefined && distance !== null && !(distance >= DISTANCE.min && distance <= DISTANCE.max)) {
    throw new RangeError(`distance ${distance} is not legal: use ${DISTANCE.min} to ${DISTANCE.max} blocks`)
  }
  if (!Array.isArray(captions) || captions.length > CAPTIONS.most ||
    !captions.every((each) => typeof each === 'string' && each.length <= CAPTIONS.letters)) {
    throw new RangeError(`these captions are not legal: use at most ${CAPTIONS.most} of ${CAPTIONS.letters} letters`)
  }
}

module.exports = { View, encodePng, poseOf }
