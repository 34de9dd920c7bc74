'use strict'
/** What each block does at a random tick, by its name; one file for each kind of growth. */

/** @typedef {(world: import('../../world').World, pos: import('../../types').Pos, state: import('../../data').BlockState, random: import('../../random').RandomStream) => true | void} Tick true: nothing will come of it until wood or leaves go near it */

/** @type {Record<string, Tick>} */
const TICKS = {
  __proto__: /** @type {any} */ (null),
  ...require('./crops').TICKS,
  ...require('./stalks').TICKS,
  ...require('./ground').TICKS,
  ...require('./saplings').TICKS
}

module.exports = { TICKS }
