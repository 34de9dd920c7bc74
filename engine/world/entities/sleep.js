'use strict'
/**
 * Mobs that need no tick: who is at ease with no player near sleeps and lives one tick of twenty, as on servers with activation
 * ranges. What the others would have brought is made good when it lives one: it grows, lays its eggs and idles no slower. Mobs
 * far from everybody live as seldom and make nothing good, as vanilla's beyond the simulation distance, and not at all while their
 * land is forgotten. Who is harmed or given an effect wakes at once. Nobody sleeps on land that somebody laid out.
 */

/** Ticks from one lived tick to the next. Mobs do what they do now and then at ages that this divides. */
const SPAN = 20
/** Side of the squares of land by which sleepers are found, in blocks, and squares along an axis: they make one number of two. */
const SIDE = 64
const ALONG = 2 ** 21

/**
 * @typedef {import('./mobs').Mob} Mob
 * @typedef {{ since: number, bed: Set<Mob> }} Nap `since`: the age of the last tick that it lived
 */

/** The sleepers of one world. */
class Sleep {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** Who lives next in which tick, by the world's age. @type {Set<Mob>[]} */
    this.beds = Array.from({ length: SPAN }, () => new Set())
    /** @type {Map<Mob, Nap>} */
    this.naps = new Map()
    /** Who has slept, by the square where it did last. @type {Map<number, Set<Mob>>} */
    this.squares = new Map()
    /** @type {Map<Mob, number>} */
    this.places = new Map()
  }

  /** A mob has lived this tick, and nobody is near. @param {Mob} mob */
  consider (mob) {
    if (mob.removed || this.naps.has(mob)) return
    if (mob.far) this.lay(mob, SPAN - (this.world.age + mob.id) % SPAN)
    else if (mob.atEase) this.lay(mob, SPAN - mob.age % SPAN)
  }

  /** @param {Mob} mob @param {number} ticks until it lives again */
  lay (mob, ticks) {
    const { active, age } = this.world
    active.delete(mob)
    const bed = this.beds[(age + ticks) % SPAN]
    bed.add(mob)
    this.naps.set(mob, { since: age, bed })
    const square = squareOf(Math.floor(mob.x / SIDE), Math.floor(mob.z / SIDE))
    // Most wake where they slept, and sleep there again.
    if (this.places.get(mob) === square) return
    this.leave(mob)
    this.places.set(mob, square)
    const there = this.squares.get(square)
    if (there) there.add(mob)
    else this.squares.set(square, new Set([mob]))
  }

  /** It no longer sleeps where it did. @param {Mob} mob */
  leave (mob) {
    const square = this.places.get(mob)
    if (square === undefined) return
    this.places.delete(mob)
    const there = this.squares.get(square)
    there?.delete(mob)
    if (there?.size === 0) this.squares.delete(square)
  }

  /** Those live whose tick this is, but who have no land just now. */
  tick () {
    const bed = this.beds[this.world.age % SPAN]
    for (const mob of bed) if (this.world.terrain.has(Math.floor(mob.x) >> 4, Math.floor(mob.z) >> 4)) this.rouse(mob)
  }

  /** Whoever sleeps is awake, and what it missed made good. @param {Mob} mob */
  rouse (mob) {
    const nap = this.naps.get(mob)
    if (nap === undefined) return
    this.wake(mob, nap)
    this.world.active.add(mob)
    if (mob.far) return
    const missed = Math.max(0, this.world.age - nap.since - 1)
    mob.age += missed
    mob.pass(missed)
    if (!mob.ground.same()) mob.ground.leave()
  }

  /** @param {Mob} mob @param {Nap} nap */
  wake (mob, nap) {
    this.naps.delete(mob)
    nap.bed.delete(mob)
  }

  /** It has left the world. @param {Mob} mob */
  forget (mob) {
    const nap = this.naps.get(mob)
    if (nap !== undefined) this.wake(mob, nap)
    this.leave(mob)
  }

  /** Sleepers no further from a place than that along both axes, and some that are. @param {number} x @param {number} z @param {number} reach blocks @param {(mob: Mob) => void} visit */
  around (x, z, reach, visit) {
    for (let east = Math.floor((x - reach) / SIDE); east <= Math.floor((x + reach) / SIDE); east++) {
      for (let south = Math.floor((z - reach) / SIDE); south <= Math.floor((z + reach) / SIDE); south++) {
        for (const mob of this.squares.get(squareOf(east, south)) ?? []) if (this.naps.has(mob)) visit(mob)
      }
    }
  }
}

/** @param {number} east @param {number} south */
function squareOf (east, south) { return east * ALONG + south }

module.exports = { Sleep }
