'use strict'
/**
 * Monsters: they see, follow, strike, shoot and explode; the sun burns some; far from players they despawn (wiki:
 * "Spawn", "Zombie", "Skeleton", "Creeper", "Enderman").
 */
const { Mob } = require('./mobs')
const { Projectile } = require('./projectiles')
const { length2, length3 } = require('../../lengths')

const SIGHT = 16
/** Ticks between two searches for prey, and between two checks of the present prey. */
const LOOK_EVERY = 10
const WATCH_EVERY = 5
/** Ticks for which it pursues prey out of sight (vanilla's `unseenMemoryTicks`). */
const MEMORY = 60
const ATTACK_EVERY = 20
/** Ticks between a skeleton's arrows: below hard, and on hard. */
const SHOOT_EVERY = 40
const SHOOT_EVERY_HARD = 20
const SHOOT_DISTANCE = 10
/**
 * A monster despawns beyond 128 blocks at once; beyond 32, after 30 s without activity, with a chance of 1/800 per
 * tick.
 */
const DESPAWN_AT_ONCE = 128
const DESPAWN_FROM = 32
const IDLE_TICKS = 600
const DESPAWN_ONE_IN = 800
const BURNING_TICKS = 160

/** A monster. */
class Monster extends Mob {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.idleTicks = 0
    /** Current prey, and the age of the next search. @type {import('./living').LivingEntity | null} */
    this.target = null
    this.lookAge = 0
    /** Age at which it last saw its prey. */
    this.seenAge = 0
  }

  tick () {
    super.tick()
    if (this.removed || this.dead) return
    if (this.world.difficulty === 'peaceful') return this.remove()
    if (this.kind.burns) this.burnInSun()
    if (this.kind.dry && this.age % 10 === 0 && (this.inside.name === 'water' || this.world.precipitation.wets(this))) {
      this.hurt(1, { type: 'drown', piercing: true })
    }
    if (!this.noAi) this.despawnIfAlone()
  }

  /** Catch fire for eight seconds in daylight under the open sky, with vanilla's chance by brightness. */
  burnInSun () {
    if (this.age % 5 !== 0) return
    const { world } = this
    if (world.sky.isNight || world.sky.weather !== 'clear' || world.sky.darken > 3 || this.inside.name === 'water') {
      return
    }
    if (!this.random.chance(5 / 25)) return
    if (world.light.seesSky(Math.floor(this.x), Math.floor(this.eyes.y), Math.floor(this.z))) {
      this.fireTicks = Math.max(this.fireTicks, BURNING_TICKS)
    }
  }

  /** @param {number} ticks */
  catchUp (ticks) {
    this.idleTicks += ticks
    super.catchUp(ticks)
  }

  /** Without sun a dormant monster may only despawn. @param {number} ticks */
  settleSuspended (ticks) {
    const { world } = this
    if (!this.dormant || world.difficulty === 'peaceful' ||
      (this.kind.burns && !world.sky.isNight && !this.ground.roofed)) {
      return false
    }
    this.age += ticks
    this.idleTicks += ticks - 1
    this.despawnIfAlone()
    return true
  }

  despawnIfAlone () {
    this.idleTicks = this.recentAttacker ? 0 : this.idleTicks + 1
    if (this.age % 20 !== 0 || this.persistent || this.customName || this.world.players.size === 0) return
    if (this.tags.size > 0 || !this.natural) return
    let nearest = Infinity
    for (const player of this.world.players.values()) {
      if (player.gamemode !== 'spectator') nearest = Math.min(nearest, this.distanceTo(player))
    }
    if (nearest < DESPAWN_FROM) this.idleTicks = 0
    else if (nearest > DESPAWN_AT_ONCE || (this.idleTicks > IDLE_TICKS && this.random.chance(20 / DESPAWN_ONE_IN))) {
      this.remove()
    }
  }

  /** True if the world's rules spawned it: summoned ones stay, so that an experiment keeps its mobs. */
  natural = false

  think () {
    const prey = this.prey()
    if (prey) return this.hunt(prey)
    super.think()
  }

  /** @returns {import('./living').LivingEntity | null} whom it is after */
  prey () {
    if (this.age >= this.lookAge) {
      this.target = this.choose()
      this.lookAge = this.age + (this.target ? WATCH_EVERY : LOOK_EVERY)
    }
    const { target } = this
    return target && !target.dead && !target.removed ? target : null
  }

  /** Choose prey: a visible player at first, then the known prey. @returns {import('./living').LivingEntity | null} */
  choose () {
    const foe = this.recentAttacker
    if (this.kind.calm) return foe
    // No player is near enough to be seen.
    if (this.unattended) return null
    if (this.type === 'spider' && !foe &&
      this.world.light.now(Math.floor(this.x), Math.floor(this.y), Math.floor(this.z)) >= 12) {
      return null
    }
    const wanted = (/** @type {import('../player').Player} */ p) =>
      isPrey(p) && (this.type !== 'piglin' || p === foe || !p.wearsGold)
    const known = this.known()
    if (known && wanted(known)) return known
    const found = this.world.nearestPlayer(this, this.kind.sight ?? SIGHT,
      (p) => wanted(p) && (p === foe || this.sees(p)))
    if (found) this.seenAge = this.age
    return found
  }

  /**
   * Return the pursued player, or null if too far away or out of sight for too long.
   * @returns {import('../player').Player | null}
   */
  known () {
    const player = this.target && this.world.players.get(/** @type {any} */ (this.target).name)
    if (!player || player !== this.target || this.distanceTo(player) > (this.kind.sight ?? SIGHT)) return null
    if (this.sees(player)) this.seenAge = this.age
    return this.age - this.seenAge <= MEMORY ? player : null
  }

  /** @param {import('./living').LivingEntity} prey */
  hunt (prey) {
    const far = this.distanceTo(prey)
    if (this.kind.shoots && far < SHOOT_DISTANCE) this.goal = null
    else this.walkTo(prey)
    this.face(prey)
    if (this.cooldown > 0) return
    if (this.kind.shoots) return this.sees(prey) ? this.shootAt(prey) : this.walkTo(prey)
    if (this.kind.damage === undefined || far > this.width + prey.width / 2 + 0.5 || Math.abs(prey.y - this.y) > 2) {
      return
    }
    this.cooldown = ATTACK_EVERY
    this.bite(prey)
  }

  /** Strike prey within reach. @param {import('./living').LivingEntity} prey */
  bite (prey) {
    this.world.emit('animation', { entity: this, animation: 0 })
    if (prey.hurt(this.kind.damage ?? 0, { type: 'mob', attacker: this, direct: this })) {
      prey.knockBack(0.4, this.x, this.z)
    }
  }

  /** Return true if no block is between its eyes and a body's. @param {import('./living').LivingEntity} body */
  sees (body) { return this.world.clear(this.eyes, body.eyes) }

  /** @param {import('./living').LivingEntity} prey */
  shootAt (prey) {
    this.cooldown = this.world.difficulty === 'hard' ? SHOOT_EVERY_HARD : SHOOT_EVERY
    const arrow = new Projectile(this.world, 'arrow', this, 0, 0)
    const [dx, dy, dz] = [prey.x - this.x, prey.y + prey.height / 3 - arrow.y, prey.z - this.z]
    const flat = length2(dx, dz)
    const all = length3(dx, dy + flat * 0.2, dz) || 1
    arrow.aim({ x: dx / all, y: (dy + flat * 0.2) / all, z: dz / all }, 1.6,
      14 - 4 * { peaceful: 0, easy: 1, normal: 2, hard: 3 }[/** @type {'easy'} */ (this.world.difficulty)])
    arrow.pickable = false
    this.world.enter(arrow)
  }
}

/** @param {import('../player').Player} player */
function isPrey (player) { return !player.dead && (player.gamemode === 'survival' || player.gamemode === 'adventure') }

/**
 * A creeper swells within three blocks of its prey, explodes with power 3 after 30 ticks, and gives up beyond seven
 * blocks.
 */
const SWELL_FROM = 3
const SWELL_UNTIL = 7
const FUSE = 30
const POWER = 3

/** A creeper. */
class Creeper extends Monster {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.swelling = 0
    this.swells = false
    this.ignited = false
  }

  get isIdle () { return this.swelling === 0 && !this.ignited && super.isIdle }

  think () {
    const prey = this.prey()
    const far = prey ? this.distanceTo(prey) : Infinity
    const was = this.swells
    this.swells = this.ignited || (prey !== null && far < (this.swells ? SWELL_UNTIL : SWELL_FROM) && this.sees(prey))
    if (was !== this.swells) this.world.emit('entityMeta', { entity: this })
    if (this.swells) this.goal = null
    else super.think()
    this.swelling = Math.max(0, this.swelling + (this.swells ? 1 : -1))
    if (this.swelling >= FUSE) this.burst()
  }

  burst () {
    this.dead = true
    this.remove()
    this.world.explosions.explode(this, POWER,
      { source: this, blocks: Boolean(this.world.rules.mobGriefing),
      decay: Boolean(this.world.rules.mobExplosionDropDecay) })
  }

  /**
   * Ignite by flint and steel.
   * @param {import('../player').Player} player
   * @param {import('../types').Item | null} item
   * @returns {import('../types').Verdict}
   */
  interact (player, item) {
    if (item?.name !== 'flint_and_steel') return super.interact(player, item)
    this.ignited = true
    player.wearSlot(player.handSlot(0), 1)
    return { ok: true }
  }

  /** @param {Record<string, any>} value */
  loadNbt (value) {
    super.loadNbt(value)
    if (value.ignited) this.ignited = Number(value.ignited.value) !== 0
  }
}

module.exports = { Monster, Creeper }
