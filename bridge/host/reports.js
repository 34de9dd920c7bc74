'use strict'
/**
 * What a program reports of itself, cut and counted: one that acts for ever must not fill the record. The same for bots on
 * servers and on the mock world; lines are counted and cut where they are printed (lookalike/backend.js).
 */

/** Actions that one program may report. */
const MAX_ACTIONS = 5000
const MAX_TEXT = 1000

/** @param {any} text */
const cut = (text) => text === null || text === undefined ? null : String(text).slice(0, MAX_TEXT)

/**
 * @param {string} bot whose program it is
 * @param {(kind: string, data: object) => void} emit
 * @returns {(kind: string, data: any) => void} the `emit` of a backend's services
 */
function reporter (bot, emit) {
  let left = MAX_ACTIONS
  return (kind, data) => {
    if (kind === 'log') return emit('log', { bot, level: data.level, text: data.text })
    if (left-- <= 0) return
    const args = JSON.stringify(data.args ?? null)
    emit('action', {
      bot,
      name: cut(data.name),
      args: args.length <= MAX_TEXT ? JSON.parse(args) : args.slice(0, MAX_TEXT),
      ok: Boolean(data.ok),
      error: data.error && typeof data.error === 'object'
        ? { name: cut(data.error.name), message: cut(data.error.message) }
        : cut(data.error)
    })
  }
}

module.exports = { reporter, MAX_ACTIONS, MAX_TEXT }
