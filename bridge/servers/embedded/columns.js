'use strict'
/** Chunk columns as packets: built once per column and change, shared by all receivers. */
const minecraftData = require('minecraft-data')
const { Heightmaps } = require('./heightmaps')
const { dimensionAt, BOUNDS } = require('../../../engine/world/dimensions')

/** @typedef {import('./codec').Codec} Codec */
/** @typedef {{ revision: number, sections: (Uint8Array | number)[] }} Lit */

/** Most cached columns, and bytes of them; beyond that the oldest go. */
const MAX_CACHED = 2048
const MAX_CACHED_BYTES = 48 * 1024 * 1024
const SECTION_BYTES = 2048
/** Most columns of land generated in one tick: each takes some 3 ms, and a tick has 50. */
const NEW_A_TICK = 6
/** Blocks that a Minecraft client draws only when their block entity comes with the column: name rule -> type id. */
const BLOCK_ENTITIES = /** @type {[RegExp, number][]} */ ([
  [/^furnace$/, 0], [/^chest$/, 1], [/^trapped_chest$/, 2], [/^ender_chest$/, 3], [/^(?!.*hanging_sign).*_sign$/, 7],
  [/_hanging_sign$/, 8], [/shulker_box$/, 23], [/_bed$/, 24], [/^barrel$/, 26], [/_banner$/, 19], [/^bell$/, 30],
  [/^enchanting_table$/, 12], [/(_head|_skull)$/, 15]
])

/**
 * Return one number per column, for map keys.
 * @param {number} cx
 * @param {number} cz
 */
function columnKey (cx, cz) {
  return (cx + 0x2000000) * 0x4000000 + (cz + 0x2000000)
}

/**
 * @param {any} data minecraft-data
 * @returns {Map<number, number>} block state id -> block entity type id
 */
function blockEntityStates (data) {
  const states = new Map()
  for (const block of data.blocksArray) {
    const found = BLOCK_ENTITIES.find(([rule]) => rule.test(block.name))
    if (found) for (let id = block.minStateId; id <= block.maxStateId; id++) states.set(id, found[1])
  }
  return states
}

/** Column frames of one world. */
class Columns {
  /**
   * @param {Codec} codec
   * @param {(cx: number, cz: number) => any} column gives the world's column (prismarine-chunk)
   * @param {(cx: number, cz: number) => boolean} [ready] whether the world has that column already
   * @param {(cx: number, cz: number) => Lit} [light] gives the column's light
   * @param {(pos: {x: number, y: number, z: number}) => any} [data] NBT of a block that clients are told of, if any
   */
  constructor (
    codec, column, ready = () => true, light = () => ({ revision: 0, sections: [] }), data = () => undefined
  ) {
    this.codec = codec
    this._column = column
    this._data = data
    this._light = light
    this._ready = ready
    this._spare = NEW_A_TICK
    this._blockEntityStates = blockEntityStates(minecraftData(codec.version))
    this._heightmaps = new Heightmaps(minecraftData(codec.version))
    /**
     * Frames by column. `revision` is that of the lit frame's light, which also depends on neighbouring columns.
     * @type {Map<number, {dark?: Buffer, lit?: Buffer, revision?: number}>}
     */
    this._cache = new Map()
    this._bytes = 0
  }

  /** Allow new columns again, at the start of a tick. */
  nextTick () { this._spare = NEW_A_TICK }

  /**
   * Return true if this tick has time for that column.
   * @param {number} cx
   * @param {number} cz
   */
  affords (cx, cz) { return this._ready(cx, cz) || this._spare-- > 0 }

  /**
   * @param {number} cx
   * @param {number} cz
   * @param {boolean} lit with light, which only a person's eyes need: it is six times the bytes
   * @returns {Buffer} framed map_chunk
   */
  frame (cx, cz, lit) {
    const key = columnKey(cx, cz)
    let entry = this._cache.get(key)
    if (!entry) {
      if (this._cache.size >= MAX_CACHED) this._forget(/** @type {number} */ (this._cache.keys().next().value))
      this._cache.set(key, entry = {})
    }
    const light = lit ? this._light(cx, cz) : null
    if (light && entry.lit && entry.revision !== light.revision) {
      this._bytes -= entry.lit.length
      entry.lit = undefined
    }
    if (light) entry.revision = light.revision
    const kind = lit ? 'lit' : 'dark'
    const known = entry[kind]
    if (known) return known
    const frame = entry[kind] = this._build(cx, cz, light ? lightOf(light) : NO_LIGHT)
    this._bytes += frame.length
    for (const oldest of this._cache.keys()) {
      if (this._bytes <= MAX_CACHED_BYTES) break
      this._forget(oldest)
    }
    return frame
  }

  /**
   * Invalidate a column of which a block has changed.
   * @param {number} cx
   * @param {number} cz
   */
  invalidate (cx, cz) {
    this._forget(columnKey(cx, cz))
  }

  /** @param {number} key */
  _forget (key) {
    const entry = this._cache.get(key)
    if (!entry) return
    this._bytes -= (entry.dark?.length ?? 0) + (entry.lit?.length ?? 0)
    this._cache.delete(key)
  }

  /**
   * @param {number} cx
   * @param {number} cz
   * @param {object} light fields of the packet
   */
  _build (cx, cz, light) {
    const column = within(this._column(cx, cz), cx)
    return this.codec.encode('play', 'map_chunk', {
      x: cx,
      z: cz,
      heightmaps: this._heightmaps.of(column),
      chunkData: column.dump(),
      blockEntities: this._blockEntities(column, cx * 16, cz * 16),
      ...light
    })
  }

  /** @param {number} stateId @returns {number} number of its kind of block entity, 0 for none */
  blockEntityType (stateId) {
    return this._blockEntityStates.get(stateId) ?? 0
  }

  /** @param {any} column @param {number} x0 @param {number} z0 of its corner */
  _blockEntities (column, x0, z0) {
    const found = []
    for (let index = 0; index < column.sections.length; index++) {
      if (!this._mayHaveBlockEntity(column.sections[index])) continue
      for (let at = 0; at < 4096; at++) {
        const pos = { x: at & 15, y: column.minY + index * 16 + (at >> 8), z: (at >> 4) & 15 }
        const type = this._blockEntityStates.get(column.getBlockStateId(pos))
        if (type !== undefined) {
          found.push({ ...pos, type, nbtData: this._data({ x: x0 + pos.x, y: pos.y, z: z0 + pos.z }) })
        }
      }
    }
    return found
  }

  /** @param {any} section */
  _mayHaveBlockEntity (section) {
    const { palette, value } = section.data
    if (palette) return palette.some((/** @type {number} */ id) => this._blockEntityStates.has(id))
    return value === undefined || this._blockEntityStates.has(value)
  }
}

/**
 * Return the part of a column that clients of its dimension know.
 * @param {any} column
 * @param {number} cx
 */
function within (column, cx) {
  const { minY, height } = BOUNDS[dimensionAt(cx * 16)]
  if (height === column.worldHeight) return column
  const from = (minY - column.minY) >> 4
  const to = from + (height >> 4)
  return new column.constructor({
    minY, worldHeight: height, sections: column.sections.slice(from, to), biomes: column.biomes.slice(from, to)
  })
}

const NO_LIGHT = Object.freeze({
  skyLightMask: [], blockLightMask: [], emptySkyLightMask: [], emptyBlockLightMask: [], skyLight: [], blockLight: []
})

/**
 * Return the packet's fields of a column's light. The sections begin one below the world, where it is dark, and end one
 * above it, where the sky is open; sections without light are sent as empty.
 * @param {Lit} light
 */
function lightOf ({ sections }) {
  const sky = pack([0, ...sections, 0xf0], 4)
  const block = pack([0, ...sections, 0], 0)
  return {
    skyLightMask: mask(sky, (each) => each !== null), emptySkyLightMask: mask(sky, (each) => each === null),
    skyLight: sky.filter((each) => each !== null),
    blockLightMask: mask(block, (each) => each !== null), emptyBlockLightMask: mask(block, (each) => each === null),
    blockLight: block.filter((each) => each !== null)
  }
}

/**
 * Pack two levels a byte, the lower block first; null for a dark section.
 * @param {(Uint8Array | number)[]} sections one byte a block: sky << 4 | block; a number is a section's one value
 * @param {number} shift 4 for the sky's light, 0 for lamps'
 */
function pack (sections, shift) {
  return sections.map((section) => {
    if (typeof section === 'number') {
      const level = (section >> shift) & 15
      return level === 0 ? null : Buffer.alloc(SECTION_BYTES, level * 17)
    }
    const packed = Buffer.alloc(SECTION_BYTES)
    let any = 0
    for (let i = 0; i < SECTION_BYTES; i++) {
      any |= packed[i] = ((section[2 * i] >> shift) & 15) | ((section[2 * i + 1] >> shift) & 15) << 4
    }
    return any === 0 ? null : packed
  })
}

/**
 * Return a bit set as longs of two 32-bit halves, the higher one first.
 * @param {(Buffer | null)[]} sections
 * @param {(section: Buffer | null) => boolean} fits
 */
function mask (sections, fits) {
  const words = [0, 0]
  sections.forEach((section, i) => { if (fits(section)) words[i >> 5] |= 1 << (i & 31) })
  return words[0] === 0 && words[1] === 0 ? [] : [[words[1], words[0]]]
}

module.exports = { Columns, columnKey, lightOf }
