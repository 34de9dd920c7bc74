'use strict'
/**
 * Common parts of every policy's border, on servers and in the mock world: bounds on what crosses, and errors as plain
 * data.
 */
const { CAPS } = require('../../../skills_js/bot_facade/host_api')
const { readJson } = require('../../../skills_js/bot_facade/well_formed')

const MAX_MESSAGE = 2000

/**
 * @typedef {import('./syntax').ProgramError} ProgramError
 * @typedef {'returned'|'threw'|'syntax'|'timeout'|'cancelled'|'infrastructure'} Outcome
 * @typedef {{ outcome: Outcome, error: ProgramError|null }} Verdict
 * @typedef {{ wall_ms: number, cpu_ms: number, memory_mb: number }} RunLimits
 */

/**
 * @param {string} name
 * @param {string} message
 * @returns {ProgramError}
 */
function plain (name, message) {
  return { name, message, line: null, column: null }
}

/**
 * Return an error of any origin as plain, bounded data.
 * @param {any} error
 * @returns {ProgramError}
 */
function described (error) {
  const number = (/** @type {any} */ value) => Number.isSafeInteger(value) && value > 0 ? value : null
  const at = /policy\.js:(\d+):(\d+)/.exec(String(error?.stack ?? ''))
  return {
    name: String(error?.name ?? 'Error').slice(0, 100).toWellFormed(),
    message: String(error?.message ?? error).slice(0, MAX_MESSAGE).toWellFormed(),
    line: number(error?.line) ?? (at ? Number(at[1]) : null),
    column: number(error?.column) ?? (at ? Number(at[2]) : null)
  }
}

/**
 * Parse the bootstrap's report of how the program ended. It comes from inside, so it is believed only within these
 * bounds.
 * @param {unknown} json
 * @returns {Verdict}
 */
function verdictOf (json) {
  const said = typeof json === 'string' && json !== '' && json.length <= CAPS.resultChars ? readJson(json) : null
  const outcome = ['returned', 'threw', 'syntax'].includes(said?.outcome) ? said.outcome : 'threw'
  return { outcome, error: said?.error ? described(said.error) : null }
}

/** @param {number} memoryMb @returns {ProgramError} */
function outOfMemory (memoryMb) {
  return plain('RangeError', `the program used more than ${memoryMb} MB of memory`)
}

/**
 * Return the error of a program whose thread had to be halted.
 * @returns {ProgramError}
 */
function uninterruptible () {
  return plain(
    'TimeoutError', 'the program computed in a built-in that nothing interrupts (a search, a sort of an endless list?)'
  )
}

/**
 * Return the error of a program that got all of its wall-clock time and no processor; nobody is to blame.
 * @returns {ProgramError}
 */
function overloaded () {
  return plain('Overloaded', 'the machine was too busy to let the program compute')
}

/**
 * Return an error for the isolate, without the host's stack and its paths.
 * @param {string} message
 */
function bare (message) {
  return Object.assign(new Error(message), { stack: `Error: ${message}` })
}

/**
 * Parse the arguments of a call; their texts become well-formed.
 * @param {unknown} json
 * @returns {any[]}
 */
function parsed (json) {
  if (typeof json !== 'string' || json.length > CAPS.argsChars) {
    throw bare(`arguments beyond ${CAPS.argsChars} characters`)
  }
  const args = readJson(json)
  if (!Array.isArray(args)) throw bare('arguments are not a list')
  return args
}

/**
 * @param {any} value
 * @returns {string}
 */
function capped (value) {
  const json = JSON.stringify(value ?? null)
  if (json.length <= CAPS.resultChars) return json
  throw Object.assign(
    bare(`the answer is longer than ${CAPS.resultChars} characters: ask for less`), { name: 'LimitExceeded' }
  )
}

/**
 * Check and return the number of a new call.
 * @param {unknown} callId
 * @param {Map<number, unknown>} pending
 * @returns {number}
 */
function newCall (callId, pending) {
  const call = Number(callId)
  if (!Number.isSafeInteger(call) || pending.has(call)) throw bare('bad call id')
  if (pending.size >= CAPS.pendingCalls) {
    throw bare(`more than ${CAPS.pendingCalls} actions at once: await some of them`)
  }
  return call
}

module.exports = {
  bare, capped, described, newCall, outOfMemory, overloaded, parsed, plain, uninterruptible, verdictOf
}
