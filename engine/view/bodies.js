'use strict'
/** Entities of a picture: the nearest one in each pixel, drawn before the blocks, which may then hide it. */
const { modelOf } = require('./models')
const { NEAR } = require('./tracer')
const { FACE } = require('./looks')

const DEGREE = Math.PI / 180
/** Margin of estimates, far above the errors of their sums. */
const LOOSE = 1 + 1e-9
/** Opacity below which a texel of a body is a hole. */
const SOLID = 128

/** @typedef {import('../world/entities/entity').Entity} Entity */
/** @typedef {import('./models').Part} Part */

/** Nearest body in each pixel of a picture. A view keeps these for its next picture: new ones cost zeroed memory. */
class BodyPixels {
  /** @param {number} count pixels */
  constructor (count) {
    this.count = count
    /** Distance; Infinity without a body, where the other arrays hold nothing. */
    this.depth = new Float64Array(count)
    this.texel = new Uint32Array(count)
    this.light = new Uint8Array(count)
    /** Face that is hit. */
    this.side = new Uint8Array(count)
    /** Number of the entity, from 1. */
    this.who = new Uint16Array(count)
    /** Distance up to which the ray of the pixel is known to meet no block, or less. */
    this.free = new Float64Array(count)
  }
}

/** Bodies in front of one camera. */
class Bodies {
  /**
   * @param {import('./camera').Camera} camera
   * @param {import('./tracer').Tracer} tracer
   * @param {BodyPixels} pixels
   */
  constructor (camera, tracer, pixels) {
    this.camera = camera
    this.tracer = tracer
    this.depth = pixels.depth.fill(Infinity)
    this.texel = pixels.texel
    this.light = pixels.light
    this.side = pixels.side
    this.who = pixels.who
    /** @type {Entity[]} */
    this.drawn = []
    /** Face that the last ray met. */
    this.face = 0
  }

  /**
   * Draw entities. Their order does not matter, except where two are in the same place.
   * @param {Iterable<Entity>} entities
   * @param {Entity | null} self whose eyes these are
   * @param {number} reach blocks
   */
  draw (entities, self, reach) {
    const { eye } = this.camera
    const far = (/** @type {Entity} */ e) => (e.x - eye.x) ** 2 + (e.y - eye.y) ** 2 + (e.z - eye.z) ** 2
    const near = [...entities].filter((e) => e !== self && far(e) < reach * reach)
      .sort((a, b) => far(a) - far(b) || (a.type < b.type ? -1 : a.type > b.type ? 1 : 0) || a.x - b.x || a.z - b.z)
    for (const entity of near) {
      const model = modelOf(entity, entity.world.data)
      if (!model) continue
      const yaw = (model.turn === 'camera' ? this.camera.yaw : entity.yaw) * DEGREE
      const { tracer } = this
      const light = tracer.lightOf(Math.floor(entity.x) - tracer.window.x0,
        Math.floor(entity.y + Math.min(1, entity.height / 2)) - tracer.window.y0,
          Math.floor(entity.z) - tracer.window.z0)
      this.drawn.push(entity)
      for (const part of model.parts) this.drawPart(entity, part, Math.sin(yaw), Math.cos(yaw), light)
    }
  }

  /**
   * @param {Entity} entity
   * @param {Part} part
   * @param {number} sin
   * @param {number} cos of its yaw
   * @param {number} light
   */
  drawPart (entity, part, sin, cos, light) {
    const rect = this.rectangle(entity, part.box, sin, cos)
    if (rect === null) return
    const [left, top, right, bottom] = rect
    const { camera, depth } = this
    const { columns } = camera
    const { side, front, cap, flat } = this.texturesOf(part)
    const ox = camera.eye.x - entity.x
    const oy = camera.eye.y - entity.y
    const oz = camera.eye.z - entity.z
    const lx = ox * cos + oz * sin
    const lz = oz * cos - ox * sin
    const [x0, y0, z0, x1, y1, z1] = part.box
    const nearest = distanceTo(part.box, lx, oy, lz) / LOOSE
    for (let j = top; j <= bottom; j++) {
      const [rowX, rowY, rowZ] = camera.row(j)
      const low = (y0 - oy) / rowY; const high = (y1 - oy) / rowY
      const [enterRow, leaveRow] = rowY > 0 ? [low, high] : [high, low]
      for (let i = left, at = j * camera.width + left; i <= right; i++, at++) {
        if (depth[at] <= nearest) continue
        const x = columns[2 * i] + rowX
        const z = columns[2 * i + 1] + rowZ
        // Most rays that miss the box do so by far: a ray of any length shows that without a root.
        const alongX = 1 / (x * cos + z * sin); const alongZ = 1 / (z * cos - x * sin)
        const west = (x0 - lx) * alongX; const east = (x1 - lx) * alongX
        const north = (z0 - lz) * alongZ; const south = (z1 - lz) * alongZ
        let enter = west < east ? west : east; let leave = west < east ? east : west
        if (north < south) {
          if (north > enter) enter = north
          if (south < leave) leave = south
        } else {
          if (south > enter) enter = south
          if (north < leave) leave = north
        }
        if (enterRow > enter) enter = enterRow
        if (leaveRow < leave) leave = leaveRow
        if (leave < 0 || enter > leave * LOOSE) continue
        const scale = 1 / Math.sqrt(x * x + rowY * rowY + z * z)
        const dx = x * scale * cos + z * scale * sin
        const dy = rowY * scale
        const dz = z * scale * cos - x * scale * sin
        // Where the ray enters the box, if it does.
        const ax = ((dx > 0 ? x0 : x1) - lx) / dx
        const ay = ((dy > 0 ? y0 : y1) - oy) / dy
        const az = ((dz > 0 ? z0 : z1) - lz) / dz
        const t = ax > ay ? (ax > az ? ax : az) : ay > az ? ay : az
        if (t < NEAR || t >= depth[at]) continue
        if (!(t < ((dx > 0 ? x1 : x0) - lx) / dx && t < ((dy > 0 ? y1 : y0) - oy) / dy &&
          t < ((dz > 0 ? z1 : z0) - lz) / dz)) continue
        const face = t === ax ? (dx > 0 ? FACE.WEST : FACE.EAST) : t === ay ? (dy > 0 ? FACE.DOWN : FACE.UP)
          : dz > 0 ? FACE.NORTH : FACE.SOUTH
        if (flat >= 0 && face >> 1 !== flat) continue
        this.face = face
        const texture = face === FACE.SOUTH ? front : face === FACE.UP ? cap : side
        const texel = this.texelOf(part.box, texture, t, lx + dx * t, oy + dy * t, lz + dz * t)
        if (texel >>> 24 < SOLID) continue
        depth[at] = t
        this.put(at, texel, light, face)
      }
    }
  }

  /**
   * Put the last drawn entity into a pixel.
   * @param {number} at @param {number} texel @param {number} light @param {number} face
   */
  put (at, texel, light, face) {
    this.texel[at] = texel | 0xff000000
    this.light[at] = light
    this.side[at] = face
    this.who[at] = this.drawn.length
  }

  /**
   * Return the numbers of a part's textures, and the axis of the faces that a figure is painted on, or -1.
   * @param {Part} part
   */
  texturesOf ({ box, paint, front, cap }) {
    const { textures } = this.tracer.looks
    const side = textures.number(paint)
    return { side, front: front ? textures.number(front) : side, cap: cap ? textures.number(cap) : side,
      flat: textures.opaque[side] === 1 ? -1 : flatAxis(box) }
  }

  /**
   * @param {Part['box']} box
   * @param {number} texture
   * @param {number} t
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  texelOf (box, texture, t, x, y, z) {
    const px = (x - box[0]) / (box[3] - box[0])
    const py = (y - box[1]) / (box[4] - box[1])
    const pz = (z - box[2]) / (box[5] - box[2])
    const { face } = this
    if (face < FACE.NORTH) return this.tracer.texel(texture, t, px, pz)
    return this.tracer.texel(texture, t, face === FACE.SOUTH || face === FACE.NORTH ? px : pz, 1 - py)
  }

  /**
   * Return the pixels in which a box may be: left, top, right, bottom; null if none.
   * @param {Entity} entity @param {Part['box']} box @param {number} sin @param {number} cos
   * @returns {[number, number, number, number] | null}
   */
  rectangle ({ x, y, z }, box, sin, cos) {
    return this.camera.rectangle(Array.from({ length: 8 }, (_, corner) => {
      const bx = box[corner & 1 ? 3 : 0]
      const bz = box[corner & 2 ? 5 : 2]
      return [x + bx * cos - bz * sin, y + box[corner & 4 ? 4 : 1], z + bx * sin + bz * cos]
    }))
  }
}

/**
 * Return the distance of a place to a box.
 * @param {Part['box']} box @param {number} x @param {number} y @param {number} z
 */
function distanceTo ([x0, y0, z0, x1, y1, z1], x, y, z) {
  const dx = Math.max(x0 - x, 0, x - x1)
  const dy = Math.max(y0 - y, 0, y - y1)
  const dz = Math.max(z0 - z, 0, z - z1)
  return Math.sqrt(dx * dx + dy * dy + dz * dz)
}

/**
 * Return half the number of the faces that a figure is painted on: the two across its thinnest side.
 * @param {Part['box']} box
 */
function flatAxis (box) {
  return box[3] - box[0] < box[5] - box[2] ? FACE.WEST >> 1 : FACE.NORTH >> 1
}

module.exports = { Bodies, BodyPixels }
