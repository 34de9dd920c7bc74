'use strict'
/**
 * Syntax errors of an agent's program, found before any isolate or bot is touched.
 */
const acorn = require('acorn')

/** Longest program accepted, in characters; the longest published skill has a hundredth of it. */
const MAX_SOURCE = 200_000

/**
 * @typedef {{ name: string, message: string, line: number|null, column: number|null }} ProgramError
 *   positions count from 1 in the agent's own source
 */

/**
 * What is wrong with the program's grammar, or null.
 * @param {unknown} source
 * @returns {ProgramError|null}
 */
function syntaxError (source) {
  if (typeof source !== 'string') {
    return { name: 'SyntaxError', message: 'the program is not text', line: null, column: null }
  }
  if (source.length > MAX_SOURCE) {
    const message = `the program has ${source.length} characters; at most ${MAX_SOURCE} are accepted`
    return { name: 'SyntaxError', message, line: null, column: null }
  }
  try {
    acorn.parse(source, { ecmaVersion: 2023, sourceType: 'script' })
    return null
  } catch (/** @type {any} */ error) {
    const message = String(error.message).replace(/ \(\d+:\d+\)$/, '')
    return { name: 'SyntaxError', message, line: error.loc?.line ?? null, column: error.loc ? error.loc.column + 1 : null }
  }
}

module.exports = { MAX_SOURCE, syntaxError }
