'use strict'
/** Cameras: where a picture is taken from, and the direction of each pixel's ray. */

const DEGREE = Math.PI / 180
/** Angle of view from top to bottom, in degrees: the game's usual one, and a narrow one from above. */
const FIELD = Object.freeze({ eyes: 70, above: 40 })
/** Distance along the view from which on places are before the camera: less than any pixel of a hit has. */
const NEAR = 1e-4
/** Distance and angle of the camera from above: it stands south of its subject and looks down to the north. */
const ABOVE = Object.freeze({ distance: 34, pitch: 52 })

/** @typedef {import('../world/types').Pos} Pos */
/**
 * @typedef {{ eye: Pos, yaw: number, pitch: number, field?: number }} Pose degrees as in the game: yaw 0 looks south,
 *  pitch 90 down
 */

/** One camera. */
class Camera {
  /** @param {Pose} pose @param {number} width pixels @param {number} height */
  constructor ({ eye, yaw, pitch, field = FIELD.eyes }, width, height) {
    this.eye = eye
    this.yaw = yaw
    this.width = width
    this.height = height
    const [sy, cy] = [Math.sin(yaw * DEGREE), Math.cos(yaw * DEGREE)]
    const [sp, cp] = [Math.sin(pitch * DEGREE), Math.cos(pitch * DEGREE)]
    this.forward = [-sy * cp, -sp, cy * cp]
    this.right = [-cy, 0, -sy]
    this.up = [-sy * sp, cp, cy * sp]
    /** Half the picture's height and width at distance 1. */
    this.tall = Math.tan(field * DEGREE / 2)
    this.wide = this.tall * width / height
    /** The columns' parts in the directions of their pixels: x and z of each. */
    this.columns = new Float64Array(2 * width)
    for (let i = 0; i < width; i++) {
      const a = (2 * (i + 0.5) / width - 1) * this.wide
      this.columns[2 * i] = this.forward[0] + this.right[0] * a
      this.columns[2 * i + 1] = this.forward[2] + this.right[2] * a
    }
  }

  /** Return the distance at which a block is so many pixels wide. @param {number} pixels */
  distanceOf (pixels) { return this.height / (2 * this.tall * pixels) }

  /**
   * Write the direction of a pixel's ray, of length 1.
   * @param {number} i column
   * @param {number} j row
   * @param {Float64Array} out
   */
  direction (i, j, out) {
    const { forward: f, right: r, up: u } = this
    const a = (2 * (i + 0.5) / this.width - 1) * this.wide
    const b = (1 - 2 * (j + 0.5) / this.height) * this.tall
    const x = f[0] + r[0] * a + u[0] * b
    const y = f[1] + u[1] * b
    const z = f[2] + r[2] * a + u[2] * b
    const scale = 1 / Math.sqrt(x * x + y * y + z * z)
    out[0] = x * scale
    out[1] = y * scale
    out[2] = z * scale
  }

  /**
   * Return a row's part in the directions of its pixels.
   * @param {number} j
   * @returns {[number, number, number]} x, y and z
   */
  row (j) {
    const { forward: f, up: u } = this
    const b = (1 - 2 * (j + 0.5) / this.height) * this.tall
    return [u[0] * b, f[1] + u[1] * b, u[2] * b]
  }

  /**
   * Return the pixel of a place and its distance along the view.
   * @param {number} x @param {number} y @param {number} z
   * @returns {[number, number, number]} column, row, depth; the depth is negative behind the camera
   */
  project (x, y, z) {
    const { forward: f, right: r, up: u, eye } = this
    const [dx, dy, dz] = [x - eye.x, y - eye.y, z - eye.z]
    const depth = dx * f[0] + dy * f[1] + dz * f[2]
    const a = (dx * r[0] + dz * r[2]) / depth / this.wide
    const b = (dx * u[0] + dy * u[1] + dz * u[2]) / depth / this.tall
    return [(a + 1) / 2 * this.width - 0.5, (1 - b) / 2 * this.height - 0.5, depth]
  }

  /** Return the distance of a place along the view. @param {number[]} place */
  depthOf ([x, y, z]) {
    const { forward: f, eye } = this
    return (x - eye.x) * f[0] + (y - eye.y) * f[1] + (z - eye.z) * f[2]
  }

  /**
   * Return corners of that part of something convex which is before the camera.
   * @param {number[][]} corners
   */
  before (corners) {
    const depths = corners.map((each) => this.depthOf(each))
    const found = corners.filter((_, i) => depths[i] >= NEAR)
    if (found.length === 0 || found.length === corners.length) return found
    for (const [i, front] of corners.entries()) {
      if (depths[i] < NEAR) continue
      for (const [k, back] of corners.entries()) {
        if (depths[k] >= NEAR) continue
        // A little before the plane, so that the corner does not round to behind it.
        const share = (depths[i] - 1.001 * NEAR) / (depths[i] - depths[k])
        found.push(front.map((part, axis) => part + (back[axis] - part) * share))
      }
    }
    return found
  }

  /**
   * Return the pixels in which something convex may be: left, top, right, bottom; null if none.
   * @param {number[][]} corners
   * @returns {[number, number, number, number] | null}
   */
  rectangle (corners) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
    for (const [x, y, z] of this.before(corners)) {
      const [i, j] = this.project(x, y, z)
      left = Math.min(left, i)
      right = Math.max(right, i)
      top = Math.min(top, j)
      bottom = Math.max(bottom, j)
    }
    left = Math.max(0, Math.floor(left))
    top = Math.max(0, Math.floor(top))
    right = Math.min(this.width - 1, Math.ceil(right))
    bottom = Math.min(this.height - 1, Math.ceil(bottom))
    return left <= right && top <= bottom ? [left, top, right, bottom] : null
  }
}

/** Return the camera above a place. @param {Pos} at @param {number} [distance] blocks @returns {Pose} */
function above (at, distance = ABOVE.distance) {
  const [sp, cp] = [Math.sin(ABOVE.pitch * DEGREE), Math.cos(ABOVE.pitch * DEGREE)]
  return { eye: { x: at.x, y: at.y + distance * sp, z: at.z + distance * cp }, yaw: 180, pitch: ABOVE.pitch,
    field: FIELD.above }
}

module.exports = { Camera, above, FIELD }
