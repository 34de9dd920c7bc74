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

/** @typedef {import('./mobs').Mob} Mob */

/** The sleepers of one world. */
class Sleep {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** Who lives next in which tick, by the world's age, and some who woke before. @type {Mob[][]} */
    this.beds = Array.from({ length: SPAN }, () => [])
    /** Who has slept, by the square where it did last. @type {Map<number, Set<Mob>>} */
    this.squares = new Map()
  }

  /** A mob has lived this tick, and nobody is near. @param {Mob} mob */
  consider (mob) {
    if (mob.removed || mob.napping >= 0) return
    if (mob.far) this.lay(mob, SPAN - (this.world.age + mob.id) % SPAN)
    else if (mob.atEase) this.lay(mob, SPAN - mob.age % SPAN)
  }

  /** @param {Mob} mob @param {number} ticks until it lives again */
  lay (mob, ticks) {
    const { active, age } = this.world
    active.delete(mob)
    mob.napping = age
    this.bed(mob, age + ticks)
    const square = squareOf(Math.floor(mob.x / SIDE), Math.floor(mob.z / SIDE))
    // Most wake where they slept, and sleep there again.
    if (mob.square === square) return
    this.leave(mob)
    mob.square = square
    const there = this.squares.get(square)
    if (there) there.add(mob)
    else this.squares.set(square, new Set([mob]))
  }

  /** @param {Mob} mob @param {number} due the age in which it lives again */
  bed (mob, due) {
    mob.due = due
    this.beds[due % SPAN].push(mob)
  }

  /** It no longer sleeps where it did. @param {Mob} mob */
  leave (mob) {
    const there = this.squares.get(mob.square)
    there?.delete(mob)
    if (there?.size === 0) this.squares.delete(mob.square)
    mob.square = NaN
  }

  /** Those live whose tick this is, but who have no land just now. */
  tick () {
    const { age, terrain } = this.world
    const bed = this.beds[age % SPAN]
    if (bed.length === 0) return
    this.beds[age % SPAN] = []
    for (const mob of bed) {
      if (mob.napping < 0 || mob.due !== age) continue
      if (terrain.has(Math.floor(mob.x) >> 4, Math.floor(mob.z) >> 4)) this.rouse(mob)
      else this.bed(mob, age + SPAN)
    }
  }

  /** Whoever sleeps is awake, and what it missed made good. @param {Mob} mob */
  rouse (mob) {
    const since = mob.napping
    if (since < 0) return
    mob.napping = -1
    this.world.active.add(mob)
    if (mob.far) return
    const missed = Math.max(0, this.world.age - since - 1)
    mob.age += missed
    mob.pass(missed)
    if (!mob.ground.same()) mob.ground.leave()
  }

  /** A body has left the world: a mob, or one that never sleeps. @param {Mob | import('./entity').Entity} body */
  forget (body) {
    if (!('napping' in body)) return
    const mob = /** @type {Mob} */ (body)
    mob.napping = -1
    this.leave(mob)
  }

  /** Sleepers no further from a place than that along both axes, and some that are. @param {number} x @param {number} z @param {number} reach blocks @param {(mob: Mob) => void} visit */
  around (x, z, reach, visit) {
    for (let east = Math.floor((x - reach) / SIDE); east <= Math.floor((x + reach) / SIDE); east++) {
      for (let south = Math.floor((z - reach) / SIDE); south <= Math.floor((z + reach) / SIDE); south++) {
        for (const mob of this.squares.get(squareOf(east, south)) ?? []) if (mob.napping >= 0) visit(mob)
      }
    }
  }
}

/** @param {number} east @param {number} south */
function squareOf (east, south) { return east * ALONG + south }

module.exports = { Sleep }
