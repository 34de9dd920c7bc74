/** Primitives replaced or added for programs in Voyager's error mode; the rest are the usual ones. */
'use strict'
module.exports = {
  ...require('./chests'),
  ...require('./craftItem'),
  ...require('./exploreUntil'),
  ...require('./givePlacedItemBack'),
  ...require('./smeltItem')
}
