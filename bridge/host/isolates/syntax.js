'use strict'
/**
 * Syntax errors of an agent's program, found before any bot moves. The parser runs in an isolate on its own thread: a
 * program that takes long to parse holds up nobody else, and not for long. Programs are only text to it, so one isolate
 * parses them all, one after the other.
 */
const fs = require('node:fs')
const ivm = require('isolated-vm')

/** Longest program accepted, in characters; the longest published skill has a hundredth of it. */
const MAX_SOURCE = 200_000
/** CPU time for parsing one program, in ms; the longest honest program takes a tenth of it. */
const PARSE_MS = 500
/** Wall-clock limit for parsing, in ms: no machine keeps a thread waiting for a processor longer than that. */
const PARSE_WALL_MS = 30_000
const MEMORY_MB = 128

/** Script of the parser: text in, null or the error as JSON out. */
const ENTRY = `const { parse } = globalThis.acorn
return (source) => {
  try {
    parse(source, { ecmaVersion: 2023, sourceType: 'script' })
    return null
  } catch (error) {
    const { line = null, column = null } = error.loc ?? {}
    return JSON.stringify({ message: String(error.message), line, column: column === null ? null : column + 1 })
  }
}`

/**
 * @typedef {{ name: string, message: string, line: number|null, column: number|null }} ProgramError
 *   positions count from 1 in the agent's own source
 */

/** @param {string} message @param {number|null} [line] @param {number|null} [column] @returns {ProgramError} */
const problem = (message, line = null, column = null) => ({ name: 'SyntaxError', message, line, column })

/** Isolate with acorn in it; it is disposed of when a program keeps it too long. */
class Parser {
  #isolate = new ivm.Isolate({ memoryLimit: MEMORY_MB })
  #opened
  #asked = 0
  #charged = 0
  #late = false

  constructor () {
    this.#opened = this.#open()
    this.#opened.catch(() => {}) // whoever asks hears of it
  }

  /** True if it can parse another program. */
  get usable () { return !this.#isolate.isDisposed }

  async #open () {
    const context = await this.#isolate.createContext()
    await context.eval(fs.readFileSync(require.resolve('acorn'), 'utf8'), { filename: 'acorn.js' })
    return context.evalClosure(ENTRY, [], { result: { reference: true } })
  }

  /**
   * @param {string} source
   * @param {import('./cpu_watch').CpuWatch} watch
   * @returns {Promise<ProgramError|null>} rejects (`Overloaded`) for what the machine is, never for what a program is
   */
  async check (source, watch) {
    const enter = await this.#opened
    this.#asked = this.#clock()
    this.#charged = 0
    watch.add(this)
    try {
      const said = await enter.apply(undefined, [source], { timeout: PARSE_WALL_MS })
      if (said === null) return null
      const { message, line, column } = JSON.parse(String(said))
      if (/^(Maximum call stack|Not enough stack space)/.test(message)) {
        return problem('the program is nested too deeply')
      }
      return problem(told(message.replace(/ \(\d+:\d+\)$/, '')), line, column)
    } catch (error) {
      this.dispose()
      if (this.#late) {
        return problem(`reading the program takes more than ${PARSE_MS} ms: write less, or split it into functions`)
      }
      if (/memory limit/.test(String(error))) {
        return problem(`reading the program takes more than ${MEMORY_MB} MB: write less`)
      }
      throw Object.assign(new Error('the machine was too busy to read the program'), { name: 'Overloaded' })
    } finally {
      watch.remove(this)
    }
  }

  /** Return the time computed since the last check, by the isolate's own clock (for CpuWatch); it never waits. */
  claim () {
    const before = this.#asked
    this.#asked = this.#clock()
    return { ms: this.#asked - before, burst: 0 }
  }

  /**
   * Check the CPU time (for CpuWatch).
   * @param {import('./cpu_watch').Computed} charged since the last look
   */
  look ({ ms }) {
    this.#charged += ms
    if (this.#charged <= PARSE_MS) return
    this.#late = true
    this.dispose()
  }

  /** Dispose of the isolate. */
  dispose () {
    if (this.usable) this.#isolate.dispose()
  }

  /** Return the isolate's own clock in ms; once the isolate is gone, its last reading. */
  #clock () { return this.usable ? Number(this.#isolate.cpuTime) / 1e6 : this.#asked }
}

/** acorn's message about an import or export. */
const MODULES = /^'import' and 'export' may/

/** @param {string} message - acorn's @returns {string} what the author of a program can do */
function told (message) {
  if (!MODULES.test(message)) return message
  return 'a program has no import or export lines: bot, Vec3, goals, Movements and mcData are in scope, and ' +
    'require("vec3") works; leave them out and write async function main (bot) { ... }'
}

/** Parser of this process, and the end of its last job. @type {{ parser: Parser|null, turn: Promise<any> }} */
const shared = { parser: null, turn: Promise.resolve() }

/** Programs parsed recently without an error: many are played again and again. @type {Set<string>} */
const fine = new Set()
const MAX_FINE = 64
/** Length above which a program is not remembered, in characters. */
const LONG = 20_000

/** @param {string} source nothing is wrong with it */
function remember (source) {
  if (source.length > LONG) return
  fine.add(source)
  if (fine.size > MAX_FINE) fine.delete(/** @type {string} */ (fine.values().next().value))
}

/**
 * Return the syntax error of the program, or null.
 * @param {unknown} source
 * @param {import('./cpu_watch').CpuWatch} watch looks at the CPU time that this takes
 * @returns {Promise<ProgramError|null>} rejects (`Overloaded`) when the machine did not come to it
 */
async function syntaxError (source, watch) {
  if (typeof source !== 'string') return problem('the program is not text')
  if (source.length > MAX_SOURCE) {
    return problem(`the program has more than ${MAX_SOURCE} characters; at most ${MAX_SOURCE} are accepted`)
  }
  if (fine.has(source)) return null
  const answer = shared.turn.then(() => {
    if (!shared.parser?.usable) shared.parser = new Parser()
    return shared.parser.check(source, watch)
  })
  shared.turn = answer.then((wrong) => { if (wrong === null) remember(source) }, () => {})
  return answer
}

/** Dispose of the parser; another one is made when it is needed. */
function closeParser () {
  shared.parser?.dispose()
  shared.parser = null
}

module.exports = { MAX_SOURCE, PARSE_MS, closeParser, syntaxError }
