'use strict'
/**
 * Channel to one host of programs and its players: requests in, answers and events out. It carries what crosses an
 * isolate's border (docs/seams.md, section 4), with the number of the program's run.
 */
const { MockBackend } = require('../../../../skills_js/mock/backend')
const { observationOf } = require('../../../../skills_js/mock/recorder')
const { sense } = require('../../../../skills_js/mock/sense')
const { speak } = require('../../../../skills_js/mock/speak')
const { named } = require('../../../../skills_js/bot_facade/errors')
const { described, plain } = require('../../../host/isolates/border')
const { usedByThread } = require('../../../host/isolates/cpu_watch')
const { Report } = require('../../../host/isolates/reports')
const { played } = require('./played_calls')

/** Ends of calls that a host may decide. */
const STOPS = new Set(['timeout', 'cancelled'])
/** Signals of a run: none, since they pass between hosts and never through the world. */
const NO_SIGNALS = /** @type {any} */ ({ busy () {} })

/**
 * @typedef {{ bot: string, backend: MockBackend, pending: Map<number, () => void>, calls?:
 *   import('../../../mock/call_run').CallRun }} Run `pending` has how to stop what is under way; `calls` are played
 *   here, for a run that is no program
 * @typedef {{ id?: number, k: string, [field: string]: any }} Message
 */

/** Channel to one host. */
class Channel {
  #bodies
  #say
  /** @type {Map<number, Run>} */
  #runs = new Map()

  /**
   * @param {import('./bodies').EngineBodies} bodies
   * @param {(message: object) => void} say
   */
  constructor (bodies, say) {
    this.#bodies = bodies
    this.#say = say
    bodies.enter(this)
  }

  /** @param {number} age of the world, in ticks */
  tellAge (age) {
    this.#say({ k: 'age', age })
  }

  /** @param {import('../../../../skills_js/mock/recorder').Told} event */
  tell ({ kind, tick, data }) {
    this.#say({ k: 'told', kind, tick, data })
  }

  /** @param {string} bot is not in the world any more @param {string} reason */
  lose (bot, reason) {
    for (const [number, run] of this.#runs) if (run.bot === bot) this.#end(number)
    this.#say({ k: 'lost', bot, reason })
  }

  /** Close the channel of a host that is gone. */
  close () {
    for (const number of [...this.#runs.keys()]) this.#end(number)
    this.#bodies.leave(this)
  }

  /** @param {Message} message */
  hear (message) {
    const run = this.#runs.get(message.run)
    // What a program asks for has its turn among the others; it would be unfair to those to answer it at once.
    if (run !== undefined) this.#bodies.turns.take(run.bot, () => this.#obey(message))
    else this.#obey(message)
  }

  /** @param {Message} message */
  #obey (message) {
    const { id, k } = message
    // The documented boundary of a channel: whatever a request throws becomes its reply.
    try {
      if (!Object.hasOwn(this.#verbs, k)) {
        throw named('BadArgument', `no request ${JSON.stringify(String(k).slice(0, 40))}`)
      }
      const value = this.#verbs[k](message)
      if (id !== undefined) this.#say({ id, ok: true, value: value ?? null })
    } catch (error) {
      if (id !== undefined) {
        this.#say({ id, ok: false, error: { name: String(error.name), message: String(error.message).slice(0, 2000) } })
      }
    }
  }

  /** @type {Record<string, (message: any) => any>} */
  #verbs = {
    join: ({ bot }) => this.#bodies.join(this, bot),
    leave: ({ bot }) => this.#bodies.part(this, bot, 'left'),
    observe: ({ bot }) => observationOf(this.#bodies.client(this, bot)),
    sense: ({ bots, senses }) => sense(this.#bodies.simulation, bots, senses),
    hearing: ({ reach }) => { this.#bodies.simulation.hearing = reach },
    speak: ({ lines }) => speak(this.#bodies.simulation, lines),
    open: ({ run, bot }) => { this.#open(run, bot, (kind, data) => this.#report(kind, { bot, ...data })) },
    play: ({ run, bot, calls }) => this.#play(run, bot, calls),
    stop: ({ run, outcome, error }) => this.#stop(run, outcome, error),
    read: ({ run, method, args }) => this.#read(run, method, args),
    act: ({ run, call, method, args }) => this.#act(run, call, method, args),
    drop: ({ run, call }) => this.#drop(run, call),
    close: ({ run }) => {
      this.#end(run)
      this.#bodies.settle()
    }
  }

  /**
   * @param {number} number of a run that begins
   * @param {string} bot
   * @param {(kind: string, data: any) => void} emit what the run reports
   * @returns {Run}
   */
  #open (number, bot, emit) {
    const client = this.#bodies.client(this, bot)
    const backend = new MockBackend(client, { signals: NO_SIGNALS, tick: () => client.simulation.age, emit })
    backend.onEvent((name, args) => this.#say({ k: 'event', run: number, name, args }))
    const run = { bot, backend, pending: new Map() }
    this.#runs.set(number, run)
    return run
  }

  /** @param {string} kind @param {any} data */
  #report (kind, data) {
    this.tell({ kind, tick: this.#bodies.simulation.age, data })
  }

  /**
   * @param {number} number of a run that begins
   * @param {string} bot
   * @param {import('../../../mock/call_run').Calls} calls
   */
  #play (number, bot, calls) {
    const report = new Report(bot, (kind, data) => this.#report(kind, data))
    const run = this.#open(number, bot, report.emit)
    const over = (/** @type {import('../../../host/isolates/border').Verdict} */ { outcome, error }) => {
      report.close()
      // Of a player that is gone the host knows already, and why.
      if (this.#runs.get(number) === run) this.#say({ k: 'over', run: number, outcome, error })
    }
    const { turns, called } = this.#bodies
    // The run is known from now on, so that its end has its turn after its beginning.
    turns.take(bot, () => {
      if (this.#runs.get(number) !== run) return
      try {
        run.calls = played({ bot, calls, turns, bodies: called, backend: run.backend, onEnd: over })
      } catch (error) {
        over({ outcome: 'threw', error: described(error) })
      }
    })
  }

  /** @param {number} number of calls that the host ends @param {any} outcome @param {any} error */
  #stop (number, outcome, error) {
    if (!STOPS.has(outcome)) throw named('BadArgument', 'calls are stopped as timeout or cancelled')
    this.#runs.get(number)?.calls?.close(outcome, plain(String(error?.name), String(error?.message)))
  }

  /** @param {number} number @param {string} method @param {any[]} args */
  #read (number, method, args) {
    const began = usedByThread()
    const answer = this.#run(number).backend.read(method, args)
    return { answer, ms: usedByThread() - began }
  }

  /** @param {number} number @param {number} call @param {string} method @param {any[]} args */
  #act (number, call, method, args) {
    const { backend, pending } = this.#run(number)
    pending.set(call, () => {})
    const stop = backend.start(method, args, (error, value) => {
      if (!pending.delete(call)) return
      this.#say(error === null
        ? { k: 'end', run: number, call, ok: true, value: value ?? null }
        : {
          k: 'end', run: number, call, ok: false, error: { name: String(error.name), message: String(error.message) }
        })
    })
    if (pending.has(call)) pending.set(call, stop)
  }

  /** @param {number} number @param {number} call */
  #drop (number, call) {
    const pending = this.#runs.get(number)?.pending
    const stop = pending?.get(call)
    pending?.delete(call)
    stop?.()
  }

  /** @param {number} number of a run that is over */
  #end (number) {
    const run = this.#runs.get(number)
    if (run === undefined) return
    this.#runs.delete(number)
    run.pending.clear()
    if (run.calls !== undefined && !run.calls.over) {
      run.calls.close('cancelled', plain('PolicyAborted', 'the run is over'))
    }
    run.backend.close()
    run.calls?.dispose()
  }

  /** @param {number} number @returns {Run} */
  #run (number) {
    const run = this.#runs.get(number)
    if (run !== undefined) return run
    throw named('PolicyAborted', 'the player is not in the world any more')
  }
}

module.exports = { Channel }
