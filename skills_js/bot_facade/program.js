/** Agent's program: finding its main function, running it, and describing what it threw. */
'use strict'
const { named } = require('./errors')
const { PROGRAM } = require('./host')
const { surelyMeant } = require('./nearest_names')

/** Longest message kept of an error that a program throws, in characters. */
const MAX_MESSAGE = 2000

/** Function bound to a name at top level: a function expression, or an arrow function of a bot. */
const BOUND_FUNCTION =
  /^(?:const|let|var)\s+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function\b|\(?\s*bot\s*\)?\s*=>)/gm

/**
 * Return the names of possible main functions, best first. The main function is the last function at top level that
 * takes a bot (helpers come first, as in Voyager's skills), or else the last one.
 * @param {string} source
 * @returns {string[]} names to try, best first
 */
function mainNames (source) {
  const found = [...source.matchAll(/^([ \t]*)(?:async\s+)?function\s*\*?\s*([A-Za-z_$][\w$]*)\s*\(([^)]*)\)/gm)]
    .map(([, indent, name, args]) => ({ name, top: indent === '', takesBot: /^\s*bot\b/.test(args) }))
  const bound = [...source.matchAll(BOUND_FUNCTION)].map(([, name]) => ({ name, top: true, takesBot: true }))
  const rank = (/** @type {{ top: boolean, takesBot: boolean }} */ entry) =>
    (entry.top ? 2 : 0) + (entry.takesBot ? 1 : 0)
  return [...bound, ...found].reverse().sort((a, b) => rank(b) - rank(a)).map((entry) => entry.name)
}

/**
 * Evaluate the program in the global scope.
 * @param {string} source
 * @param {string} [main] - the main function's name, where the host knows it
 * @returns {Function}
 * @throws {NoFunction} it defines no function
 */
function evaluate (source, main) {
  const names = main === undefined ? mainNames(source) : [main]
  // typeof guards against names that only look like functions (in a comment or a text).
  const picks = names.slice(0, 20).map((name) => `typeof ${name} === 'function' ? ${name} : `).join('')
  const ending = names.length === 0 ? '' : `;(${picks}undefined)`
  const indirectEval = eval // indirect: in the global scope, as a script
  const last = indirectEval(`${source}\n${ending}\n//# sourceURL=${PROGRAM}`)
  if (typeof last === 'function') return last
  throw named('NoFunction', 'the program defines no function; write one: async function name(bot) { ... }')
}

/**
 * @param {any} error - whatever a program threw: undefined, a proxy, an object with throwing getters
 * @returns {{name: string, message: string, line: number | null, column: number | null}}
 */
function describe (error) {
  const found = /policy\.js:(\d+):(\d+)/.exec(isObject(error) ? text(() => error.stack) : '')
  return { ...summarize(error), line: found ? Number(found[1]) : null, column: found ? Number(found[2]) : null }
}

/**
 * @param {unknown} error - as for `describe`
 * @returns {{name: string, message: string}} without its line, so that its stack need not be written out
 */
function summarize (error) {
  if (!isObject(error)) return { name: 'Error', message: text(() => `${String(error)} was thrown`) }
  return {
    name: text(() => error.name) || 'Error',
    message: suggested(error, text(() => error.message)) || text(() => String(error))
  }
}

/** @param {unknown} value @returns {value is { name?: unknown, message?: unknown, stack?: unknown }} */
function isObject (value) {
  return value !== null && (typeof value === 'object' || typeof value === 'function')
}

/**
 * @param {unknown} error @param {string} message
 * @returns {string} the message, with the name that was meant where the program uses one that does not exist
 */
function suggested (error, message) {
  const wrong = error instanceof ReferenceError ? /^([A-Za-z_$][\w$]*) is not defined$/.exec(message) : null
  const meant = wrong === null ? null : surelyMeant(wrong[1], Object.getOwnPropertyNames(globalThis))
  return meant === null ? message : `${message}; did you mean ${meant}?`
}

/**
 * @param {() => any} get
 * @returns {string} '' when there is none or getting it throws
 */
function text (get) {
  try {
    const value = get()
    return value === undefined || value === null ? '' : String(value).slice(0, MAX_MESSAGE)
  } catch {
    return ''
  }
}

module.exports = { describe, evaluate, mainNames, summarize }
