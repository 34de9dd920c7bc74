/** All queries that a policy finds in scope, by name; one file each. */
'use strict'
module.exports = {
  ...require('./countItem'),
  ...require('./findBlock'),
  ...require('./readClock'),
  ...require('./seen')
}
