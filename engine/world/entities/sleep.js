'use strict'
/**
 * Mobs that need no tick: who is at ease with no player near sleeps and lives one tick of twenty, as on servers with activation
 * ranges. What the others would have brought is made good when it lives one: it grows, lays its eggs and idles no slower. Mobs
 * far from everybody live as seldom and make nothing good, as vanilla's beyond the simulation distance, and not at all while their
 * land is forgotten. Who is harmed or given an effect wakes at once. Nobody sleeps on land that somebody laid out.
 */

/** Ticks from one lived tick to the next. Mobs do what they do now and then at ages that this divides. */
const SPAN = 20

/** @typedef {import('./mobs').Mob} Mob */

/** The sleepers of one world. */
class Sleep {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** Who lives next in which tick, by the world's age. @type {Set<Mob>[]} */
    this.beds = Array.from({ length: SPAN }, () => new Set())
    /** Since when each sleeps: the age of the last tick that it lived. @type {Map<Mob, number>} */
    this.since = new Map()
  }

  /** A mob has lived this tick, and nobody is near. @param {Mob} mob */
  consider (mob) {
    if (mob.removed || this.since.has(mob)) return
    if (mob.far) this.lay(mob, SPAN - (this.world.age + mob.id) % SPAN)
    else if (mob.atEase) this.lay(mob, SPAN - mob.age % SPAN)
  }

  /** @param {Mob} mob @param {number} ticks until it lives again */
  lay (mob, ticks) {
    const { active, age } = this.world
    active.delete(mob)
    this.since.set(mob, age)
    this.beds[(age + ticks) % SPAN].add(mob)
  }

  /** Those live whose tick this is, but who have no land just now. */
  tick () {
    const bed = this.beds[this.world.age % SPAN]
    for (const mob of bed) if (this.world.terrain.has(Math.floor(mob.x) >> 4, Math.floor(mob.z) >> 4)) this.rouse(mob)
  }

  /** Whoever sleeps is awake, and what it missed made good. @param {Mob} mob */
  rouse (mob) {
    const since = this.since.get(mob)
    if (since === undefined) return
    this.forget(mob)
    this.world.active.add(mob)
    if (mob.far) return
    const missed = Math.max(0, this.world.age - since - 1)
    mob.age += missed
    mob.pass(missed)
    if (!mob.ground.same()) mob.ground.leave()
  }

  /** It has left the world, or wakes. @param {Mob} mob */
  forget (mob) {
    if (!this.since.delete(mob)) return
    for (const bed of this.beds) bed.delete(mob)
  }
}

module.exports = { Sleep }
