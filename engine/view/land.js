'use strict'
/**
 * The land as a camera sees it: the world's columns where they are loaded, and copies made by its generator elsewhere.
 * Looking never loads a column into the world: a look must not change what grows, spawns or is drawn by chance there.
 * Sections are the world's own unpacked ones, so that a changed block costs nothing here but its light.
 */
const { Light } = require('../world/rules/sky/light')
const { keyOf, MIN_Y, HEIGHT } = require('../world/terrain/terrain')

const SECTIONS = HEIGHT / 16
const CELLS = 4096
/** Most columns that are kept for pictures; beyond it all that the last picture did not use are dropped. */
const MAX_COLUMNS = 1024

/** @typedef {import('../world/world').World} World */
/** @typedef {import('../world/terrain/terrain').ColumnInfo} ColumnInfo */
/**
 * A column of a picture; null for a section of air. `bricks`: for each 4 x 4 x 4 blocks of a section,
   1 if any is not air.
 * @typedef {{ info: ColumnInfo, revision: number, sections: (Uint16Array | null)[], bricks: Uint8Array[],
   used: number }} SeenColumn
 */

/** State of a brick: it and its eighth of the section are empty, a block in it is not, it is empty beside others. */
const BRICK = Object.freeze({ ALONE: 0, FULL: 1, EMPTY: 2 })
/** Bits of a brick's number that tell its eighth of the section. */
const OCTANT = 0b101010
/** @type {Uint8Array} */
const NO_BRICKS = new Uint8Array(64)
/** Return the number of a block's brick in its section. @param {number} x @param {number} y @param {number} z */
const brickAt = (x, y, z) => (y & 12) << 2 | (z & 12) | (x & 12) >> 2
/**
 * Mark a brick as not empty.
 * @param {Uint8Array} bricks
 * @param {number} brick
 */
function markBrick (bricks, brick) {
  if (bricks[brick] === BRICK.FULL) return
  bricks[brick] = BRICK.FULL
  for (let each = 0; each < 64; each++) {
    if ((each & OCTANT) === (brick & OCTANT) && bricks[each] === BRICK.ALONE) bricks[each] = BRICK.EMPTY
  }
}
/** Return which bricks of a section are empty. @param {Uint16Array} cells @returns {Uint8Array} */
function bricksOf (cells) {
  const bricks = new Uint8Array(64)
  for (let at = 0; at < CELLS; at++) if (cells[at] !== 0) markBrick(bricks, brickAt(at, at >> 8, at >> 4))
  return bricks
}

/** Light of a section that has the same everywhere. @type {Map<number, Uint8Array>} */
const even = new Map()
/** @param {number} level @returns {Uint8Array} */
function evenSection (level) {
  let section = even.get(level)
  if (section === undefined) even.set(level, section = new Uint8Array(CELLS).fill(level))
  return section
}

/** Columns and light for the pictures of one world. */
class Land {
  /** @param {World} world */
  constructor (world) {
    this.world = world
    /** @type {Map<number, SeenColumn>} */
    this.columns = new Map()
    /** Columns that the world has not loaded, as generated. @type {Map<number, ColumnInfo>} */
    this.copies = new Map()
    /** Number of the current picture. */
    this.picture = 0
    /** Light of its own, by the world's rules: asking the world's would load columns. */
    this.light = new Light(/** @type {World} */ (/** @type {unknown} */ ({
      data: world.data, registry: world.registry, sky: world.sky,
      blockAt: (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) => this.blockAt(x, y, z),
      terrain: { info: (/** @type {number} */ cx, /** @type {number} */ cz) => this.info(cx, cz),
        dense: world.terrain.dense, get sharedColumn () { return world.terrain.sharedColumn }, columns: this.columns }
    })))
    world.on('block', (change) => { if (!change.player) this.changed(change) })
  }

  /** Return a column, of the world or as generated. @param {number} cx @param {number} cz @returns {ColumnInfo} */
  info (cx, cz) {
    const { terrain } = this.world
    const key = keyOf(cx, cz)
    const loaded = terrain.columns.get(key)
    if (loaded) return loaded
    let copy = this.copies.get(key)
    if (copy === undefined) {
      copy = { chunk: terrain.made(cx, cz), cells: new Array(SECTIONS).fill(null), revision: 0, modified: false, cx, cz,
        asked: 0, tops: null }
      this.copies.set(key, copy)
    }
    return copy
  }

  /** @param {number} x @param {number} y @param {number} z @returns {number} state id */
  blockAt (x, y, z) {
    if (y < MIN_Y || y >= MIN_Y + HEIGHT) return 0
    const section = this.column(x >> 4, z >> 4).sections[(y - MIN_Y) >> 4]
    return section === null ? 0 : section[(y & 15) << 8 | (z & 15) << 4 | (x & 15)]
  }

  /** Return a column with its sections as they are now. @param {number} cx @param {number} cz @returns {SeenColumn} */
  column (cx, cz) {
    const info = this.info(cx, cz)
    const key = keyOf(cx, cz)
    let seen = this.columns.get(key)
    if (seen === undefined || seen.info !== info || seen.revision !== info.revision) {
      const sections = this.sections(info)
      const last = seen
      // Sections that are still the same arrays have had their bricks marked by `changed`.
      const bricks = sections.map((cells, index) => cells === null ? NO_BRICKS
        : last?.sections[index] === cells ? last.bricks[index] : bricksOf(cells))
      seen = { info, revision: info.revision, sections, bricks, used: this.picture }
      this.columns.set(key, seen)
    }
    seen.used = this.picture
    return seen
  }

  /** @param {ColumnInfo} info @returns {(Uint16Array | null)[]} */
  sections (info) {
    const { dense } = this.world.terrain
    /** @type {(Uint16Array | null)[]} */
    const sections = new Array(SECTIONS).fill(null)
    for (let index = 0; index < SECTIONS; index++) {
      if (info.chunk.sections[index].data.value === 0) continue
      sections[index] = info.cells[index] ?? dense.unpackSection(info, index)
    }
    return sections
  }

  /** Return the light of a column's sections. @param {number} cx @param {number} cz @returns {Uint8Array[]} */
  lightOf (cx, cz) {
    return this.light.reach(cx, cz).sections.map((each) => typeof each === 'number' ? evenSection(each) : each)
  }

  /**
   * Follow a block's change: its brick is not empty any more, and the light changes.
   * @param {{ x: number, y: number, z: number, stateId: number }} change
   */
  changed (change) {
    const { x, y, z, stateId } = change
    const bricks = this.columns.get(keyOf(x >> 4, z >> 4))?.bricks[(y - MIN_Y) >> 4]
    if (stateId !== 0 && bricks && bricks !== NO_BRICKS) markBrick(bricks, brickAt(x, y, z))
    this.relight(change)
  }

  /**
   * Correct the light after a block's change, if the block's light is not what its neighbours now give it.
   * @param {{ x: number, y: number, z: number, stateId: number }} change
   */
  relight ({ x, y, z, stateId }) {
    if (this.light.columns.size === 0 || !this.light.column(x, z)) return
    const { light } = this
    const there = light.get(x, y, z)
    const filter = light.filter(stateId)
    const given = light.given(stateId)
    const [sky, block] = this.expected(x, y, z, filter)
    if (there >> 4 !== sky) light.redo(x, y, z, 4, 0)
    if ((there & 15) !== Math.max(given, block)) light.redo(x, y, z, 0, given)
  }

  /**
   * Return the levels that neighbours give a block.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} filter
   */
  expected (x, y, z, filter) {
    let [sky, block] = [0, 0]
    const loss = Math.max(1, filter)
    const visit = (/** @type {number} */ nx, /** @type {number} */ ny, /** @type {number} */ nz) => {
      const level = this.light.get(nx, ny, nz)
      if (level < 0) return
      sky = Math.max(sky, ny > y && level >> 4 === 15 && filter === 0 ? 15 : (level >> 4) - loss)
      block = Math.max(block, (level & 15) - loss)
    }
    visit(x + 1, y, z); visit(x - 1, y, z); visit(x, y + 1, z); visit(x, y - 1, z); visit(x, y, z + 1); visit(x, y,
      z - 1)
    return [sky, block]
  }

  /** Begin a picture: forget columns that the last ones did not use, if there are too many. */
  begin () {
    if (this.columns.size + this.copies.size > MAX_COLUMNS) this.evict()
    this.picture++
  }

  evict () {
    for (const [key, { used, info }] of this.columns) {
      if (used === this.picture) continue
      this.columns.delete(key)
      if (this.copies.get(key) === info) this.world.terrain.dense.dropColumn(info.cells)
    }
    for (const key of this.copies.keys()) if (!this.columns.has(key)) this.copies.delete(key)
    this.light.evict()
  }
}

module.exports = { Land, SECTIONS, BRICK }
