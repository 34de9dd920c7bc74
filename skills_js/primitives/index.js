/** All actions that a policy finds in scope, by name; one file each. */
'use strict'
module.exports = {
  ...require('./checkItemInsideChest'),
  ...require('./collectDrops'),
  ...require('./craftItem'),
  ...require('./depositItemIntoChest'),
  ...require('./equipItem'),
  ...require('./exploreUntil'),
  ...require('./getItemFromChest'),
  ...require('./goTo'),
  ...require('./immobilize'),
  ...require('./killMob'),
  ...require('./mineBlock'),
  ...require('./placeItem'),
  ...require('./say'),
  ...require('./sendSignal'),
  ...require('./shoot'),
  ...require('./smeltItem'),
  ...require('./waitForMobRemoved'),
  ...require('./waitSignal')
}
