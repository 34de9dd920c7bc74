'use strict'
/**
 * Functions: files of commands (minecraft.wiki, "Function (Java Edition)") in data packs, at
 * data/NAMESPACE/functions/PATH.mcfunction. Lines that begin with $ are macros: the caller fills in $(word).
 */
const fs = require('node:fs')
const path = require('node:path')
const { CommandError } = require('./reader')
const { GAME_MASTER } = require('./permissions')
const { longValue } = require('../nbt/values')
const { writeTag } = require('../nbt/snbt')

/** @typedef {import('./source').Source} Source */
/** @typedef {import('../nbt/values').Tag} Tag */

const LEGAL = /^[a-z0-9_.-]+:[a-z0-9_./-]+$/
/** Maximum depth of functions called by functions. */
const MAX_DEPTH = 64
const MAX_FILE_BYTES = 1 << 20

/** Thrown by `return` to end a function. */
class Return extends Error {
  /** @param {number} value @param {boolean} ok */
  constructor (value, ok) {
    super('return')
    this.value = value
    this.ok = ok
  }
}

/** @param {string} text a file's @returns {string[]} its commands; a line that ends with \ goes on in the next */
function commandsOf (text) {
  const joined = text.replace(/\\\r?\n[ \t]*/g, '')
  return joined.split(/\r?\n/).map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
}

/**
 * Read the functions of a data pack.
 * @param {string} folder that has data/NAMESPACE/functions
 * @returns {Map<string, string[]>} "namespace:path" -> commands
 * @throws {Error} one line that names the file and what is wrong
 */
function readFunctions (folder) {
  /** @type {Map<string, string[]>} */
  const found = new Map()
  const data = path.join(folder, 'data')
  if (!fs.existsSync(data)) {
    throw new Error(
      `functions: ${folder} has no folder "data": name a data pack's folder (data/NAMESPACE/functions/*.mcfunction)`)
  }
  for (const namespace of fs.readdirSync(data)) {
    const root = path.join(data, namespace, 'functions')
    if (!fs.existsSync(root)) continue
    for (const file of fs.readdirSync(root, { recursive: true }).map(String).sort()) {
      if (!file.endsWith('.mcfunction')) continue
      const name = `${namespace}:${file.slice(0, -'.mcfunction'.length).split(path.sep).join('/')}`
      const full = path.join(root, file)
      if (!LEGAL.test(name)) {
        throw new Error(`functions: ${full} would be ${JSON.stringify(name)}; names take a-z, 0-9, _, -, . and /`)
      }
      if (fs.statSync(full).size > MAX_FILE_BYTES) {
        throw new Error(`functions: ${full} has more than ${MAX_FILE_BYTES} bytes`)
      }
      found.set(name, commandsOf(fs.readFileSync(full, 'utf8')))
    }
  }
  return found
}

/** @param {string} name with or without its namespace @returns {string} */
function fullName (name) { return /[:#]/.test(name) ? name : `minecraft:${name}` }

/** Return a value as macros print it: numbers without their type's letter. @param {Tag} tag */
function macroText (tag) {
  if (tag.type === 'string') return tag.value
  if (tag.type === 'long') return String(longValue(tag))
  return /^(byte|short|int|float|double)$/.test(tag.type) ? String(tag.value) : writeTag(tag)
}

/**
 * Return a function's commands with the macro words filled in.
 * @param {string} name
 * @param {string[]} lines
 * @param {Tag | null} values
 * @param {Source} source
 * @returns {string[]}
 */
function filled (name, lines, values, source) {
  if (!lines.some((line) => line.startsWith('$'))) return lines
  if (!values) {
    throw source.error('commands.function.instantiationFailure', name,
      source.world.data.text('commands.function.error.missing_arguments', name))
  }
  return lines.map((line) =>
    (!line.startsWith('$') ? line : line.slice(1).replace(/\$\(([A-Za-z0-9_]+)\)/g, (_all, word) => {
    if (!Object.hasOwn(values.value, word)) {
      throw source.error('commands.function.instantiationFailure', name,
        source.world.data.text('commands.function.error.missing_argument', name, word))
    }
    return macroText(values.value[word])
  })))
}

/** The functions of one world, and those scheduled for later. */
class Functions {
  /** @param {import('./commands').Commands} commands */
  constructor (commands) {
    this.commands = commands
    /** @type {Map<string, string[]>} */
    this.byName = new Map()
    /** @type {Set<{ name: string, due: number, off: boolean }>} */
    this.scheduled = new Set()
    this.depth = 0
    this.left = 0
  }

  /** @param {string} name @param {Source} source @returns {string[]} */
  lines (name, source) {
    const lines = this.byName.get(name)
    if (!lines) throw source.error('arguments.function.unknown', name)
    return lines
  }

  /**
   * Run a function's commands without replies.
   * @param {string} name
   * @param {Source} source
   * @param {Tag | null} [values] of a macro's words
   * @returns {number} what it returned, or how many of its commands went well
   */
  run (name, source, values = null) { return this.call(name, source, values).value }

  /**
   * Run a function's commands and also return whether a `return` ended it.
   * @param {string} name
   * @param {Source} source
   * @param {Tag | null} [values]
   * @returns {{ returned: boolean, value: number }}
   */
  call (name, source, values = null) {
    const lines = filled(name, this.lines(name, source), values, source)
    if (this.depth === 0) this.left = Number(source.world.rules.maxCommandChainLength)
    if (++this.depth > MAX_DEPTH) {
      this.depth--
      throw new CommandError(`function ${name}: more than ${MAX_DEPTH} functions within each other`)
    }
    try {
      return { returned: false,
        value: this.runLines(name, lines,
        source.with({ out: [], level: Math.min(GAME_MASTER, source.level), keepers: [] })) }
    } catch (error) {
      if (!(error instanceof Return)) throw error
      return { returned: true, value: error.value }
    } finally {
      this.depth--
    }
  }

  /** @param {string} name @param {string[]} lines @param {Source} source */
  runLines (name, lines, source) {
    let done = 0
    for (const line of lines) {
      if (--this.left < 0) throw new CommandError(`function ${name}: more commands than maxCommandChainLength allows`)
      try {
        this.commands.dispatch(this.commands.parse(line, source.level), source)
        done++
      } catch (error) {
        // A refused command does not stop the others, as in vanilla.
        if (!(error instanceof CommandError)) throw error
      }
    }
    return done
  }

  /** @param {string} name @param {number} ticks @param {boolean} append whether earlier ones stay */
  schedule (name, ticks, append) {
    if (!append) this.unschedule(name)
    const { world } = this.commands
    const entry = { name, due: world.age + ticks, off: false }
    this.scheduled.add(entry)
    world.later(ticks, () => {
      this.scheduled.delete(entry)
      if (!entry.off && this.byName.has(name)) this.run(name, this.commands.console())
    })
  }

  /** @param {string} name @returns {number} how many were called off */
  unschedule (name) {
    let count = 0
    for (const entry of this.scheduled) {
      if (entry.name !== name) continue
      entry.off = true
      this.scheduled.delete(entry)
      count++
    }
    return count
  }
}

module.exports = { Functions, Return, readFunctions, commandsOf, filled, fullName }
