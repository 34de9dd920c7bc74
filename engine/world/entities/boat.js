'use strict'
/**
 * Boats (minecraft.wiki, "Boat"): they swim, carry two (one with a chest), are steered by their first passenger and
 * break under blows. A steering client moves the boat itself; without a client, `steer` does.
 */
const { Entity } = require('./entity')
const { overlap } = require('../geometry')

/** @typedef {import('../player').Player} Player */

/** Wood types in the order of their numbers on the wire. */
const WOODS = Object.freeze(['oak', 'spruce', 'birch', 'jungle', 'acacia', 'cherry', 'dark_oak', 'mangrove', 'bamboo'])
/** Damage at which a boat breaks, ten per point of a blow; one heals per tick. */
const BREAKS_AT = 40
const BLOW = 10
/** Height of the water line above a boat's bottom, and maximum speed of rising to it. */
const DRAUGHT = 0.45
const RISE = 0.06
const GRAVITY = 0.04
/**
 * Fraction of speed kept per tick in water, in the air and on the ground; push of the paddles forward and backward;
 * turn in degrees.
 */
const KEPT = Object.freeze({ water: 0.9, air: 0.9, ground: 0.6 })
const PUSH = Object.freeze({ forward: 0.04, back: 0.005 })
const TURN = 1
/** Maximum distance of one step in a client's packet. */
const STEP_LIMIT = 10
const SEAT = Object.freeze({ alone: 0, front: 0.2, back: -0.6, height: -0.1 })

/** A boat. */
class Boat extends Entity {
  /**
   * @param {import('../world').World} world
   * @param {{ x: number, y: number, z: number }} at
   * @param {{ wood: string, chest: boolean, yaw: number }} kind
   */
  constructor (world, at, { wood, chest, yaw }) {
    super(world, chest ? 'chest_boat' : 'boat', at)
    this.wood = wood
    this.chest = chest
    this.yaw = this.headYaw = yaw
    this.damage = 0
    this.turning = 0
    /** Paddles: forward 1, 0, -1; left 1, 0, -1. */
    this.course = { forward: 0, left: 0 }
  }

  /** Number of the wood on the wire. */
  get variant () { return WOODS.indexOf(this.wood) }
  get seats () { return this.chest ? 1 : 2 }
  get itemName () { return `${this.wood}_${this.chest ? 'chest_' : ''}${this.wood === 'bamboo' ? 'raft' : 'boat'}` }

  /** Return the height of the water above the boat's bottom, or -1 without water. */
  waterAbove () {
    const [x, z] = [Math.floor(this.x), Math.floor(this.z)]
    for (let y = Math.floor(this.y + 0.9); y >= Math.floor(this.y - 0.1); y--) {
      const state = this.world.stateAt(x, y, z)
      if (state.name === 'water') {
        return y + (Number(state.props.level) >= 8 ? 1 : (8 - Number(state.props.level)) / 9) - this.y
      }
    }
    return -1
  }

  tick () {
    super.tick()
    if (this.damage > 0) this.damage--
    for (const rider of [...this.passengers]) if (rider.removed || rider.dead) rider.dismount()
    if (this.y < this.world.minY - 64) return this.remove()
    if (this.passengers[0]?.selfMoving) return this.seatAll()
    this.drift()
    this.seatAll()
  }

  /** Float, glide and paddle for one tick. */
  drift () {
    const before = [this.x, this.y, this.z]
    const water = this.waterAbove()
    this.vy = water > 0 ? Math.min(RISE, Math.max(-RISE, (water - DRAUGHT) * 0.3)) : this.vy - GRAVITY
    if (water > 0 && Math.abs(water - DRAUGHT) < 0.01) this.vy = 0
    if (this.passengers.length > 0) this.paddle()
    const kept = water > 0 ? KEPT.water : this.onGround ? KEPT.ground : KEPT.air
    this.vx *= kept
    this.vz *= kept
    this.slide()
    if (Math.abs(this.x - before[0]) + Math.abs(this.y - before[1]) + Math.abs(this.z - before[2]) > 1e-4) {
      this.world.emit('entityMove', { entity: this })
    }
  }

  paddle () {
    const { forward, left } = this.course
    this.turning = (this.turning - left * TURN) * KEPT.water
    this.yaw = this.headYaw = this.yaw + this.turning
    const push = forward > 0 ? PUSH.forward : forward < 0 ? -PUSH.back : left === 0 ? 0 : PUSH.back
    this.vx += -Math.sin(this.yaw * Math.PI / 180) * push
    this.vz += Math.cos(this.yaw * Math.PI / 180) * push
  }

  /** Set the paddles. @param {{ forward: number, left: number }} course each 1, 0 or -1 */
  steer ({ forward, left }) { this.course = { forward: Math.sign(forward) || 0, left: Math.sign(left) || 0 } }

  /**
   * Accept the position sent by the steering client.
   * @param {Player} player
   * @param {{ x: number, y: number, z: number, yaw: number }} to
   * @returns {import('../types').Verdict}
   */
  moveTo (player, to) {
    if (this.passengers[0] !== player) return { ok: false, reason: 'only the first passenger steers' }
    const [dx, dy, dz] = [to.x - this.x, to.y - this.y, to.z - this.z]
    if (![dx, dy, dz, to.yaw].every(Number.isFinite) || Math.hypot(dx, dy, dz) > STEP_LIMIT) {
      return { ok: false, reason: 'that is no step' }
    }
    this.vx = dx
    this.vy = dy
    this.vz = dz
    const hit = this.slide()
    this.yaw = this.headYaw = to.yaw
    this.vx = this.vy = this.vz = 0
    this.world.emit('entityMove', { entity: this })
    this.seatAll()
    return hit.some(Boolean) ? { ok: false, reason: 'blocks are in the way' } : { ok: true }
  }

  /** Move the passengers along. */
  seatAll () {
    this.passengers.forEach((rider, i) => {
      const ahead = this.passengers.length === 1 ? (this.chest ? 0.15 : SEAT.alone) : i === 0 ? SEAT.front : SEAT.back
      const angle = this.yaw * Math.PI / 180
      rider.carriedTo({ x: this.x - Math.sin(angle) * ahead, y: this.y + SEAT.height,
        z: this.z + Math.cos(angle) * ahead })
    })
  }

  /** Let a player get in. @param {Player} player @returns {import('../types').Verdict} */
  use (player) {
    if (player.sneaking || this.passengers.length >= this.seats) return { ok: false, reason: 'there is no free seat' }
    player.mount(this)
    return { ok: true }
  }

  /** @param {Player} player @param {number} amount damage of the blow */
  strike (player, amount) {
    this.damage += amount * BLOW
    this.world.emit('entityMeta', { entity: this })
    if (player.gamemode === 'creative' || this.damage > BREAKS_AT) this.fallApart(player.gamemode !== 'creative')
    return { ok: true }
  }

  /** @param {boolean} drop */
  fallApart (drop) {
    const { world } = this
    if (drop && world.rules.doEntityDrops) {
      world.popItem(world.stacks.make(this.itemName),
        { x: Math.floor(this.x), y: Math.floor(this.y), z: Math.floor(this.z) })
    }
    this.remove()
  }

  nbt () { return { ...super.nbt(), Type: this.world.nbt.string(this.wood) } }
}

/**
 * Return the kind of boat that an item places, or null.
 * @param {string} item
 * @returns {{ wood: string, chest: boolean } | null}
 */
function boatKind (item) {
  const found = /^(\w+?)_(chest_)?(boat|raft)$/.exec(item)
  return found && WOODS.includes(found[1]) ? { wood: found[1], chest: found[2] !== undefined } : null
}

/** Return true if a body stands within the box. @param {import('../world').World} world @param {number[]} box */
function crowded (world, box) {
  return [...world.entities.values()].some((entity) => !entity.removed && overlap(entity.box, box))
}

module.exports = { Boat, boatKind, crowded, WOODS }
