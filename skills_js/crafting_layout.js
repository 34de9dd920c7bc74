'use strict'
/**
 * Layout of a recipe's ingredients in a crafting grid; the same for bots on servers and in the mock world.
 *
 * @module skills_js/crafting_layout
 */

/** Slot of the result; the grid's cells follow from 1, row by row. */
const RESULT = 0

/** @param {number} width of the grid, 2 or 3 @returns {number[]} slots of its cells */
function cells (width) {
  return Array.from({ length: width ** 2 }, (_, cell) => RESULT + 1 + cell)
}

/**
 * @param {any} recipe prismarine-recipe's
 * @param {number} width of the grid, 2 or 3
 * @returns {{slot: number, type: number}[]} what goes where, one item each
 */
function layout (recipe, width) {
  /** @type {{slot: number, type: number}[]} */
  const places = []
  for (const [row, parts] of (recipe.inShape ?? []).entries()) {
    for (const [column, part] of parts.entries()) {
      if (part.id !== -1) places.push({ slot: RESULT + 1 + column + width * row, type: part.id })
    }
  }
  const taken = new Set(places.map(({ slot }) => slot))
  const free = cells(width).filter((slot) => !taken.has(slot))
  for (const [order, part] of (recipe.ingredients ?? []).entries()) places.push({ slot: free[order], type: part.id })
  return places
}

module.exports = { RESULT, cells, layout }
