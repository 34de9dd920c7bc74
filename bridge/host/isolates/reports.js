'use strict'
/**
 * Reports of a program, cut and counted: a program that acts for ever must not fill the record. This is the same for
 * bots on servers and in the mock world. Printed lines are counted and cut where they are printed
 * (bot_facade/backend.js).
 */

const { MAX_SENT } = require('../../../skills_js/signals')

/** Actions that one program may report. */
const MAX_ACTIONS = 5000
const MAX_TEXT = 1000

/** @param {any} text */
const cut = (text) => text === null || text === undefined ? null : String(text).slice(0, MAX_TEXT)

/** Reports of one program. */
class Report {
  #bot
  #emit
  #actions = 0

  /**
   * @param {string} bot whose program it is
   * @param {(kind: string, data: object) => void} emit
   */
  constructor (bot, emit) {
    this.#bot = bot
    this.#emit = emit
  }

  /**
   * `emit` for a backend's services.
   * @param {string} kind
   * @param {any} data
   */
  emit = (kind, data) => {
    if (kind === 'log') return this.#log(data.level, data.text)
    if (++this.#actions > MAX_ACTIONS) return
    const args = JSON.stringify(data.args ?? null)
    this.#emit('action', {
      bot: this.#bot,
      name: cut(data.name),
      args: args.length <= MAX_TEXT ? JSON.parse(args) : args.slice(0, MAX_TEXT),
      ok: Boolean(data.ok),
      error: data.error && typeof data.error === 'object'
        ? { name: cut(data.error.name), message: cut(data.error.message) }
        : cut(data.error)
    })
  }

  /**
   * Report how many events are missing from the record, at the end of the program.
   * @param {number} [refused] signals that it was not allowed to send any more
   */
  close (refused = 0) {
    const dropped = this.#actions - MAX_ACTIONS
    if (dropped > 0) this.#log('warn', `${dropped} actions are not recorded: of a program the first ${MAX_ACTIONS} are`)
    if (refused > 0) this.#log('warn', `${refused} signals were refused: a program may send ${MAX_SENT}`)
  }

  /** @param {string} level @param {string} text */
  #log (level, text) {
    this.#emit('log', { bot: this.#bot, level, text })
  }
}

module.exports = { Report, MAX_ACTIONS, MAX_TEXT }
