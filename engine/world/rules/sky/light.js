'use strict'
/**
 * Vanilla's light: sky light falls straight down through transparent blocks, and loses one level per block sideways.
 * The light of lamps loses one level per block. Leaves and water take one level more (minecraft-data's `filterLight`).
 * A column is lit on first use, and then follows its blocks: a world whose light is not used pays nothing.
 *
 * It is simpler than vanilla: slabs, stairs and other partial blocks let all light pass or none, from any side.
 */
const { MIN_Y, HEIGHT } = require('../../terrain')
const { keyOf } = require('../../terrain/terrain')
const { nameTable } = require('../../../name_table')
const { LightFlow, BlockQueue, OPEN_SKY, FULL, SKY, BLOCK, CELLS } = require('./light_flow')

/** @typedef {import('../../data').BlockState} BlockState */
/**
 * Light of a column: one byte per block (sky << 4 | block), or one value for a whole section. `plain`: the column is
 * untouched flat land; `amid`: all columns around it are lit.
 *
 * @typedef
 *   {{ cx: number, cz: number, sections: (Uint8Array | number)[], revision: number, top: number, plain: boolean, amid:
 *   boolean }} LitColumn
 */

const SECTIONS = HEIGHT / 16
const SIDES = Object.freeze([[1, 0], [-1, 0], [0, 1], [0, -1]])
/** Light of blocks that only shine when lit (wiki: Light). @type {Record<string, number>} */
const WHEN_LIT = nameTable({ furnace: 13, blast_furnace: 13, smoker: 13, redstone_ore: 9,
  deepslate_redstone_ore: 9, redstone_lamp: 15, campfire: 15, soul_campfire: 10, redstone_torch: 7,
  redstone_wall_torch: 7 })

/** Return the light that a block state gives, 0 to 15. @param {BlockState} state @returns {number} */
function emission ({ name, props, info }) {
  if (props.lit === 'false') return 0
  if (props.candles) return 3 * Number(props.candles)
  if (props.berries) return props.berries === 'true' ? 14 : 0
  if (name === 'light') return Number(props.level)
  return WHEN_LIT[name] ?? info.emitLight ?? 0
}

/** Light of one world. */
class Light {
  /** @param {Pick<import('../../world').World, 'data' | 'registry' | 'sky' | 'terrain'>} world */
  constructor (world) {
    this.world = world
    /** Lit columns by `keyOf`. @type {Map<number, LitColumn>} */
    this.columns = new Map()
    /** Light that each state absorbs, and light that it gives; -1 if not known yet. */
    const most = 1 + Math.max(
      ...world.registry.blocksArray.map((/** @type {{ maxStateId: number }} */ b) => b.maxStateId))
    this.filters = new Int8Array(most).fill(-1)
    this.gives = new Int8Array(most)
    /**
     * Light of untouched flat land, which is the same for all such columns.
     *
     * @type {{ chunk: any, column: LitColumn } | null}
     */
    this.plain = null
    /** Column that was used last. @type {LitColumn | null} */
    this.last = null
    this.flow = new LightFlow(this)
  }

  // --- queries ---

  /**
   * Return the sky light as at noon, 0 to 15.
   *
   * @param {number} x @param {number} y @param {number} z
   * @returns {number}
   */
  sky (x, y, z) { return this.levels(x, y, z) >> SKY }
  /** Return the light of lamps, 0 to 15. @param {number} x @param {number} y @param {number} z @returns {number} */
  block (x, y, z) { return this.levels(x, y, z) & 15 }

  /**
   * Return the higher of both, without regard to the time of day, as plants use it.
   *
   * @param {number} x @param {number} y @param {number} z
   * @returns {number}
   */
  raw (x, y, z) {
    if (this.seesSky(x, y, z)) return FULL
    const both = this.levels(x, y, z)
    return Math.max(both >> SKY, both & 15)
  }

  /**
   * Return the higher of both at this time of day, as monsters use it.
   *
   * @param {number} x @param {number} y @param {number} z
   * @param {number} [darken] levels by which the sky's light is reduced; the present reduction by default
   */
  now (x, y, z, darken = this.world.sky.darken) {
    const both = this.levels(x, y, z)
    return Math.max((both >> SKY) - darken, both & 15)
  }

  /**
   * Return true if no block above absorbs light.
   *
   * @param {number} x @param {number} y @param {number} z
   * @returns {boolean}
   */
  seesSky (x, y, z) {
    const { terrain } = this.world
    const info = terrain.info(x >> 4, z >> 4)
    if (!terrain.inside(x, MIN_Y, z)) return true
    const across = (z & 15) << 4 | (x & 15)
    for (let up = Math.max(0, y - MIN_Y); up < HEIGHT; up = (up | 15) + 1) {
      const index = up >> 4
      if (info.chunk.sections[index].solidBlockCount === 0) continue
      const cells = info.cells[index] ?? terrain.dense.unpackSection(info, index)
      for (let at = (up & 15) << 8 | across; at < CELLS; at += 256) if (this.filter(cells[at]) > 0) return false
    }
    return true
  }

  /**
   * Return both levels of a block, and light its column and the columns around it first.
   *
   * @param {number} x @param {number} y @param {number} z
   * @returns {number}
   */
  levels (x, y, z) {
    if (y >= MIN_Y + HEIGHT) return OPEN_SKY
    if (y < MIN_Y) return 0
    this.reach(x >> 4, z >> 4)
    return this.get(x, y, z)
  }

  /**
   * Light a column and the eight columns around it, which give it light.
   *
   * @param {number} cx
   * @param {number} cz
   * @returns {LitColumn}
   */
  reach (cx, cz) {
    const known = this.column(cx * 16, cz * 16)
    if (known?.amid) return known
    for (let dx = -1; dx <= 1; dx++) {
      for (let dz = -1; dz <= 1; dz++) if (!this.columns.has(keyOf(cx + dx, cz + dz))) this.lightUp(cx + dx, cz + dz)
    }
    const column = /** @type {LitColumn} */ (this.column(cx * 16, cz * 16))
    column.amid = true
    return column
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

  /**
   * Update the light after a block's change.
   *
   * @param {import('../../types').Pos} pos
   * @param {number} before
   * @param {number} after state ids
   */
  changed ({ x, y, z }, before, after) {
    if (this.columns.size === 0 || !this.column(x, z)) return
    if (this.filter(before) === this.filter(after) && this.given(before) === this.given(after)) return
    this.flow.redo([{ x, y, z, given: 0 }], SKY)
    this.flow.redo([{ x, y, z, given: this.given(after) }], BLOCK)
  }

  /** Drop columns that the world has dropped. */
  evict () {
    for (const [key, column] of this.columns) {
      column.amid = false
      if (!this.world.terrain.columns.has(key)) this.columns.delete(key)
    }
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

  /**
   * Return both levels of a block, or -1 in a column that is not lit.
   *
   * @param {number} x @param {number} y @param {number} z
   * @returns {number}
   */
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
    if (typeof section === 'number') column.sections[index] = section = new Uint8Array(CELLS).fill(section)
    const at = (y & 15) << 8 | (z & 15) << 4 | (x & 15)
    section[at] = kind === SKY ? (level << 4) | (section[at] & 15) : (section[at] & 0xf0) | level
    column.revision++
    column.plain = false
  }

  /**
   * Compute the light of a column: the sky straight down, lamps, and light from lit columns beside it.
   *
   * @param {number} cx
   * @param {number} cz
   */
  lightUp (cx, cz) {
    const info = this.world.terrain.info(cx, cz)
    const { chunk } = info
    const plain = chunk !== null && chunk === this.world.terrain.sharedColumn &&
      SIDES.every(([dx, dz]) => this.columns.get(keyOf(cx + dx, cz + dz))?.plain !== false)
    if (plain && this.plain?.chunk === chunk) {
      return void this.columns.set(keyOf(cx, cz), this.copyOf(/** @type {any} */ (this.plain).column, cx, cz))
    }
    let top = SECTIONS - 1
    while (top >= 0 && chunk.sections[top].solidBlockCount === 0) top--
    /** @type {(Uint8Array | number)[]} */
    const sections = new Array(SECTIONS).fill(0)
    sections.fill(OPEN_SKY, top + 1)
    const column = { cx, cz, sections, revision: 1, top: Math.min(MIN_Y + HEIGHT, MIN_Y + (top + 1) * 16), plain: false,
      amid: false }
    this.columns.set(keyOf(cx, cz), column)
    this.last = column
    const floors = this.skyDown(column, info)
    if (plain) {
      column.plain = true
      this.plain = { chunk, column: this.copyOf(column, cx, cz) }
      return
    }
    const sky = new BlockQueue()
    const lamps = new BlockQueue()
    this.edges(column, floors, sky)
    this.lampsOf(column, info, lamps)
    for (const [dx, dz] of SIDES) this.border(column, dx, dz, sky, lamps)
    this.flow.spread(sky, SKY)
    this.flow.spread(lamps, BLOCK)
  }

  /**
   * @param {LitColumn} column
   * @param {number} cx
   * @param {number} cz
   * @returns {LitColumn} the same light at another position
   */
  copyOf (column, cx, cz) {
    return { ...column, cx, cz,
      sections: column.sections.map((section) => (typeof section === 'number' ? section : section.slice())),
      plain: true, amid: false }
  }

  /**
   * Fill the blocks open to the sky, layer by layer.
   *
   * @param {LitColumn} column
   * @param {import('../../terrain/terrain').ColumnInfo} info
   * @returns {Int32Array} lowest open y of each of 256 places
   */
  skyDown ({ sections, top }, info) {
    const { dense } = this.world.terrain
    const floors = new Int32Array(256).fill(top)
    let open = 256
    for (let index = ((top - MIN_Y) >> 4) - 1; index >= 0 && open > 0; index--) {
      const cells = info.cells[index] ?? dense.unpackSection(info, index)
      const light = sections[index] = new Uint8Array(CELLS)
      for (let up = 15; up >= 0 && open > 0; up--) {
        const y = MIN_Y + index * 16 + up
        for (let place = 0; place < 256; place++) {
          if (floors[place] !== y + 1) continue
          if (this.filter(cells[up << 8 | place]) > 0) open--
          else {
            light[up << 8 | place] = OPEN_SKY
            floors[place] = y
          }
        }
      }
    }
    return floors
  }

  /**
   * Queue open blocks from which sky light spreads sideways in the same column, or into leaves and water.
   *
   * @param {LitColumn} column
   * @param {Int32Array} floors
   * @param {BlockQueue} queue
   */
  edges ({ cx, cz }, floors, queue) {
    for (let place = 0; place < 256; place++) {
      const px = place & 15
      const pz = place >> 4
      const floor = floors[place]
      // The lowest block counts too, even if the column's sections contain only sky.
      let high = floor + 1
      if (px > 0) high = Math.max(high, floors[place - 1])
      if (px < 15) high = Math.max(high, floors[place + 1])
      if (pz > 0) high = Math.max(high, floors[place - 16])
      if (pz < 15) high = Math.max(high, floors[place + 16])
      for (let y = floor; y < high; y++) queue.push(cx * 16 + px, y, cz * 16 + pz)
    }
  }

  /** @param {LitColumn} column @param {import('../../terrain/terrain').ColumnInfo} info @param {BlockQueue} queue */
  lampsOf ({ cx, cz }, info, queue) {
    for (let index = 0; index < SECTIONS; index++) {
      const { palette, solidBlockCount } = info.chunk.sections[index]
      if (solidBlockCount === 0 || (palette && !palette.some((/** @type {number} */ id) => this.given(id) > 0))) {
        continue
      }
      const cells = info.cells[index] ?? this.world.terrain.dense.unpackSection(info, index)
      for (let at = 0; at < CELLS; at++) {
        const level = this.given(cells[at])
        if (level === 0) continue
        const x = cx * 16 + (at & 15)
        const y = MIN_Y + index * 16 + (at >> 8)
        const z = cz * 16 + ((at >> 4) & 15)
        this.put(x, y, z, BLOCK, level)
        queue.push(x, y, z)
      }
    }
  }

  /**
   * Queue the blocks from which light crosses the border between a new column and a lit one beside it: sky light of
   * both, and lamps of the lit one (those of the new one spread by themselves). Blocks that are already as bright are
   * skipped.
   *
   * @param {LitColumn} column @param {number} dx @param {number} dz @param {BlockQueue} sky @param {BlockQueue} lamps
   */
  border (column, dx, dz, sky, lamps) {
    const beside = this.columns.get(keyOf(column.cx + dx, column.cz + dz))
    if (!beside) return
    const end = (Math.max(column.top, beside.top) - MIN_Y) >> 4
    // From a block at the border to the facing one.
    const across = dx === 0 ? 15 << 4 : 15
    for (let index = 0; index < end; index++) {
      const here = column.sections[index]
      const there = beside.sections[index]
      if (here === there) continue
      for (let i = 0; i < 256; i++) {
        const px = dx === 0 ? i & 15 : dx > 0 ? 15 : 0
        const pz = dz === 0 ? i & 15 : dz > 0 ? 15 : 0
        const at = i >> 4 << 8 | pz << 4 | px
        const own = typeof here === 'number' ? here : here[at]
        const other = typeof there === 'number' ? there : there[at ^ across]
        if (own === other) continue
        const y = MIN_Y + index * 16 + (i >> 4)
        const x = column.cx * 16 + px
        const z = column.cz * 16 + pz
        if (own >> SKY > (other >> SKY) + 1 && y < column.top) sky.push(x, y, z)
        if (other >> SKY > (own >> SKY) + 1) sky.push(x + dx, y, z + dz)
        if ((other & 15) > (own & 15) + 1) lamps.push(x + dx, y, z + dz)
      }
    }
  }
}

module.exports = { Light, emission, FULL }
