'use strict'
/**
 * One registry and one set of classes per Minecraft version and process, instead of one per bot.
 *
 * mineflayer calls the prismarine factories for every bot; each call costs about 160 KB and some milliseconds of login.
 * All bots of a host are on the same server, so they can share the results.
 */

/** Factories whose result depends only on the version or registry that they are called with. */
const FACTORIES = [
  'minecraft-data', 'prismarine-registry', 'prismarine-biome', 'prismarine-block', 'prismarine-chat',
  'prismarine-chunk',
  'prismarine-entity', 'prismarine-item', 'prismarine-recipe', 'prismarine-windows', 'prismarine-world'
]

/**
 * Return a factory that returns the same object for the same argument.
 * @param {Function} factory
 * @returns {Function}
 */
function memoized (factory) {
  const answers = new Map()
  const once = function (/** @type {any[]} */ ...args) {
    if (args.length !== 1) return factory(...args)
    if (!answers.has(args[0])) answers.set(args[0], factory(args[0]))
    return answers.get(args[0])
  }
  return Object.assign(once, factory)
}

/** Replace the factories by caching ones; call it before mineflayer is loaded. */
function shareFactories () {
  for (const name of FACTORIES) {
    const path = require.resolve(name)
    const factory = require(path)
    const cached = require.cache[path]
    if (cached) cached.exports = memoized(factory)
  }
}

module.exports = { memoized, shareFactories }
