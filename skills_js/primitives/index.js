/** All actions that a policy finds in scope, by name; one file each. */
'use strict'
module.exports = {
  ...require('./checkItemInsideChest'),
  ...require('./collectDrops'),
  ...require('./depositItemIntoChest'),
  ...require('./equipItem'),
  ...require('./getItemFromChest'),
  ...require('./goTo'),
  ...require('./mineBlock'),
  ...require('./say'),
  ...require('./sendSignal'),
  ...require('./waitSignal')
}
