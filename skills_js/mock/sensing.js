'use strict'
/**
 * Senses of players as changes since the last answer: most of a crowd stands where it stood, holds what it held and
 * sees what it saw, and repeating that costs both sides more than finding it out.
 *
 * @module skills_js/mock/sensing
 */
const { sense } = require('./sense')

/** Most kinds of requests remembered; beyond that all start anew. */
const MAX_VIEWS = 8
/** Parts of `Sensed` (bridge/types.py) that are reported when they have changed, with how a change is detected. */
const PARTS = Object.freeze(/** @type {[string, (a: any, b: any) => boolean][]} */ ([
  ['position', sameList], ['yaw', same], ['pitch', same], ['health', same], ['food', same], ['items', sameItems],
  ['held', same],
  ['gamemode', same], ['players', sameRows], ['mobs', sameRows], ['drops', sameRows], ['blocks', sameRows]
]))

/**
 * @typedef {Record<string, any>} Sensed
 * @typedef {{ told: number, last: Map<string, Sensed> }} View one kind of look, and what each player was told of it
 *   last
 * @typedef {{ number: number, tick: number, told: (Sensed | 0 | null)[] }} News `told`, for each name that was asked
 *   for: what has changed, 0 for nothing, null for who is not there
 */

/** Requests to one world, numbered by their asker. */
class Sensing {
  /** @type {Map<number, View>} */
  #views = new Map()

  /**
   * @param {import('./simulation').Simulation} simulation
   * @param {string[]} names
   * @param {import('../nearby').Senses} senses the same for every look of one view
   * @param {{ view: number, after: number }} known `after`: the number of the last news of that view that arrived; 0:
   *   none, all is to be told
   * @returns {News}
   */
  look (simulation, names, senses, { view, after }) {
    const { last, told: before } = this.#view(view, after)
    const found = new Map(sense(simulation, names, senses).map((/** @type {any} */ each) => [each.name, each]))
    const told = names.map((name) => {
      const now = found.get(name)
      const was = last.get(name)
      if (now === undefined) {
        last.delete(name)
        return null
      }
      last.set(name, now)
      return was === undefined ? now : changes(was, now)
    })
    this.#views.set(view, { last, told: before + 1 })
    return { number: before + 1, tick: simulation.age, told }
  }

  /** @param {number} number @param {number} after @returns {View} as new where the last news has not arrived */
  #view (number, after) {
    const view = this.#views.get(number)
    if (view !== undefined && view.told === after) return view
    if (this.#views.size >= MAX_VIEWS) this.#views.clear()
    return { told: 0, last: new Map() }
  }
}

/** @param {Sensed} was @param {Sensed} now @returns {Sensed | 0} */
function changes (was, now) {
  /** @type {Sensed | 0} */
  let changed = 0
  for (const [part, alike] of PARTS) {
    if (alike(was[part], now[part])) continue
    if (changed === 0) changed = {}
    changed[part] = now[part]
  }
  return changed
}

/** @param {unknown} a @param {unknown} b */
function same (a, b) { return a === b }

/** @param {unknown[]} a @param {unknown[]} b of texts, numbers and the like */
function sameList (a, b) {
  if (a.length !== b.length) return false
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
  return true
}

/** @param {any[][]} a @param {any[][]} b */
function sameRows (a, b) {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let row = 0; row < a.length; row++) if (!sameList(a[row], b[row])) return false
  return true
}

/** @param {Record<string, number>} a @param {Record<string, number>} b sorted by name, both */
function sameItems (a, b) {
  return a === b || (sameList(Object.keys(a), Object.keys(b)) && sameList(Object.values(a), Object.values(b)))
}

module.exports = { MAX_VIEWS, Sensing }
