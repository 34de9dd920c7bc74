/**
 * Cameras in space: directions, projection, and what is in view. Angles are the game's: yaw 0 looks south, pitch 90
 * down.
 */

const TURN = Math.PI / 180
/** Angle of view from top to bottom, in degrees, and nearest distance that is drawn. */
export const FIELD_OF_VIEW = 70
export const NEAREST_DRAWN = 0.06

/** @typedef {{x: number, y: number, z: number, yaw: number, pitch: number}} Pose3 */

/** Return forward, right and up of a camera. @param {{yaw: number, pitch: number}} pose */
export function axesOf ({ yaw, pitch }) {
  const [sy, cy] = [Math.sin(yaw * TURN), Math.cos(yaw * TURN)]
  const [sp, cp] = [Math.sin(pitch * TURN), Math.cos(pitch * TURN)]
  return { forward: [-sy * cp, -sp, cy * cp], right: [-cy, 0, -sy], up: [-sy * sp, cp, cy * sp] }
}

/** One view: a camera and the size of its picture. */
export class ViewOf {
  /** @param {Pose3} pose @param {number} width @param {number} height pixels @param {number} far blocks */
  constructor (pose, width, height, far) {
    this.pose = pose
    this.width = width
    this.height = height
    this.axes = axesOf(pose)
    this.tall = Math.tan(FIELD_OF_VIEW * TURN / 2)
    this.wide = this.tall * width / height
    this.far = far
    this.matrix = this.projection()
  }

  /** Return the matrix, by columns, from places relative to the camera to the screen. */
  projection () {
    const { forward: f, right: r, up: u } = this.axes
    const depth = (this.far + NEAREST_DRAWN) / (this.far - NEAREST_DRAWN)
    const shift = -2 * this.far * NEAREST_DRAWN / (this.far - NEAREST_DRAWN)
    const found = new Float32Array(16)
    for (let axis = 0; axis < 3; axis++) {
      found.set([r[axis] / this.wide, u[axis] / this.tall, f[axis] * depth, f[axis]], axis * 4)
    }
    found.set([0, 0, shift, 0], 12)
    return found
  }

  /**
   * Return left, top and depth of a place on the screen; the depth is negative behind the camera.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  toScreen (x, y, z) {
    const { forward: f, right: r, up: u } = this.axes
    const [dx, dy, dz] = [x - this.pose.x, y - this.pose.y, z - this.pose.z]
    const depth = dx * f[0] + dy * f[1] + dz * f[2]
    const across = (dx * r[0] + dy * r[1] + dz * r[2]) / depth / this.wide
    const above = (dx * u[0] + dy * u[1] + dz * u[2]) / depth / this.tall
    return [(across + 1) / 2 * this.width, (1 - above) / 2 * this.height, depth]
  }

  /** Return true if a box may be in view; it is given by its corners. @param {number[]} low @param {number[]} high */
  sees (low, high) {
    const { forward: f, right: r, up: u } = this.axes
    const { x, y, z } = this.pose
    /**
     * Signed distance of the box's farthest corner along a direction is above 0 if any of it is inside the plane.
     * @param {number} nx
     * @param {number} ny
     * @param {number} nz
     */
    const inside = (nx, ny, nz) => ((nx > 0 ? high[0] : low[0]) - x) * nx + ((ny > 0 ? high[1] : low[1]) - y) * ny +
      ((nz > 0 ? high[2] : low[2]) - z) * nz > 0
    if (!inside(f[0], f[1], f[2])) return false
    for (const [side, reach] of /** @type {[number[], number][]} */ ([[r, this.wide], [u, this.tall]])) {
      for (const sign of [1, -1]) {
        const [nx, ny, nz] = f.map((part, axis) => part * reach + side[axis] * sign)
        if (!inside(nx, ny, nz)) return false
      }
    }
    return true
  }
}
