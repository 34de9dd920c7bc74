'use strict'
/**
 * Rays through the blocks of a window: Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing" (1987),
 * with empty boxes left as a whole.
 *
 * What was left out must not change a picture. So distances of hits are the sums that steps from cell to cell give
 * (`arrive`), and a ray that meets two borders at almost the same distance, where the last bit decides which cell comes
 * first, is stepped from cell to cell in the usual order (`marchExactly`).
 */
const { KIND } = require('./shapes')
const { FACE, FACES } = require('./looks')
const { BRICKS, OCCUPIED } = require('./land')
const { PASSED } = require('./ray')
const { SHADE, FULL_LIGHT, NEAR } = require('./painter')
const { Swimmer } = require('./water')

/** Codes of empty layers of a brick with blocks, as of its whole box. */
const TWO_LAYERS = 0x13
const ONE_LAYER = 0x03
/** Difference of two distances that may be the same, far above the errors of sums (about 1e-13). */
const TIE = 1e-8
/** Result of a march that ends at a cube. */
const ENDED = -2

/** One camera's rays, from the eye to their colours. */
class Tracer extends Swimmer {
  /**
   * Follow the ray until it is spent, and leave its colour in `colour`.
   * @returns {boolean} true if something opaque ended it before the limit
   */
  trace () {
    const { colour } = this
    colour[0] = colour[1] = colour[2] = 0
    this.left = 1
    this.wetUntil = 0
    this.lastClear = -1
    this.depth = Infinity
    this.mixed = this.within !== 0
    this.begin()
    if (this.t > this.limit) return false
    if (this.mixed && this.hit(this.within)) return true
    if (this.start > this.limit) return false
    for (;;) {
      const state = this.march()
      if (state < 0) return state === ENDED
      this.mixed = true
      if (this.hit(state)) return true
    }
  }

  /**
   * Go on to the next cell that is not empty, and draw it if it is a cube, as most are. Distances on the way are those
   * of borders by their coordinates, so that an empty box is left in one step whatever its size.
   * @returns {number} state of the cell; `ENDED` if a cube ended the ray, `PASSED` if nothing is left before the limit
   */
  march () {
    const { dx, dy, dz, sx, sy, sz, ix, iy, iz, rx, ry, rz, vx, vy, vz, qx, qy, qz, high, looks } = this
    const { cells, codes, masks, deep, tall } = this.window
    // A little more than the limit, on which the sum decides; never beyond the window.
    const limit = Math.min(this.limit + TIE, this.reach)
    let { x, y, z, tx, ty, tz, t } = this
    if (this.start > t) {
      t = this.start
      // The window reaches as far as the ray, so x and z are never negative.
      x = (qx + dx * t) | 0; y = Math.floor(qy + dy * t) | 0; z = (qz + dz * t) | 0
      tx = (x - rx) * vx; ty = (y - ry) * vy; tz = (z - rz) * vz
    }
    let axis = 0
    let code = OCCUPIED
    // The first border may be at the eye itself, which alone is no tie.
    let last = t > 0 ? t : -1
    for (;;) {
      if (code === OCCUPIED) {
        if (tx < ty && tx < tz) {
          t = tx; axis = 0; tx += ix; x = (x + sx) | 0
        } else if (ty < tz) {
          t = ty; axis = 1; ty += iy; y = (y + sy) | 0
        } else {
          t = tz; axis = 2; tz += iz; z = (z + sz) | 0
        }
      } else {
        const h = code & 15; const v = code >> 4
        // The last cells of the box along each axis.
        const ex = sx > 0 ? x | h : x & ~h
        const ey = sy > 0 ? y | v : y & ~v
        const ez = sz > 0 ? z | h : z & ~h
        const ux = (ex - rx) * vx; const uy = (ey - ry) * vy; const uz = (ez - rz) * vz
        axis = ux < uy && ux < uz ? 0 : uy < uz ? 1 : 2
        t = axis === 0 ? ux : axis === 1 ? uy : uz
        x = axis === 0 ? (ex + sx) | 0 : (qx + dx * t) | 0
        y = axis === 1 ? (ey + sy) | 0 : Math.floor(qy + dy * t) | 0
        z = axis === 2 ? (ez + sz) | 0 : (qz + dz * t) | 0
        tx = (x - rx) * vx; ty = (y - ry) * vy; tz = (z - rz) * vz
      }
      if (!(t <= limit)) return PASSED
      if (t - last < TIE) return this.marchExactly()
      last = t
      if (y < 0 || y >= high) return tx - t < TIE || tz - t < TIE ? this.marchExactly() : PASSED
      const at = Math.imul(x >> 4, deep) + (z >> 4)
      const brick = Math.imul(at, BRICKS.column) + ((y & ~3) << 2 | (z & 12) | (x & 12) >> 2)
      code = codes[brick]
      if (code !== OCCUPIED) continue
      const mask = masks[brick << 1 | (y >> 1 & 1)]
      if (mask === 0) { code = TWO_LAYERS; continue }
      if ((mask & 1 << ((y & 1) << 4 | (z & 3) << 2 | (x & 3))) === 0) {
        if ((mask >> ((y & 1) << 4) & 0xffff) === 0) code = ONE_LAYER
        continue
      }
      const here = /** @type {Uint16Array} */ (cells[Math.imul(at, tall) + (y >> 4)])[(y & 15) << 8 | (z & 15) << 4 |
        (x & 15)]
      const form = looks.kind[here]
      if (form === KIND.EMPTY) continue
      if (tx - t < TIE || ty - t < TIE || tz - t < TIE) return this.marchExactly()
      if (form === KIND.CUBE) return this.end(here, x, y, z, axis)
      this.arrive(x, y, z, axis)
      return this.t > this.limit ? PASSED : here
    }
  }

  /**
   * Draw the cube at which the ray ends, without the sums that only a ray that goes on needs: most rays end so.
   * @param {number} state
   * @param {number} x @param {number} y @param {number} z its cell
   * @param {number} axis of the last step
   * @returns {number} `ENDED`, or `PASSED` if the cube is beyond the limit
   */
  end (state, x, y, z, axis) {
    const { ox, oy, oz, dx, dy, dz, sx, sy, sz, ix, iy, iz, looks } = this
    let t = axis === 0 ? this.tx : axis === 1 ? this.ty : this.tz
    if (axis === 0) for (let n = (x - this.x) * sx; n > 1; n--) t += ix
    else if (axis === 1) for (let n = (y - this.y) * sy; n > 1; n--) t += iy
    else for (let n = (z - this.z) * sz; n > 1; n--) t += iz
    if (t > this.limit) return PASSED
    const lx = ox + dx * t - x
    const lz = oz + dz * t - z
    let face = 0
    let u = lx
    let v = 1 - (oy + dy * t - y)
    if (axis === 0) {
      face = sx > 0 ? FACE.WEST : FACE.EAST
      u = sx > 0 ? lz : 1 - lz
    } else if (axis === 1) {
      face = sy > 0 ? FACE.DOWN : FACE.UP
      v = lz
    } else {
      face = sz > 0 ? FACE.NORTH : FACE.SOUTH
      if (sz > 0) u = 1 - lx
    }
    const texel = this.texel(looks.faces[state * FACES + face], t, u, v)
    let light = FULL_LIGHT
    let shade = 1
    if (looks.glow[state] <= 7) {
      // The cell before the face is the one from which the ray comes.
      light = this.lightOf(axis === 0 ? x - sx : x, axis === 1 ? y - sy : y, axis === 2 ? z - sz : z)
      shade = SHADE[face]
    }
    this.face = face
    this.add(texel, light, shade, t)
    this.x = x; this.y = y; this.z = z
    return ENDED
  }

  /** Draw a cell that the ray meets. @param {number} state @returns {boolean} true if the ray ends in it */
  hit (state) {
    const { looks } = this
    switch (this.kindOf(state)) {
      case KIND.CUBE: return this.whole(state)
      case KIND.BOXES: return (looks.wet[state] === 1 && this.throughWater(state, 8 / 9)) || this.throughBoxes(state)
      case KIND.CROSS: return (looks.wet[state] === 1 && this.throughWater(state, 8 / 9)) || this.throughCross(state)
      case KIND.LIQUID: return looks.lava[state] === 1 ? this.whole(state)
        : this.throughWater(state, looks.level[state]) || this.swim(state)
    }
    return false
  }
}

module.exports = { Tracer, SHADE, NEAR }
