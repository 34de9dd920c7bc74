'use strict'
/**
 * A player's body: its size, position, velocity and pressed keys.
 *
 * @module engine/body/body
 */

const HALF_WIDTH = 0.3
const HEIGHT = 1.8
/** Height of a swimming or crawling body. */
const LOW_HEIGHT = 0.6
/** Height of the eyes above the feet, upright and low. */
const EYES = 1.62
const LOW_EYES = 0.4
/** Vanilla's tolerance, in blocks, for a touching body that rounding has put inside a block. */
const TOUCHING = 1e-7

/** One player's body: position, velocity and pressed keys. */
class Body {
  constructor () {
    this.x = 0; this.y = 0; this.z = 0
    this.vx = 0; this.vy = 0; this.vz = 0
    this.yaw = 0; this.pitch = 0
    this.onGround = false
    this.inWater = false
    this.inLava = false
    this.inCobweb = false
    this.bumped = false
    /** Swims head first. */
    this.swims = false
    /** Is as low as a swimmer: it swims, or crawls where there is no room to stand. */
    this.low = false
    this.jumpTicks = 0
    this.forward = false; this.back = false; this.left = false; this.right = false
    this.jump = false; this.sprint = false; this.sneak = false
    /** Depth inside a block, in blocks, at which the block still stops it: `TOUCHING` for a body that digs, else 0. */
    this.slack = 0
  }

  /** @returns {number} */
  get height () { return this.low ? LOW_HEIGHT : HEIGHT }
  /** @returns {number} height of the eyes above the feet */
  get eyeHeight () { return this.low ? LOW_EYES : EYES }

  /** Release every key. */
  release () {
    this.forward = this.back = this.left = this.right = this.jump = this.sprint = this.sneak = false
  }

  /**
   * Copy another body's state, keys included.
   *
   * @param {Body} other
   * @returns {this}
   */
  copy (other) {
    this.x = other.x; this.y = other.y; this.z = other.z
    this.vx = other.vx; this.vy = other.vy; this.vz = other.vz
    this.yaw = other.yaw; this.pitch = other.pitch
    this.onGround = other.onGround; this.inWater = other.inWater; this.inLava = other.inLava
    this.inCobweb = other.inCobweb; this.bumped = other.bumped
    this.swims = other.swims; this.low = other.low; this.jumpTicks = other.jumpTicks
    this.forward = other.forward; this.back = other.back; this.left = other.left; this.right = other.right
    this.jump = other.jump; this.sprint = other.sprint; this.sneak = other.sneak
    this.slack = other.slack
    return this
  }

  /**
   * Return true if both bodies have the same state, keys included.
   *
   * @param {Body} other
   * @returns {boolean}
   */
  equals (other) {
    return this.x === other.x && this.y === other.y && this.z === other.z &&
      this.vx === other.vx && this.vy === other.vy && this.vz === other.vz &&
      this.yaw === other.yaw && this.pitch === other.pitch &&
      this.onGround === other.onGround && this.inWater === other.inWater && this.inLava === other.inLava &&
      this.inCobweb === other.inCobweb && this.bumped === other.bumped && this.swims === other.swims &&
      this.low === other.low && this.jumpTicks === other.jumpTicks && this.sameKeys(other)
  }

  /** @param {Body} other @returns {boolean} */
  sameKeys (other) {
    return this.forward === other.forward && this.back === other.back &&
      this.left === other.left && this.right === other.right &&
      this.jump === other.jump && this.sprint === other.sprint && this.sneak === other.sneak &&
      this.slack === other.slack
  }

  /** @returns {boolean} true if the body neither moves nor presses a key: a step on solid ground changes nothing */
  get resting () {
    return this.onGround && this.vx === 0 && this.vz === 0 && Math.abs(this.vy) < 0.1 &&
      !(this.forward || this.back || this.left || this.right || this.jump)
  }
}

module.exports = { Body, HALF_WIDTH, HEIGHT, LOW_EYES, LOW_HEIGHT, TOUCHING }
