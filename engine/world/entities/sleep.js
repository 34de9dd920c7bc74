'use strict'
/**
 * Bodies that need no tick: they sleep and live one tick of twenty. What the others would have brought is made good when they live
 * one. A mob at ease sleeps with no player near, as on servers with activation ranges: it grows, lays its eggs and idles no slower.
 * Mobs far from everybody do not live at all, and nothing of that is made good, as beyond vanilla's simulation distance. Who is
 * harmed or given an effect wakes at once. No mob sleeps on land that somebody laid out. A stack that lies sleeps wherever it is,
 * until a block beside it changes.
 */

/** Ticks from one lived tick to the next. Mobs do what they do now and then at ages that this divides. */
const SPAN = 20
/** Side of the squares of land by which sleepers are found, in blocks, and squares along an axis: they make one number of two. */
const SIDE = 64
const ALONG = 2 ** 21
/** No tick is that of who is far. */
const NEVER = -1

/** @typedef {import('./mobs').Mob} Mob */
/** @typedef {import('./drops').Drop} Drop */
/** @typedef {Mob | Drop} Sleeper */

/** The sleepers of one world. */
class Sleep {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** Who lives next in which tick, by the world's age, and some who woke before. @type {Sleeper[][]} */
    this.beds = Array.from({ length: SPAN }, () => [])
    /** Who has slept, by the square where it did last. @type {Map<number, Set<Sleeper>>} */
    this.squares = new Map()
  }

  /** A mob has lived this tick, and nobody is near. @param {Mob} mob */
  consider (mob) {
    if (mob.removed || mob.napping >= 0) return
    if (mob.far) this.lay(mob, NEVER)
    else if (mob.atEase) this.lay(mob, SPAN - mob.age % SPAN)
  }

  /** @param {Sleeper} sleeper @param {number} ticks until it lives again, or `NEVER` */
  lay (sleeper, ticks) {
    const { active, age } = this.world
    active.delete(sleeper)
    sleeper.napping = age
    sleeper.due = NEVER
    if (ticks !== NEVER) this.bed(sleeper, age + ticks)
    const square = squareOf(Math.floor(sleeper.x / SIDE), Math.floor(sleeper.z / SIDE))
    // Most wake where they slept, and sleep there again.
    if (sleeper.bedroom === square) return
    this.leave(sleeper)
    sleeper.bedroom = square
    const there = this.squares.get(square)
    if (there) there.add(sleeper)
    else this.squares.set(square, new Set([sleeper]))
  }

  /** @param {Sleeper} sleeper @param {number} due the age in which it lives again */
  bed (sleeper, due) {
    sleeper.due = due
    this.beds[due % SPAN].push(sleeper)
  }

  /** It no longer sleeps where it did. @param {Sleeper} sleeper */
  leave (sleeper) {
    const there = this.squares.get(sleeper.bedroom)
    there?.delete(sleeper)
    if (there?.size === 0) this.squares.delete(sleeper.bedroom)
    sleeper.bedroom = NaN
  }

  /** Those live whose tick this is, but who are far or have no land just now. */
  tick () {
    const { age, terrain } = this.world
    const bed = this.beds[age % SPAN]
    if (bed.length === 0) return
    this.beds[age % SPAN] = []
    for (const sleeper of bed) {
      if (sleeper.napping < 0 || sleeper.due !== age || sleeper.far) continue
      if (!terrain.has(Math.floor(sleeper.x) >> 4, Math.floor(sleeper.z) >> 4) && !sleeper.over(age - sleeper.napping)) this.bed(sleeper, age + SPAN)
      else if (sleeper.dozes(age - sleeper.napping)) this.sleepOn(sleeper)
      else this.rouse(sleeper)
    }
  }

  /** It has lived its tick without waking. @param {Sleeper} sleeper */
  sleepOn (sleeper) {
    if (sleeper.napping < 0) return
    sleeper.napping = this.world.age
    this.bed(sleeper, this.world.age + SPAN)
  }

  /** Whoever sleeps is awake, and what it missed made good. @param {Sleeper} sleeper */
  rouse (sleeper) {
    const since = sleeper.napping
    if (since < 0) return
    sleeper.napping = -1
    this.world.active.add(sleeper)
    if (sleeper.far) return
    const missed = Math.max(0, this.world.age - since - 1)
    sleeper.age += missed
    sleeper.pass(missed)
  }

  /** A body has left the world: one that may have slept, or never does. @param {Sleeper | import('./entity').Entity} body */
  forget (body) {
    if (!('napping' in body)) return
    const sleeper = /** @type {Sleeper} */ (body)
    sleeper.napping = -1
    this.leave(sleeper)
  }

  /** Sleepers no further from a place than that along both axes, and some that are. @param {number} x @param {number} z @param {number} reach blocks @param {(sleeper: Sleeper) => void} visit */
  around (x, z, reach, visit) {
    for (let east = Math.floor((x - reach) / SIDE); east <= Math.floor((x + reach) / SIDE); east++) {
      for (let south = Math.floor((z - reach) / SIDE); south <= Math.floor((z + reach) / SIDE); south++) {
        for (const sleeper of this.squares.get(squareOf(east, south)) ?? []) if (sleeper.napping >= 0) visit(sleeper)
      }
    }
  }
}

/** @param {number} east @param {number} south */
function squareOf (east, south) { return east * ALONG + south }

module.exports = { SPAN, Sleep }
