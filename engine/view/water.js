'use strict'
/** Colours that rays gather in water, cell by cell: the longer the way, the less is seen of what is behind. */
const { KIND } = require('./shapes')
const { FACE } = require('./looks')
const { Painter, SPENT } = require('./painter')

/** Loss of light per block of water. */
const MURK = 0.28
const WATER = Object.freeze([38, 88, 190])

/** One camera's rays in water. */
class Swimmer extends Painter {
  /**
   * @param {import('./looks').Looks} looks
   * @param {import('./window').Window} window
   * @param {import('./sky').Daylight} daylight
   * @param {ConstructorParameters<typeof Painter>[3]} options
   */
  constructor (looks, window, daylight, options) {
    super(looks, window, daylight, options)
    /** Colour of water by its light. */
    this.water = daylight.light.map((part, at) => WATER[at % 3] * part)
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
    const above = submerged ? state : this.stateOf(this.x, y + 1, this.z)
    const full = above === state || (above !== 0 && this.isWet(above))
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
    const { sx, sy, sz, ix, iy, iz, limit, dy, oy, top, water, haze: hazes, colour } = this
    const { cells, light: lights, wide, deep, tall } = this.window
    const level = this.looks.level[state]
    const { fog } = this.daylight
    const fogRed = fog[0]; const fogGreen = fog[1]; const fogBlue = fog[2]
    let { x, y, z, tx, ty, tz, t, wetUntil, left } = this
    let axis = tx < ty && tx < tz ? 0 : ty < tz ? 1 : 2
    let next = axis === 0 ? tx : axis === 1 ? ty : tz
    let entered = -1
    let section = cells[0]; let light = lights[0]; let known = -1
    let red = colour[0]; let green = colour[1]; let blue = colour[2]
    while (next <= limit && next <= wetUntil + 1e-9) {
      const nx = axis === 0 ? (x + sx) | 0 : x
      const ny = axis === 1 ? (y + sy) | 0 : y
      const nz = axis === 2 ? (z + sz) | 0 : z
      const number = Math.imul(Math.imul(nx >> 4, deep) + (nz >> 4), tall) + (ny >> 4)
      if (number !== known) {
        if (nx < 0 || nz < 0 || ny < 0 || nx >> 4 >= wide || nz >> 4 >= deep) break
        section = cells[number]; light = lights[number]; known = number
      }
      const place = (ny & 15) << 8 | (nz & 15) << 4 | (nx & 15)
      if (ny >= top || section === null || section[place] !== state) break
      const ux = axis === 0 ? tx + ix : tx
      const uy = axis === 1 ? ty + iy : ty
      const uz = axis === 2 ? tz + iz : tz
      const after = ux < uy && ux < uz ? 0 : uy < uz ? 1 : 2
      const end = after === 0 ? ux : after === 1 ? uy : uz
      let from = next
      let to = end
      const above = (ny & 15) < 15 && ny + 1 < top ? section[place + 256] : this.stateOf(nx, ny + 1, nz)
      if (above !== state && (axis !== 1 || sy > 0) && (above === 0 || !this.isWet(above))) {
        const start = oy + dy * next - ny
        if (start > level && dy < 0) from += (level - start) / dy
        else if (start <= level && dy > 0 && level < 1) to = Math.min(end, from + (level - start) / dy)
        if ((start > level && dy >= 0) || from >= to || from > limit || from > wetUntil + 1e-9) break
      }
      // As `lose` and `addWater` do, without branches that nobody can predict.
      const rest = left / (1 + MURK * ((to < limit ? to : limit) - from))
      const share = rest > SPENT ? left - rest : left
      const haze = hazes[from | 0]
      const clear = share * (1 - haze)
      const veil = share * haze
      const at = light[place] * 3
      red += clear * water[at] + veil * fogRed
      green += clear * water[at + 1] + veil * fogGreen
      blue += clear * water[at + 2] + veil * fogBlue
      left -= share
      if (rest <= SPENT) { this.depth = from; break }
      entered = axis; axis = after; t = next; next = end; wetUntil = to
      x = nx; y = ny; z = nz; tx = ux; ty = uy; tz = uz
    }
    colour[0] = red; colour[1] = green; colour[2] = blue
    this.left = left
    if (left <= SPENT || entered < 0) return left <= SPENT
    this.x = x; this.y = y; this.z = z; this.tx = tx; this.ty = ty; this.tz = tz; this.t = t; this.wetUntil = wetUntil
    this.face = this.faceOf(entered)
    return false
  }

  /**
   * End in water: what would be left behind much of it counts as water.
   * @param {number} run as of `addWater` @param {number} share @param {number} t distance
   * @returns {true}
   */
  drown (run, share, t) {
    this.addWater(run, share)
    this.left = 0
    this.depth = t
    return true
  }

  /**
   * Add a share of the colour of water.
   * @param {number} run light, and in the bits above it the distance from which the fog counts
   * @param {number} share
   */
  addWater (run, share) {
    const { colour, water } = this
    const at = (run & 255) * 3
    const haze = this.haze[run >> 8]
    const clear = share * (1 - haze)
    colour[0] += clear * water[at]
    colour[1] += clear * water[at + 1]
    colour[2] += clear * water[at + 2]
    if (haze > 0) this.addFog(share * haze)
  }

  /** @param {number} share */
  addFog (share) {
    const { colour } = this
    const { fog } = this.daylight
    colour[0] += share * fog[0]
    colour[1] += share * fog[1]
    colour[2] += share * fog[2]
  }

  /**
   * Lose light along a way through water.
   * @param {number} from @param {number} to distances
   * @param {number} light
   * @returns {boolean} true if the ray is spent
   */
  lose (from, to, light) {
    const rest = this.left / (1 + MURK * (Math.min(to, this.limit) - from))
    const run = light | (from | 0) << 8
    if (rest <= SPENT) return this.drown(run, this.left, from)
    this.addWater(run, this.left - rest)
    this.left = rest
    return false
  }

  /** Return true if there is water in a state. @param {number} state */
  isWet (state) { return this.kindOf(state) === KIND.LIQUID || this.looks.wet[state] === 1 }

  /**
   * Draw the surface of water: the flatter the look, the more of the sky is in it.
   * @param {number} light
   * @param {number} t
   */
  surface (light, t) {
    const { left } = this
    const slope = Math.abs(this.dy)
    const glance = (1 - slope) * (1 - slope)
    // Waves: bands that belong to the place.
    const wave = ((Math.floor((this.ox + this.dx * t) * 2) + Math.floor((this.oz + this.dz * t) * 3)) & 3) === 0
      ? 0.04 : 0
    const share = left * (0.28 + wave)
    this.addWater(light | (t | 0) << 8, share)
    const sky = (left - share) * 0.5 * glance * glance
    const haze = this.haze[t | 0]
    const { colour } = this
    const { fog, light: table } = this.daylight
    for (let c = 0; c < 3; c++) colour[c] += sky * fog[c] * (table[light * 3 + c] * (1 - haze) + haze)
    this.left = left - share - sky
  }
}

module.exports = { Swimmer }
