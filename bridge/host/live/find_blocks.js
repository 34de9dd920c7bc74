'use strict'
/**
 * Search for the nearest blocks of some kinds: section by section, nearest section first, and only in sections whose
 * palette has one. mineflayer's own search visits every block of a cube and holds the host's thread for a second if
 * there is none.
 */

const SECTION = 16
const CELLS = SECTION ** 3

/**
 * @typedef {{ x: number, y: number, z: number }} Point
 * @typedef {{ section: any, cx: number, cy: number, cz: number, nearest: number }} Candidate
 * @typedef {{ sections: number, cells: number, matches: number }} Looked
 */

/**
 * @param {any} bot
 * @param {Point} from
 * @param {number} maxDistance - from there to the block's middle
 * @param {(section: any) => boolean} wanted
 * @returns {Candidate[]} loaded sections that touch the sphere and are wanted, nearest first
 */
function sectionsAround (bot, from, maxDistance, wanted) {
  /** @type {Candidate[]} */
  const found = []
  const low = (/** @type {number} */ value) => Math.floor((value - maxDistance) / SECTION)
  const high = (/** @type {number} */ value) => Math.floor((value + maxDistance) / SECTION)
  for (let cx = low(from.x); cx <= high(from.x); cx++) {
    for (let cz = low(from.z); cz <= high(from.z); cz++) {
      const column = bot.world.getColumn(cx, cz)
      if (!column) continue
      const bottom = (column.minY ?? 0) / SECTION
      for (let cy = Math.max(low(from.y), bottom); cy <= high(from.y); cy++) {
        const section = column.sections[cy - bottom]
        const nearest = boxDistance(from, cx, cy, cz)
        if (section && nearest <= maxDistance && wanted(section)) found.push({ section, cx, cy, cz, nearest })
      }
    }
  }
  return found.sort((a, b) => a.nearest - b.nearest)
}

/**
 * @param {Point} from
 * @param {number} cx
 * @param {number} cy
 * @param {number} cz
 * @returns {number} blocks from there to the section's nearest corner or side
 */
function boxDistance (from, cx, cy, cz) {
  const away = (/** @type {number} */ value, /** @type {number} */ section) =>
    Math.max(section * SECTION - value, 0, value - (section + 1) * SECTION)
  return Math.hypot(away(from.x, cx), away(from.y, cy), away(from.z, cz))
}

/**
 * @param {any} section
 * @returns {number[] | null} states that may occur in it; null when it keeps no list
 */
function paletteOf (section) {
  const { data } = section
  if (Array.isArray(data.palette)) return data.palette
  return typeof data.value === 'number' ? [data.value] : null
}

/**
 * @param {any} bot
 * @param {{ from: Point, maxDistance: number, count: number, states: Set<number> }} search
 * @returns {{ found: number[][], looked: Looked }} positions, nearest first, and what was looked at for them
 */
function findBlocks (bot, { from, maxDistance, count, states }) {
  const looked = { sections: 0, cells: 0, matches: 0 }
  const wanted = (/** @type {any} */ section) => {
    looked.sections++
    const palette = paletteOf(section)
    return palette === null || palette.some((state) => states.has(state))
  }
  /** @type {{ at: number[], distance: number }[]} */
  let best = []
  for (const candidate of sectionsAround(bot, from, maxDistance, wanted)) {
    if (best.length >= count && candidate.nearest > best[count - 1].distance) break
    const found = scan(candidate, from, maxDistance, states)
    looked.cells += CELLS
    looked.matches += found.length
    if (found.length === 0) continue
    best = best.concat(found).sort((a, b) => a.distance - b.distance).slice(0, count)
  }
  return { found: best.map(({ at }) => at), looked }
}

/**
 * @param {Candidate} candidate
 * @param {Point} from
 * @param {number} maxDistance
 * @param {Set<number>} states
 * @returns {{ at: number[], distance: number }[]}
 */
function scan ({ section, cx, cy, cz }, from, maxDistance, states) {
  const found = []
  for (let index = 0; index < CELLS; index++) {
    if (!states.has(section.data.get(index))) continue
    const at = [cx * SECTION + (index & 15), cy * SECTION + (index >> 8), cz * SECTION + ((index >> 4) & 15)]
    const distance = Math.hypot(at[0] + 0.5 - from.x, at[1] + 0.5 - from.y, at[2] + 0.5 - from.z)
    if (distance <= maxDistance) found.push({ at, distance })
  }
  return found
}

/**
 * @param {any} bot
 * @param {Point} from
 * @param {number} maxDistance
 * @returns {{ found: number[], looked: Looked }} the states that may occur within that distance
 */
function statesAround (bot, from, maxDistance) {
  /** @type {Set<number>} */
  const states = new Set()
  const looked = { sections: 0, cells: 0, matches: 0 }
  for (const { section } of sectionsAround(bot, from, maxDistance, () => true)) {
    looked.sections++
    const palette = paletteOf(section)
    if (palette === null) looked.cells += CELLS
    if (palette !== null) palette.forEach((state) => states.add(state))
    else for (let index = 0; index < CELLS; index++) states.add(section.data.get(index))
  }
  return { found: [...states], looked }
}

module.exports = { findBlocks, statesAround }
