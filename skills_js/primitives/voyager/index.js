/** Primitives that are others, or more, for programs with Voyager's manners; all the rest are ours. */
'use strict'
module.exports = {
  ...require('./chests'),
  ...require('./craftItem'),
  ...require('./exploreUntil'),
  ...require('./givePlacedItemBack'),
  ...require('./smeltItem')
}
