/**
 * Bodies in three dimensions as boxes: players dyed in the colours of the map, mobs, things held and things that
 * grow.
 */
import { INSTANCE_FLOATS } from './gl_scene.mjs'

/**
 * A box of a body, as `engine/view/survey.js` sends it.
 * @typedef {{box: number[], side: number, front: number, cap: number, dyed?: boolean}} BodyPart
 */
/**
 * @typedef {{players: [string, BodyPart[]][], mobs: [string, BodyPart[]][], items: [string, BodyPart[], boolean][]}}
 *   ToldBodies
 */
/** @typedef {{parts: BodyPart[], flat: boolean}} ThingModel */

const UNDYED = [1, 1, 1]
const NOTHING_HELD = /** @type {BodyPart[]} */ ([])

/** Return a colour as three shares. @param {string} colour #rrggbb */
export const sharesOf = (colour) => [1, 3, 5].map((at) => (parseInt(colour.slice(at, at + 2), 16) || 0) / 255)

/** Return a figure without thickness, since its edges are not painted. @param {BodyPart} part @returns {BodyPart} */
function withoutEdges (part) {
  const [x0, y0, z0, x1, y1, z1] = part.box
  const z = (z0 + z1) / 2
  return { ...part, box: [x0, y0, z, x1, y1, z] }
}

/** Known bodies of a land. */
export class BodyBook {
  constructor () {
    /** @type {Map<string, BodyPart[]>} */
    this.players = new Map()
    /** @type {Map<string, BodyPart[]>} */
    this.mobs = new Map()
    /** @type {Map<string, ThingModel>} */
    this.things = new Map()
  }

  /** @param {ToldBodies} told */
  add (told) {
    for (const [name, parts] of told.players) this.players.set(name, parts)
    for (const [kind, parts] of told.mobs) this.mobs.set(kind, parts)
    for (const [name, parts, flat] of told.items) {
      this.things.set(name, { parts: flat ? parts.map(withoutEdges) : parts, flat })
    }
  }

  /** Return a player's boxes; players who joined later look like the first. @param {string} name */
  player (name) {
    return this.players.get(name) ?? this.players.values().next().value ?? NOTHING_HELD
  }

  /** @param {string} kind */
  mob (kind) {
    return this.mobs.get(kind) ?? this.mobs.get('') ?? NOTHING_HELD
  }

  /** Return the boxes of a thing in a player's right hand. @param {string | undefined} name */
  held (name) {
    const thing = name === undefined ? undefined : this.things.get(name)
    if (!thing) return NOTHING_HELD
    return thing.parts.map((part) => {
      const [x0, y0, z0, x1, y1, z1] = part.box
      return { ...part, box: thing.flat ? [-0.38, y0 + 0.62, 0.12, -0.38, y1 + 0.7, 0.6]
        : [x0 - 0.38, y0 + 0.62, z0 + 0.25, x1 - 0.38, y1 + 0.62, z1 + 0.25] }
    })
  }
}

/** Writer of instances of boxes. */
export class InstanceWriter {
  constructor () {
    this.floats = new Float32Array(INSTANCE_FLOATS * 1024)
    this.count = 0
  }

  begin () { this.count = 0 }

  /**
   * Add a body.
   * @param {BodyPart[]} parts @param {number[]} place from the camera @param {number} yaw degrees @param {number} light
   * @param {number[]} [dye] of its shirt
   */
  put (parts, place, yaw, light, dye = UNDYED) {
    for (const part of parts) {
      const at = this.count++ * INSTANCE_FLOATS
      if (at + INSTANCE_FLOATS > this.floats.length) {
        const more = new Float32Array(this.floats.length * 2)
        more.set(this.floats)
        this.floats = more
      }
      const { floats } = this
      floats.set(place, at)
      floats[at + 3] = yaw
      floats.set(part.box, at + 4)
      floats[at + 10] = part.side
      floats[at + 11] = part.front
      floats[at + 12] = part.cap
      floats[at + 13] = light
      floats.set(part.dyed ? dye : UNDYED, at + 14)
      floats[at + 17] = 1
    }
  }

  get written () { return this.floats.subarray(0, this.count * INSTANCE_FLOATS) }
}
