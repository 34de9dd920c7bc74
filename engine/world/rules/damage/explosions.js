'use strict'
/**
 * Vanilla's explosions (wiki: "Explosion"): 1352 rays from the middle, each with 0.7 to 1.3 times the power. Air
 * weakens a ray by 0.225 per step of 0.3 blocks, blocks by their resistance. Bodies within twice the power are hurt in
 * proportion to their exposed share.
 */
const { PrimedTnt } = require('../../entities/falling')

/** @typedef {{ x: number, y: number, z: number }} Place */
/**
 * `decay`: only one in `power` broken blocks drops.
 *
 * @typedef {{ source?: import('../../entities/living').LivingEntity | null, blocks: boolean, decay: boolean }} How
 */

const GRID = 16
const STEP = 0.3
const STEP_LOSS = 0.22500001

/** Unit vectors from the middle of a cube to the cells of its surface. @type {readonly Place[]} */
const RAYS = Object.freeze(raysOf())

function raysOf () {
  /** @type {Place[]} */
  const rays = []
  const edge = (/** @type {number} */ v) => v === 0 || v === GRID - 1
  for (let i = 0; i < GRID; i++) {
    for (let j = 0; j < GRID; j++) {
      for (let k = 0; k < GRID; k++) {
        if (!edge(i) && !edge(j) && !edge(k)) continue
        const [x, y, z] = [i, j, k].map((v) => v / (GRID - 1) * 2 - 1)
        const far = Math.hypot(x, y, z)
        rays.push({ x: x / far, y: y / far, z: z / far })
      }
    }
  }
  return rays
}

/** Explosions of one world. */
class Explosions {
  /** @param {import('../../world').World} world */
  constructor (world) { this.world = world }

  /** @param {Place} at @param {number} power @param {How} how */
  explode (at, power, how) {
    const { world } = this
    world.emit('sound', { name: 'entity.generic.explode', x: at.x, y: at.y, z: at.z, volume: 4 })
    const broken = how.blocks ? this.reach(at, power) : []
    this.harm(at, power, how)
    const random = world.random.stream('explosions')
    for (const pos of broken) this.breakUp(pos, power, how, random)
  }

  /**
   * Return the blocks that the rays destroy.
   *
   * @param {Place} at
   * @param {number} power
   * @returns {import('../../types').Pos[]}
   */
  reach (at, power) {
    const { world } = this
    const random = world.random.stream('explosions')
    /** @type {Map<string, import('../../types').Pos>} */
    const found = new Map()
    for (const ray of RAYS) {
      let left = power * (0.7 + random.next() * 0.6)
      for (let i = 0; left > 0; i++, left -= STEP_LOSS) {
        const pos = { x: Math.floor(at.x + ray.x * STEP * i), y: Math.floor(at.y + ray.y * STEP * i),
          z: Math.floor(at.z + ray.z * STEP * i) }
        if (!world.terrain.inside(pos.x, pos.y, pos.z)) break
        const state = world.stateAt(pos.x, pos.y, pos.z)
        if (state.air) continue
        left -= ((state.liquid ? 100 : state.info.resistance ?? 0) + 0.3) * STEP
        if (left > 0) found.set(`${pos.x},${pos.y},${pos.z}`, pos)
      }
    }
    return [...found.values()]
  }

  /**
   * @param {import('../../types').Pos} pos
   * @param {number} power
   * @param {How} how
   * @param {import('../../random').RandomStream} random
   */
  breakUp (pos, power, how, random) {
    const { world } = this
    const state = world.stateAt(pos.x, pos.y, pos.z)
    if (state.air) return
    if (state.name === 'tnt') {
      world.setBlock(pos.x, pos.y, pos.z, 0)
      world.enter(new PrimedTnt(world, { x: pos.x + 0.5, y: pos.y, z: pos.z + 0.5 }, random.int(10, 29),
        how.source ?? null))
      return
    }
    world.breaking.remove(pos, { drop: !how.decay || random.chance(1 / power) })
  }

  /** @param {Place} at @param {number} power @param {How} how */
  harm (at, power, { source = null }) {
    const { world } = this
    const reach = power * 2
    for (const entity of [...world.entities.values()]) {
      if (entity === source || entity.removed) continue
      const far = Math.hypot(entity.x - at.x, entity.y - at.y, entity.z - at.z) / reach
      if (far > 1) continue
      const impact = (1 - far) * this.seen(at, entity)
      if (entity.living) this.strike(/** @type {any} */ (entity), impact, power, source, at)
      else if (entity.type === 'item' || entity.type === 'experience_orb') { if (impact > 0.05) entity.remove() }
      this.push(at, entity, impact)
    }
  }

  /**
   * @param {import('../../entities/living').LivingEntity} body
   * @param {number} impact
   * @param {number} power
   * @param {import('../../entities/living').LivingEntity | null} source
   * @param {Place} at
   */
  strike (body, impact, power, source, at) {
    const damage = Math.floor((impact * impact + impact) / 2 * 7 * power * 2 + 1)
    if (impact > 0) body.hurt(damage, { type: 'explosion', attacker: source, at })
  }

  /** @param {Place} at @param {import('../../entities/entity').Entity} entity @param {number} impact */
  push (at, entity, impact) {
    if (entity.removed || impact <= 0) return
    const [dx, dy, dz] = [entity.x - at.x, entity.eyes.y - at.y, entity.z - at.z]
    const far = Math.hypot(dx, dy, dz)
    if (far === 0) return
    entity.resume()
    entity.vx += dx / far * impact
    entity.vy += dy / far * impact
    entity.vz += dz / far * impact
    if (entity.living) this.world.emit('entityVelocity', { entity })
  }

  /**
   * Return the share of a body that no block hides, sampled in a grid of points.
   *
   * @param {Place} at
   * @param {import('../../entities/entity').Entity} entity
   */
  seen (at, entity) {
    const box = entity.box
    let free = 0
    let all = 0
    for (const fx of [0.1, 0.5, 0.9]) {
      for (const fy of [0.05, 0.35, 0.65, 0.95]) {
        for (const fz of [0.1, 0.5, 0.9]) {
          all++
          if (this.world.clear({ x: box[0] + (box[3] - box[0]) * fx, y: box[1] + (box[4] - box[1]) * fy,
            z: box[2] + (box[5] - box[2]) * fz }, at)) {
            free++
          }
        }
      }
    }
    return free / all
  }
}

module.exports = { Explosions, RAYS }
