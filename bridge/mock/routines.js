'use strict'
/**
 * Accord's own routines (`skills_js/routines/`): source that is part of a program on every world, and that the mock
 * world calls directly, without an isolate. Accord alone writes them; only their names and plain arguments come from
 * Python.
 */
const fs = require('node:fs')
const path = require('node:path')
const vm = require('node:vm')
const primitives = require('../../skills_js/primitives')
const queries = require('../../skills_js/queries')
const { named } = require('../../skills_js/bot_facade/errors')
const { policyScope } = require('../../skills_js/bot_facade/policy_scope')

const FOLDER = path.resolve(__dirname, '../../skills_js/routines')
/** Names of the libraries. */
const LIBRARIES = Object.freeze(['explorer_routines'])

/** Libraries by name, as functions of what a program finds in scope. @type {Map<string, Function>} */
const compiled = new Map()
/** Routines of each bot, bound to its scope. @type {WeakMap<object, Map<string, ReadonlyMap<string, Function>>>} */
const known = new WeakMap()

/**
 * @param {string} library
 * @param {any} bot the bot facade
 * @returns {ReadonlyMap<string, Function>} its routines for that bot, by name; each takes the bot first
 * @throws {BadArgument} there is no such library
 */
function routinesOf (library, bot) {
  const own = known.get(bot) ?? new Map()
  known.set(bot, own)
  let routines = own.get(library)
  if (routines === undefined) {
    const scope = policyScope({ bot, queries, actions: primitives })
    own.set(library, routines = new Map(Object.entries(compile(library, Object.keys(scope))(...Object.values(scope)))))
  }
  return routines
}

/**
 * @param {string} library
 * @param {string[]} scope names that a program finds in scope, the same for every bot
 * @returns {Function} of their values: the routines by name
 */
function compile (library, scope) {
  if (!LIBRARIES.includes(library)) {
    throw named(
      'BadArgument', `there are no routines called ${JSON.stringify(library)}; there are ${LIBRARIES.join(', ')}`
    )
  }
  let made = compiled.get(library)
  if (made === undefined) {
    const file = path.join(FOLDER, `${library}.js`)
    const text = fs.readFileSync(file, 'utf8')
    const names = [...text.matchAll(/^(?:async )?function (\w+)/gm)].map(([, name]) => name)
    compiled.set(
      library, made = vm.compileFunction(`${text}\nreturn { ${names.join(', ')} }`, scope, { filename: file })
    )
  }
  return made
}

module.exports = { LIBRARIES, routinesOf }
