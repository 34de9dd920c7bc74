'use strict'
/** Block changes of one tick, grouped as the protocol wants them. */

/** A section with more changes than this goes out as its whole column: one packet instead of thousands of records. */
const RESEND_ABOVE = 512

/**
 * @typedef {object} SectionChanges
 * @property {number} sx
 * @property {number} sy
 * @property {number} sz
 * @property {Map<number, number>} states (x << 8 | z << 4 | y) within the section -> block state id
 */

/** Collects changes until the flush. */
class BlockChanges {
  /**
   * @param {{codec: import('./codec').Codec, columns: import('./columns').Columns, interest:
   *   import('./interest').Interest}} front
   */
  constructor (front) {
    this._front = front
    /** @type {Map<string, SectionChanges>} */
    this._sections = new Map()
    /** @type {SectionChanges | null} */
    this._last = null
  }

  /** @param {{x: number, y: number, z: number, stateId: number}} change */
  add ({ x, y, z, stateId }) {
    const sx = x >> 4
    const sy = y >> 4
    const sz = z >> 4
    let section = this._last
    if (!section || section.sx !== sx || section.sy !== sy || section.sz !== sz) {
      this._front.columns.invalidate(sx, sz)
      const key = `${sx},${sy},${sz}`
      section = this._sections.get(key) ?? { sx, sy, sz, states: new Map() }
      this._sections.set(key, section)
      this._last = section
    }
    section.states.set((x & 15) << 8 | (z & 15) << 4 | (y & 15), stateId)
  }

  /** Tell every viewer that has the columns. */
  flush () {
    if (this._sections.size === 0) return
    /** @type {Set<string>} */
    const whole = new Set()
    for (const { sx, sz, states } of this._sections.values()) if (states.size > RESEND_ABOVE) whole.add(`${sx},${sz}`)
    for (const section of this._sections.values()) {
      if (!whole.has(`${section.sx},${section.sz}`)) this._send(section, this._frame(section))
    }
    for (const column of whole) this._resend(column)
    this._sections.clear()
    this._last = null
  }

  /**
   * @param {{sx: number, sz: number}} where
   * @param {Buffer} framed
   */
  _send ({ sx, sz }, framed) {
    for (const viewer of this._front.interest.watchers(sx, sz)) {
      if (/** @type {any} */ (viewer.view).has(sx, sz)) viewer.connection.send(framed)
    }
  }

  /** @param {string} column */
  _resend (column) {
    const [sx, sz] = column.split(',').map(Number)
    for (const viewer of this._front.interest.watchers(sx, sz)) {
      const { view, lit } = /** @type {any} */ (viewer)
      if (view.has(sx, sz)) viewer.connection.send(this._front.columns.frame(sx, sz, lit))
    }
  }

  /** @param {SectionChanges} section */
  _frame ({ sx, sy, sz, states }) {
    const { codec } = this._front
    const changes = [...states]
    if (changes.length > 1) {
      const records = changes.map(([at, state]) => state * 4096 + at)
      return codec.encode('play', 'multi_block_change', { chunkCoordinates: { x: sx, y: sy, z: sz }, records })
    }
    const [at, type] = changes[0]
    const location = { x: sx * 16 + (at >> 8), y: sy * 16 + (at & 15), z: sz * 16 + ((at >> 4) & 15) }
    return codec.encode('play', 'block_change', { location, type })
  }
}

module.exports = { BlockChanges }
