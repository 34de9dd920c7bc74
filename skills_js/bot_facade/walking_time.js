/** Time limits of walks, for every backend. */
'use strict'

/** Time limit of a walk in ms, plus one second for each block of the straight distance. */
const BASE_MS = 10_000
const MS_PER_BLOCK = 1000
const MAX_MS = 300_000
/** Time limit of a walk that digs and builds, in ms: two blocks of stone by hand take 15 s. */
const WORKS_BASE_MS = 60_000
const WORKS_MS_PER_BLOCK = 16_000
const MAX_WORKS_MS = 900_000
/** Largest distance taken into account, in blocks. */
const FARTHEST = 290

/**
 * @param {number} blocks - of the way as the crow flies, or as the goal estimates it
 * @param {boolean} works - the bot may dig and build on its way
 * @returns {number} ms after which the walk is given up
 */
function mostMs (blocks, works) {
  const far = Math.max(0, Math.min(blocks, FARTHEST))
  return works
    ? Math.min(MAX_WORKS_MS, WORKS_BASE_MS + WORKS_MS_PER_BLOCK * far)
    : Math.min(MAX_MS, BASE_MS + MS_PER_BLOCK * far)
}

module.exports = { mostMs }
