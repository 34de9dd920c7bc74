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
 * @typedef {{ since: number, bed: Set<Mob>, square: number }} Nap `since`: the age of the last tick that it lived
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
    /** Sleepers by the square that they are in: they go nowhere. @type {Map<number, Set<Mob>>} */
    this.squares = new Map()
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
    const square = squareOf(Math.floor(mob.x / SIDE), Math.floor(mob.z / SIDE))
    const there = this.squares.get(square)
    bed.add(mob)
    if (there) there.add(mob)
    else this.squares.set(square, new Set([mob]))
    this.naps.set(mob, { since: age, bed, square })
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
    this.forget(mob)
    this.world.active.add(mob)
    if (mob.far) return
    const missed = Math.max(0, this.world.age - nap.since - 1)
    mob.age += missed
    mob.pass(missed)
    if (!mob.ground.same()) mob.ground.leave()
  }

  /** It has left the world, or wakes. @param {Mob} mob */
  forget (mob) {
    const nap = this.naps.get(mob)
    if (nap === undefined) return
    this.naps.delete(mob)
    nap.bed.delete(mob)
    const there = this.squares.get(nap.square)
    there?.delete(mob)
    if (there?.size === 0) this.squares.delete(nap.square)
  }

  /** Sleepers no further from a place than that along both axes, and some that are. @param {number} x @param {number} z @param {number} reach blocks @param {(mob: Mob) => void} visit */
  around (x, z, reach, visit) {
    for (let east = Math.floor((x - reach) / SIDE); east <= Math.floor((x + reach) / SIDE); east++) {
      for (let south = Math.floor((z - reach) / SIDE); south <= Math.floor((z + reach) / SIDE); south++) {
        for (const mob of this.squares.get(squareOf(east, south)) ?? []) visit(mob)
      }
    }
  }
}

/** @param {number} east @param {number} south */
function squareOf (east, south) { return east * ALONG + south }

module.exports = { Sleep }
