'use strict'
/** Chunk columns as packets: built once per column and change, shared by all receivers. */
const minecraftData = require('minecraft-data')

/** @typedef {import('./codec').Codec} Codec */

/** More cached columns than this, or more bytes of them, and the oldest go. */
const MAX_CACHED = 2048
const MAX_CACHED_BYTES = 48 * 1024 * 1024
const SECTION_BYTES = 2048
/** A section with light 15 in every block. */
const FULL_LIGHT = Buffer.alloc(SECTION_BYTES, 0xff)
/** Blocks that a Minecraft client draws only when their block entity comes with the column: name rule -> type id. */
const BLOCK_ENTITIES = /** @type {[RegExp, number][]} */ ([
  [/^furnace$/, 0], [/^chest$/, 1], [/^trapped_chest$/, 2], [/^ender_chest$/, 3], [/^(?!.*hanging_sign).*_sign$/, 7],
  [/_hanging_sign$/, 8], [/shulker_box$/, 23], [/_bed$/, 24], [/^barrel$/, 26], [/_banner$/, 19], [/^bell$/, 30],
  [/^enchanting_table$/, 12], [/(_head|_skull)$/, 15]
])

/**
 * One number per column, for map keys.
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
   * @param {(pos: {x: number, y: number, z: number}) => any} [data] NBT of a block that clients are told of, if any
   */
  constructor (codec, column, data = () => undefined) {
    this.codec = codec
    this._column = column
    this._data = data
    this._blockEntityStates = blockEntityStates(minecraftData(codec.version))
    /** @type {Map<number, {dark?: Buffer, lit?: Buffer}>} */
    this._cache = new Map()
    this._bytes = 0
  }

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
    const kind = lit ? 'lit' : 'dark'
    const known = entry[kind]
    if (known) return known
    const frame = entry[kind] = this._build(cx, cz, lit)
    this._bytes += frame.length
    for (const oldest of this._cache.keys()) {
      if (this._bytes <= MAX_CACHED_BYTES) break
      this._forget(oldest)
    }
    return frame
  }

  /**
   * A block of the column has changed.
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
   * @param {boolean} lit
   */
  _build (cx, cz, lit) {
    const column = this._column(cx, cz)
    return this.codec.encode('play', 'map_chunk', {
      x: cx,
      z: cz,
      heightmaps: { type: 'compound', value: {} },
      chunkData: column.dump(),
      blockEntities: this._blockEntities(column, cx * 16, cz * 16),
      ...(lit ? fullLight(column) : NO_LIGHT)
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
        if (type !== undefined) found.push({ ...pos, type, nbtData: this._data({ x: x0 + pos.x, y: pos.y, z: z0 + pos.z }) })
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

const NO_LIGHT = Object.freeze({
  skyLightMask: [], blockLightMask: [], emptySkyLightMask: [], emptyBlockLightMask: [], skyLight: [], blockLight: []
})

/**
 * Full sky light from below the world to one section above its highest block; a client takes what is above as lit.
 * Caves are bright too: who watches wants to see.
 * @param {any} column
 */
function fullLight (column) {
  let top = column.sections.length - 1
  while (top > 0 && column.sections[top].solidBlockCount === 0) top--
  // Light sections begin one below the lowest block section.
  const count = Math.min(top + 3, column.sections.length + 2)
  return { ...NO_LIGHT, skyLightMask: [[0, 2 ** count - 1]], skyLight: Array(count).fill(FULL_LIGHT) }
}

module.exports = { Columns, columnKey }
