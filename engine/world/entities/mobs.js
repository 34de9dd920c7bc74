'use strict'
/**
 * Simple animals and monsters. They wander, flee when hurt, follow and hit or shoot players; they do not breed, spawn by
 * themselves or look for ways around walls.
 */
const { LivingEntity } = require('./living')
const { Projectile } = require('./projectiles')
const { bodyBox, blocked } = require('../geometry')

/**
 * @typedef {object} Kind
 * @property {number} health
 * @property {number} speed vanilla's movement speed attribute
 * @property {number} [damage] of a blow on normal difficulty; monsters only
 * @property {boolean} [shoots]
 * @property {boolean} [burns] in daylight
 * @property {number} [armour]
 * @property {[string, number, number][]} drops item, least and most
 * @property {number} experience
 * @property {Record<string, string>} [cooked] what a burning one drops instead
 */

/** @type {Record<string, Kind>} */
const KINDS = {
  __proto__: /** @type {any} */ (null),
  pig: { health: 10, speed: 0.25, drops: [['porkchop', 1, 3]], experience: 3, cooked: { porkchop: 'cooked_porkchop' } }, cow: { health: 10, speed: 0.2, drops: [['leather', 0, 2], ['beef', 1, 3]], experience: 3, cooked: { beef: 'cooked_beef' } },
  sheep: { health: 8, speed: 0.23, drops: [['white_wool', 1, 1], ['mutton', 1, 2]], experience: 3, cooked: { mutton: 'cooked_mutton' } }, chicken: { health: 4, speed: 0.25, drops: [['feather', 0, 2], ['chicken', 1, 1]], experience: 3, cooked: { chicken: 'cooked_chicken' } },
  rabbit: { health: 3, speed: 0.3, drops: [['rabbit_hide', 0, 1], ['rabbit', 0, 1]], experience: 3, cooked: { rabbit: 'cooked_rabbit' } }, horse: { health: 22, speed: 0.225, drops: [['leather', 0, 2]], experience: 3 },
  mooshroom: { health: 10, speed: 0.2, drops: [['leather', 0, 2], ['beef', 1, 3]], experience: 3 }, cat: { health: 10, speed: 0.3, drops: [['string', 0, 2]], experience: 3 }, wolf: { health: 8, speed: 0.3, drops: [], experience: 3 },
  villager: { health: 20, speed: 0.25, drops: [], experience: 0 }, iron_golem: { health: 100, speed: 0.25, drops: [['iron_ingot', 3, 5], ['poppy', 0, 2]], experience: 0 },
  zombie: { health: 20, speed: 0.23, damage: 3, burns: true, armour: 2, drops: [['rotten_flesh', 0, 2]], experience: 5 }, husk: { health: 20, speed: 0.23, damage: 3, armour: 2, drops: [['rotten_flesh', 0, 2]], experience: 5 },
  skeleton: { health: 20, speed: 0.25, damage: 2, shoots: true, burns: true, drops: [['arrow', 0, 2], ['bone', 0, 2]], experience: 5 }, spider: { health: 16, speed: 0.3, damage: 2, drops: [['string', 0, 2], ['spider_eye', 0, 1]], experience: 5 },
  creeper: { health: 20, speed: 0.25, drops: [['gunpowder', 0, 2]], experience: 5 }, enderman: { health: 40, speed: 0.3, damage: 7, drops: [['ender_pearl', 0, 1]], experience: 5 }, witch: { health: 26, speed: 0.25, drops: [['glowstone_dust', 0, 2], ['redstone', 0, 2], ['stick', 0, 2]], experience: 5 },
  slime: { health: 4, speed: 0.2, damage: 2, drops: [['slime_ball', 0, 2]], experience: 1 }, zombified_piglin: { health: 20, speed: 0.23, drops: [['rotten_flesh', 0, 1], ['gold_nugget', 0, 1]], experience: 5 }, armor_stand: { health: 20, speed: 0, drops: [['armor_stand', 1, 1]], experience: 0 }
}
const SIGHT = 16
const ATTACK_EVERY = 20
const SHOOT_EVERY = 40
/** From the movement attribute to blocks per tick on the ground. */
const PACE = 0.43
const DESPAWN_AFTER_DEATH = 20
/** Vanilla's factors for monsters' damage. @type {Record<string, number>} */
const HARDSHIP = { peaceful: 0, easy: 0.5, normal: 1, hard: 1.5 }

/** One animal or monster. */
class Mob extends LivingEntity {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.kind = KINDS[type]
    this.maxHealth = this.health = this.kind.health
    this.noAi = this.kind.speed === 0
    this.silent = false
    /** Where it walks to, and until when. @type {{ x: number, z: number, until: number } | null} */
    this.goal = null
    this.cooldown = 0
    this.fleeing = 0
    this.deathTicks = 0
  }

  get hostile () { return this.kind.damage !== undefined }
  /** @returns {[number, number]} */
  get armour () { return [this.kind.armour ?? 0, 0] }

  tick () {
    super.tick()
    if (this.removed) return
    if (this.dead) {
      if (++this.deathTicks >= DESPAWN_AFTER_DEATH) this.remove()
      return
    }
    if (this.hostile && this.world.difficulty === 'peaceful') return this.remove()
    if (!this.noAi) this.think()
    if (this.noAi && this.onGround && this.age % 20 !== 0) return
    this.step()
    if (this.kind.burns && this.age % 40 === 0 && !this.world.sky.isNight && this.underSky()) this.fireTicks = Math.max(this.fireTicks, 160)
  }

  underSky () {
    for (let y = Math.floor(this.y + this.height) + 1; y < this.y + 32; y++) if (!this.world.stateAt(Math.floor(this.x), y, Math.floor(this.z)).air) return false
    return this.inside.name !== 'water'
  }

  think () {
    const random = this.world.random.stream('mobs')
    if (this.cooldown > 0) this.cooldown--
    if (this.fleeing > 0) this.fleeing--
    const prey = this.hostile ? this.world.nearestPlayer(this, SIGHT, (p) => !p.dead && (p.gamemode === 'survival' || p.gamemode === 'adventure')) : null
    if (prey) return this.hunt(prey)
    if (this.goal && (this.age > this.goal.until || Math.hypot(this.goal.x - this.x, this.goal.z - this.z) < 0.5)) this.goal = null
    if (!this.goal && random.chance(this.fleeing ? 0.2 : 1 / 120)) this.goal = { x: this.x + random.between(-10, 10), z: this.z + random.between(-10, 10), until: this.age + 100 }
  }

  /** @param {import('../player').Player} prey */
  hunt (prey) {
    const far = Math.hypot(prey.x - this.x, prey.y - this.y, prey.z - this.z)
    this.goal = this.kind.shoots && far < 10 ? null : { x: prey.x, z: prey.z, until: this.age + 20 }
    this.yaw = this.headYaw = -Math.atan2(prey.x - this.x, prey.z - this.z) * 180 / Math.PI
    if (this.cooldown > 0) return
    if (this.kind.shoots) {
      this.cooldown = SHOOT_EVERY
      return this.shootAt(prey)
    }
    if (far > Math.hypot(this.width, 0) + prey.width / 2 + 0.5 || Math.abs(prey.y - this.y) > 2) return
    this.cooldown = ATTACK_EVERY
    this.world.emit('animation', { entity: this, animation: 0 })
    const damage = /** @type {number} */ (this.kind.damage) * HARDSHIP[this.world.difficulty]
    if (prey.hurt(damage, { type: 'mob', attacker: this })) prey.knockBack(0.4, this.x, this.z)
  }

  /** @param {import('../player').Player} prey */
  shootAt (prey) {
    const arrow = new Projectile(this.world, 'arrow', this, 0, 0)
    const [dx, dy, dz] = [prey.x - this.x, prey.y + prey.height / 3 - arrow.y, prey.z - this.z]
    const flat = Math.hypot(dx, dz)
    const all = Math.hypot(dx, dy + flat * 0.2, dz) || 1
    arrow.aim({ x: dx / all, y: (dy + flat * 0.2) / all, z: dz / all }, 1.6, 14 - 4 * { peaceful: 0, easy: 1, normal: 2, hard: 3 }[/** @type {'easy'} */ (this.world.difficulty)])
    arrow.pickable = false
    this.world.enter(arrow)
  }

  /** One tick of walking and falling; a single block in the way is jumped. */
  step () {
    const before = [this.x, this.y, this.z]
    const wet = this.inside.liquid
    if (this.goal && (this.onGround || wet)) {
      const angle = Math.atan2(this.goal.x - this.x, this.goal.z - this.z)
      const pace = this.kind.speed * PACE * (this.fleeing ? 1.5 : 1) * (wet ? 0.5 : 1)
      this.vx = Math.sin(angle) * pace
      this.vz = Math.cos(angle) * pace
      this.yaw = this.headYaw = -angle * 180 / Math.PI
      if (this.onGround && this.wallAhead()) this.vy = 0.42
    }
    this.vy = wet ? Math.min(0.1, this.vy + 0.04) : this.vy - 0.08
    const wasY = this.y
    this.slide()
    this.fell(this.y - wasY, this.onGround)
    this.vx *= this.onGround ? 0.546 : 0.91
    this.vz *= this.onGround ? 0.546 : 0.91
    this.vy *= 0.98
    if (Math.abs(this.x - before[0]) + Math.abs(this.y - before[1]) + Math.abs(this.z - before[2]) > 1e-3) this.world.emit('entityMove', { entity: this })
  }

  wallAhead () {
    const ahead = { x: this.x + Math.sign(this.vx) * 0.3, y: this.y + 0.1, z: this.z + Math.sign(this.vz) * 0.3 }
    return blocked(this.world, bodyBox(ahead, this.width, 0.5)) && !blocked(this.world, bodyBox({ ...ahead, y: this.y + 1.01 }, this.width, this.height))
  }

  /** @param {import('./living').DamageSource} source */
  onHurt (source) {
    if (!this.hostile) this.fleeing = 100
    this.world.emit('sound', { name: `entity.${this.type}.hurt`, x: this.x, y: this.y, z: this.z })
    void source
  }

  /** @param {import('./living').DamageSource} source */
  die (source) {
    super.die(source)
    const killer = this.world.players.get(/** @type {any} */ (source.attacker)?.name)
    const byPlayer = killer !== undefined && killer === source.attacker
    if (this.world.rules.doMobLoot && source.type !== 'genericKill') this.dropLoot(byPlayer ? this.world.stacks.enchantment(killer.heldItem, 'looting') : 0, byPlayer)
    if (!byPlayer) return
    this.world.stats.add(killer, 'killed', this.type)
    this.world.stats.add(killer, 'custom', 'mob_kills')
    this.world.scoreboard.count('totalKillCount', killer.name, 1)
  }

  /** @param {number} looting @param {boolean} experience */
  dropLoot (looting, experience) {
    const random = this.world.random.stream('mob loot')
    for (const [name, low, high] of this.kind.drops) {
      const count = random.int(low, high) + (looting && high > low ? random.int(0, looting) : 0)
      const item = (this.fireTicks > 0 && this.kind.cooked?.[name]) || name
      if (count > 0) this.world.spawnItem(this.world.stacks.make(item, count), { x: this.x, y: this.y, z: this.z })
    }
    if (experience && this.kind.experience) this.world.popExperience(this.kind.experience, { x: this.x, y: this.y, z: this.z })
  }
}

/** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at @returns {Mob | null} */
function makeMob (world, type, at) { return KINDS[type] ? new Mob(world, type, at) : null }

module.exports = { Mob, makeMob, KINDS }
