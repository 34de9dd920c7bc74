'use strict'
/**
 * Villagers with daily schedules (wiki: "Villager", "Schedules"): from 2000 at their workplace, from 9000 at the bell,
 * from 12000 in bed; otherwise, or if they know no such place, they wander. They flee from zombies.
 */
const { Mob } = require('./mobs')
const { Business } = require('../rules/trading/business')
const { WORKPLACES: JOBS } = require('../rules/trading/offers')
const { openTrades } = require('../rules/trading/merchant')
const { length2, length3 } = require('../../lengths')

/** @typedef {import('../types').Pos} Pos */

/** Activities by the time of day at which they begin. @type {readonly [number, 'idle' | 'work' | 'meet' | 'rest'][]} */
const SCHEDULE = Object.freeze([[10, 'idle'], [2000, 'work'], [9000, 'meet'], [11000, 'idle'], [12000, 'rest']])
/** Search range for bed, workplace and bell, sideways and vertically, in blocks; ticks between two searches. */
const REACH = 48
const REACH_Y = 8
const LOOK_EVERY = 1200
const FEAR_DISTANCE = 8
/** Distance at which it has arrived, and radius in which it strolls there, in blocks. */
const ARRIVED = 2
const STROLL = 6

/** A villager. */
class Villager extends Mob {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.persistent = true
    /** Known places. @type {{ work: Pos | null, meet: Pos | null, rest: Pos | null }} */
    this.places = { work: null, meet: null, rest: null }
    this.lookAge = 0
    /** Trades, drawn at the first use or set by a command. @type {Business | null} */
    this.business = null
    /** The trading player. @type {import('../player').Player | null} */
    this.customer = null
  }

  /** Activity at the present time of day. */
  get activity () {
    const time = this.world.sky.daylight
    for (let part = SCHEDULE.length - 1; part >= 0; part--) if (time >= SCHEDULE[part][0]) return SCHEDULE[part][1]
    return 'rest'
  }

  get isIdle () { return this.customer === null && super.isIdle }

  think () {
    if (this.customer) {
      this.goal = null
      return
    }
    if ((this.age + this.id) % 10 === 0 && this.fleeFromZombies()) return super.think()
    const { activity } = this
    if (activity === 'idle' || this.fleeing) return super.think()
    if (this.age >= this.lookAge) this.lookAround()
    const place = this.places[activity]
    if (!place) return super.think()
    const at = { x: place.x + 0.5, y: place.y, z: place.z + 0.5 }
    const near = length2(at.x - this.x, at.z - this.z)
    if (near > (activity === 'meet' ? STROLL : ARRIVED)) this.walkTo(at, 0.5)
    else if (activity === 'rest') this.goal = null
    else if (activity === 'work' && this.business?.restock()) this.goal = null
    else this.stroll(at)
  }

  /** Take a few steps around a place now and then. @param {{ x: number, z: number }} around */
  stroll (around) {
    if (this.goal && (this.age > this.goal.until || length2(this.goal.x - this.x, this.goal.z - this.z) < 0.5)) {
      this.goal = null
    }
    if (this.goal || !this.random.chance(1 / 100)) return
    this.goal = { x: around.x + this.random.between(-2, 2), z: around.z + this.random.between(-2, 2),
      until: this.age + 60, pace: 0.5 }
  }

  /** Profession: the workplace's, and fixed after the first trade. @returns {string} */
  get profession () {
    if (this.business && (this.business.experience > 0 || this.business.offers.length > 0)) {
      return this.business.profession
    }
    if (!this.places.work && this.age >= this.lookAge) this.lookAround()
    const { work } = this.places
    return work ? JOBS[this.world.stateAt(work.x, work.y, work.z).name.replace(/^.*_cauldron$/, 'cauldron')] ?? 'none'
      : 'none'
  }

  /**
   * Open the trades.
   * @param {import('../player').Player} player
   * @param {import('../types').Item | null} item
   * @returns {import('../types').Verdict}
   */
  interact (player, item) {
    void item
    if (this.customer) return { ok: false, reason: 'the villager trades with somebody else' }
    const { profession } = this
    if (!this.business || (this.business.profession !== profession && this.business.offers.length === 0)) {
      this.business = new Business(this.world, this.uuid, profession)
    }
    if (this.business.offers.length === 0) this.business.grow()
    if (this.business.offers.length === 0) {
      return { ok: false, reason:
        'the villager has nothing to trade: it needs a workplace, such as a composter, within 48 blocks' }
    }
    openTrades(player, this, this.business)
    return { ok: true }
  }

  /** @param {Record<string, any>} value */
  loadNbt (value) {
    super.loadNbt(value)
    if (!value.VillagerData && !value.Offers) return
    this.business = new Business(this.world, this.uuid, 'none')
    this.business.load(value)
    if (this.business.offers.length === 0 && this.business.profession !== 'none') {
      const { level } = this.business
      for (this.business.level = 1; this.business.level < level; this.business.level++) this.business.grow()
      this.business.grow()
    }
  }

  fleeFromZombies () {
    // Zombies that hunt are never suspended.
    for (const other of this.world.active) {
      if (Math.abs(other.x - this.x) > FEAR_DISTANCE || !/^(zombie|husk)$/.test(other.type) ||
        this.distanceTo(other) > FEAR_DISTANCE) {
        continue
      }
      const far = this.distanceTo(other) || 1
      this.goal = { x: this.x + (this.x - other.x) / far * 10, z: this.z + (this.z - other.z) / far * 10,
        until: this.age + 40 }
      this.fleeing = Math.max(this.fleeing, 20)
      return true
    }
    return false
  }

  /** Search bed, workplace and bell: the nearest of each that no other villager has. */
  lookAround () {
    this.lookAge = this.age + LOOK_EVERY
    const { places, world } = this
    for (const kind of /** @type {const} */ (['work', 'meet', 'rest'])) {
      const place = places[kind]
      if (place && !isPlace(kind, world.stateAt(place.x, place.y, place.z))) places[kind] = null
    }
    if (places.work && places.meet && places.rest) return
    for (const { pos, state } of blocksNear(world, this)) {
      for (const kind of /** @type {const} */ (['work', 'meet', 'rest'])) {
        if (places[kind] || !isPlace(kind, state) || (kind !== 'meet' && this.isTaken(kind, pos))) continue
        places[kind] = pos
      }
    }
  }

  /** @param {'work' | 'rest'} kind @param {Pos} pos */
  isTaken (kind, pos) {
    for (const other of this.world.entities.values()) {
      if (!(other instanceof Villager) || other === this) continue
      const place = other.places[kind]
      if (place && place.x === pos.x && place.y === pos.y && place.z === pos.z) return true
    }
    return false
  }
}

/** @param {'work' | 'meet' | 'rest'} kind @param {import('../data').BlockState} state */
function isPlace (kind, state) {
  if (kind === 'meet') return state.name === 'bell'
  return kind === 'work' ? JOBS[state.name] !== undefined : state.name.endsWith('_bed') && state.props.part === 'head'
}

/**
 * Return beds, bells and workplaces around a body, the nearest first; sections without any are skipped.
 * @param {import('../world').World} world
 * @param {Pos} around
 */
function blocksNear (world, around) {
  const [x0, y0, z0] = [Math.floor(around.x), Math.floor(around.y), Math.floor(around.z)]
  /** @type {{ pos: Pos, state: import('../data').BlockState, far: number }[]} */
  const found = []
  const wanted = (/** @type {number} */ id) => {
    const state = world.data.state(id)
    return isPlace('work', state) || isPlace('meet', state) || isPlace('rest', state)
  }
  for (let cx = (x0 - REACH) >> 4; cx <= (x0 + REACH) >> 4; cx++) {
    for (let cz = (z0 - REACH) >> 4; cz <= (z0 + REACH) >> 4; cz++) {
      if (!world.columnReady(cx, cz)) continue
      const { chunk } = world.terrain.info(cx, cz)
      for (let sy = (y0 - REACH_Y) >> 4; sy <= (y0 + REACH_Y) >> 4; sy++) {
        const section = chunk.sections[sy - (world.minY >> 4)]
        if (!section || section.solidBlockCount === 0 || (section.data.palette && !section.data.palette.some(wanted))) {
          continue
        }
        for (let at = 0; at < 4096; at++) {
          const id = section.data.get(at)
          if (!wanted(id)) continue
          const pos = { x: cx * 16 + (at & 15), y: sy * 16 + (at >> 8), z: cz * 16 + ((at >> 4) & 15) }
          const far = length3(pos.x - x0, pos.y - y0, pos.z - z0)
          if (far <= REACH) found.push({ pos, state: world.data.state(id), far })
        }
      }
    }
  }
  return found.sort((a, b) => a.far - b.far)
}

module.exports = { Villager, SCHEDULE }
