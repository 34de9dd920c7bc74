'use strict'
/**
 * Fireballs, skulls, shulker bullets and wind charges: they fly straight and act where they hit (minecraft.wiki, each
 * page).
 */
const { Projectile } = require('./projectiles')
const { elements, number } = require('../nbt/values')
const { nameTable } = require('../../name_table')

/**
 * @typedef {{ damage: number, bursts?: number, burns?: boolean }} Missile harm to a body, power of an explosion,
 *   whether it sets on fire
 */

/** @type {Record<string, Missile>} */
const MISSILES = nameTable({
  fireball: { damage: 6, bursts: 1, burns: true }, small_fireball: { damage: 5, burns: true },
  dragon_fireball: { damage: 0 }, wither_skull: { damage: 8, bursts: 1 },
  shulker_bullet: { damage: 4 }, wind_charge: { damage: 1 }
})
/** Fraction of speed kept per tick by self-propelled missiles. */
const KEPT = 0.95
const BURNING_TICKS = 100

/** A missile in flight. */
class MissileEntity extends Projectile {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, { eyes: { x: at.x, y: at.y + 0.1, z: at.z }, yaw: 0, pitch: 0 }, 0, 0)
    this.missile = MISSILES[type]
    /** Acceleration per tick. */
    this.power = { x: 0, y: 0, z: 0 }
  }

  get gravity () { return 0 }

  tick () {
    const { power } = this
    if (power.x !== 0 || power.y !== 0 || power.z !== 0) {
      this.vx = (this.vx + power.x) * KEPT
      this.vy = (this.vy + power.y) * KEPT
      this.vz = (this.vz + power.z) * KEPT
    }
    super.tick()
  }

  /** @param {import('./living').LivingEntity} body */
  hit (body) {
    const { damage, burns } = this.missile
    body.hurt(damage, { type: this.type === 'wither_skull' ? 'witherSkull' : 'fireball', attacker: this.shooter,
      direct: this })
    if (burns && !body.dead) body.burn(BURNING_TICKS, 0, 'onFire')
    this.land()
  }

  land () {
    const { world } = this
    this.remove()
    const { bursts, burns } = this.missile
    if (bursts) {
      world.explosions.explode(this, bursts,
        { source: this.shooter, blocks: Boolean(world.rules.mobGriefing), decay: true })
    }
    const [x, y, z] = [Math.floor(this.x), Math.floor(this.y), Math.floor(this.z)]
    if (burns && world.rules.mobGriefing && world.stateAt(x, y, z).air && world.stateAt(x, y - 1, z).fullCube) {
      world.setBlock(x, y, z, world.data.stateId('fire'))
    }
  }

  /** @param {Record<string, import('../nbt/values').Tag>} value */
  loadNbt (value) {
    super.loadNbt(value)
    const [x, y, z] = elements(value.power).map((tag) => number(tag, 0))
    if (z !== undefined) this.power = { x, y, z }
    if (value.ExplosionPower && this.missile.bursts) {
      this.missile = { ...this.missile, bursts: Math.max(0, Math.min(127, number(value.ExplosionPower, 1))) }
    }
  }
}

module.exports = { MissileEntity, MISSILES }
