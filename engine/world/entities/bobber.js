'use strict'
/**
 * The bobber of a fishing line (minecraft.wiki, "Fishing"): it waits 5 to 30 seconds for a fish, which approaches for 1
 * to 4 seconds and bites for 1 to 2; drawing in the rod then brings up loot.
 */
const { Entity } = require('./entity')
const { fishingCatch } = require('../rules/items/fishing_loot')

/** @typedef {import('../player').Player} Player */

/** Minimum and maximum ticks until a fish comes near, until it bites, and of the bite. */
const LURED = Object.freeze([100, 600])
const HOOKED = Object.freeze([20, 80])
const NIBBLE = Object.freeze([20, 40])
/** Ticks by which each level of Lure shortens the wait. */
const LURE_TICKS = 100
/** Squared maximum length of the line, in blocks. */
const LINE = 1024
const GRAVITY = 0.03
const DRAG = 0.92
/** Ticks on the ground after which the bobber disappears. */
const STRANDED = 1200
const SPREAD = 0.0103365
/** Size of the open water that treasure needs around the bobber: two blocks sideways, one down, two up. */
const OPEN = Object.freeze({ side: 2, down: 1, up: 2 })

/** A bobber and its line. */
class Bobber extends Entity {
  /** @param {import('../world').World} world @param {Player} owner @param {{ lure: number, luck: number }} rod */
  constructor (world, owner, { lure, luck }) {
    const yaw = owner.yaw * Math.PI / 180
    super(world, 'fishing_bobber',
      { x: owner.x - Math.sin(yaw) * 0.3, y: owner.eyes.y, z: owner.z + Math.cos(yaw) * 0.3 })
    this.owner = owner
    this.objectData = owner.id
    this.lure = lure
    this.luck = luck
    this.random = world.random.stream('fishing')
    this.waiting = 0
    this.coming = 0
    this.nibble = 0
    this.stranded = 0
    this.swims = false
    this.open = true
    this.fling()
  }

  /** True while a fish is on the hook. */
  get biting () { return this.nibble > 0 }

  fling () {
    const { yaw, pitch } = this.owner
    const [h, v] = [yaw * Math.PI / 180, pitch * Math.PI / 180]
    const flat = [-Math.sin(h), Math.max(-5, Math.min(5, -Math.tan(v))), Math.cos(h)]
    const length = Math.hypot(...flat)
    const push = () => 0.6 / length + this.random.triangle(0.5, SPREAD)
    this.vx = flat[0] * push()
    this.vy = flat[1] * push()
    this.vz = flat[2] * push()
    this.yaw = yaw
  }

  /** Return true if the owner still holds the rod. */
  isHeld () {
    const { owner } = this
    if (owner.removed || owner.dead || owner.fishing !== this) return false
    const rod = owner.heldItem?.name === 'fishing_rod' || owner.inHand(1)?.name === 'fishing_rod'
    return rod && (owner.x - this.x) ** 2 + (owner.y - this.y) ** 2 + (owner.z - this.z) ** 2 <= LINE
  }

  tick () {
    super.tick()
    this.stranded = this.onGround ? this.stranded + 1 : 0
    if (!this.isHeld() || this.stranded >= STRANDED) return this.remove()
    const height = this.waterHeight()
    if (height > 0 && !this.swims) {
      this.swims = true
      this.vx *= 0.3
      this.vy *= 0.2
      this.vz *= 0.3
    } else if (this.swims) this.bob(height)
    if (height <= 0) this.vy -= GRAVITY
    this.move()
  }

  move () {
    const before = [this.x, this.y, this.z]
    const hit = this.slide()
    if (!this.swims && (this.onGround || hit[0] || hit[2])) this.vx = this.vy = this.vz = 0
    this.vx *= DRAG
    this.vy *= DRAG
    this.vz *= DRAG
    if (Math.abs(this.x - before[0]) + Math.abs(this.y - before[1]) + Math.abs(this.z - before[2]) > 1e-4) {
      this.world.emit('entityMove', { entity: this })
    }
  }

  /** Return the height of the water in the bobber's block, 0 without water. */
  waterHeight () {
    const [x, y, z] = [Math.floor(this.x), Math.floor(this.y), Math.floor(this.z)]
    const state = this.world.stateAt(x, y, z)
    if (state.name !== 'water') return 0
    const level = Number(state.props.level)
    return this.world.stateAt(x, y + 1, z).name === 'water' ? 1 : (level >= 8 ? 8 : 8 - level) / 9
  }

  /** @param {number} height of the water */
  bob (height) {
    let above = this.y + this.vy - Math.floor(this.y) - height
    if (Math.abs(above) < 0.01) above += Math.sign(above) * 0.1
    this.vx *= 0.9
    this.vy -= above * this.random.next() * 0.2
    this.vz *= 0.9
    if (height <= 0) return
    this.open = (this.nibble > 0 || this.coming > 0) ? this.open && this.inOpenWater() : true
    if (this.biting) this.vy -= 0.1 * this.random.next() * this.random.next()
    this.lureFish()
  }

  /** Return the pace of waiting: rain speeds it up, a roof slows it down. */
  pace () {
    let pace = 1
    if (this.random.chance(0.25) && this.world.weather !== 'clear' && this.underSky()) pace++
    if (this.random.chance(0.5) && !this.underSky()) pace--
    return pace
  }

  underSky () {
    const [x, z] = [Math.floor(this.x), Math.floor(this.z)]
    for (let y = Math.floor(this.y) + 1; y < this.world.minY + this.world.height; y++) {
      if (!this.world.stateAt(x, y, z).air) return false
    }
    return true
  }

  inOpenWater () {
    const [x, y, z] = [Math.floor(this.x), Math.floor(this.y), Math.floor(this.z)]
    for (let dy = -OPEN.down; dy <= OPEN.up; dy++) {
      const wanted = dy <= 0 ? /^water$/ : /^(air|lily_pad)$/
      for (let dx = -OPEN.side; dx <= OPEN.side; dx++) {
        for (let dz = -OPEN.side; dz <= OPEN.side; dz++) {
          if (!wanted.test(this.world.stateAt(x + dx, y + dy, z + dz).name)) return false
        }
      }
    }
    return true
  }

  /** Advance the waiting, the approach of a fish, or its bite by one tick. */
  lureFish () {
    const pace = this.pace()
    if (this.nibble > 0) {
      if (--this.nibble === 0) this.bite(false)
    } else if (this.coming > 0) {
      this.coming -= pace
      if (this.coming <= 0) this.bite(true)
    } else if (this.waiting > 0) {
      this.waiting -= pace
      if (this.waiting <= 0) this.coming = this.random.int(HOOKED[0], HOOKED[1])
    } else this.waiting = Math.max(1, this.random.int(LURED[0], LURED[1]) - this.lure * LURE_TICKS)
  }

  /** @param {boolean} yes a fish bites, or has gone */
  bite (yes) {
    this.coming = 0
    this.nibble = yes ? this.random.int(NIBBLE[0], NIBBLE[1]) : 0
    this.world.emit('entityMeta', { entity: this })
    this.world.emit('bite', { player: this.owner, biting: yes })
    if (!yes) return
    this.vy = -0.4 * (0.6 + this.random.next() * 0.4)
    this.world.emit('sound', { name: 'entity.fishing_bobber.splash', x: this.x, y: this.y, z: this.z, volume: 0.25 })
    // Six of each, as vanilla's formula gives for a bobber's width; clients of bots recognize a bite by them.
    for (const name of ['bubble', 'fishing']) {
      this.world.emit('particle',
        { name, x: this.x, y: this.y + 0.5, z: this.z, dx: this.width, dy: 0, dz: this.width, speed: 0.2, count: 6,
        force: false })
    }
  }

  /** Draw in the line. @returns {number} wear of the rod */
  retrieve () {
    const caught = this.biting
    if (caught) this.land()
    const wear = caught ? 1 : this.onGround ? 2 : 0
    this.remove()
    return wear
  }

  /** Send the catch flying to the owner. */
  land () {
    const { owner, world } = this
    const item = fishingCatch(world,
      { luck: this.luck + owner.effectLevel('luck') - owner.effectLevel('unluck'), open: this.open,
      random: this.random })
    const drop = world.spawnItem(item, { x: this.x, y: this.y, z: this.z })
    const [dx, dy, dz] = [owner.x - this.x, owner.y - this.y, owner.z - this.z]
    Object.assign(drop, { vx: dx * 0.1, vy: dy * 0.1 + Math.sqrt(Math.hypot(dx, dy, dz)) * 0.08, vz: dz * 0.1 })
    world.emit('entityVelocity', { entity: drop })
    world.popExperience(this.random.int(1, 6), { x: owner.x, y: owner.y + 0.5, z: owner.z + 0.5 })
    world.stats.add(owner, 'custom', 'fish_caught')
  }

  remove () {
    if (this.owner.fishing === this) this.owner.fishing = null
    super.remove()
  }
}

module.exports = { Bobber }
