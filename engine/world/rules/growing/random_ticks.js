'use strict'
/**
 * Random ticks: in each section with something that grows, `randomTickSpeed` places a tick are drawn of its 4,096 (wiki:
 * Tick, "Random tick"), in sections no further than 128 blocks from a player. What a place does then stands in `growing/`. A
 * world without growing blocks has no such sections, and costs nothing.
 *
 * Hardly any draw meets something that grows. So it is not drawn where, but how many draws come before the next one that
 * does: each place is ticked as often as if all had been drawn.
 */
const { TICKS } = require('.')
const { Section, PLACES, IDLE, GROWS, WAITS, SETTLED } = require('./section')
const { keyOf } = require('../../terrain/terrain')
const { length2 } = require('../../../lengths')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../terrain/terrain').ColumnInfo} Info */
/** @typedef {{ sx: number, sz: number, sections: Section[], near: boolean, look: number }} Column with sections in which something grows; `near`: it had random ticks at that look */

/** Blocks from the nearest player in which chunks have random ticks. */
const NEAR = 128
/** Ticks between two looks at which sections are near, and at which have nothing left. */
const LOOK_EVERY = 20
const SWEEP_EVERY = 1200
/** Ticks in which leaves decay after wood or leaves near them went, and in which grass goes over bare earth. */
const DECAY = 6000
const REGROW = 12000
/** Columns around a player in which growing blocks are looked for in land that a generator made. */
const DISCOVER = 8

const WOODY = /_(log|wood|stem|hyphae|leaves)$/
const WAITING = /_leaves$|^grass_block$/

/** What grows in one world. */
class Growth {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    /** In the order in which they were found. @type {Map<Section, Column>} */
    this.sections = new Map()
    /** The same by their columns (`keyOf`). @type {Map<number, Column>} */
    this.columns = new Map()
    /** Counts the looks at which columns are near. */
    this.looks = 0
    /** Those near a player. @type {Section[]} */
    this.near = []
    this.stale = true
    /** How often columns had been forgotten when they were chosen. */
    this.forgotten = 0
    /** By state id: its kind (`growing/section.js`); null where not known yet. @type {(number | null)[]} */
    this.ruled = new Array(world.data.states.length).fill(null)
    /** How many places with random ticks there are up to each section's end, all that are near in a row. @type {number[]} */
    this.ends = []
    /** Whether they are to be counted anew. */
    this.recount = true
    /** Draws until the next one that meets something; null before the first. @type {number | null} */
    this.wait = null
  }

  /** A block has become another. @param {Pos} pos @param {import('../../data').BlockState} before @param {import('../../data').BlockState} after */
  changed (pos, before, after) {
    this.follow(pos, after.stateId)
    if (after.name === 'dirt') this.bareEarth(pos)
    if (WOODY.test(before.name) && before.name !== after.name) this.bared(pos)
  }

  /** A block that has changed, or beside one. @param {Pos} pos @param {import('../../data').BlockState} state */
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

  /** Grass and leaves of a section have random ticks for a while. @param {number} sx @param {number} sy @param {number} sz @param {number} ticks */
  waken (sx, sy, sz, ticks) {
    const section = this.mark(sx, sy, sz)
    section.until = this.world.age + ticks
    section.unsettle()
    this.recount = true
  }

  /** Wood or leaves have gone: leaves within six blocks may have lost what holds them. @param {Pos} pos */
  bared (pos) {
    if (Number(this.world.rules.randomTickSpeed) === 0) return
    for (let sx = (pos.x - 6) >> 4; sx <= (pos.x + 6) >> 4; sx++) {
      for (let sy = (pos.y - 6) >> 4; sy <= (pos.y + 6) >> 4; sy++) {
        for (let sz = (pos.z - 6) >> 4; sz <= (pos.z + 6) >> 4; sz++) this.waken(sx, sy, sz, DECAY)
      }
    }
  }

  /** Earth lies bare: grass beside it may go over it. @param {Pos} pos */
  bareEarth ({ x, y, z }) {
    if (Number(this.world.rules.randomTickSpeed) === 0 || !this.world.stateAt(x, y + 1, z).air) return
    for (const dx of [-1, 1]) {
      for (const dz of [-1, 1]) {
        for (const dy of [-1, 1]) this.waken((x + dx) >> 4, (y + dy) >> 4, (z + dz) >> 4, REGROW)
      }
    }
  }

  /** Looks for growing blocks in generated land near players: once in each column. */
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

  /** @param {{ chunk: any, cx: number, cz: number }} info a column with whatever grows in it */
  through ({ chunk, cx, cz }) {
    chunk.sections.forEach((/** @type {any} */ section, /** @type {number} */ index) => {
      if (section.solidBlockCount > 0 && this.grows(section, false)) this.mark(cx, (this.world.minY >> 4) + index, cz)
    })
  }

  /** Whether anything in a section grows by itself. @param {any} section @param {boolean} exact every block, since palettes remember what was there once */
  grows ({ data, palette }, exact) {
    const grows = (/** @type {number} */ id) => this.rules(id) === GROWS
    if (palette && !palette.some(grows)) return false
    if (palette && !exact) return true
    for (let at = 0; at < PLACES; at++) if (grows(data.get(at))) return true
    return false
  }

  /** Sections in which nothing grows any more are forgotten. */
  sweep () {
    for (const [section, column] of this.sections) {
      if (section.until > this.world.age || this.lives(section)) continue
      this.sections.delete(section)
      column.sections.splice(column.sections.indexOf(section), 1)
      if (column.sections.length === 0) this.columns.delete(keyOf(column.sx, column.sz))
    }
    this.stale = true
  }

  /** Whether something grows in a section by itself. Land that was forgotten is looked through again when it comes back. @param {Section} section */
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
    if (this.stale || this.forgotten !== this.world.terrain.forgotten || age % LOOK_EVERY === 0) this.choose()
    const draws = this.weigh(age) * Number(this.world.rules.randomTickSpeed)
    if (draws === 0) return
    const random = this.world.random.stream('growth')
    this.wait ??= missed(random)
    for (; this.wait < draws; this.wait += 1 + missed(random)) this.tickPlace(this.wait % this.ends[this.ends.length - 1], random)
    this.wait -= draws
  }

  /** Counts the places with random ticks. @param {number} age of the world @returns {number} */
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

  /** @param {number} number which of those places @param {import('../../random').RandomStream} random */
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
    // What grew there may have gone with what grew this very tick.
    if (at === undefined || section.kind(at) === SETTLED) return
    if (this.tickAt({ x: section.sx * 16 + (at & 15), y: section.sy * 16 + (at >> 8), z: section.sz * 16 + ((at >> 4) & 15) }, random, section)) section.settle(at)
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
      // Its column has changed, and nobody told.
      if (info.revision !== section.revision) this.learn(section, info)
    }
    this.forgotten = terrain.forgotten
    this.stale = false
    this.recount = true
  }

  /**
   * Whether a column has random ticks. One beside land that is not made yet has none, as vanilla ticks none whose neighbours
   * are not loaded: light and growth would have that land made, and what grows there the land beside it, and so on.
   * @param {number} cx @param {number} cz @param {{ x: number, z: number }[]} players
   */
  ticks (cx, cz, players) {
    return players.some((p) => length2(p.x - cx * 16 - 8, p.z - cz * 16 - 8) < NEAR) && this.world.columnsReady(cx, cz)
  }

  /** A block of a column was set: what is known of its sections holds on. @param {Pos} pos @param {number} stateId */
  follow ({ x, y, z }, stateId) {
    for (const section of this.columns.get(keyOf(x >> 4, z >> 4))?.sections ?? []) {
      if (section.info === null || section.revision !== section.info.revision - 1) continue
      section.revision++
      if (section.sy !== y >> 4) continue
      if (section.follow((y & 15) << 8 | (z & 15) << 4 | (x & 15), this.rules(stateId))) this.recount = true
    }
  }

  /** The kind of blocks of that state (`growing/section.js`). @param {number} stateId @returns {number} */
  rules (stateId) { return (this.ruled[stateId] ??= kindOf(this.world.data.state(stateId).name)) }

  /** @param {Section} section @param {Info} info its column, as it is now */
  learn (section, info) {
    section.revision = info.revision
    const index = section.sy - (this.world.minY >> 4)
    if (info.chunk.sections[index] === undefined) return
    const states = info.cells[index] ?? this.world.terrain.dense.open(info, index)
    for (let at = 0; at < PLACES; at++) section.follow(at, this.rules(states[at]))
  }

  /** @param {Pos} pos @param {import('../../random').RandomStream} random @param {{ until: number }} section @returns {boolean} whether nothing will come of it until its section is stirred again */
  tickAt (pos, random, section) {
    const state = this.world.stateAt(pos.x, pos.y, pos.z)
    const kind = this.rules(state.stateId)
    if (kind !== GROWS && (kind !== WAITS || section.until <= this.world.age)) return false
    return TICKS[state.name](this.world, pos, state, random) === true
  }
}

/** @param {string} name of a block */
function kindOf (name) { return TICKS[name] === undefined ? IDLE : WAITING.test(name) ? WAITS : GROWS }

/** How many draws of one place among a section's meet another place, before one meets it. @param {import('../../random').RandomStream} random */
function missed (random) { return Math.floor(Math.log(1 - random.next()) / Math.log(1 - 1 / PLACES)) }

module.exports = { Growth }
