'use strict'
/**
 * Phantoms (minecraft.wiki, "Phantom"): they circle above a player, swoop down, bite, and rise again; daylight burns
 * them.
 */
const { Monster } = require('./monsters')
const { grow, overlap } = require('../geometry')

/** @typedef {import('./living').LivingEntity} LivingEntity */

const SIGHT = 64
/** Blocks per tick while circling and while swooping. */
const CRUISE = 0.3
const DIVE = 0.6
/** Fraction of its velocity that turns toward the goal per tick. */
const TURN = 0.15
/** Minimum and maximum ticks between two swoops, and maximum ticks of one. */
const PAUSE = Object.freeze([160, 480])
const SWOOP_TICKS = 200
/** Minimum and maximum height of the circles above the prey, and their radius. */
const ABOVE = Object.freeze([20, 29])
const RADIUS = Object.freeze([5, 15])
const BITE_REACH = 0.2

/** A phantom. */
class Phantom extends Monster {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.anchor = { x: at.x, y: at.y, z: at.z }
    this.circle = { radius: this.random.between(RADIUS[0], RADIUS[1]), angle: this.random.between(0, Math.PI * 2),
      way: this.random.chance(0.5) ? 1 : -1 }
    this.swoopAge = 0
    this.swooping = false
  }

  get isIdle () { return false }

  /** @returns {LivingEntity | null} */
  choose () {
    return this.world.nearestPlayer(this, SIGHT,
      (p) => !p.dead && (p.gamemode === 'survival' || p.gamemode === 'adventure'))
  }

  think () {
    const prey = this.prey()
    if (!prey) this.swooping = false
    else if (!this.swooping && this.age >= this.swoopAge) this.startAttack(prey)
    else if (this.swooping && (this.hurtTicks > 0 || this.age >= this.swoopAge)) this.rise(prey)
    if (this.swooping && prey) this.dive(prey)
    else this.cruise()
  }

  /** Start circling above the prey; later calls start a dive. @param {LivingEntity} prey */
  startAttack (prey) {
    if (this.swoopAge === 0) return this.rise(prey)
    this.swooping = true
    this.swoopAge = this.age + SWOOP_TICKS
    this.world.emit('sound', { name: 'entity.phantom.swoop', x: this.x, y: this.y, z: this.z, volume: 10 })
  }

  /** Rise to a circle above the prey. @param {LivingEntity} prey */
  rise (prey) {
    this.swooping = false
    this.swoopAge = this.age + this.random.int(PAUSE[0], PAUSE[1]) / (this.swoopAge === 0 ? 4 : 1)
    this.anchor = { x: prey.x, y: prey.y + this.random.int(ABOVE[0], ABOVE[1]), z: prey.z }
    this.circle.radius = this.random.between(RADIUS[0], RADIUS[1])
  }

  cruise () {
    const { circle, anchor } = this
    circle.angle += circle.way * CRUISE / circle.radius
    this.fly({ x: anchor.x + Math.cos(circle.angle) * circle.radius, y: anchor.y,
      z: anchor.z + Math.sin(circle.angle) * circle.radius }, CRUISE)
  }

  /** @param {LivingEntity} prey */
  dive (prey) {
    this.fly({ x: prey.x, y: prey.y + prey.height / 2, z: prey.z }, DIVE)
    if (!overlap(grow(this.box, BITE_REACH, BITE_REACH, BITE_REACH), prey.box)) return
    this.bite(prey)
    this.rise(prey)
  }

  /** @param {{ x: number, y: number, z: number }} to @param {number} pace */
  fly (to, pace) {
    const [dx, dy, dz] = [to.x - this.x, to.y - this.y, to.z - this.z]
    const far = Math.hypot(dx, dy, dz) || 1
    const speed = Math.min(pace, far)
    this.vx += (dx / far * speed - this.vx) * TURN
    this.vy += (dy / far * speed - this.vy) * TURN
    this.vz += (dz / far * speed - this.vz) * TURN
    this.yaw = this.headYaw = -Math.atan2(this.vx, this.vz) * 180 / Math.PI
  }

  /** Fly: no gravity, no steps. */
  step () {
    if (this.noAi) return
    this.slide()
    this.fallDistance = 0
    this.world.emit('entityMove', { entity: this })
  }
}

module.exports = { Phantom }
