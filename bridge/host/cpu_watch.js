'use strict'
/**
 * One timer per host that looks at the CPU time of all running isolates; it runs only while there is one to watch.
 */

/** How often the isolates are looked at, in ms. */
const LOOK_MS = 40

/** Calls `look()` of every member at short intervals. */
class CpuWatch {
  /** @type {Set<{ look: () => void }>} */
  #members = new Set()
  /** @type {NodeJS.Timeout|null} */
  #timer = null

  /** @param {{ look: () => void }} member */
  add (member) {
    this.#members.add(member)
    this.#timer ??= setInterval(() => { for (const each of [...this.#members]) each.look() }, LOOK_MS)
  }

  /** @param {{ look: () => void }} member */
  remove (member) {
    this.#members.delete(member)
    if (this.#members.size > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }
}

module.exports = { CpuWatch, LOOK_MS }
