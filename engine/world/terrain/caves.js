'use strict'
/**
 * Caves: wide caverns where one field is high, and tunnels where two fields are near zero, like vanilla's cheese and
 * spaghetti caves. Fields are sampled every four blocks and interpolated. Near water and under thin ground caves stay
 * closed; they open to the surface only where the field of mouths is high. Lava fills the bottom.
 */
const { flatNoise, solidNoise } = require('./noise')
const { MIN_Y } = require('./canvas')
const { SEA } = require('./climate')

/** Lowest y of caves: the floor of the world stays closed. */
const FLOOR = -60
/** Caves below this y are full of lava, as in vanilla from -55 down. */
const LAVA = -55
const STEP = 4
const ACROSS = 5
/** Sum of the squares of two fields below which there is a tunnel. */
const TUNNEL = 0.011
const CAVERN = 0.58
/** Minimum ground over a cave, in blocks, unless a mouth opens it. */
const CRUST = 7
/** Value of the field of mouths above which caves open to the surface. */
const MOUTH = 0.42

/** The caves of one world. */
class Caves {
  /** @param {string} seed */
  constructor (seed) {
    this.cavern = solidNoise(seed, 'cavern')
    this.cracks = solidNoise(seed, 'cracks')
    this.first = solidNoise(seed, 'tunnel 1')
    this.second = solidNoise(seed, 'tunnel 2')
    this.mouths = flatNoise(seed, 'mouths', 95)
  }

  /**
   * Return true if caves may open to the surface here, so that nothing should be built.
   * @param {number} x
   * @param {number} z
   */
  mouthAt (x, z) { return this.mouths(x, z) > MOUTH - 0.08 }

  /** @param {number} x @param {number} y @param {number} z */
  cavernAt (x, y, z) {
    return this.cavern(x / 88, y / 46, z / 88) * 0.8 + this.cracks(x / 30, y / 20, z / 30) * 0.25 -
      Math.max(0, y - 20) * 0.006
  }

  /** @param {number} x @param {number} y @param {number} z */
  firstAt (x, y, z) { return this.first(x / 74, y / 48, z / 74) }

  /** @param {number} x @param {number} y @param {number} z */
  secondAt (x, y, z) { return this.second(x / 74, y / 48, z / 74) }

  /**
   * Return true if there is a cave at a place; not interpolated, so that it may be wrong near walls.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  near (x, y, z) {
    return this.cavernAt(x, y, z) > CAVERN || this.firstAt(x, y, z) ** 2 + this.secondAt(x, y, z) ** 2 < TUNNEL * 0.8
  }

  /**
   * Carve the caves of a column out of its stone.
   * @param {import('./canvas').Canvas} canvas of a single column
   * @param {Float32Array} roof the lowest ground around each corner (outline.js)
   * @param {{ lava: number, water: number }} states
   */
  carve (canvas, roof, states) {
    const mouth = this.mouths(canvas.x + 8, canvas.z + 8)
    const open = mouth > MOUTH - 0.5
    const top = Math.max(...roof) + (open ? 40 : 0)
    const levels = Math.floor((top - MIN_Y) / STEP) + 2
    const fields = this.fields(canvas.x, canvas.z, levels)
    for (let gy = 1; gy < levels - 1; gy++) {
      for (let gz = 0; gz < ACROSS - 1; gz++) {
        for (let gx = 0; gx < ACROSS - 1; gx++) this.carveCell(canvas, roof, fields, { gx, gy, gz, open }, states)
      }
    }
  }

  /** @param {number} x0 @param {number} z0 @param {number} levels @returns {Float32Array[]} by (y * 5 + z) * 5 + x */
  fields (x0, z0, levels) {
    const size = levels * ACROSS * ACROSS
    const all = [new Float32Array(size), new Float32Array(size), new Float32Array(size)]
    let i = 0
    for (let gy = 0; gy < levels; gy++) {
      const y = MIN_Y + gy * STEP
      for (let gz = 0; gz < ACROSS; gz++) {
        for (let gx = 0; gx < ACROSS; gx++, i++) {
          const x = x0 + gx * STEP
          const z = z0 + gz * STEP
          all[0][i] = this.cavernAt(x, y, z)
          all[1][i] = this.firstAt(x, y, z)
          all[2][i] = this.secondAt(x, y, z)
        }
      }
    }
    return all
  }

  /**
   * Carve one cell of 4 x 4 x 4 blocks, if it can contain a cave.
   * @param {import('./canvas').Canvas} canvas
   * @param {Float32Array} roofs
   * @param {Float32Array[]} fields
   * @param {{ gx: number, gy: number, gz: number, open: boolean }} cell `open`: a mouth may be near
   * @param {{ lava: number, water: number }} states
   */
  carveCell (canvas, roofs, fields, { gx, gy, gz, open }, states) {
    const at = (gy * ACROSS + gz) * ACROSS + gx
    if (!mayHollow(fields, at)) return
    for (let dz = 0; dz < STEP; dz++) {
      for (let dx = 0; dx < STEP; dx++) {
        const x = gx * STEP + dx
        const z = gz * STEP + dz
        const roof = mixed(roofs, gz * ACROSS + gx, dx / STEP, dz / STEP)
        const out = open && roof > SEA + 3
          ? Math.max(0, Math.min(1, (this.mouths(canvas.x + x, canvas.z + z) - MOUTH) * 6)) : 0
        this.carvePost(canvas, fields, at,
          { x, z, y: MIN_Y + gy * STEP, roof: out > 0 ? roof + 40 * out : roof - CRUST, out }, states)
      }
    }
  }

  /**
   * Carve four blocks on top of one another.
   * @param {import('./canvas').Canvas} canvas
   * @param {Float32Array[]} fields
   * @param {number} at
   * @param {{ x: number, y: number, z: number, roof: number, out: number }} post `roof`: no cave above; `out`: how far
   *   a mouth is open
   * @param {{ lava: number, water: number }} states
   */
  carvePost (canvas, fields, at, { x, y: bottom, z, roof, out }, states) {
    if (bottom > roof) return
    const cavern = fields[0]
    const first = fields[1]
    const second = fields[2]
    const up = at + ACROSS * ACROSS
    const fx = (x & 3) / STEP
    const fz = (z & 3) / STEP
    const c0 = mixed(cavern, at, fx, fz)
    const a0 = mixed(first, at, fx, fz)
    const b0 = mixed(second, at, fx, fz)
    const c1 = mixed(cavern, up, fx, fz) - c0
    const a1 = mixed(first, up, fx, fz) - a0
    const b1 = mixed(second, up, fx, fz) - b0
    for (let dy = 0; dy < STEP; dy++) {
      const y = bottom + dy
      if (y < FLOOR || y > roof) continue
      const f = dy / STEP
      const a = a0 + a1 * f
      const b = b0 + b1 * f
      // A cave narrows near its roof.
      const narrow = Math.min(1, (roof + 1 - y) / 8 + out * 0.6) * Math.min(1, (y - FLOOR + 2) / 6)
      if (a * a + b * b > TUNNEL * narrow && c0 + c1 * f < CAVERN + (1 - narrow) * 0.3) continue
      const index = canvas.index(canvas.x + x, y, canvas.z + z)
      if (canvas.cells[index] !== states.water) canvas.cells[index] = y < LAVA ? states.lava : 0
    }
  }
}

/**
 * Interpolate between four neighbours of a 5 x 5 layer.
 * @param {Float32Array} field
 * @param {number} at
 * @param {number} fx
 * @param {number} fz
 */
function mixed (field, at, fx, fz) {
  const a = field[at]
  const b = field[at + ACROSS]
  const left = a + (field[at + 1] - a) * fx
  return left + (b + (field[at + ACROSS + 1] - b) * fx - left) * fz
}

/**
 * Return true if a cell with these corners can contain a cave: interpolated values never exceed their corners.
 * @param {Float32Array[]} fields
 * @param {number} at
 */
function mayHollow (fields, at) {
  const limit = Math.sqrt(TUNNEL)
  let low1 = 9
  let high1 = -9
  let low2 = 9
  let high2 = -9
  for (let i = 0; i < 8; i++) {
    const corner = at + (i & 1) + (i & 2 ? ACROSS : 0) + (i & 4 ? ACROSS * ACROSS : 0)
    if (fields[0][corner] >= CAVERN) return true
    low1 = Math.min(low1, fields[1][corner])
    high1 = Math.max(high1, fields[1][corner])
    low2 = Math.min(low2, fields[2][corner])
    high2 = Math.max(high2, fields[2][corner])
  }
  return low1 <= limit && high1 >= -limit && low2 <= limit && high2 >= -limit
}

module.exports = { Caves, FLOOR, LAVA }
