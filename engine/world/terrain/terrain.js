'use strict'
/**
 * Blocks of a world: columns of prismarine-chunk generated on demand, edits in them, a revision per column, and
 * eviction of unmodified columns (a client that reports x = 3e7 must not fill the memory).
 */
const { MIN_Y, HEIGHT } = require('./canvas')
const { Dense } = require('./dense')
const { dimensionAt, NETHER_FROM } = require('../dimensions')

/** Distance beyond which blocks are out of the world, as in vanilla. */
const WORLD_EDGE = 30_000_000
/** First column of other dimensions. */
const REALMS_FROM = NETHER_FROM / 16
/** Distance from every player beyond which an unmodified column may be evicted, in columns. */
const KEEP_COLUMNS = 12
/** Maximum number of unmodified columns of generated terrain, of 20 to 30 KB each; the least recently used go first. */
const MAX_UNMODIFIED = 1536
/** Columns used again and again around a player: with fewer per player the same land is generated all the time. */
const COLUMNS_A_PLAYER = 160
/** Side of the table of recently used columns; a power of two. */
const RECENT = 16
/** Difference of the keys of two neighbouring columns along x: more than there are columns along z. */
const KEY_STRIDE = 1 << 23

/** @typedef {import('../stacks').Stacks} Stacks */
/** @typedef {import('../windows/store').Store} Store */
/**
 * @typedef {object} Generator
 * @property {boolean} [same] one column may stand for all
 * @property {(cx: number, cz: number) => any} generate returns a new prismarine-chunk column
 * @property {() => { x: number, y: number, z: number }} spawn returns the place where players first stand
 * @property {(cx: number, cz: number) => import('./residents').Resident[]} residents animals and people of a
 *   new column
 * @property {(pos: { x: number, y: number, z: number }, stacks: Stacks, store: Store) => void} fill
 *   fills a container that the generator placed
 * @property {(name: string, from: { x: number, z: number }) => { x: number, y: number, z: number } | null} locateBiome
 * @property {(from: { x: number, z: number }) => { x: number, y: number, z: number }} [locateStronghold]
 * @property {(from: { x: number, z: number }, style: string | null) => { x: number, y: number, z: number } | null}
 *   locateVillage
 */
/**
 * A column and what is kept about it. `cells`: see `Dense`; `revision` rises with each change of a block, so that a
 * serialization may be cached for as long as it stays; `modified` is false while the column is exactly as generated.
 * @typedef {{ chunk: any, cells: (Uint16Array | null)[], revision: number, modified: boolean, cx: number, cz: number,
 *   asked: number,
 *   tops: Tops | null }} ColumnInfo
 */
/**
 * @typedef {{ revision: number, heights: Int16Array }} Tops the highest blocks of a column, as of that revision
 *   (`rules/mobs/spawning.js`)
 */

/** @returns {null[]} no section laid open */
const closed = () => new Array(HEIGHT / 16).fill(null)

/** Return a column's key, unique among columns. @param {number} cx @param {number} cz */
const keyOf = (cx, cz) => cx * KEY_STRIDE + cz

/** The blocks of one world. */
class Terrain {
  /**
   * @param {Generator} generator
   * @param {(name: string) => { generate: (cx: number, cz: number) => any }} [makeRealm]
   */
  constructor (generator, makeRealm = () => generator) {
    this.generator = generator
    this.makeRealm = makeRealm
    /** Generators of other dimensions. @type {Record<string, { generate: (cx: number, cz: number) => any }>} */
    this.realms = {}
    /** True if the land is generated, with plants and animals that nobody placed. */
    this.generated = !generator.same
    /** Columns by `keyOf`. @type {Map<number, ColumnInfo>} */
    this.columns = new Map()
    this.dense = new Dense()
    /** The shared column of flat land until something in a column changes. @type {any} */
    this.sharedColumn = null
    /** Its unpacked sections. @type {(Uint16Array | null)[]} */
    this.sharedCells = closed()
    /**
     * Recently used columns by the lowest bits of their position: nearly all queries go to a few.
     * @type {(ColumnInfo | null)[]}
     */
    this.recent = new Array(RECENT * RECENT).fill(null)
    /** Number of switches to another column. */
    this.turns = 0
    /** Maximum number of unmodified columns. */
    this.most = MAX_UNMODIFIED
    /** Number of columns at which the oldest are evicted. */
    this.room = generator.same ? Infinity : this.most
    /** Number of evictions. */
    this.evictions = 0
    /**
     * New columns that have not been searched for growing plants (`rules/growing/random_ticks.js`).
     * @type {ColumnInfo[]}
     */
    this.fresh = []
  }

  /** Adapt the limits to the number of players. @param {number} players */
  setPlayerCount (players) {
    const most = Math.max(MAX_UNMODIFIED, players * COLUMNS_A_PLAYER)
    this.room += most - this.most
    this.most = most
    this.dense.setPlayerCount(players)
  }

  /**
   * Return the column with its revision, generated at the first use.
   * @param {number} cx
   * @param {number} cz
   * @returns {ColumnInfo}
   */
  info (cx, cz) {
    const slot = (cz & RECENT - 1) * RECENT + (cx & RECENT - 1)
    const known = this.recent[slot]
    if (known !== null && known.cx === cx && known.cz === cz) return known
    const key = keyOf(cx, cz)
    let info = this.columns.get(key)
    if (!info) {
      if (this.columns.size >= this.room) this.makeRoom()
      this.columns.set(key, info = { chunk: this.made(cx, cz), cells: this.closedFor(cx), revision: 0, modified: false,
        cx, cz, asked: 0, tops: null })
      if (this.generated) this.fresh.push(info)
    }
    info.asked = ++this.turns
    this.recent[slot] = info
    return info
  }

  /** Return the sections of a new column: none unpacked, except flat land's shared ones. @param {number} cx */
  closedFor (cx) { return this.generator.same && cx < REALMS_FROM ? this.sharedCells : closed() }

  /** Return true if a column is loaded. @param {number} cx @param {number} cz */
  has (cx, cz) { return this.columns.has(keyOf(cx, cz)) }

  /** @param {number} cx @param {number} cz */
  made (cx, cz) {
    if (cx >= REALMS_FROM) return this.realm(cx).generate(cx, cz)
    return this.generator.same ? this.sharedColumn ??= this.generator.generate(cx, cz) : this.generator.generate(cx, cz)
  }

  /** Return the generator of another dimension, made at the first use. @param {number} cx */
  realm (cx) {
    const name = dimensionAt(cx * 16)
    this.realms[name] ??= this.makeRealm(name)
    return /** @type {{ generate: (cx: number, cz: number) => any }} */ (this.realms[name])
  }

  /** Return true if a block position lies in the world. @param {number} x @param {number} y @param {number} z */
  inside (x, y, z) {
    // Bit operations test for integers: larger ones than 32 bits are beyond the edge anyhow.
    return (x | 0) === x && (y | 0) === y && (z | 0) === z && y >= MIN_Y && y < MIN_Y + HEIGHT && x > -WORLD_EDGE &&
      x < WORLD_EDGE && z > -WORLD_EDGE && z < WORLD_EDGE
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {number} state id; 0 (air) outside the world
   */
  get (x, y, z) {
    if (!this.inside(x, y, z)) return 0
    // Read unpacked states, without an object for the place: every moving body asks this most.
    const info = this.info(x >> 4, z >> 4)
    const index = (y - MIN_Y) >> 4
    const cells = info.cells[index] ?? this.dense.unpackSection(info, index)
    return cells[(y & 15) << 8 | (z & 15) << 4 | (x & 15)]
  }

  /**
   * Read a state without unpacking its section, for places read once.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {number} state id; 0 (air) outside the world
   */
  peek (x, y, z) {
    if (!this.inside(x, y, z)) return 0
    const { chunk, cells } = this.info(x >> 4, z >> 4)
    const index = (y - MIN_Y) >> 4
    const place = (y & 15) << 8 | (z & 15) << 4 | (x & 15)
    return cells[index]?.[place] ?? chunk.sections[index].data.get(place)
  }

  /**
   * Return true if a block's whole section is air.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   */
  empty (x, y, z) {
    return this.inside(x, y, z) && this.info(x >> 4, z >> 4).chunk.sections[(y - MIN_Y) >> 4].data.value === 0
  }

  /** @param {number} x @param {number} y @param {number} z @returns {number} biome id of the version */
  biome (x, y, z) {
    const inside = Math.max(MIN_Y, Math.min(MIN_Y + HEIGHT - 1, y))
    return this.info(x >> 4, z >> 4).chunk.getBiome({ x: x & 15, y: inside, z: z & 15 })
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} stateId
   * @returns {boolean} true if anything changed
   */
  set (x, y, z, stateId) {
    if (!this.inside(x, y, z)) return false
    const info = this.info(x >> 4, z >> 4)
    const at = { x: x & 15, y, z: z & 15 }
    if (this.get(x, y, z) === stateId) return false
    this.unshare(info)
    info.chunk.setBlockStateId(at, stateId)
    this.dense.put(info.cells, x, y - MIN_Y, z, stateId)
    info.revision++
    info.modified = true
    return true
  }

  /** Give a column that will be changed a copy of its own. @param {ColumnInfo} info */
  unshare (info) {
    if (info.modified || info.chunk !== this.sharedColumn || this.sharedColumn === null) return
    info.chunk = this.generator.generate(info.cx, info.cz)
    info.cells = closed()
  }

  /**
   * Set the biome of the cell of 4 x 4 x 4 blocks around a place.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} biome id of the version
   */
  setBiome (x, y, z, biome) {
    const info = this.info(x >> 4, z >> 4)
    this.unshare(info)
    info.chunk.setBiome({ x: x & 12, y: y & ~3, z: z & 12 }, biome)
    info.revision++
    info.modified = true
  }

  /**
   * Evict unmodified columns far from all of the given places.
   * @param {Iterable<{ x: number, z: number }>} places
   * @returns {number} how many were forgotten
   */
  evict (places) {
    const near = [...places].map(({ x, z }) => [Math.floor(x) >> 4, Math.floor(z) >> 4])
    let gone = 0
    for (const [key, info] of this.columns) {
      if (info.modified || near.some(
        ([cx, cz]) => Math.max(Math.abs(cx - info.cx), Math.abs(cz - info.cz)) <= KEEP_COLUMNS)) {
        continue
      }
      this.columns.delete(key)
      this.dense.dropColumn(info.cells)
      gone++
    }
    this.columnsEvicted()
    return gone
  }

  /** Reset caches after an eviction. */
  columnsEvicted () {
    this.recent.fill(null)
    this.evictions++
    this.fresh = this.fresh.filter((info) => this.columns.get(keyOf(info.cx, info.cz)) === info)
  }

  /** Evict the least recently used half of the unmodified columns. Columns with edits stay, and are not counted. */
  makeRoom () {
    for (const info of this.recent) if (info !== null) info.asked = ++this.turns
    const untouched = [...this.columns].filter(([, info]) => !info.modified).sort(([, a], [, b]) => a.asked - b.asked)
    for (const [key, { cells }] of untouched.slice(0, Math.ceil(untouched.length / 2))) {
      this.columns.delete(key)
      this.dense.dropColumn(cells)
    }
    this.room = this.most + this.columns.size - Math.floor(untouched.length / 2)
    this.columnsEvicted()
  }
}

module.exports = { Terrain, keyOf, MIN_Y, HEIGHT, WORLD_EDGE, COLUMNS_A_PLAYER, MAX_UNMODIFIED }
