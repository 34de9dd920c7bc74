'use strict'
/** World border (minecraft.wiki, "World border"): no player walks through it, and it damages bodies beyond it. */
const { ownX } = require('../../dimensions')

/** @typedef {import('../../types').Pos} Pos */

const LARGEST = 59999968
const FURTHEST = 29999984
const TICKS = 20

/** World border of one world. */
class WorldBorder {
  /** @param {Pick<import('../../world').World, 'age' | 'emit' | 'players'>} world */
  constructor (world) {
    this.world = world
    this.x = 0
    this.z = 0
    this.damagePerBlock = 0.2
    this.buffer = 5
    this.warningBlocks = 5
    this.warningTime = 15
    /** Change of the size over time, in ticks of the world's age. */
    this.motion = { from: LARGEST, to: LARGEST, begins: 0, ends: 0 }
  }

  /** Current width in blocks. */
  get size () {
    const { from, to, begins, ends } = this.motion
    const { age } = this.world
    return age >= ends ? to : from + (to - from) * (age - begins) / (ends - begins)
  }

  /** True if the border is at its maximum, out of reach. */
  get wide () { return this.motion.to >= LARGEST && this.world.age >= this.motion.ends }
  /** Milliseconds until the border stands still. */
  get left () { return Math.max(0, this.motion.ends - this.world.age) * 50 }

  /** @param {number} size @param {number} [seconds] */
  resize (size, seconds = 0) {
    const { age } = this.world
    this.motion = { from: this.size, to: size, begins: age, ends: age + seconds * TICKS }
    this.announceBorder()
  }

  announceBorder () { this.world.emit('border', {}) }

  /**
   * Return the distance of a position from the border, in blocks; negative beyond it.
   *
   * @param {{ x: number, z: number }} at
   * @returns {number}
   */
  inside ({ x, z }) { return this.size / 2 - Math.max(Math.abs(ownX(x) - this.x), Math.abs(z - this.z)) }

  /** Return true if a block is inside the border. @param {{ x: number, z: number }} pos @returns {boolean} */
  contains (pos) { return this.wide || this.inside({ x: pos.x + 0.5, z: pos.z + 0.5 }) > 0 }

  /**
   * Return true if a step leads out of the border.
   *
   * @param {{ x: number, z: number }} from
   * @param {{ x: number, z: number }} to
   * @param {number} half of the body's width
   * @returns {boolean}
   */
  stopsStep (from, to, half) { return !this.wide && this.inside(from) >= half && this.inside(to) < half - 1e-6 }

  /** Damage bodies beyond the buffer. */
  tick () {
    if (this.wide || !(this.damagePerBlock > 0)) return
    for (const player of this.world.players.values()) {
      const beyond = -(this.inside(player) + this.buffer)
      if (beyond > 0 && !player.dead) {
        player.hurt(Math.max(1, Math.floor(beyond * this.damagePerBlock)), { type: 'outsideBorder', piercing: true })
      }
    }
  }
}

module.exports = { WorldBorder, LARGEST, FURTHEST }
