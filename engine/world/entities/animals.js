'use strict'
/**
 * Animals that follow food, breed, grow up and give wool, milk and eggs (wiki: "Breeding", "Sheep", "Chicken", "Cow",
 * "Mooshroom").
 */
const { Mob } = require('./mobs')

/** @typedef {import('../types').Verdict} Verdict */
/** @typedef {import('../types').Item} Item */
/** @typedef {import('../player').Player} Player */

/** @type {Verdict} */
const OK = Object.freeze({ ok: true })
/** Ticks in love, until parents may breed again, and until a baby is grown. */
const LOVE_TICKS = 600
const BREEDING_REST = 6000
const CHILDHOOD = 24000
/** Search radius for a partner in love, in blocks; after 60 ticks within 3 blocks of each other a baby is born. */
const PARTNER_DISTANCE = 8
const COURTING_TICKS = 60
const BIRTH_DISTANCE = 3
const TEMPT_DISTANCE = 10
const TEMPT_STOP = 2.5
const LOOK_EVERY = 5
/** Vanilla's entity status for hearts. */
const HEARTS = 18

/** An animal that breeds. */
class Animal extends Mob {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.persistent = true
    /** Below 0: ticks until grown; above 0: ticks until it may breed again. */
    this.growing = 0
    this.love = 0
    this.courting = 0
    /** @type {Player | null} */
    this.fedBy = null
    this.size = { width: this.width, height: this.height }
  }

  get baby () { return this.growing < 0 }

  /** @param {number} growing */
  setGrowing (growing) {
    const was = this.baby
    this.growing = growing
    this.width = this.size.width * (this.baby ? 0.5 : 1)
    this.height = this.size.height * (this.baby ? 0.5 : 1)
    if (was !== this.baby) this.world.emit('entityMeta', { entity: this })
  }

  /** @param {Item | null} item */
  eats (item) { return item !== null && (this.kind.food?.includes(item.name) ?? false) }

  tick () {
    if (this.growing < 0) this.setGrowing(this.growing + 1)
    else if (this.growing > 0) this.growing--
    if (this.love > 0) this.love--
    super.tick()
  }

  get isIdle () { return this.love === 0 && super.isIdle }

  /** @param {number} ticks */
  catchUp (ticks) {
    this.grow(ticks)
    super.catchUp(ticks)
  }

  /** @param {number} ticks */
  grow (ticks) {
    if (this.growing < 0) this.setGrowing(Math.min(0, this.growing + ticks))
    else this.growing = Math.max(0, this.growing - ticks)
  }

  /** A dormant animal only grows. @param {number} ticks */
  settleSuspended (ticks) {
    if (!this.dormant || this.love > 0) return false
    this.age += ticks
    this.grow(ticks)
    return true
  }

  think () {
    if (this.fleeing === 0 && (this.court() || this.followFood())) return
    super.think()
  }

  /** @returns {boolean} true if it goes to its partner */
  court () {
    if (this.love === 0) return false
    const partner = this.partner()
    if (!partner) {
      this.courting = 0
      return false
    }
    this.walkTo(partner)
    if (++this.courting >= COURTING_TICKS && this.distanceTo(partner) < BIRTH_DISTANCE) this.breed(partner)
    return true
  }

  /** Return the nearest animal of the same kind in love, or null. @returns {Animal | null} */
  partner () {
    /** @type {Animal | null} */
    let best = null
    let far = PARTNER_DISTANCE
    for (const other of this.world.entities.values()) {
      if (other === this || other.type !== this.type || !(other instanceof Animal) || other.love === 0 || other.dead) {
        continue
      }
      const away = this.distanceTo(other)
      if (away <= far) { best = other; far = away }
    }
    return best
  }

  /** @param {Animal} partner */
  breed (partner) {
    const { world } = this
    for (const parent of [this, partner]) {
      parent.growing = BREEDING_REST
      parent.love = parent.courting = 0
      parent.goal = null
    }
    const child = /** @type {Animal} */ (world.summon(this.type, { x: this.x, y: this.y, z: this.z }))
    child.inherit(this, partner)
    child.setGrowing(-CHILDHOOD)
    const feeder = this.fedBy ?? partner.fedBy
    if (feeder && world.players.get(feeder.name) === feeder) world.stats.add(feeder, 'custom', 'animals_bred')
    world.emit('entityStatus', { entity: this, status: HEARTS })
    if (world.rules.doMobLoot) world.popExperience(this.random.int(1, 7), { x: this.x, y: this.y, z: this.z })
  }

  /** Inherit traits from the parents. @param {Animal} _mother @param {Animal} _father */
  inherit (_mother, _father) {}

  /** @returns {boolean} true if somebody with food near by is followed */
  followFood () {
    if ((this.age + this.id) % LOOK_EVERY !== 0) return this.goal !== null && this.tempted
    const player = this.world.nearestPlayer(this, TEMPT_DISTANCE,
      (p) => !p.dead && p.gamemode !== 'spectator' && (this.eats(p.heldItem) || this.eats(p.inHand(1))))
    this.tempted = player !== null
    if (!player) return false
    this.face(player)
    if (this.distanceTo(player) > TEMPT_STOP) this.walkTo(player)
    else this.goal = null
    return true
  }

  /** True while it follows a player with food. */
  tempted = false

  /** @param {Player} player @param {Item | null} item @returns {Verdict} */
  interact (player, item) { return item && this.eats(item) ? this.feed(player) : super.interact(player, item) }

  /** @param {Player} player @returns {Verdict} */
  feed (player) {
    if (this.baby) {
      // A tenth of the remaining time, in whole seconds.
      this.setGrowing(Math.min(0, this.growing + 20 * Math.floor(-this.growing / 20 * 0.1)))
    } else if (this.growing === 0 && this.love === 0) {
      this.love = LOVE_TICKS
      this.fedBy = player
      this.world.emit('entityStatus', { entity: this, status: HEARTS })
    } else return { ok: false, reason: `the ${this.type} does not want to eat now` }
    player.consume(0)
    return OK
  }

  nbt () {
    const { int } = this.world.nbt
    return { ...super.nbt(), Age: int(this.growing), InLove: int(this.love) }
  }

  /** @param {Record<string, any>} value */
  loadNbt (value) {
    super.loadNbt(value)
    if (value.Age) this.setGrowing(Math.trunc(Number(value.Age.value) || 0))
    if (value.InLove) this.love = Math.max(0, Math.trunc(Number(value.InLove.value) || 0))
  }
}

module.exports = { Animal, OK, LOVE_TICKS, BREEDING_REST, CHILDHOOD }
