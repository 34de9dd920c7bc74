'use strict'
/**
 * Cells as whole numbers that the machine holds in a register: a search asks for hundreds of thousands of them, and
 * larger numbers would each be an object of its own.
 *
 * @module engine/body/works/numbering
 */

/** A search looks no further than this from its start, on one axis; no two cells in that have the same number. */
const SPAN = 1000
const COLUMNS = 2047
const LEVELS = 511
/** The lowest y of any world. */
const LOWEST = -64

/** @param {number} x @param {number} y -64 to 447 @param {number} z @returns {number} 31 bits: 11 for x, 11 for z, 9 for y */
function numberOf (x, y, z) {
  return (x & COLUMNS) | (z & COLUMNS) << 11 | (y - LOWEST & LEVELS) << 22
}

module.exports = { SPAN, numberOf }
