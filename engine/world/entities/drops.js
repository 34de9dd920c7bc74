'use strict'
/** Drops: item stacks and experience orbs that lie on the ground and are picked up. */
const { Entity } = require('./entity')
const { Ground } = require('./ground')
const { PERIOD_TICKS } = require('./tick_scheduler')
const { grow, overlap } = require('../geometry')
const { length3 } = require('../../lengths')

const LIFETIME = 6000
/** Ticks before a block's drop may be picked up, and before a tossed item may. */
const POP_DELAY = 10
const TOSS_DELAY = 40
/** Pickup delay (or age) of an item that can never be picked up (or never despawns), as in vanilla. */
const FOREVER = 32767
/**
 * Ticks between two checks of the ground, and between two attempts to merge. They divide `PERIOD_TICKS`, or it divides
 * them.
 */
const LOOK_EVERY = 4
const MERGE_EVERY = 40
/** Maximum speed of a floating item, in blocks per tick: sideways, and up or down. */
const DRIFT = 0.003
const BOB = 0.1

/** @typedef {import('../types').Item} Item */
/** @typedef {import('../world').World} World */

/** A body that falls, slides and comes to rest. */
class Drop extends Entity {
  /** @param {World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.pickupDelay = 0
    this.ground = new Ground(/** @type {any} */ (this))
    /** Cell of the drop grid (`drop_grid.js`). */
    this.gridCell = 0
    /**
     * World age of the suspension and of the next run, -1 while running; cell of the last suspension
     * (`tick_scheduler.js`).
     */
    this.suspendedAt = this.resumeAge = -1
    this.cell = NaN
    this.far = false
  }

  /** Let a player pick it up. @param {import('../player').Player} _player */
  pickUp (_player) {}

  tick () {
    super.tick()
    if (this.pickupDelay > 0 && this.pickupDelay < FOREVER) this.pickupDelay--
    if (this.age >= LIFETIME || this.y < this.world.minY - 64) return this.remove()
    if (this.fall()) this.world.dropGrid.update(this)
  }

  /** Run each tick again: something happens to the drop or to a block beside it. */
  resume () { this.world.scheduler.resume(this) }

  /** Make up for suspended ticks. @param {number} _ticks */
  catchUp (_ticks) {}

  /** Return true if it despawns within `slept` ticks. @param {number} slept ticks */
  expiresWithin (slept) { return this.age + slept >= LIFETIME }

  /** Settle suspended ticks without resuming; return false if the drop must resume instead. @param {number} _ticks */
  settleSuspended (_ticks) { return false }

  /**
   * Advance vanilla's item physics by one tick; a drop at rest checks only every `LOOK_EVERY` ticks that its ground is
   * still there.
   * @returns {boolean} true if it may be somewhere else now
   */
  fall () {
    const still = this.onGround && this.vx * this.vx + this.vz * this.vz < 1e-5
    if (still && this.age % LOOK_EVERY !== 0) return false
    if (still && this.lies) return true
    const before = [this.x, this.y, this.z]
    const around = this.inside
    if (around.liquid) this.float(around.name)
    else this.vy -= 0.04
    if (this.removed) return true
    if (around.fullCube) this.leaveBlock()
    this.slide()
    const ground = this.onGround
      ? slipperiness(this.world.stateAt(Math.floor(this.x), Math.floor(this.y - 0.5), Math.floor(this.z)).name) * 0.98
      : 0.98
    this.vx *= ground
    this.vz *= ground
    this.vy *= 0.98
    if (Math.abs(this.x - before[0]) + Math.abs(this.y - before[1]) + Math.abs(this.z - before[2]) > 1e-4) {
      this.world.emit('entityMove', { entity: this })
    }
    if (still) this.ground.found(before[0], before[1], before[2])
    return true
  }

  /** True if another tick would leave it in place: too slow to move, on unchanged ground. */
  get lies () { return this.x + this.vx === this.x && this.z + this.vz === this.z && this.ground.same() }

  /** @param {string} liquid */
  float (liquid) {
    if (liquid === 'lava') return this.remove()
    this.vx *= 0.99
    this.vz *= 0.99
    if (this.vy < 0.06) this.vy += 5e-4
  }

  /** Push it out of a full block, toward the nearest free side. */
  leaveBlock () {
    const [bx, by, bz] = [Math.floor(this.x), Math.floor(this.y + 0.125), Math.floor(this.z)]
    const sides = [[-1, 0, 0, this.x - bx], [1, 0, 0, bx + 1 - this.x], [0, 0, -1, this.z - bz],
      [0, 0, 1, bz + 1 - this.z], [0, 1, 0, by + 1 - this.y]]
    const free = sides.filter(([dx, dy, dz]) => !this.world.stateAt(bx + dx, by + dy, bz + dz).fullCube)
      .sort((a, b) => a[3] - b[3])
    const [dx, dy, dz, far] = free[0] ?? [0, 1, 0, 1]
    this.x += dx * (far + 0.126)
    this.y += dy * far
    this.z += dz * (far + 0.126)
    this.vx = dx * 0.1
    this.vy = dy * 0.1
    this.vz = dz * 0.1
  }
}

/** @param {string} name of the block under the thing */
function slipperiness (name) {
  return name === 'blue_ice' ? 0.989 : /ice$/.test(name) ? 0.98 : name === 'slime_block' ? 0.8 : 0.6
}

/** An item stack on the ground. */
class ItemEntity extends Drop {
  /** @param {World} world @param {Item} item @param {{ x: number, y: number, z: number }} at */
  constructor (world, item, at) {
    super(world, 'item', at)
    this.item = item
    this.pickupDelay = POP_DELAY
    /** Name of the player who threw it. @type {string | null} */
    this.thrower = null
  }

  get displayName () { return this.customName ? super.displayName : this.world.stacks.displayName(this.item) }

  tick () {
    super.tick()
    if (this.removed) return
    if (this.age % (this.onGround ? MERGE_EVERY : 2) === 0) this.mergeWithOthers()
    if (!this.removed && this.isIdle) this.world.scheduler.suspend(this, PERIOD_TICKS - this.age % PERIOD_TICKS)
  }

  /**
   * True if nothing happens to it without an outside event: it rests or floats, and its pickup delay is over or
   * endless.
   */
  get isIdle () {
    if (this.pickupDelay > 0 && this.pickupDelay < FOREVER) return false
    return this.onGround ? this.age % LOOK_EVERY === 0 && this.lies : this.floats
  }

  /** True if it bobs at the surface of water. */
  get floats () {
    if (Math.abs(this.vx) > DRIFT || Math.abs(this.vz) > DRIFT || Math.abs(this.vy) > BOB ||
      this.inside.name !== 'water') {
      return false
    }
    return this.world.stateAt(Math.floor(this.x), Math.floor(this.y) + 1, Math.floor(this.z)).air
  }

  /** Merge with equal stacks within half a block, up to one full stack; the smaller joins the larger. */
  mergeWithOthers () {
    const { stacks } = this.world
    if (this.item.count >= this.item.stackSize || this.pickupDelay === FOREVER) return
    const reach = grow(this.box, 0.5, 0, 0.5)
    for (const other of this.world.dropGrid.near(this)) {
      // Most drops lie elsewhere: skip them before boxes are built.
      if (Math.abs(other.x - this.x) > 1 || Math.abs(other.z - this.z) > 1) continue
      if (!(other instanceof ItemEntity) || other === this || other.removed || other.pickupDelay === FOREVER) continue
      if (!overlap(reach, other.box) || !stacks.same(this.item, other.item) ||
        this.item.count + other.item.count > this.item.stackSize) {
        continue
      }
      other.resume()
      const [into, from] = other.item.count > this.item.count ? [other, this] : [this, other]
      into.item = /** @type {Item} */ (stacks.withCount(into.item, into.item.count + from.item.count))
      into.pickupDelay = Math.max(into.pickupDelay, from.pickupDelay)
      into.age = Math.min(into.age, from.age)
      from.remove()
      this.world.emit('entityMeta', { entity: into })
      if (from === this) return
    }
  }

  /** Give a player the items that fit. @param {import('../player').Player} player */
  pickUp (player) {
    if (this.pickupDelay > 0) return
    const rest = player.give(this.item)
    const taken = this.item.count - (rest?.count ?? 0)
    if (taken === 0) return
    this.world.stats.add(player, 'picked_up', this.item.name, taken)
    this.world.emit('collect', { collector: player, item: this, count: taken })
    if (rest) {
      this.item = rest
      this.world.emit('entityMeta', { entity: this })
    } else this.remove()
  }

  nbt () {
    this.resume()
    const { short, compound } = this.world.nbt
    return { ...super.nbt(), Age: short(this.age), PickupDelay: short(this.pickupDelay), Health: short(5),
      Item: compound(this.world.itemNbt(this.item)) }
  }
}

/** An experience orb. */
class ExperienceOrb extends Drop {
  /** @param {World} world @param {number} amount @param {{ x: number, y: number, z: number }} at */
  constructor (world, amount, at) {
    super(world, 'experience_orb', at)
    this.amount = amount
  }

  tick () {
    const near = this.world.nearestPlayer(this, 8, (p) => p.gamemode !== 'spectator' && !p.dead)
    if (near) {
      const [dx, dy, dz] = [near.x - this.x, near.y + near.eyeHeight / 2 - this.y, near.z - this.z]
      const d = length3(dx, dy, dz) || 1
      const pull = 0.1 * Math.max(0, 1 - d / 8) ** 2
      this.vx += dx / d * pull
      this.vy += dy / d * pull
      this.vz += dz / d * pull
    }
    super.tick()
  }

  /** @param {import('../player').Player} player */
  pickUp (player) {
    if (player.orbDelay > 0) return
    player.orbDelay = 2
    this.world.emit('collect', { collector: player, item: this, count: 1 })
    player.addExperience(this.amount)
    this.remove()
  }
}

module.exports = { ItemEntity, ExperienceOrb, Drop, POP_DELAY, TOSS_DELAY, FOREVER }
