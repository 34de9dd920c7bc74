'use strict'
/**
 * The land as a camera sees it: the world's columns where they are loaded, and copies made by its generator elsewhere.
 * Looking never loads a column into the world: a look must not change what grows, spawns or is drawn by chance there.
 * Sections are the world's own unpacked ones, so that a changed block costs nothing here but its light.
 */
const { Changes } = require('./changes')
const { Light } = require('../world/rules/sky/light')
const { SKY, BLOCK } = require('../world/rules/sky/light_flow')
const { keyOf, MIN_Y, HEIGHT } = require('../world/terrain/terrain')

const SECTIONS = HEIGHT / 16
const CELLS = 4096
/** Most columns that are kept for pictures; beyond it all that the last picture did not use are dropped. */
const MAX_COLUMNS = 1024
/** Most changed blocks whose light waits for the next picture. */
const MAX_PENDING = 4096

/** @typedef {import('../world/world').World} World */
/** @typedef {import('../world/terrain/terrain').ColumnInfo} ColumnInfo */
/** @typedef {import('../world/rules/sky/light').LitColumn} LitColumn */
/** @typedef {{ x: number, y: number, z: number, stateId: number }} BlockChange */
/**
 * A column of a picture. `sections` has null for a section of air; `layers` the occupied bricks (4 x 4 x 4 blocks) of
 * each other section, `codes` what `writeCodes` makes of them.
 * @typedef {{ info: ColumnInfo, revision: number, sections: (Uint16Array | null)[], layers: (Uint16Array | null)[],
 *   heights: Uint16Array, masks: (Uint32Array | null)[], codes: Uint8Array, used: number, changes: Changes,
 *   told: number, lit: LitColumn | null, lighting: number }} SeenColumn `told`: changes of blocks that `changed` was
 *   told of since the column had its revision; `lit`: its light at the last look; `lighting`: the light's revision when
 *   a change of it was last noted
 */

/** Number of bricks of a section and of a column. */
const BRICKS = Object.freeze({ section: 64, column: 64 * SECTIONS })
/** Code of a brick in which a block is not air. */
const OCCUPIED = 0
/** Code of bricks in a section of air: the whole section is empty. */
const ALL_EMPTY = 0xff
/** Bits of the bricks of one layer that are in the same quarter, by the column and row of the brick. */
const QUARTER = Object.freeze([0x0033, 0x00cc, 0x3300, 0xcc00])
const LAYER = 0xffff

/** Return the number of a block's brick in its section. @param {number} x @param {number} y @param {number} z */
const brickAt = (x, y, z) => (y & 12) << 2 | (z & 12) | (x & 12) >> 2

/**
 * Write the codes of a section's bricks: `OCCUPIED`, or the size of an empty box around the brick that is aligned to
 * its size. Bits 0 to 3 hold its width along x and z less one (3, 7 or 15 blocks), bits 4 to 7 its height less one.
 * Flat land makes wide and low boxes common.
 * @param {Uint16Array} layers occupied bricks of each of the four layers, a bit each
 * @param {Uint8Array} codes of the column
 * @param {number} at first code of the section
 */
function writeCodes (layers, codes, at) {
  for (let brick = 0; brick < BRICKS.section; brick++) {
    const up = brick >> 4
    const layer = layers[up]
    const own = 1 << (brick & 15)
    if (layer & own) {
      codes[at + brick] = OCCUPIED
      continue
    }
    const quarter = QUARTER[(brick & 2) >> 1 | (brick & 8) >> 2]
    const [across, wide] = layer === 0 ? [LAYER, 15] : (layer & quarter) === 0 ? [quarter, 7] : [own, 3]
    const pair = (layers[up] | layers[up ^ 1]) & across
    const other = (layers[up ^ 2] | layers[up ^ 3]) & across
    codes[at + brick] = (pair !== 0 ? 3 : other !== 0 ? 7 : 15) << 4 | wide
  }
}

/**
 * Return the blocks of a section that are not air, a bit each: two words for each brick, of its two lower and its two
 * upper layers. Rays read these instead of the cells, which are a hundred times as much memory.
 * @param {Uint16Array} cells
 */
function masksOf (cells) {
  const masks = new Uint32Array(BRICKS.section * 2)
  for (let at = 0; at < CELLS; at++) if (cells[at] !== 0) masks[wordAt(at)] |= 1 << bitAt(at)
  return masks
}

/** Return the word of a block's bit in the masks of its section. @param {number} at place in the section */
const wordAt = (at) => (at & 0xc00) >> 5 | (at & 0xc0) >> 3 | (at & 0xc) >> 1 | (at >> 9 & 1)
/** @param {number} at place in the section */
const bitAt = (at) => (at >> 4 & 16) | (at >> 2 & 12) | (at & 3)

/** Return which bricks are occupied, a bit each by layer. @param {Uint32Array} masks */
function layersOf (masks) {
  const layers = new Uint16Array(4)
  for (let word = 0; word < masks.length; word++) if (masks[word] !== 0) layers[word >> 5] |= 1 << (word >> 1 & 15)
  return layers
}

/**
 * Return the height of each square of 4 x 4 blocks of a column, by x and z: above it there is air.
 * @param {(Uint16Array | null)[]} layers
 * @param {(Uint32Array | null)[]} masks
 */
function heightsOf (layers, masks) {
  const heights = new Uint16Array(16)
  for (let square = 0; square < 16; square++) {
    const place = (square & 3) << 2 | square >> 2
    let index = SECTIONS - 1
    let up = 3
    while (index >= 0 && ((layers[index]?.[up] ?? 0) & 1 << place) === 0) {
      if (up > 0 && layers[index] !== null) up--
      else {
        index--
        up = 3
      }
    }
    if (index < 0) continue
    const words = /** @type {Uint32Array} */ (masks[index])
    const word = (up << 4 | place) << 1
    const upper = words[word + 1]
    const bits = upper !== 0 ? upper : words[word]
    heights[square] = index * 16 + up * 4 + (upper !== 0 ? 2 : 0) + (bits > 0xffff ? 2 : 1)
  }
  return heights
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
    /** Last change of each block since the last picture. @type {Map<string, BlockChange>} */
    this.pending = new Map()
    /** Last stamp of a column's changes. */
    this.stamps = 0
    /** Number of the current picture. */
    this.picture = 0
    /** Light of its own, by the world's rules: asking the world's would load columns. */
    this.light = new Light(/** @type {World} */ (/** @type {unknown} */ ({
      data: world.data, registry: world.registry, sky: world.sky,
      terrain: { info: (/** @type {number} */ cx, /** @type {number} */ cz) => this.info(cx, cz),
        dense: world.terrain.dense, get sharedColumn () { return world.terrain.sharedColumn }, columns: this.columns }
    })))
    this.light.flow.follow = (blocks) => this.relit(blocks)
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
      const codes = last?.codes ?? new Uint8Array(BRICKS.column).fill(ALL_EMPTY)
      // Sections that are still the same arrays have had their bricks marked by `changed`.
      /** @type {SeenColumn['masks']} */
      const masks = new Array(SECTIONS).fill(null)
      const layers = sections.map((cells, index) => {
        if (last?.sections[index] === cells) {
          masks[index] = last.masks[index]
          return last.layers[index]
        }
        if (cells !== null) masks[index] = masksOf(cells)
        const found = cells === null ? null : layersOf(/** @type {Uint32Array} */ (masks[index]))
        const at = index * BRICKS.section
        if (found === null) codes.fill(ALL_EMPTY, at, at + BRICKS.section)
        else writeCodes(found, codes, at)
        return found
      })
      const changes = last?.changes ?? new Changes(++this.stamps)
      if (last?.info !== info || last.revision + last.told !== info.revision) changes.restart(++this.stamps)
      seen = { info, revision: info.revision, sections, layers, masks, codes, heights: heightsOf(layers, masks),
        used: this.picture, changes, told: 0, lit: last?.lit ?? null,
        lighting: last?.lighting ?? 0 }
      this.columns.set(key, seen)
    }
    seen.used = this.picture
    return seen
  }

  /**
   * Return the changes of a column's blocks and light.
   * @param {number} cx @param {number} cz
   * @returns {Changes} with a stamp for all of them
   */
  changesOf (cx, cz) {
    // Light first: it may unpack sections of columns beside.
    const lit = this.light.reach(cx, cz)
    const seen = this.column(cx, cz)
    if (seen.lit !== lit) {
      seen.lit = lit
      seen.changes.restart(++this.stamps)
    }
    if (seen.changes.open !== null) seen.changes.close(++this.stamps)
    return seen.changes
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
   * Follow a block's change: its brick is not empty any more, and its light is corrected when the next picture begins.
   * @param {BlockChange} change
   */
  changed (change) {
    const { x, y, z, stateId } = change
    const column = this.columns.get(keyOf(x >> 4, z >> 4))
    if (column) {
      column.told++
      column.changes.add(x, y, z, x + 1, y + 1, z + 1)
    }
    const index = (y - MIN_Y) >> 4
    const layers = column?.layers[index]
    const masks = column?.masks[index]
    if (stateId !== 0 && column && layers && masks) {
      const at = (y & 15) << 8 | (z & 15) << 4 | (x & 15)
      masks[wordAt(at)] |= 1 << bitAt(at)
      const square = (x & 12) | (z & 12) >> 2
      column.heights[square] = Math.max(column.heights[square], y - MIN_Y + 1)
      const brick = brickAt(x, y, z)
      if (column.codes[index * BRICKS.section + brick] !== OCCUPIED) {
        layers[brick >> 4] |= 1 << (brick & 15)
        writeCodes(layers, column.codes, index * BRICKS.section)
      }
    }
    this.pending.set(`${x},${y},${z}`, { x, y, z, stateId })
    if (this.pending.size >= MAX_PENDING) this.relight()
  }

  /**
   * Correct the light of the blocks that changed since the last picture, all at once: blocks near each other share the
   * way of their light. A block whose light is what its neighbours now give it is left out.
   */
  relight () {
    const { light } = this
    /** @type {{ x: number, y: number, z: number, given: number }[]} */
    const sky = []
    /** @type {typeof sky} */
    const lamps = []
    for (const { x, y, z, stateId } of this.pending.values()) {
      if (!light.column(x, z)) continue
      const there = light.get(x, y, z)
      const given = light.given(stateId)
      const [fromSky, fromLamps] = this.expected(x, y, z, light.filter(stateId))
      if (there >> 4 !== fromSky) sky.push({ x, y, z, given: 0 })
      if ((there & 15) !== Math.max(given, fromLamps)) lamps.push({ x, y, z, given })
    }
    this.pending.clear()
    if (sky.length > 0) light.flow.redo(sky, SKY)
    if (lamps.length > 0) light.flow.redo(lamps, BLOCK)
  }

  /**
   * Note in the columns with other light the box around all blocks whose light may have changed.
   * @param {import('../world/rules/sky/light_flow').BlockQueue} blocks
   */
  relit ({ items, length }) {
    if (length === 0) return
    let x0 = Infinity; let y0 = Infinity; let z0 = Infinity
    let x1 = -Infinity; let y1 = -Infinity; let z1 = -Infinity
    for (let i = 0; i < length; i += 3) {
      const x = items[i]; const y = items[i + 1]; const z = items[i + 2]
      if (x < x0) x0 = x
      if (x > x1) x1 = x
      if (y < y0) y0 = y
      if (y > y1) y1 = y
      if (z < z0) z0 = z
      if (z > z1) z1 = z
    }
    for (let cx = x0 >> 4; cx <= x1 >> 4; cx++) {
      for (let cz = z0 >> 4; cz <= z1 >> 4; cz++) {
        const key = keyOf(cx, cz)
        const [seen, lit] = [this.columns.get(key), this.light.columns.get(key)]
        if (!seen || !lit || seen.lighting === lit.revision) continue
        seen.lighting = lit.revision
        const [x, z] = [cx * 16, cz * 16]
        seen.changes.add(Math.max(x0, x), y0, Math.max(z0, z), Math.min(x1, x + 15) + 1, y1 + 1,
          Math.min(z1, z + 15) + 1)
      }
    }
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

  /** Begin a picture: correct the light, and forget columns that the last ones did not use, if there are too many. */
  begin () {
    if (this.pending.size > 0) this.relight()
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

module.exports = { Land, SECTIONS, BRICKS, OCCUPIED }
