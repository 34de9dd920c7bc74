'use strict'
/** Packages that are loaded at their first use, although others require them at once. */
const Module = require('node:module')

/**
 * Let the next `require` of a package return a stand-in, which loads the package when something of it is first read.
 *
 * A package that is loaded already stays.
 * @param {string} name
 */
function deferPackage (name) {
  const file = require.resolve(name)
  if (require.cache[file] !== undefined) return
  /** @type {any} */
  let loaded
  const load = () => {
    if (loaded === undefined) {
      delete require.cache[file]
      loaded = require(file)
    }
    return loaded
  }
  const standIn = new Module(file)
  standIn.loaded = true
  // A proxy can be called only if its target can: the package may be a function.
  standIn.exports = new Proxy(() => {}, {
    apply: (_, receiver, args) => Reflect.apply(load(), receiver, args),
    get: (_, key) => load()[key],
    has: (_, key) => key in load(),
    ownKeys: () => Reflect.ownKeys(load()),
    getOwnPropertyDescriptor: (_, key) => Object.getOwnPropertyDescriptor(load(), key)
  })
  require.cache[file] = standIn
}

module.exports = { deferPackage }
