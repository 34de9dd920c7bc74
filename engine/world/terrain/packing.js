'use strict'
/**
 * Conversion of cells into prismarine-chunk columns, a whole section at a time: many times as fast as block by block.
 */

const CELLS = 4096
/** Bits of palette indices, and the maximum before states are stored directly; vanilla's bounds. */
const MIN_BITS = 4
const MAX_BITS = 8

/** @param {number} value */
const bitsFor = (value) => 32 - Math.clz32(value)

/**
 * Pack numbers of `bits` bits into 64-bit words, low half first, none across two words.
 * @param {ArrayLike<number>} values
 * @param {number} bits
 */
function packed (values, bits) {
  const perLong = Math.floor(64 / bits)
  const words = new Uint32Array(Math.ceil(values.length / perLong) * 2)
  for (let i = 0, word = 0; i < values.length; word += 2) {
    let low = 0
    let high = 0
    for (let shift = 0; shift + bits <= 64 && i < values.length; shift += bits, i++) {
      const value = values[i]
      if (shift >= 32) high |= value << (shift - 32)
      else {
        low |= value << shift
        if (shift + bits > 32) high |= value >>> (32 - shift)
      }
    }
    words[word] = low >>> 0
    words[word + 1] = high >>> 0
  }
  return words
}

/**
 * Return the values of a prismarine-chunk container, equal to those of `get`.
 * @template {Uint16Array} T
 * @param {any} container with or without a palette
 * @param {T} values to write to: as many as there are
 * @returns {T}
 */
function unpack ({ data: { data: words, bitsPerValue: bits, valueMask: mask }, palette }, values) {
  for (let i = 0, word = 0; i < values.length; word += 2) {
    const low = words[word]
    const high = words[word + 1]
    for (let shift = 0; shift + bits <= 64 && i < values.length; shift += bits, i++) {
      const value = (shift >= 32 ? high >>> (shift - 32)
        : shift + bits > 32 ? (low >>> shift) | (high << (32 - shift)) : low >>> shift) & mask
      values[i] = palette === undefined ? value : palette[value]
    }
  }
  return values
}

/** Converter of sections of cells into columns of one version. */
class Packer {
  /** @param {import('../data').GameData} data */
  constructor (data) {
    this.data = data
    const column = new data.Column({ minY: -64, worldHeight: 384 })
    const section = column.sections[0]
    this.Section = section.constructor
    this.Biomes = column.biomes[0].constructor
    this.wide = column.maxBitsPerBlock
    const one = section.data
    // prismarine-chunk exports neither containers nor bit arrays: take the classes from a section that was written to.
    section.set({ x: 0, y: 0, z: 0 }, 1)
    this.Indirect = section.data.constructor
    this.Bits = section.data.data.constructor
    this.Single = one.constructor
    /** Palette index by state, in the section being packed. */
    this.seen = new Int16Array(Object.keys(data.registry.blocksByStateId).length + 1).fill(-1)
    this.indices = new Uint16Array(CELLS)
  }

  /** @param {ArrayLike<number>} values @param {number} bits */
  bits (values, bits) {
    const array = new this.Bits({ bitsPerValue: bits, capacity: values.length })
    array.data = packed(values, bits)
    return array
  }

  /** @param {Uint16Array} cells the section's states, by y * 256 + z * 16 + x */
  section (cells) {
    const { seen, indices } = this
    /** @type {number[]} */
    const palette = []
    let air = 0
    for (let i = 0; i < CELLS; i++) {
      const state = cells[i]
      let index = seen[state]
      if (index < 0) {
        index = seen[state] = palette.length
        palette.push(state)
      }
      if (state === 0) air++
      indices[i] = index
    }
    for (const state of palette) seen[state] = -1
    if (palette.length === 1) return new this.Section({ singleValue: palette[0], maxBitsPerBlock: this.wide })
    const bits = Math.max(MIN_BITS, bitsFor(palette.length - 1))
    if (bits > MAX_BITS) return this.slow(cells)
    const data = new this.Indirect({ data: this.bits(indices, bits), palette, maxBits: MAX_BITS,
      maxBitsPerBlock: this.wide })
    return new this.Section({ data, solidBlockCount: CELLS - air })
  }

  /** Pack a section of more states than a palette holds. @param {Uint16Array} cells */
  slow (cells) {
    const section = new this.Section({ singleValue: 0, maxBitsPerBlock: this.wide })
    for (let i = 0; i < CELLS; i++) section.set({ x: i & 15, y: i >> 8, z: (i >> 4) & 15 }, cells[i])
    return section
  }

  /** @param {number[]} biomes ids of 16 cells of 4 x 4 blocks, by z * 4 + x; the same from the bottom to the top */
  biomes (biomes) {
    const palette = [...new Set(biomes)]
    if (palette.length === 1) return () => new this.Biomes({ singleValue: palette[0] })
    if (palette.length > 8) return () => this.slowBiomes(biomes)
    const bits = Math.max(1, bitsFor(palette.length - 1))
    const indices = Array.from({ length: 64 }, (_, i) => palette.indexOf(biomes[i & 15]))
    return () => new this.Biomes(
      { data: new this.Indirect({ data: this.bits(indices, bits), palette: [...palette], maxBits: 3,
      maxBitsPerBlock: 6 }) })
  }

  /** @param {number[]} biomes */
  slowBiomes (biomes) {
    const section = new this.Biomes({ singleValue: biomes[0] })
    for (let i = 0; i < 64; i++) section.set({ x: i & 3, y: i >> 4, z: (i >> 2) & 3 }, biomes[i & 15])
    return section
  }

  /**
   * @param {Uint16Array} cells of one column, from the bottom up
   * @param {number[]} biomes see `biomes`
   * @returns {any} prismarine-chunk's column
   */
  column (cells, biomes) {
    const layer = this.biomes(biomes)
    const count = cells.length / CELLS
    const sections = []
    for (let i = 0; i < count; i++) sections.push(this.section(cells.subarray(i * CELLS, (i + 1) * CELLS)))
    return new this.data.Column({ minY: -64, worldHeight: count * 16, sections, biomes: sections.map(() => layer()) })
  }
}

module.exports = { Packer, unpack }
