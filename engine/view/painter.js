'use strict'
/** Colours that rays gather from what they meet: faces, boxes, plants. */
const { KIND } = require('./shapes')
const { FACE, FACES } = require('./looks')
const { WORDS, LEVEL_AT } = require('./textures')
const { Ray } = require('./ray')

/** Brightness of faces by their side. */
const SHADE = new Float64Array([0.52, 1, 0.8, 0.8, 0.64, 0.64])
/** Share of light below which the rest of a ray does not count. */
const SPENT = 0.06
const FULL_LIGHT = 0xff
/** Least distance of a hit, so that a shape around the eye does not hide everything. */
const NEAR = 0.05

/** One camera's rays, which gather colour. */
class Painter extends Ray {
  /**
   * @param {import('./looks').Looks} looks
   * @param {import('./window').Window} window
   * @param {import('./sky').Daylight} daylight
   * @param {{ reach: number, top: number, fine: number, glow: (stateId: number) => number }} options as of a ray;
   *   `fine`: distance at which a texel is as large as a pixel
   */
  constructor (looks, window, daylight, options) {
    super(looks, window, options)
    const { reach } = options
    this.daylight = daylight
    this.fine = options.fine
    /** Share of fog by distance. */
    this.haze = new Float64Array(reach + 2).map((_, t) => Math.max(0, Math.min(1, (t / reach - 0.62) / 0.38)) ** 2)
    /** Colour gathered so far, 0 to 255. */
    this.colour = new Float64Array(3)
    this.scratch = new Float64Array(3)
    /** Share of light that is still to come. */
    this.left = 0.5
    /** Distance up to which the ray has been in water. */
    this.wetUntil = -0.5
    /** State that the last ray's last glass or liquid had: faces between two of the same are not drawn. */
    this.lastClear = -1
    /** True if the last ray met more than the cube that ended it. */
    this.mixed = false
    /** Distance of the hit that ended the last ray; Infinity for the sky. */
    this.depth = 0.5
    this.hitFace = 0
  }

  /**
   * Return the light of the cell before the face, or of the cell itself where that is brighter.
   * @param {number} face
   * @param {boolean} inside
   */
  lightAt (face, inside) {
    const { x, y, z } = this
    const before = this.lightOf(x + (face === FACE.EAST ? 1 : face === FACE.WEST ? -1 : 0),
      y + (face === FACE.UP ? 1 : face === FACE.DOWN ? -1 : 0), z + (face === FACE.SOUTH ? 1 : face === FACE.NORTH
        ? -1 : 0))
    if (!inside) return before
    const here = this.lightOf(x, y, z)
    return Math.max(before & 0xf0, here & 0xf0) | Math.max(before & 15, here & 15)
  }

  /**
   * Add the colour of a face at a place in its block.
   * @param {number} state
   * @param {number} face
   * @param {number} t distance
   * @param {number} lx @param {number} ly @param {number} lz place in the block, 0 to 1
   * @returns {boolean} true if the ray is spent
   */
  paint (state, face, t, lx, ly, lz) {
    const u = face < FACE.NORTH ? lx : face === FACE.NORTH ? 1 - lx : face === FACE.SOUTH ? lx
      : face === FACE.WEST ? lz : 1 - lz
    const v = face < FACE.NORTH ? lz : 1 - ly
    const texel = this.texel(this.looks.faces[state * FACES + face], t, u, v)
    if (texel >>> 24 === 0) return false
    const glow = this.looks.glow[state]
    const light = glow > 7 ? FULL_LIGHT : this.lightAt(face, this.looks.kind[state] !== KIND.CUBE)
    return this.add(texel, light, glow > 7 ? 1 : SHADE[face], t)
  }

  /** @param {number} texture @param {number} t @param {number} u @param {number} v */
  texel (texture, t, u, v) {
    const { fine } = this
    const level = t < fine ? 0 : t < 2 * fine ? 1 : t < 4 * fine ? 2 : 3
    const side = 16 >> level
    let i = (u * side) | 0
    let j = (v * side) | 0
    if (i < 0) i = 0
    else if (i >= side) i = side - 1
    if (j < 0) j = 0
    else if (j >= side) j = side - 1
    return this.looks.textures.words[texture * WORDS + LEVEL_AT[level] + j * side + i]
  }

  /**
   * Add a lit colour, veiled by fog.
   * @param {number} texel
   * @param {number} light
   * @param {number} shade
   * @param {number} t
   * @returns {boolean} true if the ray is spent
   */
  add (texel, light, shade, t) {
    const share = this.left * (texel >>> 24) / 255
    const haze = this.haze[t | 0]
    const clear = share * (1 - haze) * shade
    const veil = share * haze
    const { colour, daylight } = this
    const { fog } = daylight
    const table = daylight.light
    colour[0] += ((texel >> 16) & 255) * table[light * 3] * clear + fog[0] * veil
    colour[1] += ((texel >> 8) & 255) * table[light * 3 + 1] * clear + fog[1] * veil
    colour[2] += (texel & 255) * table[light * 3 + 2] * clear + fog[2] * veil
    this.left -= share
    if (this.left > SPENT) return false
    this.depth = t
    this.hitFace = this.face
    return true
  }

  /** Return the distance at which the ray leaves the cell. */
  get exit () { return Math.min(this.tx, this.ty, this.tz) }

  /** Draw a cell that is full. @param {number} state @returns {boolean} */
  whole (state) {
    const { t } = this
    return this.paint(state, this.face, t, this.ox + this.dx * t - this.x, this.oy + this.dy * t - this.y,
      this.oz + this.dz * t - this.z)
  }

  /** Draw the boxes of a cell, nearest first. @param {number} state @returns {boolean} */
  throughBoxes (state) {
    const boxes = /** @type {Float64Array} */ (this.looks.boxes[state])
    const px = this.ox - this.x
    const py = this.oy - this.y
    const pz = this.oz - this.z
    let after = -1
    for (let drawn = 0; drawn < boxes.length / 6; drawn++) {
      const near = this.nearest(boxes, px, py, pz, after)
      if (near === Infinity || near > this.limit) return false
      after = near
      const { hitFace } = this
      if (this.lastClear === state && near === this.t && hitFace === this.face) continue
      const t = near < NEAR ? NEAR : near
      if (this.paint(state, hitFace, t, px + this.dx * near, py + this.dy * near, pz + this.dz * near)) return true
    }
    if (this.looks.textures.opaque[this.looks.faces[state * FACES + FACE.UP]] === 0) this.lastClear = state
    return false
  }

  /**
   * Return the distance to the nearest box beyond `after`; its face is left in `hitFace`.
   * @param {Float64Array} boxes @param {number} px @param {number} py @param {number} pz @param {number} after
   */
  nearest (boxes, px, py, pz, after) {
    const { dx, dy, dz } = this
    let best = Infinity
    for (let i = 0; i < boxes.length; i += 6) {
      const ax = ((dx > 0 ? boxes[i] : boxes[i + 3]) - px) / dx
      const ay = ((dy > 0 ? boxes[i + 1] : boxes[i + 4]) - py) / dy
      const az = ((dz > 0 ? boxes[i + 2] : boxes[i + 5]) - pz) / dz
      const bx = ((dx > 0 ? boxes[i + 3] : boxes[i]) - px) / dx
      const by = ((dy > 0 ? boxes[i + 4] : boxes[i + 1]) - py) / dy
      const bz = ((dz > 0 ? boxes[i + 5] : boxes[i + 2]) - pz) / dz
      const enter = ax > ay ? (ax > az ? ax : az) : ay > az ? ay : az
      const leave = bx < by ? (bx < bz ? bx : bz) : by < bz ? by : bz
      if (!(enter < leave) || enter <= after || enter >= best || leave < 0 || enter < 0) continue
      best = enter
      this.hitFace = enter === ax ? (dx > 0 ? FACE.WEST : FACE.EAST) : enter === ay ? (dy > 0 ? FACE.DOWN : FACE.UP)
        : dz > 0 ? FACE.NORTH : FACE.SOUTH
    }
    return best
  }

  /**
   * Draw two planes that cross in the middle of the cell, the nearer one first.
   * @param {number} state
   * @returns {boolean}
   */
  throughCross (state) {
    const px = this.ox - this.x
    const pz = this.oz - this.z
    const one = (pz - px) / (this.dx - this.dz)
    const two = (1 - px - pz) / (this.dx + this.dz)
    const first = one < two ? one : two
    return this.plane(state, first) || this.plane(state, one < two ? two : one)
  }

  /** @param {number} state @param {number} t @returns {boolean} */
  plane (state, t) {
    if (!(t > NEAR) || t > this.limit) return false
    const lx = this.ox + this.dx * t - this.x
    const ly = this.oy + this.dy * t - this.y
    const lz = this.oz + this.dz * t - this.z
    if (lx < 0 || lx >= 1 || ly < 0 || ly >= 1 || lz < 0 || lz >= 1) return false
    const texel = this.texel(this.looks.faces[state * FACES + FACE.NORTH], t, lx, 1 - ly)
    if (texel >>> 24 === 0) return false
    return this.add(texel, this.looks.glow[state] > 7 ? FULL_LIGHT : this.lightOf(this.x, this.y, this.z), 0.92, t)
  }
}

module.exports = { Painter, SHADE, SPENT, FULL_LIGHT, NEAR }
