'use strict'
/** Random ticks by block name; each kind of growth has a file. */
const { nameTable } = require('../../../name_table')

/**
 * Return true if the tick has no further effect until wood or leaves near the block change.
 *
 * @typedef
 *   {(world: import('../../world').World, pos: import('../../types').Pos, state: import('../../data').BlockState,
 *   random: import('../../random').RandomStream) => true | void} Tick
 */

/** @type {Record<string, Tick>} */
const TICKS = nameTable({
  ...require('./crops').TICKS,
  ...require('./stalks').TICKS,
  ...require('./ground').TICKS,
  ...require('./saplings').TICKS
})

module.exports = { TICKS }
