'use strict'
/**
 * Flow of light from block to block: spreading from sources, and darkening where light is gone. Most neighbours of a
 * block are in its own section, where both levels and states are read by a place in an array, without a call.
 */
const { MIN_Y, HEIGHT } = require('../../terrain')

/** @typedef {import('./light').LitColumn} LitColumn */

/** Number of blocks in a section. */
const CELLS = 4096
const OPEN_SKY = 0xf0
const FULL = 15
const SKY = 4
const BLOCK = 0
/** Steps to the six neighbours, x, y and z of each: flat, since arrays of arrays took half the time of darkening. */
const STEPS = new Int8Array([0, -1, 0, 0, 1, 0, 1, 0, 0, -1, 0, 0, 0, 0, 1, 0, 0, -1])
const DIRECTIONS = STEPS.length / 3
/** Direction of the step down. */
const DOWN = 0
/** Difference of a neighbour's place in a section, by direction. */
const OFFSETS = new Int16Array(DIRECTIONS)
for (let d = 0; d < DIRECTIONS; d++) OFFSETS[d] = STEPS[3 * d + 1] * 256 + STEPS[3 * d + 2] * 16 + STEPS[3 * d]

/**
 * Return a bit for each direction in which a block's neighbour is in the same section.
 * @param {number} x @param {number} y @param {number} z
 */
function innerOf (x, y, z) {
  const [px, py, pz] = [x & 15, y & 15, z & 15]
  return (py > 0 ? 1 : 0) | (py < 15 ? 2 : 0) | (px < 15 ? 4 : 0) | (px > 0 ? 8 : 0) | (pz < 15 ? 16 : 0) |
    (pz > 0 ? 32 : 0)
}
/** Directions with a neighbour in the same section, by the place of a block in its section. */
const INNER = Uint8Array.from({ length: CELLS }, (_, at) => innerOf(at, at >> 8, at >> 4))

/** Return the place of a block in its section. @param {number} x @param {number} y @param {number} z */
const placeOf = (x, y, z) => (y & 15) << 8 | (z & 15) << 4 | (x & 15)

/** Queue of blocks, three coordinates each, in one array that grows. */
class BlockQueue {
  constructor () {
    this.items = new Int32Array(384)
    this.length = 0
  }

  /** @param {number} x @param {number} y @param {number} z */
  push (x, y, z) {
    if (this.length + 3 > this.items.length) {
      const more = new Int32Array(this.items.length * 2)
      more.set(this.items)
      this.items = more
    }
    this.items[this.length] = x
    this.items[this.length + 1] = y
    this.items[this.length + 2] = z
    this.length += 3
  }

  /** Remove all blocks. @returns {this} */
  clear () {
    this.length = 0
    return this
  }
}

/** Flow of the light of one world. */
class LightFlow {
  /** @param {import('./light').Light} light */
  constructor (light) {
    this.light = light
    this.gone = new BlockQueue()
    this.sources = new BlockQueue()
    /** Levels that the blocks in `gone` had. @type {number[]} */
    this.levels = []
    // Section at hand: its column and levels, the coordinates of its corner in sections, and its states if asked for.
    /** @type {LitColumn | null} */
    this.column = null
    /** @type {Uint8Array | number} */
    this.section = 0
    this.cx = this.cy = this.cz = 0
    /** @type {Uint16Array | null} */
    this.states = null
    /**
     * Listener for all blocks whose light may have changed.
     * @type {((blocks: BlockQueue) => void) | null}
     */
    this.follow = null
  }

  /** Return the states of the section at hand. @returns {Uint16Array} */
  statesHere () { return (this.states ??= this.statesOf(this.cx, this.cy, this.cz)) }

  /** @param {number} cx @param {number} cy @param {number} cz section @returns {Uint16Array} */
  statesOf (cx, cy, cz) {
    const { terrain } = this.light.world
    const info = terrain.info(cx, cz)
    const index = cy - (MIN_Y >> 4)
    return info.cells[index] ?? terrain.dense.unpackSection(info, index)
  }

  /** Return a block's state. @param {number} x @param {number} y @param {number} z */
  stateOf (x, y, z) {
    const inHand = x >> 4 === this.cx && y >> 4 === this.cy && z >> 4 === this.cz && this.column !== null
    return (inHand ? this.statesHere() : this.statesOf(x >> 4, y >> 4, z >> 4))[placeOf(x, y, z)]
  }

  /**
   * Take a block's section in hand.
   * @param {number} x @param {number} y @param {number} z
   * @returns {Uint8Array | number} its levels; 0 in a column that is not lit or below the world
   */
  take (x, y, z) {
    const cx = x >> 4
    const cy = y >> 4
    const cz = z >> 4
    if (this.column === null || cx !== this.cx || cy !== this.cy || cz !== this.cz) {
      this.column = this.light.column(x, z)
      this.cx = cx; this.cy = cy; this.cz = cz
      this.states = null
      this.section = 0
    }
    if (typeof this.section === 'number' && this.column !== null) {
      // It may have got levels of its own since.
      this.section = y >= MIN_Y + HEIGHT ? OPEN_SKY : this.column.sections[(y - MIN_Y) >> 4] ?? 0
    }
    return this.section
  }

  /** Forget the section at hand: blocks or columns may change before the next use. */
  release () {
    this.column = null
    this.states = null
    this.section = 0
  }

  /** Spread light from blocks whose level is set. @param {BlockQueue} queue @param {number} kind */
  spread (queue, kind) {
    const { light } = this
    const { filters } = light
    this.release()
    for (let i = 0; i < queue.length; i += 3) {
      const x = queue.items[i]
      const y = queue.items[i + 1]
      const z = queue.items[i + 2]
      const section = this.take(x, y, z)
      const at = placeOf(x, y, z)
      const level = ((typeof section === 'number' ? section : section[at]) >> kind) & 15
      if (level < 2) continue
      const inner = typeof section === 'number' ? 0 : INNER[at]
      for (let d = 0; d < DIRECTIONS; d++) {
        const straight = d === DOWN && kind === SKY && level === FULL
        if ((inner & 1 << d) !== 0) {
          const levels = /** @type {Uint8Array} */ (section)
          const to = at + OFFSETS[d]
          const now = (levels[to] >> kind) & 15
          if (now >= (straight ? FULL : level - 1)) continue
          const state = this.statesHere()[to]
          const filter = filters[state] >= 0 ? filters[state] : light.filter(state)
          const next = straight && filter === 0 ? FULL : level - (filter > 1 ? filter : 1)
          if (next <= now) continue
          this.write(to, kind, next)
          queue.push(x + STEPS[3 * d], y + STEPS[3 * d + 1], z + STEPS[3 * d + 2])
          continue
        }
        const nx = x + STEPS[3 * d]
        const ny = y + STEPS[3 * d + 1]
        const nz = z + STEPS[3 * d + 2]
        if (this.brighten(nx, ny, nz, kind, level, straight)) queue.push(nx, ny, nz)
      }
    }
    this.follow?.(queue)
    this.release()
  }

  /**
   * Let light of a level into a block from a neighbour.
   *
   * @param {number} x @param {number} y @param {number} z
   * @param {number} kind
   * @param {number} level
   * @param {boolean} straight true for the full light of the sky from above, which loses nothing
   * @returns {boolean} true if the block is brighter now
   */
  brighten (x, y, z, kind, level, straight) {
    if (y < MIN_Y || y >= MIN_Y + HEIGHT) return false
    const { light } = this
    const there = light.get(x, y, z)
    const now = (there >> kind) & 15
    if (there < 0 || now >= (straight ? FULL : level - 1)) return false
    const filter = light.filter(this.stateOf(x, y, z))
    const next = straight && filter === 0 ? FULL : level - Math.max(1, filter)
    if (next <= now) return false
    light.put(x, y, z, kind, next)
    return true
  }

  /**
   * Recompute the light of blocks: remove the light that came through them, then let light in from around.
   *
   * @param {{ x: number, y: number, z: number, given: number }[]} blocks in lit columns; `given`: light of each itself
   * @param {number} kind
   */
  redo (blocks, kind) {
    const { light } = this
    const gone = this.gone.clear()
    const sources = this.sources.clear()
    this.levels.length = 0
    for (const { x, y, z } of blocks) {
      gone.push(x, y, z)
      this.levels.push((light.get(x, y, z) >> kind) & 15)
      light.put(x, y, z, kind, 0)
    }
    this.release()
    for (let i = 0; i < gone.length; i += 3) this.darken(i, kind)
    this.follow?.(gone)
    for (const { x, y, z, given } of blocks) {
      if (given > 0) {
        light.put(x, y, z, kind, given)
        sources.push(x, y, z)
      }
      for (let d = 0; d < DIRECTIONS; d++) {
        sources.push(x + STEPS[3 * d], y + STEPS[3 * d + 1], z + STEPS[3 * d + 2])
      }
    }
    this.spread(sources, kind)
  }

  /**
   * Darken neighbours that had their light from a darkened block; collect other lit neighbours as sources.
   *
   * @param {number} i place of the block in `gone`
   * @param {number} kind
   */
  darken (i, kind) {
    const { light, gone, sources } = this
    const level = this.levels[i / 3]
    if (level === 0) return
    const x = gone.items[i]
    const y = gone.items[i + 1]
    const z = gone.items[i + 2]
    const section = this.take(x, y, z)
    const at = placeOf(x, y, z)
    const inner = typeof section === 'number' ? 0 : INNER[at]
    for (let d = 0; d < DIRECTIONS; d++) {
      const here = (inner & 1 << d) !== 0
      const to = at + OFFSETS[d]
      if (here && (/** @type {Uint8Array} */ (section)[to] >> kind & 15) === 0) continue
      const nx = x + STEPS[3 * d]
      const ny = y + STEPS[3 * d + 1]
      const nz = z + STEPS[3 * d + 2]
      if (ny < MIN_Y || ny >= MIN_Y + HEIGHT) continue
      const there = here ? /** @type {Uint8Array} */ (section)[to] : light.get(nx, ny, nz)
      const now = there < 0 ? 0 : (there >> kind) & 15
      if (now === 0) continue
      if (now >= level && !(kind === SKY && level === FULL && d === DOWN && now === FULL)) {
        sources.push(nx, ny, nz)
        continue
      }
      const own = kind === SKY ? 0 : light.given(here ? this.statesHere()[to] : this.stateOf(nx, ny, nz))
      if (here) this.write(to, kind, own)
      else light.put(nx, ny, nz, kind, own)
      gone.push(nx, ny, nz)
      this.levels.push(now)
      if (own > 0) sources.push(nx, ny, nz)
    }
  }

  /** Set a level in the section at hand. @param {number} at its place @param {number} kind @param {number} level */
  write (at, kind, level) {
    const levels = /** @type {Uint8Array} */ (this.section)
    levels[at] = kind === SKY ? (level << 4) | (levels[at] & 15) : (levels[at] & 0xf0) | level
    const column = /** @type {LitColumn} */ (this.column)
    column.revision++
    column.plain = false
  }
}

module.exports = { LightFlow, BlockQueue, OPEN_SKY, FULL, SKY, BLOCK, CELLS }
