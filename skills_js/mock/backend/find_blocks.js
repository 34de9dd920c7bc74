'use strict'
/**
 * Search for the nearest blocks of some kinds: section by section, nearest section first, and only in sections whose
 * palette has one of them.
 *
 * @module skills_js/mock/backend/find_blocks
 */
const { knownPlaces } = require('./known_places')

const SECTION = 16
const CELLS = SECTION ** 3

/**
 * @typedef {{x: number, y: number, z: number}} Point
 * @typedef {{section: any, known: any, cx: number, cy: number, cz: number, nearest: number}} Candidate
 * @typedef {{sections: number, cells: number, matches: number}} Looked
 */

/**
 * @param {import('../../../engine/world/world').World} world the engine
 * @param {Point} from
 * @param {number} maxDistance
 * @returns {unknown[]} columns that touch the square around the sphere, made where they are new
 */
function columnsAround (world, from, maxDistance) {
  const columns = []
  const east = highest(from.x, maxDistance)
  const south = highest(from.z, maxDistance)
  for (let cx = lowest(from.x, maxDistance); cx <= east; cx++) {
    for (let cz = lowest(from.z, maxDistance); cz <= south; cz++) columns.push(world.columnInfo(cx, cz))
  }
  return columns
}

/** @param {number} value @param {number} maxDistance @returns {number} the section that far below it */
function lowest (value, maxDistance) { return Math.floor((value - maxDistance) / SECTION) }

/** @param {number} value @param {number} maxDistance @returns {number} the section that far above it */
function highest (value, maxDistance) { return Math.floor((value + maxDistance) / SECTION) }

/**
 * @param {any} world the engine
 * @param {any[]} columns around there
 * @param {Point} from
 * @param {number} maxDistance from there to a block's middle
 * @template Wanted
 * @param {(section: any, info: any, index: number) => Wanted} wanted what is known of a section; what is falsy is not
 *   wanted
 * @returns {Candidate[]} sections that touch the sphere and are wanted, nearest first
 */
function sectionsAround (world, columns, from, maxDistance, wanted) {
  /** @type {Candidate[]} */
  const found = []
  const bottom = world.minY / SECTION
  const low = Math.max(lowest(from.y, maxDistance), bottom)
  const high = Math.min(highest(from.y, maxDistance), bottom + world.height / SECTION - 1)
  for (const info of columns) {
    const { chunk: { sections }, cx, cz } = info
    for (let cy = low; cy <= high; cy++) {
      const section = sections[cy - bottom]
      if (!section) continue
      const nearest = boxDistance(from, cx, cy, cz)
      const known = nearest <= maxDistance && wanted(section, info, cy - bottom)
      if (known) found.push({ section, known, cx, cy, cz, nearest })
    }
  }
  return found.sort((a, b) => a.nearest - b.nearest)
}

/** @returns {number} blocks from there to the section's nearest corner or side */
function boxDistance (
  /** @type {Point} */ from, /** @type {number} */ cx, /** @type {number} */ cy, /** @type {number} */ cz
) {
  return Math.sqrt(away(from.x, cx) ** 2 + away(from.y, cy) ** 2 + away(from.z, cz) ** 2)
}

/** @param {number} value @param {number} section @returns {number} blocks along one axis */
function away (value, section) { return Math.max(section * SECTION - value, 0, value - (section + 1) * SECTION) }

/** @param {any} section @returns {number[] | null} states that may occur in it; null when it keeps no list */
function paletteOf ({ data }) {
  if (Array.isArray(data.palette)) return data.palette
  return typeof data.value === 'number' ? [data.value] : null
}

/**
 * @param {any} world the engine
 * @param {{from: Point, maxDistance: number, count: number, key: string, states: () => States}} search `key`: one for
 *   each set of states
 * @param {any[]} [columns] around there, where the caller has them
 * @returns {{found: number[][], looked: Looked}} positions, nearest first, and what was looked at for them
 */
function findBlocks (world, {
  from, maxDistance, count, key, states
}, columns = columnsAround(world, from, maxDistance)) {
  const looked = { sections: 0, cells: 0, matches: 0 }
  const places = knownPlaces(world)
  const kind = places.kind(key, states)
  /** @type {import('./known_places').Column | null} */
  let column = null
  const wanted = (/** @type {any} */ section, /** @type {any} */ info, /** @type {number} */ index) => {
    looked.sections++
    if (column === null || column.info !== info) column = places.column(kind, info)
    const { sections } = column
    const known = sections[index] ??= { may: mayHold(section.data, kind.states), cells: null }
    return known.may ? known : null
  }
  const best = new Nearest(count)
  for (const candidate of sectionsAround(world, columns, from, maxDistance, wanted)) {
    if (candidate.nearest > best.farthest) break
    looked.cells += CELLS
    looked.matches += scan(candidate, cellsIn(candidate, kind, places), { from, maxDistance }, best)
  }
  return { found: best.places, looked }
}

/** Nearest places found so far, nearest first; of equally distant ones, the first found. */
class Nearest {
  /** @type {number[]} */
  #distances = []
  #most
  /** @type {number[][]} */
  places = []
  /** Distance from which a place is not among them. */
  farthest = Infinity

  /** @param {number} most places, at least 1 */
  constructor (most) {
    this.#most = most
  }

  /** @param {number} distance less than `farthest` @param {number[]} place */
  add (distance, place) {
    const distances = this.#distances
    let at = distances.length
    while (at > 0 && distances[at - 1] > distance) at--
    distances.splice(at, 0, distance)
    this.places.splice(at, 0, place)
    if (distances.length < this.#most) return
    distances.length = this.places.length = this.#most
    this.farthest = distances[this.#most - 1]
  }
}

/** Set of block states, a byte for each existing state. */
class States {
  #bits

  /** @param {any} registry @param {Iterable<any>} states what is no state is in no section either */
  constructor (registry, states) {
    this.#bits = new Uint8Array(
      1 + Math.max(...registry.blocksArray.map((/** @type {any} */ block) => block.maxStateId))
    )
    for (const state of states) if (Number.isInteger(state)) this.#bits[state] = 1
  }

  /** @param {number} state @returns {boolean} */
  has (state) { return this.#bits[state] === 1 }

  /** @param {number[]} palette @returns {boolean} whether one of them is in it */
  meets (palette) {
    for (let at = 0; at < palette.length; at++) if (this.#bits[palette[at]] === 1) return true
    return false
  }
}

/**
 * @param {any} container of prismarine-chunk
 * @param {States} states
 * @returns {boolean} whether one of them may occur in it
 */
function mayHold ({ palette, value }, states) {
  return Array.isArray(palette) ? states.meets(palette) : typeof value !== 'number' || states.has(value)
}

/**
 * @param {Candidate} candidate
 * @param {import('./known_places').Kind} kind
 * @param {ReturnType<typeof knownPlaces>} places
 * @returns {ArrayLike<number>}
 */
function cellsIn ({ section, known }, kind, places) {
  if (known.cells !== null) return known.cells
  /** @type {number[]} */
  const cells = []
  eachCell(section.data, kind.states, (index) => { cells.push(index) })
  places.keep(known, cells)
  return cells
}

/**
 * @param {Candidate} candidate
 * @param {ArrayLike<number>} cells
 * @param {{from: Point, maxDistance: number}} search
 * @param {Nearest} best is told of them
 * @returns {number} how many are within the distance
 */
function scan ({ cx, cy, cz }, cells, { from, maxDistance }, best) {
  let matches = 0
  for (let place = 0; place < cells.length; place++) {
    const index = cells[place]
    const x = cx * SECTION + (index & 15)
    const y = cy * SECTION + (index >> 8)
    const z = cz * SECTION + ((index >> 4) & 15)
    const distance = Math.sqrt((x + 0.5 - from.x) ** 2 + (y + 0.5 - from.y) ** 2 + (z + 0.5 - from.z) ** 2)
    if (distance > maxDistance) continue
    matches++
    if (distance < best.farthest) best.add(distance, [x, y, z])
  }
  return matches
}

/**
 * Visit the cells of a section that hold one of the states. Cells are packed into 64-bit words, so that one comparison
 * passes over all of a word's cells where it repeats a word that held none: most of a landscape is stone or air.
 *
 * @param {any} container of prismarine-chunk: cells as indices into a palette, or as states
 * @param {States} states
 * @param {(index: number) => void} visit
 */
function eachCell (container, states, visit) {
  const { palette, data } = container
  const wanted = Array.isArray(palette) ? palette.map((state) => states.has(state)) : null
  if (data?.valuesPerLong === undefined) {
    // One state all over, or a container of another kind: cell by cell.
    for (let index = 0; index < CELLS; index++) if (states.has(container.get(index))) visit(index)
    return
  }
  const { data: words, valuesPerLong, bitsPerValue: bits, valueMask: mask } = data
  let barrenLow = -1
  let barrenHigh = -1
  for (let word = 0, index = 0; index < CELLS; word += 2, index += valuesPerLong) {
    const low = words[word]
    const high = words[word + 1]
    if (low === barrenLow && high === barrenHigh) continue
    let seen = false
    for (let cell = index, shift = 0; cell < index + valuesPerLong && cell < CELLS; cell++, shift += bits) {
      const value = valueAt(low, high, shift, bits) & mask
      if (wanted === null ? !states.has(value) : !wanted[value]) continue
      seen = true
      visit(cell)
    }
    if (!seen) { barrenLow = low; barrenHigh = high }
  }
}

/**
 * Return the bits of a word of two halves from an offset; more bits than wanted may follow.
 * @param {number} low
 * @param {number} high
 * @param {number} shift
 * @param {number} bits
 */
function valueAt (low, high, shift, bits) {
  if (shift >= 32) return high >>> (shift - 32)
  return shift + bits > 32 ? (low >>> shift) | (high << (32 - shift)) : low >>> shift
}

/**
 * @param {any} world
 * @param {Point} from
 * @param {number} maxDistance
 * @returns {{found: number[], looked: Looked}} states that may occur there
 */
function statesAround (world, from, maxDistance) {
  /** @type {Set<number>} */
  const states = new Set()
  const looked = { sections: 0, cells: 0, matches: 0 }
  for (const { section } of sectionsAround(
    world, columnsAround(world, from, maxDistance), from, maxDistance, () => true
  )) {
    looked.sections++
    const palette = paletteOf(section)
    if (palette === null) looked.cells += CELLS
    if (palette !== null) palette.forEach((state) => states.add(state))
    else for (let index = 0; index < CELLS; index++) states.add(section.data.get(index))
  }
  return { found: [...states], looked }
}

module.exports = { States, columnsAround, findBlocks, statesAround }
