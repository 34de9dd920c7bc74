'use strict'
/**
 * Random ticks: in each section with something that grows, `randomTickSpeed` places a tick are drawn (wiki: Tick, "Random
 * tick"), in sections no further than 128 blocks from a player. What a place does then stands in `growing/`. A world
 * without growing blocks has no such sections, and costs nothing.
 */
const { TICKS } = require('./growing')
const { keyOf } = require('../terrain/terrain')
const { length2 } = require('../../lengths')

/** @typedef {import('../types').Pos} Pos */
/**
 * @typedef {import('../terrain/terrain').Info} Info
 * @typedef {{ sx: number, sy: number, sz: number, until: number, info: Info | null, revision: number, live: Uint8Array }} Section `live`: a bit for each
 *   place with something that grows, as of that revision of its column
 */

const SECTION = 4096
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

/** What grows in one world. */
class Growth {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** @type {Map<string, Section>} */
    this.sections = new Map()
    /** The same by their columns (`keyOf`). @type {Map<number, Section[]>} */
    this.columns = new Map()
    /** Those near a player. @type {Section[]} */
    this.near = []
    this.stale = true
    /** How often columns had been forgotten when they were chosen. */
    this.forgotten = 0
    /** Columns that were looked through. @type {WeakSet<object>} */
    this.known = new WeakSet()
    /** By state id: whether blocks of that state grow; null where not known yet. @type {(boolean | null)[]} */
    this.ruled = new Array(world.data.states.length).fill(null)
  }

  /** A block has become another. @param {Pos} pos @param {import('../data').BlockState} before @param {import('../data').BlockState} after */
  changed (pos, before, after) {
    this.follow(pos, after.stateId)
    if (after.name === 'dirt') this.bareEarth(pos)
    if (WOODY.test(before.name) && before.name !== after.name) this.bared(pos)
  }

  /** A block that has changed, or beside one. @param {Pos} pos @param {import('../data').BlockState} state */
  look (pos, state) {
    if (TICKS[state.name] && !/_leaves$|^grass_block$/.test(state.name)) this.mark(pos.x >> 4, pos.y >> 4, pos.z >> 4)
  }

  /** @param {number} sx @param {number} sy @param {number} sz @returns {Section} */
  mark (sx, sy, sz) {
    const key = `${sx},${sy},${sz}`
    let section = this.sections.get(key)
    if (!section) {
      this.sections.set(key, section = { sx, sy, sz, until: 0, info: null, revision: -1, live: new Uint8Array(SECTION / 8) })
      const column = this.columns.get(keyOf(sx, sz))
      if (column) column.push(section)
      else this.columns.set(keyOf(sx, sz), [section])
      this.stale = true
    }
    return section
  }

  /** Wood or leaves have gone: leaves within six blocks may have lost what holds them. @param {Pos} pos */
  bared (pos) {
    if (Number(this.world.rules.randomTickSpeed) === 0) return
    for (let sx = (pos.x - 6) >> 4; sx <= (pos.x + 6) >> 4; sx++) {
      for (let sy = (pos.y - 6) >> 4; sy <= (pos.y + 6) >> 4; sy++) {
        for (let sz = (pos.z - 6) >> 4; sz <= (pos.z + 6) >> 4; sz++) this.mark(sx, sy, sz).until = this.world.age + DECAY
      }
    }
  }

  /** Earth lies bare: grass beside it may go over it. @param {Pos} pos */
  bareEarth ({ x, y, z }) {
    if (Number(this.world.rules.randomTickSpeed) === 0 || !this.world.stateAt(x, y + 1, z).air) return
    for (const dx of [-1, 1]) {
      for (const dz of [-1, 1]) {
        for (const dy of [-1, 1]) this.mark((x + dx) >> 4, (y + dy) >> 4, (z + dz) >> 4).until = this.world.age + REGROW
      }
    }
  }

  /** Looks for growing blocks in generated land near players. */
  discover () {
    const { terrain } = this.world
    if (!terrain.generated) return
    for (const { x, z } of this.world.players.values()) {
      const [px, pz] = [Math.floor(x) >> 4, Math.floor(z) >> 4]
      for (let cx = px - DISCOVER; cx <= px + DISCOVER; cx++) {
        for (let cz = pz - DISCOVER; cz <= pz + DISCOVER; cz++) {
          const info = terrain.columns.get(keyOf(cx, cz))
          if (!info || this.known.has(info)) continue
          this.known.add(info)
          this.through(info)
        }
      }
    }
  }

  /** @param {{ chunk: any, cx: number, cz: number }} info a column with whatever grows in it */
  through ({ chunk, cx, cz }) {
    chunk.sections.forEach((/** @type {any} */ section, /** @type {number} */ index) => {
      if (section.solidBlockCount > 0 && this.grows(section, false)) this.mark(cx, (this.world.minY >> 4) + index, cz)
    })
  }

  /** Whether anything in a section grows by itself. @param {any} section @param {boolean} exact every block, since palettes remember what was there once */
  grows ({ data, palette }, exact) {
    const names = this.world.data
    const ticks = (/** @type {number} */ id) => { const { name } = names.state(id); return TICKS[name] !== undefined && !/_leaves$|^grass_block$/.test(name) }
    if (palette && !palette.some(ticks)) return false
    if (palette && !exact) return true
    for (let at = 0; at < SECTION; at++) if (ticks(data.get(at))) return true
    return false
  }

  /** Sections in which nothing grows any more are forgotten. */
  sweep () {
    for (const [key, { sx, sy, sz, until }] of this.sections) {
      if (until > this.world.age) continue
      // Land that was forgotten is looked through again when it comes back.
      const section = this.world.columnReady(sx, sz) && this.world.terrain.info(sx, sz).chunk.sections[sy - (this.world.minY >> 4)]
      if (section && this.grows(section, true)) continue
      this.sections.delete(key)
      const left = this.columns.get(keyOf(sx, sz))?.filter((other) => other.sy !== sy) ?? []
      if (left.length > 0) this.columns.set(keyOf(sx, sz), left)
      else this.columns.delete(keyOf(sx, sz))
    }
    this.stale = true
  }

  tick () {
    const { age } = this.world
    if (age % LOOK_EVERY === 0) this.discover()
    if (this.sections.size === 0) return
    if (age % SWEEP_EVERY === 0) this.sweep()
    if (this.stale || this.forgotten !== this.world.terrain.forgotten || age % LOOK_EVERY === 0) this.choose()
    const tries = Number(this.world.rules.randomTickSpeed)
    const random = this.world.random.stream('growth')
    const { near } = this
    for (let number = 0; number < near.length; number++) {
      const section = near[number]
      for (let i = 0; i < tries; i++) {
        const at = Math.floor(random.next() * SECTION)
        if (!this.lives(section, at)) continue
        const x = section.sx * 16 + (at & 15)
        const y = section.sy * 16 + (at >> 8)
        const z = section.sz * 16 + ((at >> 4) & 15)
        this.tickAt({ x, y, z }, random, section)
      }
    }
  }

  choose () {
    const { terrain } = this.world
    const players = [...this.world.players.values()].filter((p) => p.gamemode !== 'spectator')
    /** @type {Map<string, boolean>} */
    const columns = new Map()
    this.near = [...this.sections.values()].filter(({ sx, sz }) => {
      const key = `${sx},${sz}`
      let near = columns.get(key)
      if (near === undefined) columns.set(key, near = this.ticks(sx, sz, players))
      return near
    })
    for (const section of this.near) section.info = terrain.info(section.sx, section.sz)
    this.forgotten = terrain.forgotten
    this.stale = false
  }

  /**
   * Whether a column has random ticks. One beside land that is not made yet has none, as vanilla ticks none whose neighbours
   * are not loaded: light and growth would have that land made, and what grows there the land beside it, and so on.
   * @param {number} cx @param {number} cz @param {{ x: number, z: number }[]} players
   */
  ticks (cx, cz, players) {
    return players.some((p) => length2(p.x - cx * 16 - 8, p.z - cz * 16 - 8) < NEAR) && this.world.columnsReady(cx, cz)
  }

  /** Whether the block there is of a kind that grows. @param {Section} section one that was chosen @param {number} at */
  lives (section, at) {
    const { live, info } = section
    if (info !== null && info.revision !== section.revision) this.learn(section, info)
    return (live[at >> 3] & 1 << (at & 7)) !== 0
  }

  /** A block of a column was set: what is known of its sections holds on. @param {Pos} pos @param {number} stateId */
  follow ({ x, y, z }, stateId) {
    for (const section of this.columns.get(keyOf(x >> 4, z >> 4)) ?? []) {
      if (section.info === null || section.revision !== section.info.revision - 1) continue
      section.revision++
      if (section.sy !== y >> 4) continue
      const at = (y & 15) << 8 | (z & 15) << 4 | (x & 15)
      if (this.rules(stateId)) section.live[at >> 3] |= 1 << (at & 7)
      else section.live[at >> 3] &= ~(1 << (at & 7))
    }
  }

  /** Whether blocks of that state grow. @param {number} stateId */
  rules (stateId) { return (this.ruled[stateId] ??= TICKS[this.world.data.state(stateId).name] !== undefined) }

  /** Its column has changed, and nobody told. @param {Section} section @param {Info} info */
  learn (section, info) {
    const { live, sx, sy, sz } = section
    section.revision = info.revision
    live.fill(0)
    for (let at = 0; at < SECTION; at++) {
      const stateId = this.world.terrain.get(sx * 16 + (at & 15), sy * 16 + (at >> 8), sz * 16 + ((at >> 4) & 15))
      if (this.rules(stateId)) live[at >> 3] |= 1 << (at & 7)
    }
  }

  /** @param {Pos} pos @param {import('../random').RandomStream} random @param {Section} section */
  tickAt (pos, random, section) {
    const state = this.world.stateAt(pos.x, pos.y, pos.z)
    const rule = TICKS[state.name]
    if (rule && (section.until > this.world.age || !state.name.endsWith('_leaves'))) rule(this.world, pos, state, random)
  }
}

module.exports = { Growth }
