/** The camera in three dimensions: free flight, behind a player, or in a player's eyes. */
import { axesOf } from './matrix.mjs'

/** Speed in blocks per second, its factor with Shift, and degrees per second with the arrow keys. */
const SPEED = 11
const FASTER = 4
const TURN_SPEED = 100
/** Degrees per pixel that the pointer is dragged. */
const DRAG = 0.28
const EYES_HEIGHT = 1.62
const SHOULDER = 1.3
/** Distance behind a followed player, in blocks. */
const BEHIND = Object.freeze({ usual: 7, least: 2, most: 60 })
/** Time in which the camera goes over to another place, in seconds. */
const GLIDE_S = 0.35
/** Distance behind a followed player that blocks in the way do not shorten. */
const NEAREST_BEHIND = 1
const MOST_COMPARED = 600

/**
 * Keys that move the camera: right, up, forward, turn to the right, turn down.
 * @type {Readonly<Record<string, number[]>>}
 */
export const FLIGHT_KEYS = Object.freeze({ w: [0, 0, 1, 0, 0], s: [0, 0, -1, 0, 0], d: [1, 0, 0, 0, 0],
  a: [-1, 0, 0, 0, 0], e: [0, 1, 0, 0, 0], q: [0, -1, 0, 0, 0], PageUp: [0, 1, 0, 0, 0], PageDown: [0, -1, 0, 0, 0],
  ArrowUp: [0, 0, 1, 0, 0], ArrowDown: [0, 0, -1, 0, 0], ArrowLeft: [0, 0, 0, -1, 0], ArrowRight: [0, 0, 0, 1, 0] })

/** @typedef {import('./matrix.mjs').Pose3} Pose3 */
/** @typedef {{x: number, y: number, z: number, yaw: number}} Followed */

/** One camera. */
export class Flight {
  constructor () {
    /** @type {Pose3} */
    this.pose = { x: 0, y: 0, z: 0, yaw: 180, pitch: 40 }
    /** @type {'free' | 'behind' | 'eyes'} */
    this.mode = 'free'
    this.distance = Number(BEHIND.usual)
    /** Distance behind the player at which the first block is in the way. */
    this.free = Infinity
    /** Direction of the look in a player's eyes, from where it walks. */
    this.aside = { yaw: 0, pitch: 0 }
    /** Keys that are held. @type {Set<string>} */
    this.held = new Set()
    this.fast = false
    /** True once the user has moved it. */
    this.moved = false
    /** @type {{from: Pose3, share: number} | null} */
    this.glide = null
    /** True if the user wants little motion: the camera then jumps instead of gliding. */
    this.calm = false
  }

  /** @param {'free' | 'behind' | 'eyes'} mode */
  setMode (mode) {
    if (mode === this.mode) return
    this.mode = mode
    this.aside = { yaw: 0, pitch: 0 }
    if (mode === 'behind') this.pose.pitch = Math.min(60, Math.max(10, this.pose.pitch))
    if (!this.calm) this.glide = { from: { ...this.pose }, share: 0 }
  }

  /**
   * Look at places from above and from the south; the outermost tenth of them on each side does not count.
   * @param {number[][]} all x, y, z of each; at least one
   * @param {number} most distance at which fog begins, in blocks
   */
  overlook (all, most) {
    const places = densest(all, most)
    const ends = [0, 1, 2].map((axis) => {
      const side = places.map((place) => place[axis]).sort((one, other) => one - other)
      const out = Math.floor(side.length / 10)
      return [side[out], side[side.length - 1 - out]]
    })
    const [x, y, z] = ends.map(([low, high]) => (low + high) / 2)
    const [[west, east], , [north, south]] = ends
    const far = Math.min(most, Math.max(18, 0.75 * Math.max(east - west, 1.6 * (south - north)) + 8))
    this.pose = { x, y: y + far * 0.66, z: z + far * 0.75, yaw: 180, pitch: 41 }
    this.moved = false
  }

  /** Turn by a drag: what is seen moves with the pointer. @param {number} right @param {number} down pixels */
  turn (right, down) {
    const place = this.mode === 'eyes' ? this.aside : this.pose
    place.yaw = wrap(place.yaw - right * DRAG)
    place.pitch = Math.max(-89, Math.min(89, place.pitch - down * DRAG))
    this.moved = true
  }

  /** Move along the view, or nearer to a followed player. @param {number} blocks */
  advance (blocks) {
    if (this.mode === 'behind') {
      this.distance = Math.max(BEHIND.least, Math.min(BEHIND.most, this.distance - blocks))
    } else if (this.mode === 'free') this.shift(0, 0, blocks)
    this.moved = true
  }

  /** Move to the side and up, as two fingers drag. @param {number} right @param {number} up blocks */
  slide (right, up) {
    if (this.mode !== 'free') return
    const { right: side, up: above } = axesOf(this.pose)
    this.pose.x += side[0] * right + above[0] * up
    this.pose.y += above[1] * up
    this.pose.z += side[2] * right + above[2] * up
    this.moved = true
  }

  /** @param {number} right @param {number} up along y @param {number} forward */
  shift (right, up, forward) {
    const axes = axesOf(this.pose)
    this.pose.x += axes.right[0] * right + axes.forward[0] * forward
    this.pose.y += up + axes.forward[1] * forward
    this.pose.z += axes.right[2] * right + axes.forward[2] * forward
  }

  /**
   * Let time pass.
   * @param {number} seconds
   * @param {Followed | null} followed feet and direction of the followed player
   */
  step (seconds, followed) {
    const wanted = [0, 0, 0, 0, 0]
    for (const key of this.held) FLIGHT_KEYS[key].forEach((part, place) => { wanted[place] += part })
    const turn = TURN_SPEED * seconds
    if (wanted[3] || wanted[4]) this.turn(-wanted[3] * turn / DRAG, -wanted[4] * turn / DRAG)
    const blocks = SPEED * (this.fast ? FASTER : 1) * seconds
    if (this.mode === 'free') this.shift(wanted[0] * blocks, wanted[1] * blocks, wanted[2] * blocks)
    else if (wanted[2]) this.advance(wanted[2] * blocks)
    if (wanted.some(Boolean)) this.moved = true
    if (followed && this.mode !== 'free') this.attach(followed)
    if (this.glide) {
      this.glide.share += seconds / GLIDE_S
      if (this.glide.share >= 1) this.glide = null
    }
  }

  /** @param {Followed} followed */
  attach ({ x, y, z, yaw }) {
    if (this.mode === 'eyes') {
      this.pose = { x, y: y + EYES_HEIGHT, z, yaw: wrap(yaw + this.aside.yaw), pitch: this.aside.pitch }
      return
    }
    const { forward } = axesOf(this.pose)
    const distance = Math.min(this.distance, Math.max(NEAREST_BEHIND, this.free - 0.3))
    this.pose.x = x - forward[0] * distance
    this.pose.y = y + SHOULDER - forward[1] * distance
    this.pose.z = z - forward[2] * distance
  }

  /**
   * Return the way from a followed player's shoulder to the camera: its start, its direction, its length.
   * @param {Followed} followed
   */
  wayBehind ({ x, y, z }) {
    const { forward } = axesOf(this.pose)
    return { from: [x, y + SHOULDER, z], along: forward.map((part) => -part), length: this.distance }
  }

  /** Return the camera as it is drawn now, perhaps on its way. @returns {Pose3} */
  get shown () {
    if (!this.glide) return this.pose
    const share = this.glide.share * this.glide.share * (3 - 2 * this.glide.share)
    const { from } = this.glide
    const part = (/** @type {'x' | 'y' | 'z' | 'pitch'} */ key) => from[key] + (this.pose[key] - from[key]) * share
    return { x: part('x'), y: part('y'), z: part('z'), pitch: part('pitch'),
      yaw: from.yaw + wrap(this.pose.yaw - from.yaw) * share }
  }
}

/**
 * Return the places around which most others are, or all places if they fit into a view.
 * @param {number[][]} places
 * @param {number} most blocks
 */
function densest (places, most) {
  const apart = (/** @type {number[]} */ one, /** @type {number[]} */ other) =>
    Math.max(Math.abs(one[0] - other[0]), Math.abs(one[2] - other[2]))
  if (places.every((place) => apart(place, places[0]) < most)) return places
  const around = places.slice(0, MOST_COMPARED).map((place) => places.filter((other) => apart(place, other) < most / 2))
  return around.reduce((best, each) => each.length > best.length ? each : best)
}

/** Return an angle from -180 to 180 degrees. @param {number} angle */
export const wrap = (angle) => ((angle + 180) % 360 + 360) % 360 - 180
