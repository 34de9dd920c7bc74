'use strict'
/** Watch of the items on the ground that the bots of a host see, and their union over all hosts of a fleet. */
const { DropTeller, RestingDrops, SAMPLE_S } = require('../../../skills_js/drop_changes')
const { droppedItem } = require('../live/snapshots')

/** Most items of a fleet's hosts that are remembered. */
const MAX_KNOWN = 5000
const MAX_NAME = 60

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */
/** @typedef {import('../../../skills_js/drop_changes').Row} Row */
/** @typedef {import('../../../skills_js/drop_changes').Sample} Sample */

/** Listener to the bots of one host. */
class DropWatch {
  #bots
  #tell
  #resting = new RestingDrops()
  #teller = new DropTeller()
  /** @type {NodeJS.Timeout | undefined} */
  #planned

  /**
   * @param {() => LiveBot[]} bots that stand in the world
   * @param {(sample: Sample) => void} tell
   */
  constructor (bots, tell) {
    this.#bots = bots
    this.#tell = tell
  }

  /** @param {LiveBot} bot that stands in the world */
  watch (bot) {
    bot.on('itemDrop', () => this.#plan())
    // What lay there before the bot came.
    this.#plan()
  }

  #plan () {
    this.#planned ??= setTimeout(() => this.look(), SAMPLE_S * 1000)
  }

  /** Report the items that have come to lie on the ground or have gone since the last report. */
  look () {
    clearTimeout(this.#planned)
    this.#planned = undefined
    const bots = this.#bots()
    this.#resting.sample(lying(bots))
    const sample = this.#teller.tell(this.#resting.rows, () => bots.filter(({ game }) => game.gameMode !== 'spectator')
      .map(({ entity }) => entity.position))
    if (sample !== null) this.#tell(sample)
    if (!this.#resting.empty || !this.#teller.empty) this.#plan()
  }
}

/**
 * Yield the items that bots see.
 * @param {LiveBot[]} bots
 * @returns {Iterable<import('../../../skills_js/drop_changes').Drop>}
 */
function * lying (bots) {
  const seen = new Set()
  for (const bot of bots) {
    for (const entity of Object.values(bot.entities)) {
      if (entity.name !== 'item' || seen.has(entity.id) || entity.isValid === false) continue
      seen.add(entity.id)
      // What it is comes a moment after the thing itself.
      const item = droppedItem(entity)
      const { x, y, z } = entity.position
      if (item !== null) yield { id: entity.id, name: item.name, count: item.count, x, y, z }
    }
  }
}

/** Items that the hosts of a fleet report, told once for all of them. */
class DropNews {
  /** @type {Map<number, Row>} */
  #rows = new Map()
  /** Hosts that see each item. @type {Map<number, Set<object>>} */
  #seers = new Map()
  /** Number of items that each host leaves out. @type {Map<object, number>} */
  #leftOut = new Map()
  #teller = new DropTeller()
  #tell
  /** World age in the last report. @type {number | null} */
  #tick = null
  /** True if something may have changed since the last report. */
  #stale = false
  /** Timer of the next report; none if nothing was told for a second. @type {NodeJS.Timeout | undefined} */
  #planned

  /** @param {(tick: number | null, sample: Sample) => void} tell */
  constructor (tell) {
    this.#tell = tell
  }

  /**
   * Take a report. Of several hosts' reports within a second the first is told at once, the others together.
   * @param {object} host
   * @param {number | null} tick
   * @param {{ at?: unknown, gone?: unknown, left_out?: unknown }} sample as a host sent it
   */
  hear (host, tick, { at, gone, left_out: leftOut }) {
    this.#tick = tick ?? this.#tick
    this.#leftOut.set(host, Number(leftOut) || 0)
    for (const [key, row] of Object.entries(Object(at))) if (isRow(row)) this.#see(host, Number(key), row)
    if (Array.isArray(gone)) for (const key of gone) this.#lose(host, Number(key))
    this.#plan()
  }

  /** Forget what a lost host saw. @param {object} host */
  forget (host) {
    this.#leftOut.delete(host)
    for (const id of [...this.#seers.keys()]) this.#lose(host, id)
    this.#plan()
  }

  /** Tell all items again, for whoever listens from now on. */
  repeat () {
    this.#teller.repeat()
    this.#plan()
  }

  /** End the reports. */
  end () { clearTimeout(this.#planned) }

  /** @param {object} host @param {number} id @param {Row} row */
  #see (host, id, row) {
    const seers = this.#seers.get(id) ?? new Set()
    if (seers.size === 0 && this.#seers.size >= MAX_KNOWN) return
    this.#seers.set(id, seers.add(host))
    if (JSON.stringify(this.#rows.get(id)) !== JSON.stringify(row)) this.#rows.set(id, row)
  }

  /** @param {object} host @param {number} id */
  #lose (host, id) {
    const seers = this.#seers.get(id)
    if (!seers?.delete(host) || seers.size > 0) return
    this.#seers.delete(id)
    this.#rows.delete(id)
  }

  #plan () {
    this.#stale = true
    if (this.#planned === undefined) this.#report()
  }

  #report () {
    this.#stale = false
    const sample = this.#teller.tell(this.#rows, () => [])
    if (sample !== null) {
      const leftOut = [...this.#leftOut.values()].reduce((sum, each) => sum + each, sample.left_out ?? 0)
      this.#tell(this.#tick, leftOut ? { ...sample, left_out: leftOut } : sample)
    }
    this.#planned = setTimeout(() => {
      this.#planned = undefined
      if (this.#stale || sample !== null) this.#report()
    }, SAMPLE_S * 1000)
  }
}

/** @param {unknown} row @returns {row is Row} */
function isRow (row) {
  const [name, count, place] = Array.isArray(row) ? row : []
  return typeof name === 'string' && name.length <= MAX_NAME && Number.isInteger(count) && Array.isArray(place) &&
    place.length === 3 && place.every(Number.isFinite)
}

module.exports = { DropNews, DropWatch }
