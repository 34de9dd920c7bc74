'use strict'
/**
 * Base class of mobs: they walk to goals around obstacles, are hurt, die and drop loot. Behaviour by kind: animals.js,
 * monsters.js, villagers.js.
 */
const { LivingEntity } = require('./living')
const { Wayfinder } = require('./wayfinder')
const { Ground } = require('./ground')
const { KINDS } = require('./kinds')
const { mobLoot } = require('../rules/mobs/mob_loot')
const { harmsAt } = require('../rules/damage/hazards')
const { bodyBox, blocked } = require('../geometry')
const { length2, length3 } = require('../../lengths')

/**
 * @typedef {{ x: number, y?: number, z: number, until: number, pace?: number }} Goal where it walks to, and until which
 *   age; `pace` times its speed
 */

/** Factor from the movement attribute to blocks per tick on the ground. */
const PACE = 0.43
const DESPAWN_AFTER_DEATH = 20
const FULL_AIR = 300
const FLEE_TICKS = 100
const FLEE_PACE = 1.5
/** Speed below which a push has ended. */
const STANDSTILL = 1e-4
const REST_LOOK = 4
/** Vertical speed of flying and swimming mobs, in blocks per tick. */
const CLIMB = 0.1
/** Ticks without a player nearby after which a mob stops wandering, as in vanilla's stroll goal. */
const LONELY_TICKS = 100
/** Distance in blocks within which a player keeps a mob company (vanilla's `noActionTime` counts from there). */
const COMPANY = 32
/** Distance that a player may approach between two checks, in blocks. */
const APPROACH = 8

/** Blocks besides air that are harmless to stand in. */
const SAFE = new Set(['snow', 'short_grass', 'tall_grass', 'fern', 'large_fern', 'dandelion', 'poppy',
  'sweet_berry_bush'])

/** An animal, villager or monster. */
class Mob extends LivingEntity {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.kind = KINDS[type]
    this.maxHealth = this.health = this.kind.health
    this.noAi = this.kind.speed === 0
    /** True if it never despawns. */
    this.persistent = false
    /** @type {Goal | null} */
    this.goal = null
    this.wayfinder = new Wayfinder(this)
    this.cooldown = 0
    this.fleeing = 0
    this.deathTicks = 0
    /** Ticks without a player's company (`populating.js`). */
    this.ticksAlone = 0
    this.ground = new Ground(this)
    /** True if a wall stopped the last step. */
    this.bumped = false
    /**
     * World age of the suspension and of the next run, -1 while running; cell of the last suspension
     * (`tick_scheduler.js`).
     */
    this.suspendedAt = this.resumeAge = -1
    this.cell = NaN
    /** Distance at which a mob notices a player, in blocks. */
    this.reach = Math.max(COMPANY, (this.kind.sight ?? 0) + APPROACH)
    /** No player within reach; none within the simulation distance (`populating.js`). */
    this.unattended = this.far = false
  }

  get hostile () { return this.kind.is === 'monster' }
  /** Babies are half as large. */
  get baby () { return false }
  /** @returns {[number, number]} */
  get armour () { return [this.kind.armour ?? 0, 0] }
  get random () { return this.world.random.stream('mobs') }
  /** Return true if the damage has no effect. @param {import('./living').DamageSource} source */
  immune (source) { return super.immune(source) || (this.invulnerable && !source.absolute) }

  tick () {
    super.tick()
    if (this.removed) return
    if (this.dead) {
      if (++this.deathTicks >= DESPAWN_AFTER_DEATH) this.remove()
      return
    }
    if (!this.noAi) {
      if (this.cooldown > 0) this.cooldown--
      if (this.fleeing > 0) this.fleeing--
      this.think()
      if (this.removed) return
    }
    if (this.vehicle || (this.noAi && this.onGround && this.age % 20 !== 0)) return
    this.step()
  }

  /** True if nothing is going on: it rests or floats, unharmed, without a goal (`tick_scheduler.js`). */
  get isIdle () {
    return ((this.resting && this.ground.known) || this.afloat) && !this.dead && this.hurtTicks === 0 &&
      this.fireTicks === 0 && this.frozenTicks === 0 && this.fleeing === 0 &&
      this.cooldown === 0 && this.effects.size === 0
  }

  /** True if it bobs on water with its head above, or hovers in air or water. */
  get afloat () {
    return this.goal === null && !this.onGround && this.vx === 0 && this.vz === 0 && this.air === FULL_AIR &&
      (this.kind.flies === true || this.inside.name === 'water')
  }

  /** A mob at rest in a harmless place stays unharmed until something there changes. */
  applySurroundings () {
    const { ground } = this
    const idle = this.fireTicks === 0 && this.frozenTicks === 0 && this.air === FULL_AIR && ground.same()
    if (idle && ground.harmless) return
    super.applySurroundings()
    ground.harmless = idle && !this.removed && ground.same() && this.safe()
  }

  /** Return true if nothing around harms it, all within one column (`LivingEntity.applySurroundings`). */
  safe () {
    const { world, x, y, z, eyes } = this
    const r = this.width / 2
    const within = Math.floor(x - r) >> 4 === Math.floor(x + r) >> 4 &&
      Math.floor(z - r) >> 4 === Math.floor(z + r) >> 4
    if (!within) return false
    const feet = world.stateAt(Math.floor(x), Math.floor(y + 0.1), Math.floor(z))
    const head = world.stateAt(Math.floor(eyes.x), Math.floor(eyes.y), Math.floor(eyes.z))
    return (feet.air || SAFE.has(feet.name)) && (head.air || SAFE.has(head.name)) && harmsAt(this).size === 0
  }

  /** Make up for suspended ticks. @param {number} _ticks */
  catchUp (_ticks) { if (!this.ground.same()) this.ground.leave() }

  /** Return true if it expires within some ticks; mobs never do. */
  expiresWithin () { return false }

  /** Settle suspended ticks without resuming; return false if the mob must resume instead. @param {number} _ticks */
  settleSuspended (_ticks) { return false }

  /** True if it does not even wander: alone for long, on safe ground, unharmed. */
  get dormant () {
    return this.unattended && !this.far && this.ticksAlone >= LONELY_TICKS && !this.noAi &&
      this.recentAttacker === null && this.ground.harmless && this.ground.same()
  }

  /** Run each tick again: something happens to the mob. */
  resume () { this.world.scheduler.resume(this) }

  /** Wander, more often in fear, and only with a player near. */
  think () {
    const { random } = this
    if (this.goal && (this.age > this.goal.until || length2(this.goal.x - this.x, this.goal.z - this.z) < 0.5)) {
      this.goal = null
    }
    if (!this.goal && (this.fleeing || this.ticksAlone < LONELY_TICKS) && random.chance(this.fleeing ? 0.2 : 1 / 120)) {
      this.goal = { x: this.x + random.between(-10, 10), z: this.z + random.between(-10, 10), until: this.age + 100 }
    }
  }

  /**
   * Walk toward a body or place for the next second.
   * @param {{ x: number, y: number, z: number }} to
   * @param {number} [pace]
   */
  walkTo (to, pace = 1) { this.goal = { x: to.x, y: to.y, z: to.z, until: this.age + 20, pace } }

  /** @param {{ x: number, y: number, z: number }} to */
  distanceTo (to) { return length3(to.x - this.x, to.y - this.y, to.z - this.z) }

  /** @param {{ x: number, z: number }} to */
  face (to) { this.yaw = this.headYaw = -Math.atan2(to.x - this.x, to.z - this.z) * 180 / Math.PI }

  /** Walk and fall for one tick; jump a single block, walk around higher ones. */
  step () {
    const { resting, ground } = this
    if (resting && ((this.age + this.id) % REST_LOOK !== 0 || ground.same())) return
    ground.leave()
    const beforeX = this.x
    const beforeY = this.y
    const beforeZ = this.z
    const wet = this.inside.liquid
    const borne = this.noGravity || this.kind.flies === true || (wet && this.kind.swims === true)
    if (this.goal && (this.onGround || wet || this.kind.flies)) this.stride(this.goal, wet)
    if (borne) this.hover()
    else this.vy = wet ? Math.min(0.1, this.vy + 0.04) : this.vy - 0.08
    this.sink()
    const [wasX, wasY, wasZ] = [this.x, this.y, this.z]
    const hit = this.slide()
    this.bumped = hit[0] || hit[2]
    this.moved(this.x - wasX, this.y - wasY, this.z - wasZ, this.onGround)
    this.vx *= this.onGround ? 0.546 : 0.91
    this.vz *= this.onGround ? 0.546 : 0.91
    this.vy *= 0.98
    if (Math.abs(this.vx) < STANDSTILL) this.vx = 0
    if (Math.abs(this.vz) < STANDSTILL) this.vz = 0
    if (Math.abs(this.x - beforeX) + Math.abs(this.y - beforeY) + Math.abs(this.z - beforeZ) > 1e-3) {
      this.world.emit('entityMove', { entity: this })
    }
    if (resting && this.resting) ground.found(beforeX, beforeY, beforeZ)
  }

  /** True if it stands still; then it checks its ground only every fourth tick. */
  get resting () {
    return this.goal === null && this.onGround && this.vx === 0 && this.vz === 0 && this.vy > -0.1 && this.vy <= 0
  }

  /** Keep the height, or rise and sink to the goal's. */
  hover () {
    const { goal } = this
    const rise = goal?.y === undefined || this.noGravity ? 0 : goal.y - this.y
    this.vy = Math.max(-CLIMB, Math.min(CLIMB, rise))
    this.fallDistance = 0
  }

  /** Water mobs do not lose air in water; some lose it on land. @param {boolean} under */
  breathe (under) {
    const { breathes } = this.kind
    if (breathes !== 'both') super.breathe(breathes === 'water' ? !under : under)
  }

  /** Slow the fall; some kinds do. */
  sink () {}

  /** @param {Goal} goal @param {boolean} wet */
  stride (goal, wet) {
    const straight = this.kind.flies || (wet && this.kind.swims)
    const next = straight ? goal : this.wayfinder.toward(goal)
    const angle = Math.atan2(next.x - this.x, next.z - this.z)
    const pace = this.kind.speed * PACE * (this.fleeing ? FLEE_PACE : goal.pace ?? 1) *
      (wet && !this.kind.swims ? 0.5 : 1)
    this.vx = Math.sin(angle) * pace
    this.vz = Math.cos(angle) * pace
    this.yaw = this.headYaw = -angle * 180 / Math.PI
    if (this.onGround && this.bumped && this.wallAhead()) this.vy = 0.42
  }

  wallAhead () {
    const ahead = { x: this.x + Math.sign(this.vx) * 0.3, y: this.y + 0.1, z: this.z + Math.sign(this.vz) * 0.3 }
    return blocked(this.world, bodyBox(ahead, this.width, 0.5)) &&
      !blocked(this.world, bodyBox({ ...ahead, y: this.y + 1.01 }, this.width, this.height))
  }

  /** @param {import('./living').DamageSource} source */
  onHurt (source) {
    if (!this.hostile) this.fleeing = FLEE_TICKS
    this.world.emit('sound', { name: `entity.${this.type}.hurt`, x: this.x, y: this.y, z: this.z })
    void source
  }

  /**
   * Handle a player's click.
   * @param {import('../player').Player} player
   * @param {import('../types').Item | null} item
   * @returns {import('../types').Verdict}
   */
  interact (player, item) {
    void player
    void item
    return { ok: false, reason: `a ${this.type} is not used so` }
  }

  /** @param {import('./living').DamageSource} source */
  die (source) {
    super.die(source)
    const killer = this.world.players.get(/** @type {any} */ (source.attacker)?.name)
    const byPlayer = killer !== undefined && killer === source.attacker
    if (this.world.rules.doMobLoot && !this.baby) {
      this.dropLoot(byPlayer ? this.world.stacks.enchantment(killer.heldItem, 'looting') : 0, byPlayer)
    }
    if (!byPlayer) return
    this.world.stats.add(killer, 'killed', this.type)
    this.world.stats.add(killer, 'custom', 'mob_kills')
    this.world.scoreboard.count('totalKillCount', killer.name, 1)
  }

  /** @returns {[string, number, number][]} item, least and most */
  get loot () { return this.kind.drops }

  /**
   * @param {number} looting
   * @param {import('../random').RandomStream} random
   * @returns {import('../types').Item[]} what it would leave
   */
  drawLoot (looting, random) {
    return mobLoot(this.world, this.loot, { looting, random, cooked: this.fireTicks > 0 ? this.kind.cooked : null })
  }

  /** @param {number} looting @param {boolean} experience */
  dropLoot (looting, experience) {
    for (const item of this.drawLoot(looting, this.world.random.stream('mob loot'))) {
      this.world.spawnItem(item, { x: this.x, y: this.y, z: this.z })
    }
    if (experience && this.kind.experience) {
      this.world.popExperience(this.kind.experience, { x: this.x, y: this.y, z: this.z })
    }
  }

  /** Apply saved data, as given by /summon. @param {Record<string, any>} value */
  loadNbt (value) {
    if (!value.PersistenceRequired) return
    this.persistent = Number(value.PersistenceRequired.value) !== 0
    this.world.spawning.changed()
  }
}

module.exports = { COMPANY, Mob, KINDS }
