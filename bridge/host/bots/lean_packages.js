'use strict'
/**
 * Packages of the bots without what no bot uses; required before any of these packages.
 *
 * Bots log in without an account, and nothing in a host is a server: mineflayer's protocol package loads both, half of
 * the time to load it.
 */
const { deferPackage } = require('../../../engine/world/deferred_package')
const { leanProtoDef } = require('../../../engine/lean_protodef')

leanProtoDef()
for (const part of ['client/microsoftAuth', 'client/mojangAuth', 'createServer']) {
  deferPackage(`minecraft-protocol/src/${part}`)
}
deferPackage('node-fetch')
