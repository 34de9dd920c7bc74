/** A run's record in the page: its chunks, loaded on demand, its progress, and the lines behind its moments. */
import { Cursor, firstAfter } from './scene.mjs'

/** Maximum number of kept chunks. */
const KEPT = 6
/** Interval before a failed request for a chunk is repeated, in milliseconds. */
const RETRY_MS = 1500
/** Fields of a row of words. */
export const WORD = ['at', 'kind', 'speaker', 'receiver', 'text', 'offset', 'length']

/**
 * @typedef {{chunks: number[], until: number, count: number, read: number, size: number, skipped: number, ended:
 *   boolean, live: boolean, sealed?: boolean}} Reach
 * @typedef {{reach: (read: number) => Promise<Reach>, chunk: (n: number, after: number) => Promise<any>, part: (what:
 *   string, query?: Record<string, any>) => Promise<any>}} Source
 */

const COLLATOR = new Intl.Collator('en', { numeric: true })

/**
* Return runs sorted by name, with numbers in names compared as numbers.
 * @template {{name: string}} T
 * @param {T[]} runs
 */
export function byName (runs) {
  return [...runs].sort((one, other) => COLLATOR.compare(one.name, other.name))
}

/** One run. */
export class Run {
  /** @param {Source} source */
  constructor (source) {
    this.source = source
    /** @type {Reach} */
    this.reach = { chunks: [0], until: 0, count: 0, read: -1, size: 0, skipped: 0, ended: false, live: false }
    /** @type {Map<number, Cursor>} */
    this.cursors = new Map()
    /** @type {Map<number, Promise<void>>} */
    this.coming = new Map()
    /** @type {Map<string, Promise<any>>} */
    this.lines = new Map()
    /** @type {any[][]} */
    this.marks = []
    /** Error of the last chunk's request; empty after success. */
    this.error = ''
  }

  /** Request the run's progress, and load news of the open chunk. */
  async look () {
    const reach = await this.source.reach(this.reach.read)
    if (this.reach.read >= 0 && Boolean(reach.sealed) !== Boolean(this.reach.sealed)) this.forget()
    const grown = reach.read !== this.reach.read
    const last = reach.chunks.length - 1
    for (const [number, cursor] of this.cursors) {
      // The formerly open chunk was closed or restarted, so the loaded part may lack its end.
      if (number > last || (number >= this.reach.chunks.length - 1 && number < last)) this.cursors.delete(number)
      else if (number === last && cursor.chunk.count < reach.count) await this.take(number, cursor)
    }
    this.reach = reach
    if (grown || !this.marks.length) {
      this.marks.push(...await this.source.part('marks', { after: this.marks.at(-1)?.[0] ?? 0 }))
    }
    return grown
  }

  /** Forget all that was read: the run's seal has changed, and with it what the record shows. */
  forget () {
    this.cursors.clear()
    this.lines.clear()
    this.marks.length = 0
  }

  /**
   * @param {number} number
   * @param {Cursor} cursor
   */
  async take (number, cursor) {
    const more = await this.source.chunk(number, cursor.chunk.count)
    if (more.scene !== null && cursor.chunk.count > 0) this.cursors.delete(number)
    else {
      cursor.grow(more.changes, more.until)
      cursor.chunk.count = more.count
    }
  }

  /** @param {number} at the number of the chunk in which that moment is */
  numberAt (at) {
    return Math.max(0, firstAfter(this.reach.chunks, at) - 1)
  }

  /**
* Return the cursor for a moment, or null while its chunk is loading. The following chunk is prefetched.
   * @param {number} at
   * @returns {Cursor | null}
   */
  cursor (at) {
    const number = this.numberAt(at)
    const found = this.cursors.get(number) ?? null
    if (!found) this.fetch(number)
    else if (at > (found.chunk.at + found.chunk.until) / 2 && number + 1 < this.reach.chunks.length) {
      this.fetch(number + 1)
    }
    return found
  }

  /** @param {number} number of a chunk */
  fetch (number) {
    if (this.cursors.has(number) || this.coming.has(number)) return this.coming.get(number)
    const coming = this.source.chunk(number, 0).then((chunk) => {
      this.cursors.set(number, new Cursor(chunk))
      while (this.cursors.size > KEPT) this.cursors.delete(/** @type {number} */ (this.cursors.keys().next().value))
      this.error = ''
      this.coming.delete(number)
    }).catch((error) => {
      this.error = `part ${number + 1} of the record cannot be shown: ${error.message}`
      setTimeout(() => this.coming.delete(number), RETRY_MS)
    })
    this.coming.set(number, coming)
    return coming
  }

  /**
* Return a line of the log.
   * @param {[number, number]} ref
   * @param {string} [what] `line`, `ground` or `call`
   */
  line (ref, what = 'line') {
    const key = `${what} ${ref[0]}`
    const found = this.lines.get(key) ??
      this.source.part(what, { o: ref[0], l: ref[1] }).catch((error) => ({ error: error.message }))
    this.lines.set(key, found)
    if (this.lines.size > 200) this.lines.delete(/** @type {string} */ (this.lines.keys().next().value))
    return found
  }
}
