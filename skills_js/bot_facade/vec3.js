/** Vec3 with the members of the `vec3` package that policies use; the package itself needs Node. */
'use strict'
const { seal } = require('./harden')

/** Point or direction; methods that end in -ed or that build (plus, offset, ...) leave the vector as it is. */
class Vec3 {
  /**
   * @param {number} [x]
   * @param {number} [y]
   * @param {number} [z]
   */
  constructor (x = 0, y = 0, z = 0) {
    this.x = x
    this.y = y
    this.z = z
  }

  /** @param {number} x @param {number} y @param {number} z */
  set (x, y, z) {
    this.x = x
    this.y = y
    this.z = z
    return this
  }

  /** @param {Vec3} other */
  update (other) { return this.set(other.x, other.y, other.z) }
  clone () { return new Vec3(this.x, this.y, this.z) }

  /** @param {number} dx @param {number} dy @param {number} dz */
  offset (dx, dy, dz) { return new Vec3(this.x + dx, this.y + dy, this.z + dz) }
  /** @param {number} dx @param {number} dy @param {number} dz */
  translate (dx, dy, dz) { return this.set(this.x + dx, this.y + dy, this.z + dz) }

  /** @param {Vec3} other */
  plus (other) { return this.offset(other.x, other.y, other.z) }
  /** @param {Vec3} other */
  minus (other) { return this.offset(-other.x, -other.y, -other.z) }
  /** @param {Vec3} other */
  add (other) { return this.translate(other.x, other.y, other.z) }
  /** @param {Vec3} other */
  subtract (other) { return this.translate(-other.x, -other.y, -other.z) }
  /** @param {Vec3} other */
  multiply (other) { return this.set(this.x * other.x, this.y * other.y, this.z * other.z) }
  /** @param {Vec3} other */
  divide (other) { return this.set(this.x / other.x, this.y / other.y, this.z / other.z) }
  /** @param {number} factor */
  scaled (factor) { return new Vec3(this.x * factor, this.y * factor, this.z * factor) }
  /** @param {number} factor */
  scale (factor) { return this.update(this.scaled(factor)) }
  /** @param {(value: number) => number} fn */
  map (fn) { return new Vec3(fn(this.x), fn(this.y), fn(this.z)) }

  floored () { return this.map(Math.floor) }
  rounded () { return this.map(Math.round) }
  abs () { return this.map(Math.abs) }
  floor () { return this.update(this.floored()) }
  round () { return this.update(this.rounded()) }
  /** @param {Vec3} other */
  min (other) { return new Vec3(Math.min(this.x, other.x), Math.min(this.y, other.y), Math.min(this.z, other.z)) }
  /** @param {Vec3} other */
  max (other) { return new Vec3(Math.max(this.x, other.x), Math.max(this.y, other.y), Math.max(this.z, other.z)) }
  /** @param {Vec3} other */
  modulus (other) { return new Vec3(modulo(this.x, other.x), modulo(this.y, other.y), modulo(this.z, other.z)) }

  /** @param {Vec3} other */
  dot (other) { return this.x * other.x + this.y * other.y + this.z * other.z }
  /** @param {Vec3} other */
  innerProduct (other) { return this.dot(other) }
  /** @param {Vec3} other */
  cross (other) {
    return new Vec3(
      this.y * other.z - this.z * other.y, this.z * other.x - this.x * other.z, this.x * other.y - this.y * other.x
    )
  }

  norm () { return Math.sqrt(this.dot(this)) }
  volume () { return this.x * this.y * this.z }
  unit () {
    const norm = this.norm()
    return norm === 0 ? this.clone() : this.scaled(1 / norm)
  }

  normalize () { return this.update(this.unit()) }
  /** @param {Vec3} other */
  distanceSquared (other) {
    const dx = other.x - this.x
    const dy = other.y - this.y
    const dz = other.z - this.z
    return dx * dx + dy * dy + dz * dz
  }

  /** @param {Vec3} other */
  distanceTo (other) { return Math.sqrt(this.distanceSquared(other)) }
  /** @param {Vec3} other */
  xzDistanceTo (other) { return Math.hypot(other.x - this.x, other.z - this.z) }
  /** @param {Vec3} other */
  xyDistanceTo (other) { return Math.hypot(other.x - this.x, other.y - this.y) }
  /** @param {Vec3} other */
  yzDistanceTo (other) { return Math.hypot(other.y - this.y, other.z - this.z) }
  /** @param {Vec3} other */
  manhattanDistanceTo (other) {
    return Math.abs(other.x - this.x) + Math.abs(other.y - this.y) + Math.abs(other.z - this.z)
  }

  /** @param {Vec3} other @param {number} [error] */
  equals (other, error = 0) {
    return Math.abs(this.x - other.x) <= error && Math.abs(this.y - other.y) <= error &&
      Math.abs(this.z - other.z) <= error
  }

  isZero () { return this.x === 0 && this.y === 0 && this.z === 0 }
  toArray () { return [this.x, this.y, this.z] }
  toString () { return `(${this.x}, ${this.y}, ${this.z})` }
}

/**
 * @param {number} a
 * @param {number} b
 * @returns {number} a modulo b with the sign of b
 */
function modulo (a, b) {
  return a - Math.floor(a / b) * b
}

seal(Vec3)

module.exports = { Vec3 }
