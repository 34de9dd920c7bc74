'use strict'
/**
 * Rays through the blocks of a window: Amanatides and Woo, "A Fast Voxel Traversal Algorithm for Ray Tracing" (1987),
 * with empty boxes skipped as a whole. Only IEEE basic operations and square roots are used, in a fixed order.
 */
const { KIND } = require('./shapes')
const { FACE, FACES } = require('./looks')
const { WORDS, LEVEL_AT } = require('./textures')
const { BRICKS, OCCUPIED } = require('./land')

/** Brightness of faces by their side. */
const SHADE = new Float64Array([0.52, 1, 0.8, 0.8, 0.64, 0.64])
/** Share of light below which the rest of a ray does not count. */
const SPENT = 0.06
/** Loss of light per block of water. */
const MURK = 0.28
const WATER = new Float64Array([38, 88, 190])
const FULL_LIGHT = 0xff
/** Least distance of a hit, so that a shape around the eye does not hide everything. */
const NEAR = 0.05

/** One camera's rays. The fields are the ray's state between two hits. */
class Tracer {
  /**
   * @param {import('./looks').Looks} looks
   * @param {import('./window').Window} window
   * @param {import('./sky').Daylight} daylight
   * @param {{ reach: number, top: number, fine: number, glow: (stateId: number) => number }} options `top`: blocks from
   *   this height on are not drawn; `fine`: distance at which a texel is as large as a pixel; `glow`: light of a state
   */
  constructor (looks, window, daylight, { reach, top, fine, glow }) {
    this.looks = looks
    this.window = window
    this.daylight = daylight
    this.reach = reach
    this.top = Math.min(window.ceiling, top - window.y0)
    this.glow = glow
    this.fine = fine
    /** Share of fog by distance. */
    this.haze = new Float64Array(reach + 2).map((_, t) => Math.max(0, Math.min(1, (t / reach - 0.62) / 0.38)) ** 2)
    /** Colour gathered so far, 0 to 255. */
    this.colour = new Float64Array(3)
    this.scratch = new Float64Array(3)
    /** Share of light that is still to come. */
    this.left = 1
    // Origin and direction, from the window's corner.
    this.ox = this.oy = this.oz = this.dx = this.dy = this.dz = 0.5
    // Cell, its coordinates' steps, distances to the next borders, and between two borders.
    this.x = this.y = this.z = this.sx = this.sy = this.sz = 0
    this.tx = this.ty = this.tz = this.ix = this.iy = this.iz = 0.5
    /** Distance at which the ray enters the cell, and the face through which. */
    this.t = 0.5
    this.face = 0
    /** Distance up to which the ray has been in water. */
    this.wetUntil = -0.5
    /** State that the last ray's last glass or liquid had: faces between two of the same are not drawn. */
    this.lastClear = -1
    this.limit = 0.5
    /** Distance of the hit that ended the last ray; Infinity for the sky. */
    this.depth = 0.5
    this.hitFace = 0
  }

  /** Place the eye. @param {{ x: number, y: number, z: number }} eye in the world */
  from (eye) {
    this.ox = eye.x - this.window.x0
    this.oy = eye.y - this.window.y0
    this.oz = eye.z - this.window.z0
  }

  /**
   * Follow a ray until it is spent, and leave its colour in `colour`.
   * @param {number} dx @param {number} dy @param {number} dz direction of length 1
   * @param {number} limit distance of a body that ends it, or Infinity
   * @returns {boolean} true if something opaque ended it before the limit
   */
  trace (dx, dy, dz, limit) {
    this.begin(dx, dy, dz, limit)
    if (this.t > this.limit) return false
    let state = this.t === 0 ? this.stateOf(this.x, this.y, this.z) : 0
    if (this.t === 0 && (state === 0 || this.looks.kind[state] === KIND.CUBE)) state = this.march()
    while (state >= 0) {
      if (this.hit(state)) return true
      state = this.march()
    }
    this.depth = Infinity
    return false
  }

  /** @param {number} dx @param {number} dy @param {number} dz @param {number} limit */
  begin (dx, dy, dz, limit) {
    this.colour[0] = this.colour[1] = this.colour[2] = 0
    this.left = 1
    this.wetUntil = 0
    this.lastClear = -1
    this.limit = limit < this.reach ? limit : this.reach
    this.dx = dx; this.dy = dy; this.dz = dz
    this.ix = Math.abs(1 / dx); this.iy = Math.abs(1 / dy); this.iz = Math.abs(1 / dz)
    this.sx = dx > 0 ? 1 : -1; this.sy = dy > 0 ? 1 : -1; this.sz = dz > 0 ? 1 : -1
    // A ray from above what is drawn begins where it comes down to it.
    const t = this.t = this.oy >= this.top ? dy < 0 ? (this.top - this.oy) / dy : Infinity : 0
    if (t > this.limit) return
    const px = this.ox + dx * t
    const py = t > 0 ? this.top : this.oy
    const pz = this.oz + dz * t
    const x = this.x = Math.floor(px)
    const y = this.y = t > 0 ? this.top : Math.floor(py)
    const z = this.z = Math.floor(pz)
    this.face = FACE.UP
    this.tx = t + (dx > 0 ? x + 1 - px : px - x) * this.ix
    this.ty = t + (dy > 0 ? y + 1 - py : py - y) * this.iy
    this.tz = t + (dz > 0 ? z + 1 - pz : pz - z) * this.iz
  }

  /** Return the state of a cell; 0 outside the window. @param {number} x @param {number} y @param {number} z */
  stateOf (x, y, z) {
    const { window } = this
    if (x < 0 || z < 0 || y < 0 || y >= this.top || x >= window.wide * 16 || z >= window.deep * 16) return 0
    const section = window.cells[((x >> 4) * window.deep + (z >> 4)) * window.tall + (y >> 4)]
    return section === null ? 0 : section[(y & 15) << 8 | (z & 15) << 4 | (x & 15)]
  }

  /** Step to the next cell that is not empty. @returns {number} its state, or -1 if there is none before the limit */
  march () {
    const { window, sx, sy, sz, ix, iy, iz, limit, top } = this
    const { cells, codes, wide, deep, tall } = window
    const { kind } = this.looks
    let { x, y, z, tx, ty, tz, t } = this
    let axis = 0
    let state = -1
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
    this.face = axis === 0 ? (sx > 0 ? FACE.WEST : FACE.EAST) : axis === 1 ? (sy > 0 ? FACE.DOWN : FACE.UP)
      : sz > 0 ? FACE.NORTH : FACE.SOUTH
    return state
  }

  /** Draw a cell that the ray meets. @param {number} state @returns {boolean} true if the ray ends in it */
  hit (state) {
    const { looks } = this
    let kind = looks.kind[state]
    if (kind === KIND.UNKNOWN) kind = looks.learn(state, this.glow(state))
    switch (kind) {
      case KIND.CUBE: {
        const { t } = this
        return this.paint(state, this.face, t, this.ox + this.dx * t - this.x, this.oy + this.dy * t - this.y,
          this.oz + this.dz * t - this.z)
      }
      case KIND.BOXES: return (looks.wet[state] === 1 && this.throughWater(state, 8 / 9)) || this.throughBoxes(state)
      case KIND.CROSS: return (looks.wet[state] === 1 && this.throughWater(state, 8 / 9)) || this.throughCross(state)
      case KIND.LIQUID: return looks.lava[state] === 1 ? this.intoLava(state)
        : this.throughWater(state, looks.level[state]) || this.swim(state)
    }
    return false
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

  /** @param {number} x @param {number} y @param {number} z */
  lightOf (x, y, z) {
    const { window } = this
    const { tall } = window
    if (y < 0) return 0
    if (y >= tall * 16 || x < 0 || z < 0 || x >= window.wide * 16 || z >= window.deep * 16) return 0xf0
    return window.light[((x >> 4) * window.deep + (z >> 4)) * tall + (y >> 4)][(y & 15) << 8 | (z & 15) << 4 | (x & 15)]
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

  /** @param {number} state @returns {boolean} */
  intoLava (state) {
    const { t } = this
    return this.paint(state, this.face, t, this.ox + this.dx * t - this.x, this.oy + this.dy * t - this.y,
      this.oz + this.dz * t - this.z)
  }

  /**
   * Lose light in a cell of water.
   * @param {number} state
   * @param {number} level
   * @returns {boolean} true if the ray is spent
   */
  throughWater (state, level) {
    const { y, dy } = this
    let from = this.t
    // From water into water below it: no need to ask for the surface.
    const submerged = from > 0 && from <= this.wetUntil + 1e-9 && this.face === FACE.UP
    const full = submerged || this.wetAt(this.x, y + 1, this.z)
    const height = full ? 1 : level
    let to = this.exit
    const start = this.oy + dy * from - y
    if (start > height) {
      if (dy >= 0) return false
      from += (height - start) / dy
    } else if (dy > 0 && height < 1) to = Math.min(to, from + (height - start) / dy)
    if (from >= to || from > this.limit) return false
    const light = this.lightOf(this.x, y, this.z)
    if (from > this.wetUntil + 1e-9 || (this.wetUntil === 0 && this.t > 0)) this.surface(light, from)
    this.wetUntil = to
    return this.lose(from, to, light)
  }

  /**
   * Go on through cells of the water that the ray is in, as `march` and `throughWater` would one by one.
   * @param {number} state
   * @returns {boolean} true if the ray is spent
   */
  swim (state) {
    const { sx, sy, sz, ix, iy, iz, limit, dy, oy } = this
    const level = this.looks.level[state]
    let { x, y, z, tx, ty, tz, wetUntil } = this
    for (;;) {
      const t = tx < ty && tx < tz ? tx : ty < tz ? ty : tz
      if (t > limit || t > wetUntil + 1e-9) break
      const axis = tx < ty && tx < tz ? 0 : ty < tz ? 1 : 2
      const nx = axis === 0 ? x + sx : x
      const ny = axis === 1 ? y + sy : y
      const nz = axis === 2 ? z + sz : z
      if (this.stateOf(nx, ny, nz) !== state) break
      const height = (axis === 1 && sy < 0) || this.wetAt(nx, ny + 1, nz) ? 1 : level
      const start = oy + dy * t - ny
      if (start > height && dy >= 0) break
      const from = start > height ? t + (height - start) / dy : t
      const ux = axis === 0 ? tx + ix : tx
      const uy = axis === 1 ? ty + iy : ty
      const uz = axis === 2 ? tz + iz : tz
      let to = ux < uy ? (ux < uz ? ux : uz) : uy < uz ? uy : uz
      if (start <= height && dy > 0 && height < 1) to = Math.min(to, from + (height - start) / dy)
      if (from >= to || from > limit || from > wetUntil + 1e-9) break
      x = nx; y = ny; z = nz; tx = ux; ty = uy; tz = uz; wetUntil = to
      this.t = t
      this.face = axis === 0 ? (sx > 0 ? FACE.WEST : FACE.EAST) : axis === 1 ? (sy > 0 ? FACE.DOWN : FACE.UP)
        : sz > 0 ? FACE.NORTH : FACE.SOUTH
      if (this.lose(from, to, this.lightOf(x, y, z))) return true
    }
    this.x = x; this.y = y; this.z = z; this.tx = tx; this.ty = ty; this.tz = tz; this.wetUntil = wetUntil
    return false
  }

  /**
   * Lose light along a way through water.
   * @param {number} from @param {number} to distances
   * @param {number} light
   * @returns {boolean} true if the ray is spent
   */
  lose (from, to, light) {
    const share = this.left * (1 - 1 / (1 + MURK * (Math.min(to, this.limit) - from)))
    // What would be left behind much water counts as water.
    this.tint(WATER, this.left - share > SPENT ? share : this.left, light, from)
    return this.left <= SPENT
  }

  /** Return true if a cell has water in it. @param {number} x @param {number} y @param {number} z */
  wetAt (x, y, z) {
    const { looks } = this
    const state = this.stateOf(x, y, z)
    if (state === 0) return false
    const kind = looks.kind[state] === KIND.UNKNOWN ? looks.learn(state, this.glow(state)) : looks.kind[state]
    return kind === KIND.LIQUID || looks.wet[state] === 1
  }

  /**
   * Draw the surface of water: the flatter the look, the more of the sky is in it.
   * @param {number} light
   * @param {number} t
   */
  surface (light, t) {
    const slope = Math.abs(this.dy)
    const glance = (1 - slope) * (1 - slope)
    // Waves: bands that belong to the place.
    const wave = ((Math.floor((this.ox + this.dx * t) * 2) + Math.floor((this.oz + this.dz * t) * 3)) & 3) === 0
      ? 0.04 : 0
    this.tint(WATER, this.left * (0.28 + wave), light, t)
    const { fog } = this.daylight
    this.scratch[0] = fog[0]; this.scratch[1] = fog[1]; this.scratch[2] = fog[2]
    this.tint(this.scratch, this.left * 0.5 * glance * glance, light, t)
  }

  /**
   * Add a share of a colour.
   * @param {Float64Array} rgb
   * @param {number} share
   * @param {number} light
   * @param {number} t
   */
  tint (rgb, share, light, t) {
    const haze = this.haze[t | 0] ?? 1
    const clear = 1 - haze
    const { colour, daylight } = this
    const { fog, light: table } = daylight
    colour[0] += share * (rgb[0] * table[light * 3] * clear + fog[0] * haze)
    colour[1] += share * (rgb[1] * table[light * 3 + 1] * clear + fog[1] * haze)
    colour[2] += share * (rgb[2] * table[light * 3 + 2] * clear + fog[2] * haze)
    this.left -= share
    if (this.left <= SPENT) this.depth = t
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

module.exports = { Tracer, SHADE, NEAR }
