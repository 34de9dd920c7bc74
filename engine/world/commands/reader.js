'use strict'
/** A cursor over the text of a command; errors carry vanilla's text and the position. */

const { Line } = require('./lines')

/** Characters of the command shown before the position of an error. */
const CONTEXT = 10

/** A refusal of a command, with vanilla's text. */
class CommandError extends Error {
  /**
   * @param {string | Line} message one line
   * @param {string | null} [text] the command, for errors of its wording
   * @param {number} [at] where in it
   */
  constructor (message, text = null, at = 0) {
    super(String(message))
    this.name = 'CommandError'
    this.line = message instanceof Line ? message : new Line(message, { text: message })
    this.text = text
    this.at = at
  }

  /** Return the reply of vanilla's console. @param {string} here the mark's text */
  reply (here) {
    if (this.text === null) return this.message
    const start = Math.max(0, this.at - CONTEXT)
    return `${this.message}\n${start > 0 ? '...' : ''}${this.text.slice(start, this.at)}${here}`
  }

  /** Return vanilla's lines to a player: the error and its position. @returns {Line[]} */
  lines () {
    if (this.text === null) return [this.line]
    const start = Math.max(0, this.at - CONTEXT)
    const before = `${start > 0 ? '...' : ''}${this.text.slice(start, this.at)}`
    const rest = this.text.slice(this.at)
    const parts = [before, ...(rest ? [{ text: rest, color: 'red', underlined: true }] : []),
      { translate: 'command.context.here', color: 'red', italic: true }]
    return [this.line, new Line(`${before}${rest}<--[HERE]`,
      { text: '', color: 'gray', clickEvent: { action: 'suggest_command', value: `/${this.text}` }, extra: parts })]
  }
}

/** A cursor in a text. */
class Reader {
  /**
   * @param {string} text
   * @param {(key: string, ...args: (string | number)[]) => string} say vanilla's texts by key
   * @param {boolean} [selectors] whether who asks may use them
   */
  constructor (text, say, selectors = true) {
    this.text = text
    this.at = 0
    this.say = say
    this.selectors = selectors
  }

  /** @param {string} key @param {...(string | number)} args @returns {CommandError} at the present place */
  error (key, ...args) { return this.errorAt(this.at, key, ...args) }

  /** @param {number} at @param {string} key @param {...(string | number)} args */
  errorAt (at, key, ...args) {
    const line = new Line(this.say(key, ...args),
      { translate: key, ...(args.length > 0 ? { with: args.map(String) } : {}) })
    return new CommandError(line, this.text, Math.min(at, this.text.length))
  }

  peek () { return this.text[this.at] ?? '' }
  get done () { return this.at >= this.text.length }
  get rest () { return this.text.slice(this.at) }
  skipSpace () { while (/\s/.test(this.peek())) this.at++ }

  /** @param {string} c */
  expect (c) {
    if (this.peek() !== c) throw this.error('parsing.expected', c)
    this.at++
  }

  /** Read characters while `one` matches. @param {RegExp} one matches a single character */
  readWhile (one) {
    const start = this.at
    while (!this.done && one.test(this.peek())) this.at++
    return this.text.slice(start, this.at)
  }

  /** Read letters, digits and _-.+ */
  bareWord () { return this.readWhile(/[0-9A-Za-z_\-.+]/) }

  /** Read up to the next space. */
  token () { return this.readWhile(/[^ ]/) }

  /** Read a text in single or double quotes. */
  quoted () {
    const mark = this.peek()
    if (mark !== '"' && mark !== '\'') throw this.error('parsing.quote.expected.start')
    const start = this.at++
    let out = ''
    while (!this.done) {
      const c = this.text[this.at++]
      if (c === mark) return out
      if (c !== '\\') {
        out += c
        continue
      }
      const escaped = this.text[this.at++] ?? ''
      if (escaped !== mark && escaped !== '\\') throw this.errorAt(this.at - 1, 'parsing.quote.escape', escaped)
      out += escaped
    }
    throw this.errorAt(start, 'parsing.quote.expected.end')
  }

  /** Read a word, or a text in quotes. */
  phrase () { return this.peek() === '"' || this.peek() === '\'' ? this.quoted() : this.bareWord() }

  /** @returns {number} */
  integer () { return this.numeric('int', /^[-+]?\d+$/, -2147483648, 2147483647) }

  /** @param {string} kind for the error's text @param {RegExp} legal @param {number} low @param {number} high */
  numeric (kind, legal, low, high) {
    const start = this.at
    const word = this.readWhile(/[0-9.\-]/)
    if (!word) throw this.errorAt(start, `parsing.${kind}.expected`)
    const value = Number(word)
    if (!legal.test(word) || !Number.isFinite(value) || value < low || value > high) {
      this.at = start
      throw this.errorAt(start, `parsing.${kind}.invalid`, word)
    }
    return value
  }

  /** @param {'double' | 'float'} [kind] */
  decimal (kind = 'double') { return this.numeric(kind, /^-?(\d+\.?\d*|\.\d+)$/, -Infinity, Infinity) }

  /** Read a name with or without namespace. @returns {string} "minecraft:stone" */
  location () {
    const start = this.at
    const text = this.readWhile(/[0-9a-z_:/.\-]/)
    const parts = text.split(':')
    if (!text || parts.length > 2 || !parts[parts.length - 1]) {
      this.at = start
      throw this.errorAt(start, 'argument.id.invalid')
    }
    return parts.length === 2 ? `${parts[0] || 'minecraft'}:${parts[1]}` : `minecraft:${text}`
  }
}

module.exports = { Reader, CommandError }
