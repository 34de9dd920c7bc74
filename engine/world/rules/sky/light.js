'use strict'
/**
 * Light, as vanilla's: sky light falls straight down through what lets it pass and loses one level per block sideways; a
 * lamp's light loses one level per block; leaves and water take one more (minecraft-data's `filterLight`). Columns are lit
 * when somebody first asks, and follow the blocks from then on: a world in which nobody asks pays nothing.
 *
 * Simpler than vanilla: slabs, stairs and other partial blocks let all light pass or none, whatever side it comes from.
 */
const { MIN_Y, HEIGHT } = require('../../terrain')
const { keyOf } = require('../../terrain/terrain')

/** @typedef {import('../../data').BlockState} BlockState */
/**
 * @typedef {{ cx: number, cz: number, sections: (Uint8Array | number)[], revision: number, top: number, plain: boolean, amid: boolean }} LitColumn one byte a
 *   block: sky << 4 | block; a number is a section's one value; `plain`: as flat land has it that nobody touched; `amid`: all columns around it are lit
 */

const SECTIONS = HEIGHT / 16
/** Blocks of a section. */
const CELLS = 4096
const OPEN_SKY = 0xf0
const FULL = 15
const STEPS = Object.freeze([[0, -1, 0], [0, 1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]])
const SIDES = Object.freeze([[1, 0], [-1, 0], [0, 1], [0, -1]])
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
  /** @param {import('../../world').World} world */
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
    const known = this.column(cx * 16, cz * 16)
    if (known?.amid) return known
    for (let dx = -1; dx <= 1; dx++) for (let dz = -1; dz <= 1; dz++) if (!this.columns.has(keyOf(cx + dx, cz + dz))) this.lightUp(cx + dx, cz + dz)
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

  /** A block has changed. @param {import('../../types').Pos} pos @param {number} before @param {number} after state ids */
  changed ({ x, y, z }, before, after) {
    if (this.columns.size === 0 || !this.column(x, z)) return
    if (this.filter(before) === this.filter(after) && this.given(before) === this.given(after)) return
    this.redo(x, y, z, SKY, 0)
    this.redo(x, y, z, BLOCK, this.given(after))
  }

  /** Columns that the world has forgotten. */
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
    if (typeof section === 'number') column.sections[index] = section = new Uint8Array(CELLS).fill(section)
    const at = (y & 15) << 8 | (z & 15) << 4 | (x & 15)
    section[at] = kind === SKY ? (level << 4) | (section[at] & 15) : (section[at] & 0xf0) | level
    column.revision++
    column.plain = false
  }

  /** First light of a column: the sky straight down, lamps, and what comes from lit columns beside it. @param {number} cx @param {number} cz */
  lightUp (cx, cz) {
    const info = this.world.terrain.info(cx, cz)
    const { chunk } = info
    const plain = chunk !== null && chunk === this.world.terrain.untouched && SIDES.every(([dx, dz]) => this.columns.get(keyOf(cx + dx, cz + dz))?.plain !== false)
    if (plain && this.plain?.chunk === chunk) return void this.columns.set(keyOf(cx, cz), this.copyOf(/** @type {any} */ (this.plain).column, cx, cz))
    let top = SECTIONS - 1
    while (top >= 0 && chunk.sections[top].solidBlockCount === 0) top--
    /** @type {(Uint8Array | number)[]} */
    const sections = new Array(SECTIONS).fill(0)
    sections.fill(OPEN_SKY, top + 1)
    const column = { cx, cz, sections, revision: 1, top: Math.min(MIN_Y + HEIGHT, MIN_Y + (top + 1) * 16), plain: false, amid: false }
    this.columns.set(keyOf(cx, cz), column)
    this.last = column
    const floors = this.skyDown(column, info)
    if (plain) {
      column.plain = true
      this.plain = { chunk, column: this.copyOf(column, cx, cz) }
      return
    }
    /** @type {number[]} */
    const sky = []
    /** @type {number[]} */
    const lamps = []
    this.edges(column, floors, sky)
    this.lampsOf(column, info, lamps)
    for (const [dx, dz] of SIDES) this.border(column, dx, dz, sky, lamps)
    this.spread(sky, SKY)
    this.spread(lamps, BLOCK)
  }

  /** @param {LitColumn} column @param {number} cx @param {number} cz @returns {LitColumn} the same light elsewhere */
  copyOf (column, cx, cz) { return { ...column, cx, cz, sections: column.sections.map((section) => (typeof section === 'number' ? section : section.slice())), plain: true, amid: false } }

  /** Fills what lies open to the sky, layer by layer. @param {LitColumn} column @param {import('../../terrain/terrain').ColumnInfo} info @returns {Int32Array} the lowest open y of each of 256 places */
  skyDown ({ sections, top }, info) {
    const { dense } = this.world.terrain
    const floors = new Int32Array(256).fill(top)
    let open = 256
    for (let index = ((top - MIN_Y) >> 4) - 1; index >= 0 && open > 0; index--) {
      const cells = info.cells[index] ?? dense.open(info, index)
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

  /** Open places from which sky light goes aside in the same column, or on into leaves and water. @param {LitColumn} column @param {Int32Array} floors @param {number[]} queue */
  edges ({ cx, cz }, floors, queue) {
    for (let place = 0; place < 256; place++) {
      const px = place & 15
      const pz = place >> 4
      const floor = floors[place]
      // The lowest one, too, even where nothing but sky is in the column's sections.
      let high = floor + 1
      if (px > 0) high = Math.max(high, floors[place - 1])
      if (px < 15) high = Math.max(high, floors[place + 1])
      if (pz > 0) high = Math.max(high, floors[place - 16])
      if (pz < 15) high = Math.max(high, floors[place + 16])
      for (let y = floor; y < high; y++) queue.push(cx * 16 + px, y, cz * 16 + pz)
    }
  }

  /** @param {LitColumn} column @param {import('../../terrain/terrain').ColumnInfo} info @param {number[]} queue */
  lampsOf ({ cx, cz }, info, queue) {
    for (let index = 0; index < SECTIONS; index++) {
      const { palette, solidBlockCount } = info.chunk.sections[index]
      if (solidBlockCount === 0 || (palette && !palette.some((/** @type {number} */ id) => this.given(id) > 0))) continue
      const cells = info.cells[index] ?? this.world.terrain.dense.open(info, index)
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
   * Where light goes over the border between a new column and a lit one beside it: sky light of either, and the other's lamps (those of the new one go
   * on by themselves). What is as light as that already is passed over.
   * @param {LitColumn} column @param {number} dx @param {number} dz @param {number[]} sky @param {number[]} lamps
   */
  border (column, dx, dz, sky, lamps) {
    const beside = this.columns.get(keyOf(column.cx + dx, column.cz + dz))
    if (!beside) return
    const end = (Math.max(column.top, beside.top) - MIN_Y) >> 4
    // From a place at the border to the one that faces it.
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

  // --- going on from there ---

  /** Light goes on from places whose level is set; queue of x, y, z. @param {number[]} queue @param {number} kind */
  spread (queue, kind) {
    for (let i = 0; i < queue.length; i += 3) {
      const x = queue[i]
      const y = queue[i + 1]
      const z = queue[i + 2]
      const both = this.get(x, y, z)
      const level = both < 0 ? 0 : (both >> kind) & 15
      if (level < 2) continue
      this.enter(x, y - 1, z, kind, level, kind === SKY && level === FULL, queue)
      this.enter(x, y + 1, z, kind, level, false, queue)
      this.enter(x + 1, y, z, kind, level, false, queue)
      this.enter(x - 1, y, z, kind, level, false, queue)
      this.enter(x, y, z + 1, kind, level, false, queue)
      this.enter(x, y, z - 1, kind, level, false, queue)
    }
  }

  /**
   * Light of that level comes from beside; where it makes a place lighter, it goes on from there.
   * @param {number} x @param {number} y @param {number} z @param {number} kind @param {number} level @param {boolean} straight the full light of the sky from
   *   above, which loses nothing @param {number[]} queue
   */
  enter (x, y, z, kind, level, straight, queue) {
    if (y < MIN_Y || y >= MIN_Y + HEIGHT) return
    const there = this.get(x, y, z)
    const now = (there >> kind) & 15
    if (there < 0 || now >= (straight ? FULL : level - 1)) return
    const filter = this.filter(this.world.blockAt(x, y, z))
    const next = straight && filter === 0 ? FULL : level - Math.max(1, filter)
    if (next <= now) return
    this.put(x, y, z, kind, next)
    queue.push(x, y, z)
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
