'use strict'
/**
 * Accord's own deeds (`skills_js/deeds/`): texts that are part of a program on every world, and that the mock world calls as they
 * are, without an isolate. Nobody but Accord writes them; what crosses from Python are their names and plain arguments.
 */
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')
const primitives = require('../../skills_js/primitives')
const queries = require('../../skills_js/queries')
const { named } = require('../../skills_js/lookalike/errors')
const { policyScope } = require('../../skills_js/lookalike/policy_scope')

const FOLDER = path.resolve(__dirname, '../../skills_js/deeds')
/** Those that there are. */
const LIBRARIES = Object.freeze(['explorers'])

/** Libraries by name, as functions of what a program finds in scope. @type {Map<string, Function>} */
const compiled = new Map()
/** Each bot's own, which see its scope. @type {WeakMap<object, Map<string, ReadonlyMap<string, Function>>>} */
const known = new WeakMap()

/**
 * @param {string} library
 * @param {any} bot the look-alike
 * @returns {ReadonlyMap<string, Function>} its deeds for that bot, by name; each takes the bot first
 * @throws {BadArgument} there is no such library
 */
function deedsOf (library, bot) {
  const own = known.get(bot) ?? new Map()
  known.set(bot, own)
  let deeds = own.get(library)
  if (deeds === undefined) {
    const scope = policyScope({ bot, queries, actions: primitives })
    own.set(library, deeds = new Map(Object.entries(compile(library, Object.keys(scope))(...Object.values(scope)))))
  }
  return deeds
}

/** @param {string} library @param {string[]} scope names that a program finds in scope, the same for every bot @returns {Function} of their values: the deeds by name */
function compile (library, scope) {
  if (!LIBRARIES.includes(library)) throw named('BadArgument', `there are no deeds called ${JSON.stringify(library)}; there are ${LIBRARIES.join(', ')}`)
  let made = compiled.get(library)
  if (made === undefined) {
    const file = path.join(FOLDER, `${library}.js`)
    const text = fs.readFileSync(file, 'utf8')
    const names = [...text.matchAll(/^(?:async )?function (\w+)/gm)].map(([, name]) => name)
    compiled.set(library, made = vm.compileFunction(`${text}\nreturn { ${names.join(', ')} }`, scope, { filename: file }))
  }
  return made
}

module.exports = { LIBRARIES, deedsOf }
