'use strict'
/**
 * Items that lie on the ground, as changes between two samples. Items that somebody picks up at once are never told: an
 * item counts from its second sample on, and a moved one once it has come to rest.
 *
 * @module skills_js/drop_changes
 */

/** Game seconds between two samples. */
const SAMPLE_S = 1
/** Most items that are told at the same time: those nearest to a player. */
const MAX_DROPS = 300
/** Movement along an axis up to which an item rests between two samples, in blocks: one in water bobs. */
const RESTS_WITHIN = 0.25
/** Characters of changes that each sample may add, and most that may gather while nothing changes. */
const CHARS_A_SAMPLE = 450
const MAX_CHARS = 8000
/** Length of a number in a list, and of a row's frame, in characters. */
const GONE_CHARS = 10
const FRAME_CHARS = 16
/** Share of its distance at which an item counts that is told already, so that two do not take turns. */
const KEPT = 0.8

/** @typedef {{ x: number, y: number, z: number }} Place */
/** @typedef {Place & { id: number, name: string, count: number }} Drop an item as a world knows it now */
/** @typedef {[string, number, [number, number, number]]} Row item, number of items in the stack, place */
/**
 * @typedef {{ at: Record<string, Row>, gone: string[], left_out?: number }} Sample by the items' numbers; `left_out`:
 *   number of other items that lie around
 */

/** Items that have come to rest, from one sample to the next. */
class RestingDrops {
  /** Each item at the last sample. @type {Map<number, Place & { row: Row | null, seen: number }>} */
  #last = new Map()
  #samples = 0
  /** Rows of resting items by their numbers; an unchanged row stays the same object. @type {Map<number, Row>} */
  rows = new Map()

  /** True if no item is known. */
  get empty () { return this.#last.size === 0 }

  /** Take the next sample. @param {Iterable<Drop>} drops all items on the ground */
  sample (drops) {
    const seen = ++this.#samples
    for (const drop of drops) {
      const last = this.#last.get(drop.id)
      if (last === undefined) {
        this.#last.set(drop.id, { x: drop.x, y: drop.y, z: drop.z, row: null, seen })
        continue
      }
      // Items that drift on and on are told where they were first.
      if (last.row === null || isNear(last, drop)) this.#rest(drop, last)
      Object.assign(last, { x: drop.x, y: drop.y, z: drop.z, seen })
    }
    for (const [id, last] of this.#last) {
      if (last.seen === seen) continue
      this.#last.delete(id)
      this.rows.delete(id)
    }
  }

  /** @param {Drop} drop @param {{ row: Row | null }} last */
  #rest (drop, last) {
    const { row } = last
    if (row !== null && row[0] === drop.name && row[1] === drop.count && isNear(placeOf(row), drop)) return
    last.row = [drop.name, drop.count, [tenths(drop.x), tenths(drop.y), tenths(drop.z)]]
    this.rows.set(drop.id, last.row)
  }
}

/** Teller of resting items: what has changed since it told the last time, within bounds of number and length. */
class DropTeller {
  /** @type {Map<number, Row>} */
  #told = new Map()
  #chars = MAX_CHARS

  /** True if no item is told. */
  get empty () { return this.#told.size === 0 }

  /** Tell all items again, for readers who may have missed some. */
  repeat () { this.#told.clear() }

  /**
   * Return the changes since the last call, or null for none. What exceeds the bounds is told by later calls, the
   * items nearest to a player first.
   * @param {ReadonlyMap<number, Row>} rows of all items
   * @param {() => Place[]} players
   * @returns {Sample | null}
   */
  tell (rows, players) {
    this.#chars = Math.min(MAX_CHARS, this.#chars + CHARS_A_SAMPLE)
    if (rows.size === 0 && this.empty) return null
    const wanted = rows.size > MAX_DROPS ? this.#nearest(rows, players()) : rows
    const gone = [...this.#told.keys()].filter((id) => !wanted.has(id) && this.#spend(GONE_CHARS))
    for (const id of gone) this.#told.delete(id)
    let news = [...wanted].filter(([id, row]) => this.#told.get(id) !== row)
    const sizes = news.map(([id, row]) => sizeOf(id, row))
    if (sizes.reduce((sum, size) => sum + size, 0) > this.#chars) news = byDistance(news, players(), () => 1)
    const at = news.filter(([id, row]) => this.#spend(sizeOf(id, row)))
    if (at.length === 0 && gone.length === 0) return null
    for (const [id, row] of at) this.#told.set(id, row)
    const leftOut = [...rows.keys()].filter((id) => !this.#told.has(id)).length
    return { at: Object.fromEntries(at), gone: gone.map(String), ...leftOut ? { left_out: leftOut } : {} }
  }

  /** Return true and count the characters if there is room for so many. @param {number} chars */
  #spend (chars) {
    if (chars > this.#chars) return false
    this.#chars -= chars
    return true
  }

  /** @param {ReadonlyMap<number, Row>} rows @param {Place[]} players */
  #nearest (rows, players) {
    const near = byDistance([...rows], players, (id) => this.#told.has(id) ? KEPT : 1)
    return new Map(near.slice(0, MAX_DROPS))
  }
}

/**
 * Return rows in the order of their distances to the nearest player.
 * @param {[number, Row][]} rows
 * @param {Place[]} players
 * @param {(id: number) => number} share of the distance that counts
 */
function byDistance (rows, players, share) {
  const far = new Map(rows.map(([id, [, , [x, y, z]]]) => [id, share(id) *
    players.reduce((least, at) => Math.min(least, Math.hypot(at.x - x, at.y - y, at.z - z)), Infinity)]))
  const farOf = (/** @type {number} */ id) => Math.min(Number(far.get(id)), Number.MAX_VALUE)
  return rows.sort(([one], [other]) => farOf(one) - farOf(other) || one - other)
}

/** @param {number} id @param {Row} row */
function sizeOf (id, row) { return JSON.stringify(row).length + String(id).length + FRAME_CHARS }

/** @param {Row} row @returns {Place} */
function placeOf ([, , [x, y, z]]) { return { x, y, z } }

/** @param {Place} one @param {Place} other */
function isNear (one, other) {
  return Math.abs(one.x - other.x) < RESTS_WITHIN && Math.abs(one.y - other.y) < RESTS_WITHIN &&
    Math.abs(one.z - other.z) < RESTS_WITHIN
}

/** @param {number} value */
function tenths (value) { return Math.round(value * 10) / 10 + 0 }

module.exports = { DropTeller, RestingDrops, MAX_CHARS, CHARS_A_SAMPLE, MAX_DROPS, SAMPLE_S }
