'use strict'
/**
 * Minecarts (minecraft.wiki, "Minecart"; physics of vanilla 1.20.4): they roll along rails, at most 0.4 blocks per
 * tick, gain speed on powered rails and slopes, carry a player, a chest, a hopper, a furnace or TNT.
 */
const { Entity } = require('./entity')
const { ENDS, isRail } = require('../rules/redstone/rail_shapes')
const { conducts } = require('../rules/redstone/power')
const { pull } = require('../rules/functional_blocks/hoppers')
const { Store } = require('../windows/store')
const { containerView } = require('../windows/view')
const { itemFromNbt } = require('../nbt/items')
const { elements, number } = require('../nbt/values')
const { grow, overlap } = require('../geometry')
const { nameTable } = require('../../name_table')

/** @typedef {import('../types').Pos} Pos */
/** @typedef {import('../data').BlockState} BlockState */
/** @typedef {import('../player').Player} Player */

/** Slots and windows by kind. @type {Record<string, { size: number, menu: string, title: string } | null>} */
const CARTS = Object.freeze(nameTable({
  minecart: null, furnace_minecart: null, tnt_minecart: null,
  chest_minecart: { size: 27, menu: 'generic_9x3', title: 'entity.minecraft.chest_minecart' },
  hopper_minecart: { size: 5, menu: 'hopper', title: 'entity.minecraft.hopper_minecart' }
}))
const GRAVITY = 0.04
const SPEED = Object.freeze({ rail: 0.4, water: 0.2, furnace: 0.2 })
/** Fraction of speed kept per tick: with a rider, without, in the air, and sliding on the ground. */
const KEPT = Object.freeze({ ridden: 0.997, alone: 0.96, air: 0.95, ground: 0.5 })
const SLOPE = 0.0078125
const BOOST = 0.06
const START = 0.02
const HEIGHT = 0.0625
/** Saved data that only clients use. */
const SHOWN = Object.freeze(['CustomDisplayTile', 'DisplayState', 'DisplayOffset'])
const BREAKS_AT = 40
const BLOW = 10
const SEAT = -0.1
const KEEP_OPEN = 8
const FUSE = 80
const FUEL = 3600
/** Push of a rider who leans forward, which starts a standing cart. */
const LEAN = 0.01

/** A minecart. */
class Minecart extends Entity {
  /** @param {import('../world').World} world @param {string} type @param {Pos} at */
  constructor (world, type, at) {
    super(world, type, at)
    const slots = CARTS[type]
    this.store = slots ? new Store(slots.size) : null
    this.damage = 0
    /** Saved data that only clients use, by name. @type {Record<string, import('../nbt/values').Tag>} */
    this.kept = {}
    this.course = { forward: 0, left: 0 }
    /** False if a hopper minecart takes in no items, after a powered activator rail. */
    this.enabled = true
    /** Ticks until TNT explodes, -1 unlit; ticks of fuel left in a furnace, and direction of its push. */
    this.fuse = -1
    this.burning = 0
    this.push = { x: 0, z: 0 }
  }

  get seats () { return this.type === 'minecart' ? 1 : 0 }
  get itemName () { return this.type }
  get speed () { return Math.hypot(this.vx, this.vz) }

  /** Return the rail that the cart is on, or null. @returns {{ pos: Pos, state: BlockState } | null} */
  rail () {
    const [x, y, z] = [Math.floor(this.x), Math.floor(this.y), Math.floor(this.z)]
    for (const h of [y - 1, y]) {
      const state = this.world.stateAt(x, h, z)
      if (isRail(state.name)) return { pos: { x, y: h, z }, state }
    }
    return null
  }

  tick () {
    super.tick()
    const { world } = this
    world.redstone.rails.carts.add(this)
    if (this.damage > 0) this.damage--
    for (const rider of [...this.passengers]) if (rider.removed || /** @type {any} */ (rider).dead) rider.dismount()
    if (this.y < world.minY - 64) return this.remove()
    const before = [this.x, this.y, this.z]
    if (!this.noGravity) this.vy -= GRAVITY
    const rail = this.rail()
    if (rail) this.roll(rail)
    else this.tumble()
    this.meet()
    this.tickLoad()
    if (this.removed) return
    this.emitMoves(before)
    this.seatAll()
  }

  /** @param {number[]} before */
  emitMoves (before) {
    const [dx, dy, dz] = [this.x - before[0], this.y - before[1], this.z - before[2]]
    if (Math.abs(dx) + Math.abs(dy) + Math.abs(dz) <= 1e-4) return
    if (dx * dx + dz * dz > 1e-3) this.yaw = this.headYaw = Math.atan2(dz, dx) * 180 / Math.PI
    this.world.emit('entityMove', { entity: this })
  }

  /** Move for one tick off the rails. */
  tumble () {
    const most = this.inside.name === 'water' ? SPEED.water : SPEED.rail
    this.vx = clamp(this.vx, most)
    this.vz = clamp(this.vz, most)
    if (this.onGround) this.keep(KEPT.ground)
    this.slide()
    if (!this.onGround) this.keep(KEPT.air)
  }

  /** @param {number} part of its speed that stays */
  keep (part) {
    this.vx *= part
    this.vz *= part
  }

  /** Move for one tick along a rail. @param {{ pos: Pos, state: BlockState }} rail */
  roll ({ pos, state }) {
    const { shape } = state.props
    const boosts = state.name === 'powered_rail' && state.props.powered === 'true'
    const from = this.onTrack()
    this.fallDistance = this.vy = 0
    this.y = pos.y + (shape.startsWith('ascending') ? 1 : 0)
    this.alongSlope(shape)
    this.turn(ENDS[shape])
    this.lean()
    if (state.name === 'powered_rail' && !boosts) this.keep(this.speed < 0.03 ? 0 : 0.5)
    this.glide(pos, ENDS[shape])
    this.slowDown()
    const to = this.onTrack()
    if (from && to) {
      // Height lost becomes speed.
      const { speed } = this
      if (speed > 0) this.keep((speed + (from.y - to.y) * 0.05) / speed)
      this.y = to.y
    }
    const [cx, cz] = [Math.floor(this.x) - pos.x, Math.floor(this.z) - pos.z]
    if (cx !== 0 || cz !== 0) {
      const { speed } = this
      this.vx = speed * cx
      this.vz = speed * cz
    }
    if (boosts) this.boost(pos, shape)
    if (state.name === 'activator_rail') this.activate(state.props.powered === 'true')
    if (state.name === 'detector_rail') this.world.redstone.rails.press(pos, state)
  }

  /** Accelerate down a slope. @param {string} shape */
  alongSlope (shape) {
    if (shape === 'ascending_east') this.vx -= SLOPE
    if (shape === 'ascending_west') this.vx += SLOPE
    if (shape === 'ascending_north') this.vz += SLOPE
    if (shape === 'ascending_south') this.vz -= SLOPE
  }

  /** Turn the velocity along the rail. @param {readonly [readonly number[], readonly number[]]} ends */
  turn ([a, b]) {
    let [dx, dz] = [b[0] - a[0], b[2] - a[2]]
    const long = Math.hypot(dx, dz)
    if (this.vx * dx + this.vz * dz < 0) [dx, dz] = [-dx, -dz]
    const speed = Math.min(2, this.speed)
    this.vx = speed * dx / long
    this.vz = speed * dz / long
  }

  /** Let a rider start a cart that hardly moves. */
  lean () {
    const rider = this.passengers[0]
    if (!rider || this.course.forward === 0 || this.speed >= 0.1) return
    const angle = rider.yaw * Math.PI / 180
    this.vx += -Math.sin(angle) * LEAN * this.course.forward
    this.vz += Math.cos(angle) * LEAN * this.course.forward
  }

  /**
   * Move onto the middle of the track and along it.
   * @param {Pos} pos
   * @param {readonly [readonly number[], readonly number[]]} ends
   */
  glide (pos, [a, b]) {
    const [ax, az, bx, bz] = [pos.x + 0.5 + a[0] / 2, pos.z + 0.5 + a[2] / 2, pos.x + 0.5 + b[0] / 2,
      pos.z + 0.5 + b[2] / 2]
    const part = share(this, pos, ax, az, bx, bz)
    this.x = ax + (bx - ax) * part
    this.z = az + (bz - az) * part
    const [vx, vz] = [this.vx, this.vz]
    const slower = this.passengers.length > 0 ? 0.75 : 1
    const most = this.type === 'furnace_minecart' ? SPEED.furnace
      : this.inside.name === 'water' ? SPEED.water : SPEED.rail
    this.vx = clamp(vx * slower, most)
    this.vz = clamp(vz * slower, most)
    const hit = this.slide()
    this.vx = hit[0] ? 0 : vx
    this.vz = hit[2] ? 0 : vz
    for (const end of [a, b]) {
      if (end[1] !== 0 && Math.floor(this.x) - pos.x === end[0] && Math.floor(this.z) - pos.z === end[2]) {
        this.y += end[1]
        break
      }
    }
  }

  slowDown () {
    const { push } = this
    if (push.x !== 0 || push.z !== 0) {
      this.vx = this.vx * 0.8 + push.x
      this.vz = this.vz * 0.8 + push.z
      const { speed } = this
      if (speed > 0.03) Object.assign(push, { x: this.vx / speed, z: this.vz / speed })
    } else if (this.type === 'furnace_minecart') this.keep(0.98)
    this.keep(this.passengers.length > 0 ? KEPT.ridden : KEPT.alone)
  }

  /**
   * Accelerate on a powered rail, or push off the block at its end.
   * @param {Pos} pos
   * @param {string} shape
   */
  boost ({ x, y, z }, shape) {
    const { speed } = this
    if (speed > 0.01) {
      this.vx += this.vx / speed * BOOST
      this.vz += this.vz / speed * BOOST
      return
    }
    const stop = (/** @type {number} */ dx, /** @type {number} */ dz) => conducts(this.world.stateAt(x + dx, y, z + dz))
    if (shape === 'east_west') this.vx = stop(-1, 0) ? START : stop(1, 0) ? -START : this.vx
    if (shape === 'north_south') this.vz = stop(0, -1) ? START : stop(0, 1) ? -START : this.vz
  }

  /** Return the position on the track. @returns {Pos | null} */
  onTrack () {
    const rail = this.rail()
    if (!rail) return null
    const { pos } = rail
    const [a, b] = ENDS[rail.state.props.shape]
    const [ax, ay, az] = [pos.x + 0.5 + a[0] / 2, pos.y + HEIGHT + a[1] / 2, pos.z + 0.5 + a[2] / 2]
    const [bx, by, bz] = [pos.x + 0.5 + b[0] / 2, pos.y + HEIGHT + b[1] / 2, pos.z + 0.5 + b[2] / 2]
    const part = share(this, pos, ax, az, bx, bz)
    const rise = (by - ay) * 2
    return { x: ax + (bx - ax) * part, y: ay + rise * part + (rise < 0 ? 1 : rise > 0 ? 0.5 : 0),
      z: az + (bz - az) * part }
  }

  /** Apply an activator rail: hoppers stop, TNT is lit, riders are thrown out. @param {boolean} powered */
  activate (powered) {
    this.enabled = !powered
    if (!powered) return
    if (this.type === 'tnt_minecart' && this.fuse < 0) this.fuse = FUSE
    for (const rider of [...this.passengers]) rider.dismount()
  }

  /** Run the load's work for a tick. */
  tickLoad () {
    const { world } = this
    if (this.burning > 0 && --this.burning === 0) this.push = { x: 0, z: 0 }
    if (this.type === 'hopper_minecart' && this.enabled) {
      pull(world, /** @type {Store} */ (this.store),
        { x: Math.floor(this.x), y: Math.floor(this.y + 0.5), z: Math.floor(this.z) })
    }
    if (this.fuse < 0 || --this.fuse >= 0) return
    this.remove()
    const power = 4 + world.random.stream('explosions').next() * 1.5 * Math.min(5, this.speed)
    world.explosions.explode({ x: this.x, y: this.y, z: this.z }, power,
      { source: null, blocks: true, decay: Boolean(world.rules.tntExplosionDropDecay) })
  }

  /** Collide with players, who push the cart, and with other carts. */
  meet () {
    const reach = grow(this.box, 0.2, 0, 0.2)
    for (const player of this.world.players.values()) {
      if (player.gamemode !== 'spectator' && !player.dead && !player.vehicle && overlap(reach, player.box)) {
        this.shove(player, 0.05)
      }
    }
    for (const cart of this.world.redstone.rails.carts) {
      if (cart.id <= this.id || cart.removed || !overlap(reach, cart.box)) continue
      const [vx, vz] = [(this.vx + cart.vx) / 2, (this.vz + cart.vz) / 2]
      for (const one of [this, cart]) Object.assign(one, { vx: one.vx * 0.2 + vx, vz: one.vz * 0.2 + vz })
      this.shove(cart, 0.05)
      cart.shove(this, 0.05)
    }
  }

  /** Push away from another body. @param {{ x: number, z: number }} other @param {number} strength */
  shove (other, strength) {
    const [dx, dz] = [this.x - other.x, this.z - other.z]
    const far = Math.hypot(dx, dz)
    if (far < 0.01) return
    const by = strength * Math.min(1, 1 / far) / far
    this.vx += dx * by
    this.vz += dz * by
  }

  seatAll () { for (const rider of this.passengers) rider.carriedTo({ x: this.x, y: this.y + SEAT, z: this.z }) }

  /** Set the rider's steering. @param {{ forward: number, left: number }} course each 1, 0 or -1 */
  steer ({ forward, left }) { this.course = { forward: Math.sign(forward) || 0, left: Math.sign(left) || 0 } }

  /**
   * Refuse positions from clients: carts move by themselves.
   * @param {Player} _player
   * @param {unknown} _to
   * @returns {import('../types').Verdict}
   */
  moveTo (_player, _to) { return { ok: false, reason: 'a minecart goes where its rail leads' } }

  /**
   * Use the cart: get in, open its chest, or fuel its furnace.
   * @param {Player} player
   * @param {unknown} _at
   * @param {0 | 1} [hand]
   * @returns {import('../types').Verdict}
   */
  use (player, _at, hand = 0) {
    if (this.store) return this.openChest(player)
    if (this.type === 'furnace_minecart') return this.stoke(player, hand)
    if (player.sneaking || this.passengers.length >= this.seats) return { ok: false, reason: 'there is no free seat' }
    player.mount(this)
    return { ok: true }
  }

  /** @param {Player} player @param {0 | 1} hand @returns {import('../types').Verdict} */
  stoke (player, hand) {
    if (!/^(char)?coal$/.test(player.inHand(hand)?.name ?? '')) {
      return { ok: false, reason: 'a furnace minecart takes coal' }
    }
    player.consume(hand)
    this.burning += FUEL
    const [dx, dz] = [this.x - player.x, this.z - player.z]
    const far = Math.hypot(dx, dz) || 1
    this.push = { x: dx / far, z: dz / far }
    return { ok: true }
  }

  /** @param {Player} player @returns {import('../types').Verdict} */
  openChest (player) {
    const { menu, title } = /** @type {{ menu: string, title: string }} */ (CARTS[this.type])
    const view = containerView(this.world.opener.info(player, menu, title, 'container', this.customName),
      [/** @type {Store} */ (this.store)], player.store)
    view.valid = () => !player.dead && !this.removed &&
      player.within({ x: Math.floor(this.x), y: Math.floor(this.y), z: Math.floor(this.z) }, KEEP_OPEN)
    player.screens.open(view)
    return { ok: true }
  }

  /** @param {Player} player @param {number} amount damage of the blow */
  strike (player, amount) {
    if (this.invulnerable && player.gamemode !== 'creative') {
      return { ok: false, reason: 'the minecart is invulnerable' }
    }
    this.damage += amount * BLOW
    this.world.emit('entityMeta', { entity: this })
    if (player.gamemode === 'creative' || this.damage > BREAKS_AT) this.fallApart(player.gamemode !== 'creative')
    return { ok: true }
  }

  /** @param {boolean} drop */
  fallApart (drop) {
    const { world } = this
    const pos = { x: Math.floor(this.x), y: Math.floor(this.y), z: Math.floor(this.z) }
    if (world.rules.doEntityDrops) {
      for (const item of this.store?.empty() ?? []) world.popItem(item, pos)
      if (drop) world.popItem(world.stacks.make(this.itemName), pos)
    }
    this.remove()
  }

  /** @param {Record<string, import('../nbt/values').Tag>} value */
  loadNbt (value) {
    for (const name of SHOWN) if (value[name]) this.kept[name] = value[name]
    if (this.store && value.Items) this.load(this.store, value.Items)
    if (value.Fuel) this.burning = Math.max(0, number(value.Fuel, 0))
    if (value.PushX && value.PushZ) this.push = { x: number(value.PushX, 0), z: number(value.PushZ, 0) }
    if (value.TNTFuse) this.fuse = number(value.TNTFuse, -1)
    if (value.Enabled) this.enabled = number(value.Enabled, 1) !== 0
  }

  /** @param {Store} store @param {import('../nbt/values').Tag} items */
  load (store, items) {
    store.empty()
    for (const { value } of elements(items)) {
      const slot = number(value?.Slot, -1)
      if (slot >= 0 && slot < store.size) store.set(slot, itemFromNbt(this.world, value))
    }
  }

  nbt () {
    const { world } = this
    const { byte, int, short, compound, list } = world.nbt
    return {
      ...super.nbt(), ...this.kept,
      ...(this.store ? { Items: list(
        this.store.slots.flatMap((item, i) => item ? [compound({ Slot: byte(i), ...world.itemNbt(item) })] : [])) }
        : {}),
      ...(this.type === 'hopper_minecart' ? { Enabled: byte(Number(this.enabled)) } : {}),
      ...(this.type === 'furnace_minecart' ? { Fuel: short(this.burning) } : {}),
      ...(this.type === 'tnt_minecart' ? { TNTFuse: int(this.fuse) } : {})
    }
  }

  remove () {
    this.world.redstone.rails.carts.delete(this)
    super.remove()
  }
}

/** @param {number} value @param {number} most */
function clamp (value, most) { return Math.max(-most, Math.min(most, value)) }

/**
 * Return the fraction of the track, from one end to the other, at which a place lies.
 * @param {{ x: number, z: number }} at
 * @param {Pos} pos
 * @param {number} ax
 * @param {number} az
 * @param {number} bx
 * @param {number} bz
 */
function share (at, pos, ax, az, bx, bz) {
  if (ax === bx) return at.z - pos.z
  if (az === bz) return at.x - pos.x
  return ((at.x - ax) * (bx - ax) + (at.z - az) * (bz - az)) * 2
}

/**
 * Return a cart placed on a rail, as by items and dispensers; null without a rail.
 * @param {import('../world').World} world
 * @param {string} type
 * @param {Pos} pos
 * @returns {Minecart | null}
 */
function cartOn (world, type, pos) {
  const state = world.stateAt(pos.x, pos.y, pos.z)
  if (!(type in CARTS) || !isRail(state.name)) return null
  return new Minecart(world, type,
    { x: pos.x + 0.5, y: pos.y + HEIGHT + (state.props.shape.startsWith('ascending') ? 0.5 : 0), z: pos.z + 0.5 })
}

module.exports = { Minecart, CARTS, cartOn }
