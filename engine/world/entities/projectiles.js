'use strict'
/** Arrows and thrown items: they fly, hit bodies or blocks, and act there. */
const { Entity } = require('./entity')
const { grow, rayBox, viewVector } = require('../geometry')
const { splash } = require('../rules/brewing/potions')
const { itemFromNbt } = require('../nbt/items')
const { number } = require('../nbt/values')
const { length3 } = require('../../lengths')
const { nameTable } = require('../../name_table')

const LIFETIME = 1200
/** Ticks until a chick is grown. */
const CHILDHOOD = 24000
/** Ticks in which the shooter's own arrow cannot hit it. */
const GRACE = 5
/** Damage of arrows and tridents at one block per tick. @type {Record<string, number>} */
const DAMAGE = nameTable({ arrow: 2, spectral_arrow: 2, trident: 8 })
/** Gravity per tick, unless it is that of thrown items. @type {Record<string, number>} */
const GRAVITY = nameTable({ arrow: 0.05, spectral_arrow: 0.05, trident: 0.05, potion: 0.05,
  experience_bottle: 0.07, llama_spit: 0.06 })
/** Factor of an arrow's speed after a bounce. */
const BOUNCE = -0.1
/** Maximum half width of a body, in blocks. */
const MAX_HALF_WIDTH = 5

/** @typedef {import('./living').LivingEntity} LivingEntity */

/** A projectile in flight. */
class Projectile extends Entity {
  /**
   * @param {import('../world').World} world
   * @param {string} type arrow, snowball, egg or ender_pearl
   * @param {Pick<LivingEntity, 'eyes' | 'yaw' | 'pitch'>} shooter
   * @param {number} speed blocks per tick
   * @param {number} spread vanilla's inaccuracy
   */
  constructor (world, type, shooter, speed, spread) {
    super(world, type, { x: shooter.eyes.x, y: shooter.eyes.y - 0.1, z: shooter.eyes.z })
    /** Null if nobody shot it. */
    this.shooter = shooter instanceof Entity ? /** @type {LivingEntity} */ (shooter) : null
    this.damage = DAMAGE[type] ?? 0
    this.critical = false
    this.pickable = this.isArrow
    this.stuck = false
    /** The thrown potion, if any. @type {import('../types').Item | null} */
    this.bottle = null
    this.aim(viewVector(shooter.yaw, shooter.pitch), speed, spread)
  }

  /** @param {{ x: number, y: number, z: number }} view @param {number} speed @param {number} spread */
  aim (view, speed, spread) {
    const random = this.world.random.stream('projectiles')
    const wobble = () => random.triangle(0, 0.0172275 * spread)
    this.vx = (view.x + wobble()) * speed
    this.vy = (view.y + wobble()) * speed
    this.vz = (view.z + wobble()) * speed
    this.yaw = -Math.atan2(this.vx, this.vz) * 180 / Math.PI
  }

  /** True if it sticks where it hits. */
  get isArrow () { return this.type in DAMAGE }
  get gravity () { return GRAVITY[this.type] ?? 0.03 }

  tick () {
    super.tick()
    if (this.age > LIFETIME || this.y < this.world.minY - 64) return this.remove()
    if (this.stuck) return this.rest()
    const from = [this.x, this.y, this.z]
    const to = [this.x + this.vx, this.y + this.vy, this.z + this.vz]
    const wall = this.wall(from, to)
    const body = this.body(from, to, wall ?? 1)
    if (body) return this.hit(body)
    const part = wall ?? 1
    this.x += this.vx * part
    this.y += this.vy * part
    this.z += this.vz * part
    if (wall !== null) return this.land()
    const drag = this.inside.name === 'water' ? 0.6 : 0.99
    this.vx *= drag
    this.vy = this.vy * drag - this.gravity
    this.vz *= drag
    this.world.emit('entityMove', { entity: this })
  }

  /** Return the fraction of the step at which a block stops it, or null. @param {number[]} from @param {number[]} to */
  wall (from, to) {
    const low = from.map((v, i) => Math.floor(Math.min(v, to[i])))
    const high = from.map((v, i) => Math.floor(Math.max(v, to[i])))
    let first = null
    for (let x = low[0]; x <= high[0]; x++) {
      for (let y = low[1]; y <= high[1]; y++) {
        for (let z = low[2]; z <= high[2]; z++) {
          for (const s of this.world.stateAt(x, y, z).shapes) {
            const t = rayBox(from, to, [x + s[0], y + s[1], z + s[2], x + s[3], y + s[4], z + s[5]])
            if (t !== null && (first === null || t < first)) first = t
          }
        }
      }
    }
    return first
  }

  /** Return the first body on the way. @param {number[]} from @param {number[]} to @param {number} limit */
  body (from, to, limit) {
    let found = null
    let first = limit
    for (const entity of this.world.bodiesNear(this, Math.max(Math.abs(this.vx), Math.abs(this.vz)) + MAX_HALF_WIDTH)) {
      if (entity === this.shooter && this.age < GRACE) continue
      const t = rayBox(from, to, grow(entity.box, 0.3, 0.3, 0.3))
      if (t !== null && t <= first) {
        first = t
        found = entity
      }
    }
    return found
  }

  /** @param {LivingEntity} body */
  hit (body) {
    if (this.isArrow) {
      const speed = length3(this.vx, this.vy, this.vz)
      const base = Math.ceil(speed * this.damage)
      const extra = this.critical ? this.world.random.stream('projectiles').int(0, Math.floor(base / 2) + 1) : 0
      if (!body.hurt(base + extra, { type: 'arrow', attacker: this.shooter, direct: this })) return this.bounce()
    } else if (body.hurt(0.0001, { type: 'thrown', attacker: this.shooter, direct: this })) {
      body.knockBack(0.4, this.x - this.vx, this.z - this.vz)
    }
    if (this.type === 'egg') this.hatch()
    if (this.bottle) splash(this.world, this, this.bottle)
    this.remove()
  }

  /** Bounce off a body that it cannot harm. */
  bounce () {
    this.vx *= BOUNCE
    this.vy *= BOUNCE
    this.vz *= BOUNCE
    this.yaw += 180
    this.world.emit('entityVelocity', { entity: this })
  }

  land () {
    this.world.redstone.sensors.struck(this, { x: this.vx, y: this.vy, z: this.vz }, this.type)
    if (this.type === 'ender_pearl') this.pearl()
    if (this.type === 'egg') this.hatch()
    if (this.bottle) splash(this.world, this, this.bottle)
    if (!this.isArrow) return this.remove()
    this.stuck = true
    this.vx = this.vy = this.vz = 0
    this.world.emit('entityMove', { entity: this })
  }

  /** Hatch: one egg in eight has a chick, one of 32 of those four. */
  hatch () {
    const random = this.world.random.stream('projectiles')
    if (random.int(0, 7) !== 0) return
    for (let left = random.int(0, 31) === 0 ? 4 : 1; left > 0; left--) {
      const chick = /** @type {any} */ (this.world.summon('chicken', { x: this.x, y: this.y, z: this.z }))
      chick.setGrowing(-CHILDHOOD)
    }
  }

  pearl () {
    const player = this.world.players.get(/** @type {any} */ (this.shooter)?.name)
    if (!player || player !== this.shooter || player.dead) return
    player.teleport({ x: this.x, y: Math.floor(this.y + 0.5), z: this.z })
    player.hurt(5, { type: 'fall', piercing: true })
  }

  /** @param {Record<string, import('../nbt/values').Tag>} value */
  loadNbt (value) {
    if (value.damage) this.damage = Math.max(0, number(value.damage, this.damage))
    if (value.pickup) this.pickable = number(value.pickup, 0) === 1
    if (value.crit) this.critical = number(value.crit, 0) !== 0
    if (value.Item && this.type === 'potion') this.bottle = itemFromNbt(this.world, value.Item.value)
  }

  /** Wait in the block to be picked up. */
  rest () {
    if (!this.pickable || this.age < 7) return
    const player = this.world.nearestPlayer(this, 1.5, (p) => !p.dead && p.gamemode !== 'spectator')
    if (!player || player.give(this.world.stacks.make(this.type))) return
    this.world.emit('collect', { collector: player, item: this, count: 1 })
    this.remove()
  }
}

module.exports = { Projectile }
