'use strict'
/** Random ticks by block name; each kind of growth has a file. */

/**
 * Return true if the tick has no further effect until wood or leaves near the block change.
 *
 * @typedef
 *   {(world: import('../../world').World, pos: import('../../types').Pos, state: import('../../data').BlockState,
 *   random: import('../../random').RandomStream) => true | void} Tick
 */

/** @type {Record<string, Tick>} */
const TICKS = {
  __proto__: /** @type {any} */ (null),
  ...require('./crops').TICKS,
  ...require('./stalks').TICKS,
  ...require('./ground').TICKS,
  ...require('./saplings').TICKS
}

module.exports = { TICKS }
