'use strict'
/**
 * Client of one human player whose seat is a page: a process with an ordinary player's connection to the server. It
 * runs no program of an agent. Orders come as JSON lines on standard input, whose end ends the process; reports go to
 * standard output.
 *
 * - `{"do": "join", "host", "port", "version", "name"}` connects, `{"do": "leave"}` disconnects
 * - `{"do": "survey", "number", "part", ...}` asks for a part of the land (`bridge/land.py`)
 * - any other order is an input of the player (`controls.js`)
 */
const { UNUSED_PARTS } = require('../bots/bots')
const mineflayer = require('mineflayer')
const { reasonText } = require('../telemetry/telemetry')
const { readLines, gatheringWriter } = require('../lines')
const { Controls } = require('./controls')
const { ClientLand } = require('./land')
const { Reporter } = require('./reports')

/** @type {(options: object) => import('../bots/live_bot').LiveBot} */
const createBot = /** @type {never} */ (mineflayer.createBot)

/** Longest time to stand in the world after connecting, in ms. */
const JOIN_MS = 30_000
const VIEW = 6

/**
 * @typedef {{ do: 'join', host: string, port: number, version: string, name: string }} Join
 * @typedef {{ columns: [number, number][], look: number, texture: number, players: string[], items: string[] }} Fields
 * @typedef {{ do: 'survey', number: number, part: string } & Fields} Survey
 * @typedef {{ do: 'click', slot: number, button: number, mode: number }} Click
 * @typedef {Click | { do: 'keys', keys: string[] } | { do: 'look', yaw: number, pitch: number } |
 *   { do: 'dig' | 'use', on: boolean } | { do: 'slot', slot: number } | { do: 'drop' | 'close' } |
 *   { do: 'chat', text: string }} Input
 */

/** The player's client; at most one connection at a time. */
class SeatClient {
  /** @param {(report: object) => void} tell */
  constructor (tell) {
    this.tell = tell
    /** @type {import('../bots/live_bot').LiveBot | null} */
    this.bot = null
    /** @type {Controls | null} */
    this.controls = null
    /** @type {Reporter | null} */
    this.reporter = null
    /** @type {ClientLand | null} */
    this.land = null
  }

  /** @param {Join | Survey | Input | { do: 'leave' }} order */
  take (order) {
    if (order.do === 'join') this.join(order)
    else if (order.do === 'leave') this.leave()
    else if (order.do === 'survey') this.survey(order)
    else if (this.controls) this.play(order, this.controls)
  }

  /** @param {Join} order */
  join ({ host, port, version, name }) {
    if (this.bot) return
    const bot = createBot({ host, port, version, username: name, auth: 'offline',
      hideErrors: true, logErrors: false, checkTimeoutInterval: 120_000, disableChatSigning: true, viewDistance: VIEW,
      plugins: Object.fromEntries(UNUSED_PARTS.map((part) => [part, false])) })
    this.bot = bot
    let reason = ''
    const timer = setTimeout(() => {
      reason ||= 'the server did not let the player in'
      bot._client.socket?.destroy()
    }, JOIN_MS)
    bot.on('error', (error) => { reason ||= String(error.code ?? error.message).slice(0, 200) })
    bot.on('kicked', (told) => { reason = reasonText(told).slice(0, 200) })
    bot.once('spawn', () => {
      clearTimeout(timer)
      const land = this.land = new ClientLand(bot)
      this.controls = new Controls(bot)
      this.reporter = new Reporter(bot, this.controls, () => land.signs(), this.tell)
      this.tell({ kind: 'joined' })
    })
    bot.once('end', () => {
      clearTimeout(timer)
      this.bot = this.controls = this.reporter = this.land = null
      this.tell({ kind: 'gone', reason })
    })
  }

  leave () {
    this.controls?.release()
    this.bot?.quit()
  }

  /** @param {Survey} order */
  survey ({ number, part, ...fields }) {
    try {
      this.tell({ kind: 'reply', number, data: this.answer(part, fields) })
    } catch (error) {
      this.tell({ kind: 'reply', number, error: String(error.message).slice(0, 300) })
    }
  }

  /** @param {string} part @param {Fields} fields */
  answer (part, fields) {
    const { land } = this
    if (!land) throw new Error('the player is not in the world')
    if (part === 'columns') return land.columns(fields.columns).toString('base64')
    if (part === 'news') return { ...land.news(fields.look, fields.texture), named: [] }
    if (part === 'facts') return land.facts()
    if (part === 'skies') return land.skies()
    return land.bodies(fields.players, fields.items)
  }

  /** @param {Input} order @param {Controls} controls */
  play (order, controls) {
    if (order.do === 'keys') controls.hold(order.keys)
    else if (order.do === 'look') controls.look(order.yaw, order.pitch)
    else if (order.do === 'dig') controls.setDigging(order.on)
    else if (order.do === 'use') controls.setUsing(order.on)
    else if (order.do === 'slot') controls.select(order.slot)
    else if (order.do === 'drop') controls.drop()
    else if (order.do === 'close') controls.closeWindow()
    else if (order.do === 'chat') this.bot?.chat(order.text)
    else if (order.do === 'click') this.click(order, controls)
  }

  /** @param {Click} order @param {Controls} controls */
  async click ({ slot, button, mode }, controls) {
    await controls.clickSlot(slot, button, mode).catch((/** @type {Error} */ error) =>
      this.tell({ kind: 'chat', from: null, text: `That click was not taken: ${error.message}` }))
    this.reporter?.showWindow?.()
  }
}

function main () {
  const client = new SeatClient(gatheringWriter(process.stdout))
  const end = () => {
    client.leave()
    setTimeout(() => process.exit(0), 200)
  }
  process.stdout.on('error', () => process.exit(0))
  readLines(process.stdin, (order) => client.take(order), end)
  process.stdin.on('end', end)
}

if (require.main === module) main()

module.exports = { SeatClient }
