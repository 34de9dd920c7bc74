'use strict'
/**
 * Random ticks: in each section with growing blocks, `randomTickSpeed` of its 4,096 positions are drawn per tick (wiki:
 * Tick, "Random tick"), in sections within 128 blocks of a player. The effects are in the other files of this folder. A
 * world without growing blocks has no such sections, and costs nothing.
 *
 * Few draws meet a growing block. Therefore the number of draws before the next hit is drawn instead of each position.
 * Each position is ticked as often as if all had been drawn.
 */
const { TICKS } = require('.')
const { Section, PLACES, IDLE, GROWS, WAITS, SETTLED } = require('./section')
const { keyOf } = require('../../terrain/terrain')
const { length2 } = require('../../../lengths')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../terrain/terrain').ColumnInfo} Info */
/**
 * A section of prismarine-chunk.
 *
 * @typedef {{ solidBlockCount: number, data: { get: (at: number) => number }, palette: number[] | null }} ChunkSection
 */
/**
 * A column with sections in which blocks grow. `near`: it had random ticks at that look.
 *
 * @typedef {{ sx: number, sz: number, sections: Section[], near: boolean, look: number }} Column
 */

/** Maximum distance from the nearest player, in blocks, of chunks with random ticks. */
const NEAR = 128
/** Ticks between two checks of the sections that are near, and of those that have become empty. */
const LOOK_EVERY = 20
const SWEEP_EVERY = 1200
/** Ticks in which leaves decay after a change of wood or leaves, and in which grass spreads over bare earth. */
const DECAY = 6000
const REGROW = 12000
/** Distance from a player, in columns, within which growing blocks are searched in generated land. */
const DISCOVER = 8

const WOODY = /_(log|wood|stem|hyphae|leaves)$/
const WAITING = /_leaves$|^grass_block$/

/** Growing blocks of one world. */
class Growth {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    /** Sections in the order in which they were found. @type {Map<Section, Column>} */
    this.sections = new Map()
    /** Sections by column (`keyOf`). @type {Map<number, Column>} */
    this.columns = new Map()
    /** Number of checks of the near columns. */
    this.looks = 0
    /** Sections near a player. @type {Section[]} */
    this.near = []
    this.stale = true
    /** Number of columns that had been forgotten when `near` was chosen. */
    this.forgotten = 0
    /** Kind by state id (`growing/section.js`); null if not known yet. @type {(number | null)[]} */
    this.ruled = new Array(world.data.states.length).fill(null)
    /** Cumulative number of positions with random ticks at the end of each near section. @type {number[]} */
    this.ends = []
    /** True if `ends` must be counted again. */
    this.recount = true
    /** Draws until the next hit; null before the first draw. @type {number | null} */
    this.wait = null
  }

  /**
   * Handle a block's change.
   *
   * @param {Pos} pos
   * @param {import('../../data').BlockState} before
   * @param {import('../../data').BlockState} after
   */
  changed (pos, before, after) {
    this.follow(pos, after.stateId)
    if (after.name === 'dirt') this.wakeGrass(pos)
    if (WOODY.test(before.name) && before.name !== after.name) this.wakeLeaves(pos)
  }

  /**
   * Look at a block that has changed or whose neighbour has changed.
   *
   * @param {Pos} pos
   * @param {import('../../data').BlockState} state
   */
  look (pos, state) {
    if (this.rules(state.stateId) === GROWS) this.mark(pos.x >> 4, pos.y >> 4, pos.z >> 4)
  }

  /** @param {number} sx @param {number} sy @param {number} sz @returns {Section} */
  mark (sx, sy, sz) {
    let column = this.columns.get(keyOf(sx, sz))
    if (column === undefined) this.columns.set(keyOf(sx, sz), column = { sx, sz, sections: [], near: false, look: 0 })
    let section = column.sections.find((each) => each.sy === sy)
    if (section === undefined) {
      column.sections.push(section = new Section(sx, sy, sz))
      this.sections.set(section, column)
      this.stale = true
    }
    return section
  }

  /**
   * Give random ticks to the grass and leaves of a section for some time.
   *
   * @param {number} sx
   * @param {number} sy
   * @param {number} sz
   * @param {number} ticks
   */
  wakeSection (sx, sy, sz, ticks) {
    const section = this.mark(sx, sy, sz)
    section.until = this.world.age + ticks
    section.unsettle()
    this.recount = true
  }

  /** Wake leaves within six blocks of removed wood or leaves. @param {Pos} pos */
  wakeLeaves (pos) {
    if (Number(this.world.rules.randomTickSpeed) === 0) return
    for (let sx = (pos.x - 6) >> 4; sx <= (pos.x + 6) >> 4; sx++) {
      for (let sy = (pos.y - 6) >> 4; sy <= (pos.y + 6) >> 4; sy++) {
        for (let sz = (pos.z - 6) >> 4; sz <= (pos.z + 6) >> 4; sz++) this.wakeSection(sx, sy, sz, DECAY)
      }
    }
  }

  /** Wake grass beside bare earth, which it may cover. @param {Pos} pos */
  wakeGrass ({ x, y, z }) {
    if (Number(this.world.rules.randomTickSpeed) === 0 || !this.world.stateAt(x, y + 1, z).air) return
    for (const dx of [-1, 1]) {
      for (const dz of [-1, 1]) {
        for (const dy of [-1, 1]) this.wakeSection((x + dx) >> 4, (y + dy) >> 4, (z + dz) >> 4, REGROW)
      }
    }
  }

  /** Search for growing blocks in generated land near players, once in each column. */
  discover () {
    const { terrain } = this.world
    let { fresh } = terrain
    for (const { x, z } of this.world.players.values()) {
      if (fresh.length === 0) break
      const [px, pz] = [Math.floor(x) >> 4, Math.floor(z) >> 4]
      const near = (/** @type {Info} */ { cx, cz }) => Math.abs(cx - px) <= DISCOVER && Math.abs(cz - pz) <= DISCOVER
      for (const info of fresh.filter(near).sort((a, b) => a.cx - b.cx || a.cz - b.cz)) this.through(info)
      fresh = fresh.filter((info) => !near(info))
    }
    terrain.fresh = fresh
  }

  /** Register the sections of a column in which blocks grow. @param {Info} info */
  through ({ chunk, cx, cz }) {
    chunk.sections.forEach((/** @type {ChunkSection} */ section, /** @type {number} */ index) => {
      if (section.solidBlockCount > 0 && this.grows(section, false)) this.mark(cx, (this.world.minY >> 4) + index, cz)
    })
  }

  /**
   * Return true if any block in a section grows.
   *
   * @param {ChunkSection} section
   * @param {boolean} exact every block, since palettes remember what was there once
   * @returns {boolean}
   */
  grows ({ data, palette }, exact) {
    const grows = (/** @type {number} */ id) => this.rules(id) === GROWS
    if (palette && !palette.some(grows)) return false
    if (palette && !exact) return true
    for (let at = 0; at < PLACES; at++) if (grows(data.get(at))) return true
    return false
  }

  /** Drop sections in which nothing grows any more. */
  sweep () {
    for (const [section, column] of this.sections) {
      if (section.until > this.world.age || this.lives(section)) continue
      this.sections.delete(section)
      column.sections.splice(column.sections.indexOf(section), 1)
      if (column.sections.length === 0) this.columns.delete(keyOf(column.sx, column.sz))
    }
    this.stale = true
  }

  /**
   * Return true if a block in a section grows. Land that was forgotten is searched again when it comes back.
   *
   * @param {Section} section
   * @returns {boolean}
   */
  lives (section) {
    const { sx, sy, sz, revision } = section
    if (!this.world.columnReady(sx, sz)) return false
    const info = this.world.terrain.info(sx, sz)
    const blocks = info.chunk.sections[sy - (this.world.minY >> 4)]
    if (blocks === undefined) return false
    return section.info === info && revision === info.revision ? section.grows : this.grows(blocks, true)
  }

  tick () {
    const { age } = this.world
    if (age % LOOK_EVERY === 0) this.discover()
    if (this.sections.size === 0) return
    if (age % SWEEP_EVERY === 0) this.sweep()
    if (this.stale || this.forgotten !== this.world.terrain.evictions || age % LOOK_EVERY === 0) this.choose()
    const draws = this.weigh(age) * Number(this.world.rules.randomTickSpeed)
    if (draws === 0) return
    const random = this.world.random.stream('growth')
    this.wait ??= missed(random)
    for (; this.wait < draws; this.wait += 1 + missed(random)) {
      this.tickPlace(this.wait % this.ends[this.ends.length - 1], random)
    }
    this.wait -= draws
  }

  /** Count the positions with random ticks. @param {number} age of the world @returns {number} */
  weigh (age) {
    const { near, ends } = this
    if (this.recount) {
      let sum = 0
      for (let number = 0; number < near.length; number++) ends[number] = sum += near[number].places(age).length
      ends.length = near.length
      this.recount = false
    }
    return ends.length === 0 ? 0 : ends[ends.length - 1]
  }

  /** @param {number} number index among those positions @param {import('../../random').RandomStream} random */
  tickPlace (number, random) {
    let [low, high] = [0, this.ends.length - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.ends[middle] > number) high = middle
      else low = middle + 1
    }
    const section = this.near[low]
    const places = section.places(this.world.age)
    const at = places[number - (low > 0 ? this.ends[low - 1] : 0)]
    // The block may have gone with another one that grew in this tick.
    if (at === undefined || section.kind(at) === SETTLED) return
    if (this.tickAt({ x: section.sx * 16 + (at & 15), y: section.sy * 16 + (at >> 8),
      z: section.sz * 16 + ((at >> 4) & 15) }, random, section)) {
      section.settle(at)
    }
  }

  choose () {
    const { terrain } = this.world
    const players = [...this.world.players.values()].filter((p) => p.gamemode !== 'spectator')
    this.looks++
    this.near.length = 0
    for (const [section, column] of this.sections) {
      if (column.look !== this.looks) {
        column.look = this.looks
        column.near = this.ticks(column.sx, column.sz, players)
      }
      if (column.near) this.near.push(section)
    }
    for (const section of this.near) {
      const info = section.info = terrain.info(section.sx, section.sz)
      // The section's column has changed without a notice.
      if (info.revision !== section.revision) this.learn(section, info)
    }
    this.forgotten = terrain.evictions
    this.stale = false
    this.recount = true
  }

  /**
   * Return true if a column has random ticks. A column beside land that is not generated has none, as in vanilla, where
   * the neighbours must be loaded: light and growth would generate that land, and its growth the land beside it.
   * @param {number} cx @param {number} cz @param {{ x: number, z: number }[]} players
   */
  ticks (cx, cz, players) {
    return players.some((p) => length2(p.x - cx * 16 - 8, p.z - cz * 16 - 8) < NEAR) && this.world.columnsReady(cx, cz)
  }

  /** Keep a section's data up to date with a changed block. @param {Pos} pos @param {number} stateId */
  follow ({ x, y, z }, stateId) {
    for (const section of this.columns.get(keyOf(x >> 4, z >> 4))?.sections ?? []) {
      if (section.info === null || section.revision !== section.info.revision - 1) continue
      section.revision++
      if (section.sy !== y >> 4) continue
      if (section.follow((y & 15) << 8 | (z & 15) << 4 | (x & 15), this.rules(stateId))) this.recount = true
    }
  }

  /** Return the kind of a block state (`growing/section.js`). @param {number} stateId @returns {number} */
  rules (stateId) { return (this.ruled[stateId] ??= kindOf(this.world.data.state(stateId).name)) }

  /** @param {Section} section @param {Info} info the section's column at present */
  learn (section, info) {
    section.revision = info.revision
    const index = section.sy - (this.world.minY >> 4)
    if (info.chunk.sections[index] === undefined) return
    const states = info.cells[index] ?? this.world.terrain.dense.unpackSection(info, index)
    for (let at = 0; at < PLACES; at++) section.follow(at, this.rules(states[at]))
  }

  /**
   * @param {Pos} pos
   * @param {import('../../random').RandomStream} random
   * @param {{ until: number }} section
   * @returns {boolean} true if further ticks have no effect until the section changes
   */
  tickAt (pos, random, section) {
    const state = this.world.stateAt(pos.x, pos.y, pos.z)
    const kind = this.rules(state.stateId)
    if (kind !== GROWS && (kind !== WAITS || section.until <= this.world.age)) return false
    return TICKS[state.name](this.world, pos, state, random) === true
  }
}

/** @param {string} name of a block */
function kindOf (name) { return TICKS[name] === undefined ? IDLE : WAITING.test(name) ? WAITS : GROWS }

/**
 * Draw the number of misses before one position of a section is hit.
 *
 * @param {import('../../random').RandomStream} random
 */
function missed (random) { return Math.floor(Math.log(1 - random.next()) / Math.log(1 - 1 / PLACES)) }

module.exports = { Growth }
