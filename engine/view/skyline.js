'use strict'
/**
 * Skyline around an eye: the distance up to which a ray passes above all blocks. Rays begin there, and a ray above the
 * whole skyline ends at once. It only leaves out cells that are empty, so it never changes a picture.
 */

/** Number of directions around the eye. */
const DIRECTIONS = 512
/** Width of the rings of distance around the eye, in blocks. */
const RING = 2
/** Width of the squares of blocks that have one height: a brick. */
const SQUARE = 4
/** Margin of slopes and directions, far above the errors of their sums. */
const MARGIN = 1e-6

/**
 * Return the direction of a horizontal vector, 0 to `DIRECTIONS`: its place on the edge of a tilted square, since an
 * angle would need a function that is not exact on all machines.
 * @param {number} x @param {number} z
 */
function directionOf (x, z) {
  const part = z / (Math.abs(x) + Math.abs(z))
  return (x >= 0 ? 1 + part : 3 - part) * (DIRECTIONS / 4)
}

/** Skyline of one eye. */
class Skyline {
  /**
   * @param {import('./window').Window} window
   * @param {number} ox @param {number} oy @param {number} oz eye, from the window's corner
   * @param {number} reach blocks
   * @param {number} top height from which on blocks are not drawn
   */
  constructor (window, ox, oy, oz, reach, top) {
    this.rings = Math.ceil(reach / RING)
    /** Ring that the last ray met. */
    this.ring = 0
    /** Steepest slope up to each ring, by direction and ring. */
    this.slopes = new Float64Array(DIRECTIONS * this.rings).fill(-Infinity)
    const { heights } = window
    const [across, along] = [window.wide * 16 / SQUARE, window.deep * 16 / SQUARE]
    for (let x = 0; x < across; x++) {
      for (let z = 0; z < along; z++) {
        const height = Math.min(top, heights[x * along + z])
        if (height > 0) this.raise(x * SQUARE - ox, z * SQUARE - oz, height - oy)
      }
    }
    const { slopes, rings } = this
    for (let at = 0; at < slopes.length; at++) {
      if (at % rings !== 0 && slopes[at - 1] > slopes[at]) slopes[at] = slopes[at - 1]
    }
  }

  /**
   * Enter a square of blocks.
   * @param {number} x @param {number} z its corner, from the eye
   * @param {number} rise of its highest block's top above the eye
   */
  raise (x, z, rise) {
    const [farX, farZ] = [x + SQUARE, z + SQUARE]
    const nearX = Math.max(x, -farX, 0)
    const nearZ = Math.max(z, -farZ, 0)
    const near = Math.sqrt(nearX * nearX + nearZ * nearZ)
    const ring = Math.floor(near / RING)
    if (ring >= this.rings) return
    const outX = Math.max(-x, farX)
    const outZ = Math.max(-z, farZ)
    // Below the eye there is no direction: what is as high as the eye hides all that is lower.
    if (near === 0 && rise >= 0) return this.widen(0, DIRECTIONS - 1, ring, Infinity)
    const slope = (rise >= 0 ? rise / near : rise / Math.sqrt(outX * outX + outZ * outZ)) + MARGIN
    if (near === 0) return this.widen(0, DIRECTIONS - 1, ring, slope)
    const middle = directionOf(x + SQUARE / 2, z + SQUARE / 2)
    let [low, high] = [0, 0]
    for (let corner = 0; corner < 4; corner++) {
      let away = directionOf(corner & 1 ? x : farX, corner & 2 ? z : farZ) - middle
      if (away > DIRECTIONS / 2) away -= DIRECTIONS
      else if (away < -DIRECTIONS / 2) away += DIRECTIONS
      if (away < low) low = away
      else if (away > high) high = away
    }
    this.widen(Math.floor(middle + low - MARGIN), Math.floor(middle + high + MARGIN), ring, slope)
  }

  /** @param {number} from @param {number} to directions @param {number} ring @param {number} slope */
  widen (from, to, ring, slope) {
    const { slopes, rings } = this
    for (let direction = from; direction <= to; direction++) {
      const at = (direction & (DIRECTIONS - 1)) * rings + ring
      if (!(slopes[at] >= slope)) slopes[at] = slope
    }
  }

  /**
   * Return the distance up to which a ray from the eye meets nothing, Infinity if there is nothing at all.
   * @param {number} dx @param {number} dy @param {number} dz direction of length 1
   */
  free (dx, dy, dz) {
    const { slopes, rings } = this
    const level = Math.sqrt(dx * dx + dz * dz)
    const slope = dy / level
    const from = (directionOf(dx, dz) & (DIRECTIONS - 1)) * rings
    // Slopes never fall with the distance, and the ray before most often met the same ring.
    let { ring } = this
    while (ring > 0 && slopes[from + ring - 1] >= slope) ring--
    while (ring < rings && !(slopes[from + ring] >= slope)) ring++
    this.ring = ring
    return ring < rings ? ring * RING / level : Infinity
  }
}

module.exports = { Skyline, SQUARE }
