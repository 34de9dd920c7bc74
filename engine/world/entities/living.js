'use strict'
/** Base class of living entities: health, damage, armour, effects, death. */
const { Entity } = require('./entity')
const { fall } = require('../rules/damage/falls')
const { harm, isProof, scratch, EVERY } = require('../rules/damage/hazards')
const { extraOf } = require('../rules/damage/attributes')
const { length2 } = require('../../lengths')

/** @typedef {import('../types').Effect} Effect */
/**
 * Cause of damage. `type` is the key of vanilla's death texts ("fall", "lava", "mob", "player", "arrow" ...).
 * @typedef {object} DamageSource
 * @property {string} type
 * @property {LivingEntity | null} [attacker]
 * @property {Entity | null} [direct] the arrow that carried it
 * @property {{ x: number, z: number }} [at] where an explosion is
 * @property {boolean} [piercing] armour does not help
 * @property {boolean} [absolute] creative mode does not help either
 */

/** Ticks after damage in which only stronger damage counts. */
const INVULNERABLE = 10
/** Ticks for which a body remembers its last attacker. */
const GRUDGE = 100
/** Vanilla's entity status of a hit on a shield. */
const SHIELDED = 29

/** Base class of players and mobs. */
class LivingEntity extends Entity {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.maxHealth = 20
    this.health = 20
    this.absorption = 0
    this.air = 300
    this.fireTicks = 0
    this.frozenTicks = 0
    this.hurtTicks = 0
    this.lastDamage = 0
    this.dead = false
    this.sneaking = false
    /** @type {Map<string, Effect>} */
    this.effects = new Map()
    /** Last player or mob that harmed it. @type {LivingEntity | null} */
    this.lastAttacker = null
    this.attackedAge = 0
    /** Last body that it harmed. @type {LivingEntity | null} */
    this.victim = null
    this.victimAge = 0
  }

  get living () { return true }
  /** Armour points and toughness. @returns {[number, number]} */
  get armour () { return [0, 0] }
  /** Attacker of the last five seconds, if still alive. @returns {LivingEntity | null} */
  get recentAttacker () {
    return this.lastAttacker && !this.lastAttacker.dead && !this.lastAttacker.removed &&
      this.age - this.attackedAge <= GRUDGE ? this.lastAttacker : null
  }
  /** Victim of the last five seconds, if still alive. @returns {LivingEntity | null} */
  get lastVictim () {
    return this.victim && !this.victim.dead && !this.victim.removed && this.age - this.victimAge <= GRUDGE ? this.victim
      : null
  }
  /** Return true if the damage has no effect. @param {DamageSource} source */
  immune (source) {
    return this.dead || (source.type === 'fall' && !this.world.rules.fallDamage) || isProof(this, source.type)
  }

  /** Scale damage by difficulty, which applies to players only. @param {number} amount @param {DamageSource} _source */
  scaleDamage (amount, _source) { return amount }

  /** Return true if a shield blocks the damage. @param {DamageSource} _source */
  isShielded (_source) { return false }

  /** Handle damage blocked by a shield. @param {number} _amount @param {DamageSource} _source */
  onShielded (_amount, _source) {}

  /** Return true if something, such as a totem, prevents the death. @param {DamageSource} _source */
  preventsDeath (_source) { return false }

  /** Return the level of an effect from 1, or 0 without the effect. @param {string} name */
  effectLevel (name) { return (this.effects.get(name)?.amplifier ?? -1) + 1 }

  /**
   * Deal damage.
   * @param {number} dealt half hearts before difficulty, shields and armour
   * @param {DamageSource} source
   * @returns {boolean} true if it had any effect
   */
  hurt (dealt, source) {
    const amount = this.scaleDamage(dealt, source)
    if (!(amount > 0) || this.immune(source)) return false
    this.resume()
    const shielded = this.isShielded(source)
    if (shielded) this.onShielded(amount, source)
    const counts = shielded ? 0 : amount
    if (this.hurtTicks > 0 && counts <= this.lastDamage) return false
    const fresh = this.hurtTicks === 0
    const due = fresh ? counts : counts - this.lastDamage
    this.lastDamage = counts
    if (fresh) this.hurtTicks = INVULNERABLE
    if (source.attacker) this.remember(source.attacker)
    if (shielded) this.world.emit('entityStatus', { entity: this, status: SHIELDED })
    else this.loseHealth(due, source, fresh)
    return !shielded
  }

  /** @param {LivingEntity} attacker */
  remember (attacker) {
    this.lastAttacker = attacker
    this.attackedAge = this.age
    attacker.victim = this
    attacker.victimAge = attacker.age
  }

  /**
   * Lose health, and die at 0.
   * @param {number} due
   * @param {DamageSource} source
   * @param {boolean} fresh whether no harm came just before
   */
  loseHealth (due, source, fresh) {
    this.setHealth(this.health - this.absorb(this.reduceDamage(due, source)))
    this.world.emit('entityStatus', { entity: this, status: 2 })
    if (this.health <= 0) {
      if (!this.preventsDeath(source)) this.die(source)
    } else if (fresh) this.onHurt(source)
  }

  /** Return the damage left after armour and Resistance. @param {number} amount @param {DamageSource} source */
  reduceDamage (amount, source) {
    let left = amount
    if (!source.piercing) {
      const [worn, hard] = this.armour
      const points = Math.min(30, worn + extraOf(this, 'generic.armor'))
      const toughness = hard + extraOf(this, 'generic.armor_toughness')
      left *= 1 - Math.min(20, Math.max(points / 5, points - left / (2 + toughness / 4))) / 25
    }
    const resistance = this.effectLevel('resistance')
    return source.absolute ? left : left * Math.max(0, 1 - 0.2 * resistance)
  }

  /** @param {number} amount */
  absorb (amount) {
    const taken = Math.min(this.absorption, amount)
    this.absorption -= taken
    return amount - taken
  }

  /** @param {DamageSource} _source */
  onHurt (_source) {}

  /** @param {number} health */
  setHealth (health) {
    this.health = Math.max(0, Math.min(this.maxHealth, health))
    this.world.emit('entityMeta', { entity: this })
  }

  /** @param {number} amount */
  heal (amount) { if (!this.dead && this.health < this.maxHealth) this.setHealth(this.health + amount) }

  /** @param {DamageSource} _source */
  die (_source) {
    this.resume()
    this.dead = true
    this.world.emit('entityStatus', { entity: this, status: 3 })
  }

  /**
   * Push away from (fromX, fromZ), like a blow.
   * @param {number} push
   * @param {number} fromX
   * @param {number} fromZ
   */
  knockBack (push, fromX, fromZ) {
    const strength = push * (1 - extraOf(this, 'generic.knockback_resistance'))
    if (strength <= 0) return
    const [dx, dz] = [this.x - fromX, this.z - fromZ]
    const far = length2(dx, dz) || 1
    this.vx = this.vx / 2 + dx / far * strength
    this.vz = this.vz / 2 + dz / far * strength
    this.vy = this.onGround ? Math.min(0.4, this.vy / 2 + strength) : this.vy
    this.world.emit('entityVelocity', { entity: this })
  }

  /**
   * Add an effect; a weaker or shorter one of the same kind is refused.
   * @param {string} name as in commands
   * @param {number} duration ticks, -1 for ever
   * @param {number} amplifier
   * @param {boolean} [particles]
   */
  addEffect (name, duration, amplifier, particles = true) {
    const id = this.world.effectIds.get(name)
    if (id === undefined) return false
    if (name.startsWith('instant_')) return this.applyInstantEffect(name, amplifier)
    this.resume()
    const old = this.effects.get(name)
    const longer = duration === -1 || (old && old.duration !== -1 && duration > old.duration)
    if (old && (amplifier < old.amplifier || (amplifier === old.amplifier && !longer))) return false
    const effect = { name, id, amplifier, duration, particles, given: duration }
    this.effects.set(name, effect)
    this.effectChanged(effect, false)
    if (name === 'absorption') this.absorption = 4 * (amplifier + 1)
    return true
  }

  /** @param {string} name @param {number} amplifier */
  applyInstantEffect (name, amplifier) {
    if (name === 'instant_health') this.heal(4 * 2 ** amplifier)
    else this.hurt(6 * 2 ** amplifier, { type: 'magic', piercing: true })
    return true
  }

  /** @param {string} name */
  removeEffect (name) {
    const effect = this.effects.get(name)
    if (!effect) return false
    this.effects.delete(name)
    this.effectChanged(effect, true)
    return true
  }

  /** @param {Effect} _effect @param {boolean} _removed */
  effectChanged (_effect, _removed) {}

  tick () {
    super.tick()
    if (this.hurtTicks > 0) this.hurtTicks--
    if (this.dead) return
    if (this.effects.size > 0) for (const effect of [...this.effects.values()]) this.tickEffect(effect)
    if (this.age % EVERY === 0 || this.fireTicks > 0) this.applySurroundings()
  }

  /** @param {Effect} effect */
  tickEffect (effect) {
    const every = (/** @type {number} */ base) => this.age % Math.max(1, base >> effect.amplifier) === 0
    if (effect.name === 'regeneration' && every(50)) this.heal(1)
    if (effect.name === 'poison' && every(25) && this.health > 1) this.hurt(1, { type: 'magic', piercing: true })
    if (effect.name === 'wither' && every(40)) this.hurt(1, { type: 'wither', piercing: true })
    if (effect.duration > 0 && --effect.duration === 0) this.removeEffect(effect.name)
  }

  /**
   * Apply harm of the surroundings: water over the head, a wall, the void, hazards (`rules/damage/hazards.js`). Checked
   * every ten ticks.
   */
  applySurroundings () {
    const { world } = this
    const feet = world.stateAt(Math.floor(this.x), Math.floor(this.y + 0.1), Math.floor(this.z))
    const eyes = this.eyes
    const head = world.stateAt(Math.floor(eyes.x), Math.floor(eyes.y), Math.floor(eyes.z))
    if (this.age % EVERY === 0) {
      if (this.y < world.minY - 64) this.hurt(4, { type: 'outOfWorld', piercing: true, absolute: true })
      if (head.fullCube && !head.info.transparent) this.hurt(1, { type: 'inWall', piercing: true })
      this.breathe(head.name === 'water')
      harm(this)
    }
    if (feet.name === 'water' || (this.fireTicks > 0 && world.precipitation.wets(this))) this.fireTicks = 0
    if (this.fireTicks > 0 && --this.fireTicks % 20 === 0) this.hurt(1, { type: 'onFire', piercing: true })
  }

  /** @param {number} ticks @param {number} damage @param {string} type */
  burn (ticks, damage, type) {
    if (isProof(this, type)) return
    this.fireTicks = Math.max(this.fireTicks, ticks)
    this.hurt(damage, { type })
  }

  /** Use up or regain air, ten ticks at a time. @param {boolean} under */
  breathe (under) {
    if (!under || this.effectLevel('water_breathing')) {
      this.air = Math.min(300, this.air + 40)
      return
    }
    this.air -= 10
    if (this.air > -20) return
    this.air = 0
    if (this.world.rules.drowningDamage) this.hurt(2, { type: 'drown', piercing: true })
  }

  /**
   * Handle the end of a move: bushes scratch, falls add up and end.
   * @param {number} dx
   * @param {number} dy
   * @param {number} dz
   * @param {boolean} landed
   */
  moved (dx, dy, dz, landed) {
    scratch(this, dx, dz)
    fall(this, dy, landed)
  }

  get climbing () {
    return /^(ladder|vine|scaffolding|(twisting|weeping|cave)_vines(_plant)?)$/.test(
      this.world.stateAt(Math.floor(this.x), Math.floor(this.y), Math.floor(this.z)).name)
  }

  nbt () {
    const { float, short, list, compound, int, byte, string } = this.world.nbt
    return {
      ...super.nbt(), Health: float(this.health), Air: short(this.air), Fire: short(this.fireTicks),
      HurtTime: short(this.hurtTicks), AbsorptionAmount: float(this.absorption),
      ...(this.effects.size ? {
        active_effects: list([...this.effects.values()].map(
        (e) => compound({ id: string(`minecraft:${e.name}`), amplifier: byte(e.amplifier),
        duration: int(e.duration) }))) } : {})
    }
  }
}

module.exports = { LivingEntity }
