'use strict'
/**
 * Light, as vanilla's: sky light falls straight down through what lets it pass and loses one level per block sideways; a
 * lamp's light loses one level per block; leaves and water take one more (minecraft-data's `filterLight`). Columns are lit
 * when somebody first asks, and follow the blocks from then on: a world in which nobody asks pays nothing.
 *
 * Simpler than vanilla: slabs, stairs and other partial blocks let all light pass or none, whatever side it comes from.
 */
const { MIN_Y, HEIGHT } = require('../terrain')
const { keyOf } = require('../terrain/terrain')

/** @typedef {import('../data').BlockState} BlockState */
/** @typedef {{ cx: number, cz: number, sections: (Uint8Array | number)[], revision: number, top: number, plain: boolean }} LitColumn one byte a block: sky << 4 | block; a number is a section's one value; `plain`: as flat land has it that nobody touched */

const SECTIONS = HEIGHT / 16
/** Blocks of a section. */
const CELLS = 4096
const OPEN_SKY = 0xf0
const FULL = 15
const STEPS = Object.freeze([[0, -1, 0], [0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]])
const SKY = 4
const BLOCK = 0
/** What only shines when lit, and how much (wiki: Light). @type {Record<string, number>} */
const WHEN_LIT = { __proto__: /** @type {any} */ (null), furnace: 13, blast_furnace: 13, smoker: 13, redstone_ore: 9, deepslate_redstone_ore: 9, redstone_lamp: 15, campfire: 15, soul_campfire: 10, redstone_torch: 7, redstone_wall_torch: 7 }

/** Light that a state gives, 0 to 15. @param {BlockState} state */
function emission ({ name, props, info }) {
  if (props.lit === 'false') return 0
  if (props.candles) return 3 * Number(props.candles)
  if (props.berries) return props.berries === 'true' ? 14 : 0
  if (name === 'light') return Number(props.level)
  return WHEN_LIT[name] ?? info.emitLight ?? 0
}

/** Light of one world. */
class Light {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** By `keyOf`. @type {Map<number, LitColumn>} */
    this.columns = new Map()
    /** By state id: what it takes, and what it gives; -1 where not known yet. */
    const most = 1 + Math.max(...world.registry.blocksArray.map((/** @type {any} */ b) => b.maxStateId))
    this.filters = new Int8Array(most).fill(-1)
    this.gives = new Int8Array(most)
    /** Light of flat land that nobody touched: all such columns have the same. @type {{ chunk: any, column: LitColumn } | null} */
    this.plain = null
    /** The column last asked for. @type {LitColumn | null} */
    this.last = null
  }

  // --- what others ask ---

  /** Sky light, 0 to 15, as at noon. @param {number} x @param {number} y @param {number} z */
  sky (x, y, z) { return this.levels(x, y, z) >> SKY }
  /** Light of lamps, 0 to 15. @param {number} x @param {number} y @param {number} z */
  block (x, y, z) { return this.levels(x, y, z) & 15 }

  /** The lighter of both, as plants have it: the night does not count. @param {number} x @param {number} y @param {number} z */
  raw (x, y, z) {
    if (this.seesSky(x, y, z)) return FULL
    const both = this.levels(x, y, z)
    return Math.max(both >> SKY, both & 15)
  }

  /** The lighter of both at this time of day, as monsters have it. @param {number} x @param {number} y @param {number} z @param {number} [darken] levels that the sky loses; as the sky is now when left out */
  now (x, y, z, darken = this.world.sky.darken) {
    const both = this.levels(x, y, z)
    return Math.max((both >> SKY) - darken, both & 15)
  }

  /** Whether nothing above takes light away. @param {number} x @param {number} y @param {number} z */
  seesSky (x, y, z) {
    const { terrain } = this.world
    const info = terrain.info(x >> 4, z >> 4)
    if (!terrain.inside(x, MIN_Y, z)) return true
    const across = (z & 15) << 4 | (x & 15)
    for (let up = Math.max(0, y - MIN_Y); up < HEIGHT; up = (up | 15) + 1) {
      const index = up >> 4
      if (info.chunk.sections[index].solidBlockCount === 0) continue
      const cells = info.cells[index] ?? terrain.dense.open(info, index)
      for (let at = (up & 15) << 8 | across; at < CELLS; at += 256) if (this.filter(cells[at]) > 0) return false
    }
    return true
  }

  /** Both levels of a place, its column and those around it lit before. @param {number} x @param {number} y @param {number} z */
  levels (x, y, z) {
    if (y >= MIN_Y + HEIGHT) return OPEN_SKY
    if (y < MIN_Y) return 0
    this.reach(x >> 4, z >> 4)
    return this.get(x, y, z)
  }

  /** Lights a column and the eight around it, from which light may come. @param {number} cx @param {number} cz @returns {LitColumn} */
  reach (cx, cz) {
    for (let dx = -1; dx <= 1; dx++) for (let dz = -1; dz <= 1; dz++) if (!this.columns.has(keyOf(cx + dx, cz + dz))) this.lightUp(cx + dx, cz + dz)
    return /** @type {LitColumn} */ (this.columns.get(keyOf(cx, cz)))
  }

  // --- blocks ---

  /** @param {number} stateId */
  filter (stateId) {
    if (this.filters[stateId] < 0) {
      const state = this.world.data.state(stateId)
      this.filters[stateId] = Math.min(FULL, state.air ? 0 : state.info.filterLight ?? (state.fullCube ? FULL : 0))
      this.gives[stateId] = emission(state)
    }
    return this.filters[stateId]
  }

  /** @param {number} stateId */
  given (stateId) {
    this.filter(stateId)
    return this.gives[stateId]
  }

  /** A block has changed. @param {import('../types').Pos} pos @param {number} before @param {number} after state ids */
  changed ({ x, y, z }, before, after) {
    if (this.columns.size === 0 || !this.column(x, z)) return
    if (this.filter(before) === this.filter(after) && this.given(before) === this.given(after)) return
    this.redo(x, y, z, SKY, 0)
    this.redo(x, y, z, BLOCK, this.given(after))
  }

  /** Columns that the world has forgotten. */
  evict () {
    for (const key of this.columns.keys()) if (!this.world.terrain.columns.has(key)) this.columns.delete(key)
    this.last = null
  }

  // --- levels in columns ---

  /** @param {number} x @param {number} z @returns {LitColumn | null} */
  column (x, z) {
    const cx = x >> 4
    const cz = z >> 4
    if (this.last && this.last.cx === cx && this.last.cz === cz) return this.last
    const found = this.columns.get(keyOf(cx, cz)) ?? null
    if (found) this.last = found
    return found
  }

  /** Both levels; -1 in columns that are not lit. @param {number} x @param {number} y @param {number} z */
  get (x, y, z) {
    if (y >= MIN_Y + HEIGHT) return OPEN_SKY
    const column = this.column(x, z)
    if (!column || y < MIN_Y) return -1
    const section = column.sections[(y - MIN_Y) >> 4]
    return typeof section === 'number' ? section : section[(y & 15) << 8 | (z & 15) << 4 | (x & 15)]
  }

  /** @param {number} x @param {number} y @param {number} z @param {number} kind @param {number} level */
  put (x, y, z, kind, level) {
    const column = /** @type {LitColumn} */ (this.column(x, z))
    const index = (y - MIN_Y) >> 4
    let section = column.sections[index]
    if (typeof section === 'number') column.sections[index] = section = new Uint8Array(4096).fill(section)
    const at = (y & 15) << 8 | (z & 15) << 4 | (x & 15)
    section[at] = kind === SKY ? (level << 4) | (section[at] & 15) : (section[at] & 0xf0) | level
    column.revision++
    column.plain = false
  }

  /** First light of a column: the sky straight down, lamps, and what comes from lit columns beside it. @param {number} cx @param {number} cz */
  lightUp (cx, cz) {
    const { chunk } = this.world.terrain.info(cx, cz)
    const plain = chunk !== null && chunk === this.world.terrain.untouched && STEPS.slice(2).every(([dx, , dz]) => this.columns.get(keyOf(cx + dx, cz + dz))?.plain !== false)
    if (plain && this.plain?.chunk === chunk) return void this.columns.set(keyOf(cx, cz), this.copyOf(/** @type {any} */ (this.plain).column, cx, cz))
    let top = SECTIONS - 1
    while (top >= 0 && chunk.sections[top].solidBlockCount === 0) top--
    /** @type {(Uint8Array | number)[]} */
    const sections = Array.from({ length: SECTIONS }, (_, i) => (i > top ? OPEN_SKY : new Uint8Array(4096)))
    const column = { cx, cz, sections, revision: 1, top: Math.min(MIN_Y + HEIGHT, MIN_Y + (top + 1) * 16), plain: false }
    this.columns.set(keyOf(cx, cz), column)
    this.last = column
    /** @type {number[]} */
    const sky = []
    /** @type {number[]} */
    const lamps = []
    const floors = this.skyDown(column, chunk)
    if (plain) {
      column.plain = true
      this.plain = { chunk, column: this.copyOf(column, cx, cz) }
      return
    }
    this.edges(column, floors, sky)
    this.lampsOf(column, chunk, lamps)
    this.borders(column, sky, lamps)
    this.spread(sky, SKY)
    this.spread(lamps, BLOCK)
  }

  /** @param {LitColumn} column @param {number} cx @param {number} cz @returns {LitColumn} the same light elsewhere */
  copyOf (column, cx, cz) { return { ...column, cx, cz, sections: column.sections.map((section) => (typeof section === 'number' ? section : section.slice())), plain: true } }

  /** Fills what lies open to the sky. @param {LitColumn} column @param {any} chunk @returns {Int32Array} the lowest open y of each of 256 places */
  skyDown (column, chunk) {
    const floors = new Int32Array(256)
    for (let place = 0; place < 256; place++) {
      let y = column.top
      while (y > MIN_Y) {
        const index = (y - 1 - MIN_Y) >> 4
        const stateId = chunk.sections[index].data.get(((y - 1) & 15) << 8 | place)
        if (this.filter(stateId) > 0) break
        y--
        ;/** @type {Uint8Array} */ (column.sections[index])[(y & 15) << 8 | place] = OPEN_SKY
      }
      floors[place] = y
    }
    return floors
  }

  /** Open places from which sky light goes aside or on into leaves and water. @param {LitColumn} column @param {Int32Array} floors @param {number[]} queue */
  edges ({ cx, cz, top }, floors, queue) {
    for (let place = 0; place < 256; place++) {
      const [px, pz] = [place & 15, place >> 4]
      let high = floors[place] + 1
      for (const [dx, , dz] of STEPS.slice(2)) {
        const [nx, nz] = [px + dx, pz + dz]
        high = Math.max(high, nx < 0 || nx > 15 || nz < 0 || nz > 15 ? top : floors[nz << 4 | nx])
      }
      for (let y = floors[place]; y < Math.min(high, top); y++) queue.push(cx * 16 + px, y, cz * 16 + pz)
      if (floors[place] === top) queue.push(cx * 16 + px, top, cz * 16 + pz)
    }
  }

  /** @param {LitColumn} column @param {any} chunk @param {number[]} queue */
  lampsOf (column, chunk, queue) {
    for (let index = 0; index < SECTIONS; index++) {
      const { data, palette, solidBlockCount } = chunk.sections[index]
      if (solidBlockCount === 0 || (palette && !palette.some((/** @type {number} */ id) => this.given(id) > 0))) continue
      for (let at = 0; at < 4096; at++) {
        const level = this.given(data.get(at))
        if (level === 0) continue
        const [x, y, z] = [column.cx * 16 + (at & 15), MIN_Y + index * 16 + (at >> 8), column.cz * 16 + ((at >> 4) & 15)]
        this.put(x, y, z, BLOCK, level)
        queue.push(x, y, z)
      }
    }
  }

  /** What shines in from lit columns beside a new one. @param {LitColumn} column @param {number[]} sky @param {number[]} lamps */
  borders ({ cx, cz, top }, sky, lamps) {
    for (const [dx, , dz] of STEPS.slice(2)) {
      const beside = this.columns.get(keyOf(cx + dx, cz + dz))
      if (!beside) continue
      for (let i = 0; i < 16; i++) {
        const x = (cx + dx) * 16 + (dx === 0 ? i : dx > 0 ? 0 : 15)
        const z = (cz + dz) * 16 + (dz === 0 ? i : dz > 0 ? 0 : 15)
        for (let y = MIN_Y; y < Math.max(top, beside.top); y++) {
          const both = this.get(x, y, z)
          if (both > 0 && both >> SKY > 1) sky.push(x, y, z)
          if (both > 0 && (both & 15) > 1) lamps.push(x, y, z)
        }
      }
    }
  }

  // --- going on from there ---

  /** Light goes on from places whose level is set; queue of x, y, z. @param {number[]} queue @param {number} kind */
  spread (queue, kind) {
    for (let i = 0; i < queue.length; i += 3) {
      const x = queue[i]
      const y = queue[i + 1]
      const z = queue[i + 2]
      const both = this.get(x, y, z)
      const level = both < 0 ? 0 : (both >> kind) & 15
      if (level < 1) continue
      for (let step = 0; step < STEPS.length; step++) {
        const [dx, dy, dz] = STEPS[step]
        const nx = x + dx
        const ny = y + dy
        const nz = z + dz
        if (ny < MIN_Y || ny >= MIN_Y + HEIGHT) continue
        const there = this.get(nx, ny, nz)
        if (there < 0) continue
        const now = (there >> kind) & 15
        if (now >= level) continue
        const filter = this.filter(this.world.blockAt(nx, ny, nz))
        const next = kind === SKY && level === FULL && dy === -1 && filter === 0 ? FULL : level - Math.max(1, filter)
        if (next <= now) continue
        this.put(nx, ny, nz, kind, next)
        queue.push(nx, ny, nz)
      }
    }
  }

  /** A place's light anew: what came by it goes, then light comes in again from around. @param {number} x @param {number} y @param {number} z @param {number} kind @param {number} given */
  redo (x, y, z, kind, given) {
    const gone = [x, y, z, (this.get(x, y, z) >> kind) & 15]
    /** @type {number[]} */
    const sources = []
    this.put(x, y, z, kind, 0)
    for (let i = 0; i < gone.length; i += 4) this.darken(gone, i, kind, sources)
    if (given > 0) {
      this.put(x, y, z, kind, given)
      sources.push(x, y, z)
    }
    for (const [dx, dy, dz] of STEPS) sources.push(x + dx, y + dy, z + dz)
    this.spread(sources, kind)
  }

  /** Neighbours that had their light from a darkened place go dark, too; others are where light comes from. @param {number[]} gone @param {number} i @param {number} kind @param {number[]} sources */
  darken (gone, i, kind, sources) {
    const level = gone[i + 3]
    for (const [dx, dy, dz] of STEPS) {
      const [x, y, z] = [gone[i] + dx, gone[i + 1] + dy, gone[i + 2] + dz]
      if (y < MIN_Y || y >= MIN_Y + HEIGHT) continue
      const there = this.get(x, y, z)
      const now = there < 0 ? 0 : (there >> kind) & 15
      if (now === 0) continue
      if (now < level || (kind === SKY && level === FULL && dy === -1 && now === FULL)) {
        this.put(x, y, z, kind, 0)
        gone.push(x, y, z, now)
        if (kind === BLOCK && this.given(this.world.blockAt(x, y, z)) > 0) {
          this.put(x, y, z, kind, this.given(this.world.blockAt(x, y, z)))
          sources.push(x, y, z)
        }
      } else sources.push(x, y, z)
    }
  }
}

module.exports = { Light, emission, FULL }
