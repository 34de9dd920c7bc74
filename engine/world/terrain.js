'use strict'
/**
 * The blocks: a flat world made on demand in prismarine-chunk columns, the edits in them, a revision per column, and the
 * forgetting of far columns that nobody changed (a client that reports x = 3e7 must not fill the memory).
 */

/** The layers of vanilla's superflat world, from the top down; what lies under them is empty. */
const LAYERS = ['grass_block', 'dirt', 'dirt', 'bedrock']
const MIN_Y = -64
const HEIGHT = 384
/** Blocks beyond are out of the world, as in vanilla. */
const WORLD_EDGE = 30_000_000
/** An unmodified column further than this many columns from every player may be forgotten. */
const KEEP_COLUMNS = 12

/** The blocks of one world. */
class Terrain {
  /**
   * @param {import('./data').GameData} data
   * @param {number} surfaceY the lowest air block's y
   */
  constructor (data, surfaceY) {
    if (!Number.isInteger(surfaceY) || surfaceY < MIN_Y + LAYERS.length || surfaceY > MIN_Y + HEIGHT - 16) {
      throw new Error(`surfaceY ${surfaceY} is not legal: use a whole number from ${MIN_Y + LAYERS.length} to ${MIN_Y + HEIGHT - 16}`)
    }
    this.data = data
    this.surfaceY = surfaceY
    /** Whether the land is made by a generator, in which things grow that nobody placed. */
    this.generated = false
    /** @type {Map<string, { chunk: any, revision: number, modified: boolean, cx: number, cz: number }>} */
    this.columns = new Map()
    this.plains = data.registry.biomesByName.plains?.id ?? 0
    this.layers = LAYERS.map((name) => data.stateId(name))
    /** @type {string} */
    this.pattern = ''
    /** What every column is until something in it changes: one for all. @type {any} */
    this.untouched = null
    /** The column last asked for: nearly all queries follow one another in the same one. @type {any} */
    this.last = null
  }

  /**
   * The column with its revision; made when first met.
   * @param {number} cx
   * @param {number} cz
   */
  info (cx, cz) {
    if (this.last && this.last.cx === cx && this.last.cz === cz) return this.last
    const key = `${cx},${cz}`
    let info = this.columns.get(key)
    if (!info) {
      this.untouched ??= this.generate()
      this.columns.set(key, info = { chunk: this.untouched, revision: 0, modified: false, cx, cz })
    }
    this.last = info
    return info
  }

  /** A fresh flat column; parsed from a saved one, since that is faster than setting a thousand blocks. */
  generate () {
    if (this.pattern) return this.data.Column.fromJson(this.pattern)
    const chunk = new this.data.Column({ minY: MIN_Y, worldHeight: HEIGHT })
    for (let x = 0; x < 16; x++) {
      for (let z = 0; z < 16; z++) {
        this.layers.forEach((stateId, depth) => chunk.setBlockStateId({ x, y: this.surfaceY - 1 - depth, z }, stateId))
      }
    }
    for (let y = MIN_Y; y < MIN_Y + HEIGHT; y += 4) {
      for (let x = 0; x < 16; x += 4) for (let z = 0; z < 16; z += 4) chunk.setBiome({ x, y, z }, this.plains)
    }
    this.pattern = chunk.toJson()
    return chunk
  }

  /** Whether a block may be there at all. @param {number} x @param {number} y @param {number} z */
  inside (x, y, z) {
    return Number.isInteger(x) && Number.isInteger(y) && Number.isInteger(z) && y >= MIN_Y && y < MIN_Y + HEIGHT && Math.abs(x) < WORLD_EDGE && Math.abs(z) < WORLD_EDGE
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @returns {number} state id; 0 (air) outside the world
   */
  get (x, y, z) {
    if (!this.inside(x, y, z)) return 0
    return this.info(x >> 4, z >> 4).chunk.getBlockStateId({ x: x & 15, y, z: z & 15 })
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {number} stateId
   * @returns {boolean} whether anything changed
   */
  set (x, y, z, stateId) {
    if (!this.inside(x, y, z)) return false
    const info = this.info(x >> 4, z >> 4)
    const at = { x: x & 15, y, z: z & 15 }
    if (info.chunk.getBlockStateId(at) === stateId) return false
    if (!info.modified) info.chunk = this.generate()
    info.chunk.setBlockStateId(at, stateId)
    info.revision++
    info.modified = true
    return true
  }

  /**
   * Forgets columns as generated that are far from all of the given places.
   * @param {Iterable<{ x: number, z: number }>} places
   * @returns {number} how many were forgotten
   */
  evict (places) {
    const near = [...places].map(({ x, z }) => [Math.floor(x) >> 4, Math.floor(z) >> 4])
    let gone = 0
    for (const [key, info] of this.columns) {
      if (info.modified || near.some(([cx, cz]) => Math.max(Math.abs(cx - info.cx), Math.abs(cz - info.cz)) <= KEEP_COLUMNS)) continue
      this.columns.delete(key)
      gone++
    }
    this.last = null
    return gone
  }
}

module.exports = { Terrain, MIN_Y, HEIGHT, WORLD_EDGE }
