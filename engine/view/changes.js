'use strict'
/** Recent changes of a column's blocks and light, as boxes: they tell which part of a kept picture may be stale. */

/** Most boxes of a column that are remembered. */
const MAX_BOXES = 8

/** Lowest and highest corner in the world: x, y and z of each. @typedef {number[]} Box */

/** Recent changes of one column. */
class Changes {
  /** @param {number} stamp larger than all stamps given before */
  constructor (stamp) {
    /** Stamp of the last change. */
    this.stamp = stamp
    /** Stamp since which all changes are in `boxes`. */
    this.first = stamp
    /** @type {{ stamp: number, box: Box }[]} */
    this.boxes = []
    /** Box of the changes that have no stamp yet. @type {Box | null} */
    this.open = null
  }

  /** Forget the details: everything may have changed. @param {number} stamp larger than all stamps given before */
  restart (stamp) {
    this.stamp = this.first = stamp
    this.boxes.length = 0
    this.open = null
  }

  /**
   * Note a box of changed blocks.
   * @param {number} x0 @param {number} y0 @param {number} z0 @param {number} x1 @param {number} y1 @param {number} z1
   */
  add (x0, y0, z0, x1, y1, z1) {
    if (this.open === null) {
      this.open = [x0, y0, z0, x1, y1, z1]
      return
    }
    const box = this.open
    if (x0 < box[0]) box[0] = x0
    if (y0 < box[1]) box[1] = y0
    if (z0 < box[2]) box[2] = z0
    if (x1 > box[3]) box[3] = x1
    if (y1 > box[4]) box[4] = y1
    if (z1 > box[5]) box[5] = z1
  }

  /** Give the changes since the last stamp a stamp. @param {number} stamp larger than all stamps given before */
  close (stamp) {
    if (this.open === null) return
    this.boxes.push({ stamp, box: this.open })
    this.open = null
    this.stamp = stamp
    if (this.boxes.length > MAX_BOXES) this.first = /** @type {{ stamp: number }} */ (this.boxes.shift()).stamp
  }

  /**
   * Return boxes that hold all changes after a stamp; null if everything may have changed.
   * @param {number} stamp
   * @returns {Box[] | null}
   */
  since (stamp) {
    if (stamp < this.first) return null
    return this.boxes.filter((each) => each.stamp > stamp).map(({ box }) => box)
  }
}

module.exports = { Changes }
