'use strict'
/**
 * Validation of a player's steps as its front reports them: their length per tick is limited, and they never lead
 * through blocks or out of the world. A refused step puts the player back (event `teleport`).
 */
const { bodyBox, blockBoxes, blocked, isCarried } = require('../../geometry')
const { WORLD_EDGE } = require('../../terrain')
const { glided, SPEED: GLIDING } = require('./gliding')

/** Maximum length of one step, in blocks. */
const STEP_LIMIT = 10
/** Average distance per tick, sideways or up, in blocks; faster than sprinting with Speed II. */
const SPEED = 1
/** Maximum saved distance in ticks, for a client that stalls and sends its steps in one burst. */
const SAVINGS = 20
const SPECTATOR_STEP = 100
/**
 * Maximum length, in blocks, of a part of a step that is tested only at its end: less than the width of a wall and a
 * body.
 */
const SAMPLE = 0.8
/** Depth, in blocks, to which a block may reach into a body before the body counts as inside it. */
const SLACK = 0.02

/** Movement of one player. */
class Movement {
  /** @param {import('../../player').Player} player */
  constructor (player) {
    this.player = player
    this.budget = SAVINGS
    /** Distance in blocks that is not in the statistics yet. */
    this.owed = 0
  }

  /** Reset the budget after a displacement by other means. */
  reset () { this.budget = SAVINGS }

  tick () { this.budget = Math.min(SAVINGS, this.budget + (this.player.gliding ? GLIDING : SPEED)) }

  /**
   * @param {{ x?: number, y?: number, z?: number, yaw?: number, pitch?: number, onGround?: boolean }} to
   * @returns {import('../../types').Verdict}
   */
  moveTo (to) {
    const { player } = this
    if (!to || player.dead) return { ok: false, reason: 'the dead do not move' }
    const { x = player.x, y = player.y, z = player.z, yaw = player.yaw, pitch = player.pitch } = to
    if (![x, y, z, yaw, pitch].every(Number.isFinite) || Math.abs(x) > WORLD_EDGE || Math.abs(z) > WORLD_EDGE ||
      Math.abs(y) > 4096) {
      return this.refuse('that is not a place')
    }
    // Sleepers and passengers only turn their heads.
    const bound = player.vehicle !== null || player.sleeping !== null
    const reason = bound ? '' : this.objection({ x, y, z })
    if (reason) return this.refuse(reason)
    player.yaw = player.headYaw = ((yaw + 180) % 360 + 360) % 360 - 180
    player.pitch = Math.max(-90, Math.min(90, pitch))
    if (!bound) this.accept({ x, y, z }, Boolean(to.onGround ?? player.onGround))
    return { ok: true }
  }

  /** @param {string} reason */
  refuse (reason) {
    const { player } = this
    player.world.emit('teleport', { player })
    return { ok: false, reason }
  }

  /** Return the reason why a step is refused, or "". @param {{ x: number, y: number, z: number }} to */
  objection (to) {
    const { player } = this
    const [dx, dy, dz] = [to.x - player.x, to.y - player.y, to.z - player.z]
    const far = Math.hypot(dx, dz) + Math.max(0, dy)
    if (player.gamemode === 'spectator') return far > SPECTATOR_STEP ? 'that step is too long' : ''
    if (far > STEP_LIMIT || far > this.budget || dy < -STEP_LIMIT * 4) return 'that step is too long'
    this.budget -= far
    if (player.world.border.stopsStep(player, to, player.width / 2)) return 'the world border is there'
    return far === 0 && dy === 0 ? '' : this.hitsBlock(to, [dx, dy, dz])
  }

  /**
   * Return a reason if a step ends in, or leads through, a block that the body was not in before, or else "".
   *
   * @param {{ x: number, y: number, z: number }} to
   * @param {number[]} by
   * @returns {string}
   */
  hitsBlock (to, by) {
    const { player } = this
    const { world } = player
    /** @type {number[][] | null} */
    let was = null
    const clear = (/** @type {{ x: number, y: number, z: number }} */ at) => {
      const box = this.slim(at)
      if (!blocked(world, box)) return true
      // A body that is inside a block already (placed under its feet while it jumped) may move on, but not into another
      // block.
      const before = was ??= blockBoxes(world, this.slim(player))
      return before.length > 0 && blockBoxes(world, box).every((b) => before.some((w) => b.every((v, i) => v === w[i])))
    }
    if (!clear(to)) return 'a block is in the way'
    const parts = Math.ceil(Math.hypot(...by) / SAMPLE)
    const level = (/** @type {number} */ y) => {
      for (let i = 1; i < parts; i++) {
        if (!clear({ x: player.x + by[0] * i / parts, y, z: player.z + by[2] * i / parts })) return false
      }
      return true
    }
    const fall = (/** @type {number} */ x, /** @type {number} */ z) => {
      for (let y = player.y; y > to.y; y -= SAMPLE) if (!clear({ x, y, z })) return false
      return true
    }
    // A body goes up first. It falls first, as vanilla's does, or off an edge where a step stands for several ticks.
    const free = by[1] >= 0 ? level(to.y)
      : (fall(player.x, player.z) && level(to.y)) || (level(player.y) && fall(to.x, to.z))
    return free ? '' : 'a block is in the way'
  }

  /** @param {{ x: number, y: number, z: number }} at */
  slim (at) {
    const box = bodyBox(at, 0.6, this.player.height)
    return [box[0] + SLACK, box[1] + SLACK, box[2] + SLACK, box[3] - SLACK, box[4] - SLACK, box[5] - SLACK]
  }

  /** @param {{ x: number, y: number, z: number }} to @param {boolean} claimsGround */
  accept (to, claimsGround) {
    const { player } = this
    const [dx, dy, dz] = [to.x - player.x, to.y - player.y, to.z - player.z]
    Object.assign(player, to)
    const grounded = claimsGround && this.hasGround()
    if (player.onGround && !grounded && dy > 0) this.jumped()
    player.onGround = grounded
    if (player.gliding) glided(player, dy)
    if (player.gamemode === 'survival' || player.gamemode === 'adventure') {
      player.moved(dx, dy, dz, grounded)
      this.travelled(Math.hypot(dx, dz))
    }
    player.world.emit('entityMove', { entity: player })
    player.world.portals.moved(player)
  }

  /** Return true if a body that claims to stand has a block below it. @returns {boolean} */
  hasGround () {
    const { player } = this
    const box = bodyBox(player, 0.6, 0.1)
    return blocked(player.world, [box[0], box[1] - 0.1, box[2], box[3], box[4], box[5]]) ||
      isCarried(player.world, box, 0.1)
  }

  jumped () {
    this.player.world.stats.add(this.player, 'custom', 'jump')
    this.player.exhaust(this.player.sprinting ? 0.2 : 0.05)
  }

  /** @param {number} blocks */
  travelled (blocks) {
    const { player } = this
    const swims = player.inside.name === 'water'
    if (player.sprinting || swims) player.exhaust((swims ? 0.01 : 0.1) * blocks)
    this.owed += blocks * 100
    if (this.owed < 1) return
    const way = swims ? wayInWater(player)
      : player.sneaking ? 'crouch_one_cm' : player.sprinting ? 'sprint_one_cm' : 'walk_one_cm'
    player.world.stats.add(player, 'custom', way, Math.floor(this.owed))
    this.owed %= 1
  }
}

/** @param {import('../../player').Player} player @returns {string} name of the distance statistic in water */
function wayInWater (player) {
  if (player.swimming) return 'swim_one_cm'
  const { x, y, z } = player.eyes
  return player.world.stateAt(Math.floor(x), Math.floor(y), Math.floor(z)).name === 'water' ? 'walk_under_water_one_cm'
    : 'walk_on_water_one_cm'
}

module.exports = { Movement }
