'use strict'
/**
 * Cache of what bots of many hosts sense. If a host is busy computing, nobody waits for it longer than asked: its last
 * answer stands in for its bots until the next one arrives.
 */
const { unlessLost } = require('./fleet_members')

/**
 * @typedef {{ alive: boolean, request: (type: string, fields: object) => Promise<any> }} Host
 * @typedef {{ name: string }} Sensed
 * @typedef {{ last: Sensed[] | null, asked: Promise<Sensed[]> | null }} Look `asked`: the question that is under way
 */

/** Last answers of each host, by request. */
class SensingCache {
  /** @type {WeakMap<Host, Map<string, Look>>} */
  #known = new WeakMap()

  /**
   * @param {Host} host
   * @param {string[]} bots
   * @param {{ radius?: number, most?: number, blocks?: string[], patience_ms?: number }} senses - without patience the
   *   answer is waited for
   * @returns {Promise<Sensed[]>} none of a host that is lost
   */
  async of (host, bots, { patience_ms: patience, ...senses }) {
    if (patience === undefined) return await ask(host, bots, senses)
    const look = this.#look(host, JSON.stringify([senses, bots]))
    look.asked ??= this.#ask(look, host, bots, senses)
    return look.last === null ? await look.asked : await within(look.asked, patience, () => look.last ?? [])
  }

  /**
   * @param {Look} look
   * @param {Host} host
   * @param {string[]} bots
   * @param {object} senses
   * @returns {Promise<Sensed[]>}
   */
  #ask (look, host, bots, senses) {
    const asked = ask(host, bots, senses).then((told) => {
      look.last = told
      return told
    }).finally(() => { look.asked = null })
    asked.catch(() => {}) // whoever waits for it is told; perhaps nobody does any more
    return asked
  }

  /**
   * @param {Host} host
   * @param {string} kind
   * @returns {Look}
   */
  #look (host, kind) {
    const known = this.#known.get(host) ?? new Map()
    this.#known.set(host, known)
    const look = known.get(kind) ?? { last: null, asked: null }
    known.set(kind, look)
    return look
  }
}

/**
 * @param {Host} host
 * @param {string[]} bots
 * @param {object} senses
 * @returns {Promise<Sensed[]>}
 */
async function ask (host, bots, senses) {
  return await unlessLost(host.request('sense', { bots, senses })) ?? []
}

/**
 * @template T
 * @param {Promise<T>} work - goes on in any case
 * @param {number} ms
 * @param {() => T} otherwise - what stands once that time is over
 * @returns {Promise<T>}
 */
function within (work, ms, otherwise) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(otherwise()), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

module.exports = { SensingCache, within }
