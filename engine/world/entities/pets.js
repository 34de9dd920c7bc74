'use strict'
/**
 * Wolves and cats: tamed by bone or fish, they follow, sit and (wolves) fight for their owner (wiki: "Wolf", "Cat",
 * "Taming").
 */
const { Animal, OK } = require('./animals')

/** @typedef {import('../types').Verdict} Verdict */
/** @typedef {import('../types').Item} Item */
/** @typedef {import('../player').Player} Player */

/** One attempt in three tames. */
const TAME_ONE_IN = 3
const TAME_FAILED = 6
const TAMED = 7
const FOLLOW_FROM = 10
const TELEPORT_FROM = 12
const TAME_WOLF_HEALTH = 20
const BITE_EVERY = 20
const BITE_REACH = 1.6

/** A wolf or a cat. */
class Pet extends Animal {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    /** Name of the owner. @type {string | null} */
    this.owner = null
    this.sitting = false
  }

  get master () { return this.owner === null ? null : this.world.players.get(this.owner) ?? null }
  /** Attacker of the pet or its owner, or the owner's victim. @returns {import('./living').LivingEntity | null} */
  get foe () {
    if (this.type !== 'wolf') return null
    const { master } = this
    const foe = this.recentAttacker ?? master?.recentAttacker ?? master?.lastVictim ?? null
    return foe && foe !== master && !foe.dead && !foe.removed &&
      !(foe instanceof Pet && foe.owner === this.owner && this.owner !== null) ? foe : null
  }

  get isIdle () { return (this.owner === null || this.sitting) && this.foe === null && super.isIdle }

  /** @param {number} ticks */
  settleSuspended (ticks) { return this.owner === null && super.settleSuspended(ticks) }

  think () {
    if (this.sitting) return void (this.goal = null)
    const { foe } = this
    if (foe && this.distanceTo(foe) < 16) return this.bite(foe)
    if (this.love === 0 && this.follow()) return
    super.think()
  }

  /** @param {import('./living').LivingEntity} foe */
  bite (foe) {
    this.fleeing = 0
    this.walkTo(foe)
    if (this.cooldown > 0 || this.distanceTo(foe) > BITE_REACH) return
    this.cooldown = BITE_EVERY
    this.world.emit('animation', { entity: this, animation: 0 })
    const damage = this.owner ? this.kind.damage ?? 0 : 2
    if (foe.hurt(damage, { type: 'mob', attacker: this, direct: this })) foe.knockBack(0.4, this.x, this.z)
  }

  /** @returns {boolean} true if it goes after its owner */
  follow () {
    const { master } = this
    if (!master || master.dead) return false
    const far = this.distanceTo(master)
    if (far > TELEPORT_FROM) this.jumpTo(master)
    else if (far > FOLLOW_FROM) this.walkTo(master)
    else return false
    return true
  }

  /** Teleport beside the owner, onto ground with room. @param {Player} master */
  jumpTo (master) {
    for (let i = 0; i < 10; i++) {
      const [x, y, z] = [Math.floor(master.x) + this.random.int(-3, 3), Math.floor(master.y),
        Math.floor(master.z) + this.random.int(-3, 3)]
      const free = this.world.stateAt(x, y, z).shapes.length === 0 &&
        this.world.stateAt(x, y + 1, z).shapes.length === 0 && this.world.stateAt(x, y - 1, z).fullCube
      if (!free || Math.hypot(x + 0.5 - master.x, z + 0.5 - master.z) < 1.5) continue
      Object.assign(this, { x: x + 0.5, y, z: z + 0.5, vx: 0, vy: 0, vz: 0, goal: null, fallDistance: 0 })
      return this.world.emit('entityMove', { entity: this })
    }
  }

  /** @param {Player} player @param {Item | null} item @returns {Verdict} */
  interact (player, item) {
    if (this.owner === null) {
      return item && this.kind.tamed?.includes(item.name) && !this.recentAttacker ? this.tryTaming(player)
        : { ok: false, reason: `the ${this.type} is wild: tame it with ${this.kind.tamed?.join(' or ')}` }
    }
    if (item && this.eats(item) && this.health < this.maxHealth) {
      this.heal(2 * (this.world.registry.foodsByName[item.name]?.foodPoints ?? 1))
      player.consume(0)
      return OK
    }
    const fed = this.eats(item) ? super.interact(player, item) : null
    if (fed?.ok || player.name !== this.owner) return fed ?? { ok: false, reason: `it is ${this.owner}'s` }
    this.sitting = !this.sitting
    this.world.emit('entityMeta', { entity: this })
    return OK
  }

  /** Let a player try to tame it. @param {Player} player @returns {Verdict} */
  tryTaming (player) {
    player.consume(0)
    if (this.random.int(1, TAME_ONE_IN) === 1) this.tame(player.name)
    else this.world.emit('entityStatus', { entity: this, status: TAME_FAILED })
    return OK
  }

  /** @param {string} owner */
  tame (owner) {
    this.owner = owner
    this.sitting = true
    this.goal = null
    if (this.type === 'wolf') this.maxHealth = this.health = TAME_WOLF_HEALTH
    this.world.emit('entityStatus', { entity: this, status: TAMED })
    this.world.emit('entityMeta', { entity: this })
  }

  /** Babies of tame parents are tame. @param {Animal} mother */
  inherit (mother) {
    const { owner } = /** @type {Pet} */ (mother)
    if (owner) this.tame(owner)
    this.sitting = false
  }

  nbt () {
    const { byte, string } = this.world.nbt
    const uuid = this.master?.uuid
    return { ...super.nbt(), Sitting: byte(this.sitting ? 1 : 0), ...(uuid ? { Owner: string(uuid) } : {}) }
  }
}

module.exports = { Pet }
