'use strict'
/**
 * What every policy's border shares, on servers and in the mock world: the bounds on what crosses, and errors as plain
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
 * An error from anywhere as plain, bounded data.
 *
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
 * What the bootstrap says about the program's own end: from inside, so believed only within these bounds.
 *
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
 * What a program is told whose thread had to be halted.
 *
 * @returns {ProgramError}
 */
function uninterruptible () {
  return plain(
    'TimeoutError', 'the program computed in a built-in that nothing interrupts (a search, a sort of an endless list?)'
  )
}

/**
 * Why a program ended that had all the time of the clock and none of a processor: nobody's doing.
 *
 * @returns {ProgramError}
 */
function overloaded () {
  return plain('Overloaded', 'the machine was too busy to let the program compute')
}

/**
 * An error for the inside: without the host's own stack, whose paths are nobody's business there.
 *
 * @param {string} message
 */
function bare (message) {
  return Object.assign(new Error(message), { stack: `Error: ${message}` })
}

/**
 * The arguments of a call, their texts well-formed.
 *
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
 * The number of a new call.
 *
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
