'use strict'
/**
 * Bot host: policy isolates and the bots that they move (mineflayer's, or bodies in the server) in a process of their
 * own, with an empty environment and under Node's permission model. It takes requests from the supervisor on file
 * descriptor 3 and answers on 4; when 3 ends, the process ends.
 */
const fs = require('node:fs')
const net = require('node:net')
// Packages ask for the home directory as they load; a user without one, as in many containers, would end it there.
process.env.HOME ??= '/nonexistent'
// Programs see the world's time and no other: the machine's zone neither.
process.env.TZ = 'UTC'
const { readLines, lineWriter } = require('./lines')
const { ProxyCalls } = require('./supervisor/socket_proxy')
const { LEDGER_FD } = require('./ledger')
const { hostTime, installTime, real } = require('./frozen_clock')
const { RunGroups } = require('./isolates/run_groups')
const { Integrity, examine } = require('./examine')

/** Time between two heartbeats, in ms. */
const BEAT_MS = 500
/**
 * Time that an event waits for others, in ms: each write wakes the supervisor, which makes Python wait for more anyway.
 */
const GATHER_MS = 3
/** Period in ms within which several unexpected errors mean that the host is better replaced. */
const FAULT_WINDOW_MS = 10_000
const MAX_FAULTS = 20
/** Largest request in bytes: a run of 25 programs of maximal length, each character written as six. */
const MAX_REQUEST = 1 << 25

/** @typedef {{ id: number, k: string, [field: string]: any }} Request */

/** The process: requests in, replies and events out. */
class Host {
  #output = new net.Socket({ fd: 4, readable: false, writable: true })
  #write = lineWriter(this.#output)
  /** @type {NodeJS.Timeout|null} while events are gathered */
  #gathering = null
  #room
  #runs
  #integrity
  /** @type {ProxyCalls|null} */
  #calls = null
  /** @type {number[]} */
  #faults = []

  /** @param {import('./isolates/run_groups').Parts} parts */
  constructor (parts) {
    this.#room = (parts.makeRoom ?? mineflayerRoom)((kind, data, tick) => this.#emit(kind, data, tick))
    // What the parts change as they load they may.
    this.#integrity = new Integrity()
    this.#runs = new RunGroups({
      room: this.#room,
      parts,
      emit: (kind, data, tick) => this.#emit(kind, data, tick),
      forward: (group, op) => this.#say({ k: 'signal', group, op }),
      ledgerFd: LEDGER_FD,
      onCatastrophe: (stuck) => this.#say({ k: 'recycle', stuck })
    })
  }

  /** Start processing requests. */
  open () {
    const input = new net.Socket({ fd: 3, readable: true, writable: false })
    readLines(input, (message) => this.#obey(/** @type {Request} */ (message)), () => process.exit(3), MAX_REQUEST)
    input.on('end', () => this.#end())
    input.on('error', () => this.#end())
    process.on('uncaughtException', (error) => this.#fault(error))
    process.on('unhandledRejection', (error) => this.#fault(error))
    real.setInterval(() => this.#beat(), BEAT_MS)
    this.#say({ k: 'ready' })
    this.#beat()
  }

  #end () {
    this.#runs.close()
    process.exit(0)
  }

  /** @param {Request} request */
  #obey (request) {
    const verb = this.#verbs[request.k]
    // The documented boundary of this process: whatever a verb throws becomes its reply.
    Promise.resolve().then(() => verb(request)).then(
      (value) => this.#say({ k: 'reply', id: request.id, ok: true, value: value ?? null }),
      (error) => this.#say({
        k: 'reply', id: request.id, ok: false,
        error: { name: String(error.name), message: String(error.message).slice(0, 2000) }
      }))
  }

  /** @type {Record<string, (request: any) => any>} */
  #verbs = {
    connect: (spec) => this.#room.connect(spec, spec.proxied ? this.#proxy() : null),
    refused: (said) => this.#calls?.refuse(said),
    disconnect: ({ bot }) => this.#room.disconnect(bot),
    observe: ({ bot }) => this.#room.observe(bot),
    picture: ({ bot, request }) => this.#room.picture(bot, request),
    sense: ({ bots, senses }) => this.#room.sense(bots, senses),
    hearing: ({ reach }) => this.#room.hearing(reach),
    speak: ({ lines }) => this.#room.speak(lines),
    stand: ({ still }) => hostTime.stand(still === true),
    examine: () => ({ ...examine(this.#integrity, this.#room.bots), lingering: this.#runs.lingering }),
    prepare: (spec) => this.#runs.prepare(spec),
    start: (spec) => this.#runs.start(spec),
    cancel: (spec) => this.#runs.cancel(spec),
    signal: (spec) => this.#runs.signal(spec)
  }

  /** Return the socket proxy of a host without a network. */
  #proxy () {
    this.#calls ??= new ProxyCalls((ticket) => this.#say({ k: 'call', ticket }))
    return this.#calls
  }

  /**
   * @param {string} kind
   * @param {object} data
   * @param {number|null} [tick]
   */
  #emit (kind, data, tick = this.#room.clock.tick()) {
    if (!this.#gathering) {
      this.#output.cork()
      this.#gathering = real.setTimeout(() => this.#flush(), GATHER_MS)
    }
    this.#write({ k: 'event', kind, tick, data })
  }

  /** @param {object} message what somebody waits for; events said before it go out before it */
  #say (message) {
    this.#write(message)
    this.#flush()
  }

  #flush () {
    if (!this.#gathering) return
    clearTimeout(this.#gathering)
    this.#gathering = null
    this.#output.uncork()
  }

  #beat () {
    const { user, system } = process.cpuUsage()
    this.#say({
      k: 'beat', rss: process.memoryUsage.rss(), cpu_ms: Math.round((user + system) / 1000), bots: this.#room.size,
      runs: this.#runs.size
    })
  }

  /**
   * @param {unknown} error one that no part of the host expected, most often from deep inside a bot's packet handling
   */
  #fault (error) {
    const now = real.now()
    this.#faults = this.#faults.filter((at) => now - at < FAULT_WINDOW_MS)
    this.#faults.push(now)
    const text = error instanceof Error ? error.stack : String(error)
    fs.writeSync(2, `${text}\n`)
    if (this.#faults.length <= MAX_FAULTS) return
    this.#flush()
    process.exit(4)
  }
}

/**
 * Load mineflayer, only in hosts that need it.
 * @type {NonNullable<import('./isolates/run_groups').Parts['makeRoom']>}
 */
function mineflayerRoom (emit) {
  const { BotRoom } = require('./bots/bots')
  return new BotRoom(emit)
}

if (require.main === module) {
  installTime() // before anything loads that has timers
  new Host(process.argv[2] === 'engine' ? require('./engine/parts') : require('./parts')).open()
}

module.exports = { Host, BEAT_MS }
