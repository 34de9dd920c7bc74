'use strict'
/** The path of a ray through the blocks of a window. Only IEEE basic operations and square roots are used. */
const { KIND } = require('./shapes')
const { FACE } = require('./looks')
const { BRICKS, OCCUPIED } = require('./land')
const { Skyline } = require('./skyline')

/** Result of a march that meets nothing before the limit. */
const PASSED = -1
/** Distance that places on the way lie behind: a border that is not certain to be behind the ray is still to come. */
const BEHIND = 1e-10

/** One camera's rays. The fields are the ray's state between two hits. */
class Ray {
  /**
   * @param {import('./looks').Looks} looks
   * @param {import('./window').Window} window
   * @param {{ reach: number, top: number, glow: (stateId: number) => number }} options `top`: blocks from this height
   *   on are not drawn; `glow`: light of a state
   */
  constructor (looks, window, { reach, top, glow }) {
    this.looks = looks
    this.window = window
    this.reach = reach
    this.top = Math.min(window.ceiling, top - window.y0)
    /** Height from which on a rising ray meets nothing. */
    this.crown = Math.min(window.crown, this.top)
    this.glow = glow
    /** Height at which the current ray leaves the land. */
    this.high = 0
    /** State of the eye's own cell; 0 for air and for cubes, which the eye does not see from within. */
    this.within = 0
    /** Distance up to which the ray is known to meet nothing. */
    this.start = 0.5
    // Origin and direction, from the window's corner.
    this.ox = this.oy = this.oz = this.dx = this.dy = this.dz = 0.5
    // Cell, its coordinates' steps, distances to the next borders, and between two borders.
    this.x = this.y = this.z = this.sx = this.sy = this.sz = 0
    this.tx = this.ty = this.tz = this.ix = this.iy = this.iz = 0.5
    // The ray leaves a cell at the distance `(x - rx) * vx`; its place at a distance `t` is `qx + dx * t`.
    this.rx = this.ry = this.rz = this.vx = this.vy = this.vz = this.qx = this.qy = this.qz = 0.5
    /** Distance at which the ray enters the cell, and the face through which. */
    this.t = 0.5
    this.face = 0
    this.limit = 0.5
    this.skyline = new Skyline(window, 0, 0, 0, 0, 0)
  }

  /** Place the eye. @param {{ x: number, y: number, z: number }} eye in the world */
  from (eye) {
    const { window } = this
    this.ox = eye.x - window.x0
    this.oy = eye.y - window.y0
    this.oz = eye.z - window.z0
    this.skyline = new Skyline(window, this.ox, this.oy, this.oz, this.reach, this.top)
    const state = this.stateOf(Math.floor(this.ox), Math.floor(this.oy), Math.floor(this.oz))
    this.within = this.kindOf(state) === KIND.CUBE ? 0 : state
  }

  /**
   * Point the ray.
   * @param {number} dx @param {number} dy @param {number} dz direction of length 1
   * @param {number} limit distance of a body that ends it, or Infinity
   */
  aim (dx, dy, dz, limit) {
    this.dx = dx; this.dy = dy; this.dz = dz
    this.limit = limit < this.reach ? limit : this.reach
  }

  /** Set out from the eye. */
  begin () {
    const { dx, dy, dz, ox, oy, oz, top } = this
    const ix = this.ix = Math.abs(1 / dx)
    const iy = this.iy = Math.abs(1 / dy)
    const iz = this.iz = Math.abs(1 / dz)
    const sx = this.sx = dx > 0 ? 1 : -1
    const sy = this.sy = dy > 0 ? 1 : -1
    const sz = this.sz = dz > 0 ? 1 : -1
    this.high = sy > 0 ? this.crown : top
    this.vx = sx * ix; this.vy = sy * iy; this.vz = sz * iz
    this.rx = ox - (sx + 1) / 2; this.ry = oy - (sy + 1) / 2; this.rz = oz - (sz + 1) / 2
    this.qx = ox - sx * BEHIND; this.qy = oy - sy * BEHIND; this.qz = oz - sz * BEHIND
    let t = 0
    let px = ox
    let py = oy
    let pz = oz
    if (oy >= top) {
      // A ray from above what is drawn begins where it comes down to it.
      t = dy < 0 ? (top - oy) / dy : Infinity
      if (t > this.limit) { this.t = t; return }
      px += dx * t
      py = top
      pz += dz * t
    }
    this.t = t
    this.start = this.skyline.free(dx, dy, dz)
    const x = this.x = Math.floor(px) | 0
    const y = this.y = Math.floor(py) | 0
    const z = this.z = Math.floor(pz) | 0
    this.face = FACE.UP
    this.tx = t + (dx > 0 ? x + 1 - px : px - x) * ix
    this.ty = t + (dy > 0 ? y + 1 - py : py - y) * iy
    this.tz = t + (dz > 0 ? z + 1 - pz : pz - z) * iz
  }

  /** Return the state of a cell; 0 outside the window. @param {number} x @param {number} y @param {number} z */
  stateOf (x, y, z) {
    const { window } = this
    if (x < 0 || z < 0 || y < 0 || y >= this.top || x >= window.wide * 16 || z >= window.deep * 16) return 0
    const section = window.cells[((x >> 4) * window.deep + (z >> 4)) * window.tall + (y >> 4)]
    return section === null ? 0 : section[(y & 15) << 8 | (z & 15) << 4 | (x & 15)]
  }

  /** Return the kind of a state's shape. @param {number} state */
  kindOf (state) {
    const kind = this.looks.kind[state]
    return kind === KIND.UNKNOWN ? this.looks.learn(state, this.glow(state)) : kind
  }

  /** Return the light of a cell. @param {number} x @param {number} y @param {number} z */
  lightOf (x, y, z) {
    const { window } = this
    const { tall } = window
    if (y < 0) return 0
    if (y >= tall * 16 || x < 0 || z < 0 || x >= window.wide * 16 || z >= window.deep * 16) return 0xf0
    return window.light[((x >> 4) * window.deep + (z >> 4)) * tall + (y >> 4)][(y & 15) << 8 | (z & 15) << 4 | (x & 15)]
  }

  /** Return the face through which the ray enters a cell. @param {number} axis of the last step */
  faceOf (axis) {
    return axis === 0 ? (this.sx > 0 ? FACE.WEST : FACE.EAST) : axis === 1 ? (this.sy > 0 ? FACE.DOWN : FACE.UP)
      : this.sz > 0 ? FACE.NORTH : FACE.SOUTH
  }

  /**
   * Step to a cell: distances are sums as in `marchExactly`, whatever was left out on the way.
   * @param {number} x @param {number} y @param {number} z @param {number} axis of the last step
   */
  arrive (x, y, z, axis) {
    const { sx, sy, sz, ix, iy, iz } = this
    let { tx, ty, tz, t } = this
    for (let n = (x - this.x) * sx; n > 0; n--) {
      if (axis === 0) t = tx
      tx += ix
    }
    for (let n = (y - this.y) * sy; n > 0; n--) {
      if (axis === 1) t = ty
      ty += iy
    }
    for (let n = (z - this.z) * sz; n > 0; n--) {
      if (axis === 2) t = tz
      tz += iz
    }
    this.x = x; this.y = y; this.z = z
    this.tx = tx; this.ty = ty; this.tz = tz
    this.t = t
    this.start = 0
    this.face = this.faceOf(axis)
  }

  /**
   * Step to the next cell that is not empty, with sums of distances throughout: they decide which of two borders comes
   * first where a ray meets both at once.
   * @returns {number} its state, or `PASSED`
   */
  marchExactly () {
    const { window, sx, sy, sz, ix, iy, iz, limit, top } = this
    const { cells, codes, wide, deep, tall } = window
    const { kind } = this.looks
    let { x, y, z, tx, ty, tz, t } = this
    let axis = 0
    let state = PASSED
    let columnAt = -1
    for (;;) {
      if (tx < ty && tx < tz) {
        t = tx; tx += ix; x += sx; axis = 0
      } else if (ty < tz) {
        t = ty; ty += iy; y += sy; axis = 1
      } else {
        t = tz; tz += iz; z += sz; axis = 2
      }
      if (t > limit || y < 0 || y >= top) break
      const at = (x >> 4) * deep + (z >> 4)
      if (at !== columnAt) {
        if (x < 0 || z < 0 || x >> 4 >= wide || z >> 4 >= deep) break
        columnAt = at
      }
      const code = codes[at * BRICKS.column + ((y & ~3) << 2 | (z & 12) | (x & 12) >> 2)]
      if (code === OCCUPIED) {
        const here = /** @type {Uint16Array} */ (cells[at * tall + (y >> 4)])[(y & 15) << 8 | (z & 15) << 4 | (x & 15)]
        if (kind[here] !== 0) {
          state = here
          break
        }
        continue
      }
      // Leave the empty box at once: how many cells is it to its end along each axis?
      const h = code & 15
      const v = code >> 4
      const nx = sx > 0 ? h - (x & h) : x & h
      const ny = sy > 0 ? v - (y & v) : y & v
      const nz = sz > 0 ? h - (z & h) : z & h
      const ux = tx + nx * ix
      const uy = ty + ny * iy
      const uz = tz + nz * iz
      const out = ux < uy ? (ux < uz ? ux : uz) : uy < uz ? uy : uz
      for (let n = nx; n > 0 && tx < out; n--) { tx += ix; x += sx }
      for (let n = ny; n > 0 && ty < out; n--) { ty += iy; y += sy }
      for (let n = nz; n > 0 && tz < out; n--) { tz += iz; z += sz }
    }
    this.x = x; this.y = y; this.z = z
    this.tx = tx; this.ty = ty; this.tz = tz
    this.t = t
    this.face = this.faceOf(axis)
    return state
  }
}

module.exports = { Ray, PASSED }
