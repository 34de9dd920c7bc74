'use strict'
/** Handler of spreadplayers: random places on the ground with a minimum distance, by vanilla's algorithm. */
const { moveEntity } = require('./players')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../../entities/entity').Entity} Entity */
/** @typedef {{ x: number, z: number }} Spot */
/** @typedef {{ lowX: number, lowZ: number, highX: number, highZ: number, top: number, apart: number }} Field */

const MAX_TRIES = 10000

/** @type {Handler} */
function spreadplayers (args, source) {
  const { world } = source
  const [cx, cz] = args.get('center')
    .map((/** @type {any} */ c, /** @type {number} */ i) =>
    (c.kind ? (i === 0 ? source.pos.x : source.pos.z) + c.value : c.value))
  const range = args.get('maxRange')
  const apart = args.get('spreadDistance')
  if (range < apart + 1) throw source.error('argument.float.low', (apart + 1).toFixed(1), range.toFixed(1))
  const top = args.get('maxHeight', world.minY + world.height)
  if (top < world.minY) throw source.error('commands.spreadplayers.failed.invalid.height', top, world.minY)
  const targets = /** @type {Entity[]} */ (args.get('targets').some(source))
  const groups = grouped(source, targets, args.get('respectTeams'))
  const field = { lowX: cx - range, lowZ: cz - range, highX: cx + range, highZ: cz + range, top, apart }
  const random = world.random.stream('spreadplayers')
  const spots = groups.map(() => drawn(field, random))
  const kind = args.get('respectTeams') ? 'teams' : 'entities'
  if (!settle(source, spots, field, random)) {
    throw source.error(`commands.spreadplayers.failed.${kind}`, spots.length, cx.toFixed(2), cz.toFixed(2),
      ((range - 1) / 2).toFixed(2))
  }
  groups.forEach((group, i) => {
    for (const entity of group) {
      moveEntity(entity, { x: Math.floor(spots[i].x) + 0.5, y: groundOf(source, spots[i], top),
        z: Math.floor(spots[i].z) + 0.5 })
    }
  })
  source.say(`commands.spreadplayers.success.${kind}`, spots.length, cx.toFixed(2), cz.toFixed(2),
    nearest(spots).toFixed(2))
  return spots.length
}

/**
 * Return the groups that stay together: single entities, or the players of a team.
 * @param {Source} source
 * @param {Entity[]} targets
 * @param {boolean} byTeam
 * @returns {Entity[][]}
 */
function grouped (source, targets, byTeam) {
  if (!byTeam) return targets.map((entity) => [entity])
  /** @type {Map<string, Entity[]>} */
  const groups = new Map()
  for (const entity of targets) {
    const key = source.world.teams.byMember.get(/** @type {any} */ (entity).name)?.name ?? ''
    groups.set(key, [...(groups.get(key) ?? []), entity])
  }
  return [...groups.values()]
}

/** @param {Field} field @param {import('../../random').RandomStream} random @returns {Spot} */
function drawn (field, random) {
  return { x: random.between(field.lowX, field.highX), z: random.between(field.lowZ, field.highZ) }
}

/**
 * Push the spots apart until all keep the minimum distance, within the area, on safe ground.
 * @param {Source} source
 * @param {Spot[]} spots changed in place
 * @param {Field} field
 * @param {import('../../random').RandomStream} random
 * @returns {boolean}
 */
function settle (source, spots, field, random) {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    let moved = false
    for (const spot of spots) moved = pushed(spot, spots, field, random) || moved
    for (const spot of spots) moved = clamped(spot, field) || moved
    if (moved) continue
    for (const spot of spots) {
      if (isSafe(source, spot, field.top)) continue
      Object.assign(spot, drawn(field, random))
      moved = true
    }
    if (!moved) return true
  }
  return false
}

/** @param {Spot} spot @param {Spot[]} spots @param {Field} field @param {import('../../random').RandomStream} random */
function pushed (spot, spots, field, random) {
  const near = spots.filter((other) => other !== spot && Math.hypot(other.x - spot.x, other.z - spot.z) < field.apart)
  if (near.length === 0) return false
  const dx = near.reduce((sum, other) => sum + other.x - spot.x, 0) / near.length
  const dz = near.reduce((sum, other) => sum + other.z - spot.z, 0) / near.length
  const far = Math.hypot(dx, dz)
  if (far > 0) {
    spot.x -= dx / far
    spot.z -= dz / far
  } else Object.assign(spot, drawn(field, random))
  return true
}

/** @param {Spot} spot @param {Field} field */
function clamped (spot, { lowX, lowZ, highX, highZ }) {
  const [x, z] = [Math.max(lowX, Math.min(highX, spot.x)), Math.max(lowZ, Math.min(highZ, spot.z))]
  const moved = x !== spot.x || z !== spot.z
  spot.x = x
  spot.z = z
  return moved
}

/**
 * Return the height at which a body would stand, below two free blocks.
 * @param {Source} source
 * @param {Spot} spot
 * @param {number} top
 */
function groundOf ({ world }, spot, top) {
  const [x, z] = [Math.floor(spot.x), Math.floor(spot.z)]
  let [above, here] = [false, false]
  for (let y = top; y > world.minY; y--) {
    const free = world.data.state(world.terrain.peek(x, y - 1, z)).air
    if (!free && here && above) return y
    ;[above, here] = [here, free]
  }
  return top + 1
}

/** @param {Source} source @param {Spot} spot @param {number} top */
function isSafe (source, spot, top) {
  const y = groundOf(source, spot, top)
  const ground = source.world.stateAt(Math.floor(spot.x), y - 1, Math.floor(spot.z))
  return y < top && !ground.liquid && !ground.air && !/fire$/.test(ground.name)
}

/** Return the average distance of the spots to their nearest neighbour. @param {Spot[]} spots */
function nearest (spots) {
  if (spots.length < 2) return 0
  const all = spots.map((spot) =>
    Math.min(...spots.filter((other) => other !== spot).map((other) => Math.hypot(other.x - spot.x, other.z - spot.z))))
  return all.reduce((sum, far) => sum + far, 0) / spots.length
}

module.exports = { spreadplayers }
