/**
 * Signals between the players of one run: sent, kept, waited for. Pure: no clock, no promise, no process; who drives it
 * (a bot host, the mock world) decides when nothing moves any more and asks it to look for a deadlock.
 */
'use strict'
const { named } = require('./lookalike/errors')

/** Signals kept for one player who does not take them; a policy in a send loop must not fill the host's memory. */
const MOST_KEPT = 256
/** Characters of a signal's name. */
const MOST_NAME = 64

/**
 * @typedef {{from: string, name: string}} Signal
 * @typedef {(error: Error | null, signal: Signal | null) => void} Settle
 * @typedef {{name: string, settle: Settle}} Wait
 * @typedef {{kept: Signal[], waits: Set<Wait>, busy: number, ended: boolean}} Seat
 */

class SignalHub {
  /**
   * @param {readonly string[]} players - everyone who takes part in the run
   */
  constructor (players) {
    /** @type {Map<string, Seat>} */
    this.seats = new Map(players.map((player) => [player, { kept: [], waits: new Set(), busy: 0, ended: false }]))
    /** @type {Set<() => void>} */
    this.watchers = new Set()
    /** Grows with every change, so that a driver sees whether anything moved since it looked last. */
    this.version = 0
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {string} [name]
   * @returns {boolean} whether that player was waiting for it
   */
  send (from, to, name = '') {
    if (name.length > MOST_NAME) throw named('BadArgument', `the signal's name has ${name.length} characters; at most ${MOST_NAME}`)
    const seat = this.seat(to)
    this.changed()
    if (seat.ended) return false
    const signal = { from, name }
    for (const wait of seat.waits) {
      if (!this.fits(wait, signal)) continue
      seat.waits.delete(wait)
      wait.settle(null, signal)
      return true
    }
    if (seat.kept.length >= MOST_KEPT) {
      throw named('LimitExceeded', `${to} has ${MOST_KEPT} signals not yet taken; wait for an answer before sending more`)
    }
    seat.kept.push(signal)
    return false
  }

  /**
   * Take a kept signal or wait for one; `settle` is called exactly once unless the wait is given up.
   * @param {string} player - who waits
   * @param {string} name - a signal's name or its sender's; '' for any signal
   * @param {Settle} settle
   * @returns {() => void} gives the wait up
   */
  wait (player, name, settle) {
    const seat = this.seat(player)
    const wait = { name, settle }
    const index = seat.kept.findIndex((signal) => this.fits(wait, signal))
    this.changed()
    if (index >= 0) {
      settle(null, seat.kept.splice(index, 1)[0])
      return () => {}
    }
    const hopeless = this.hopeless(player, wait)
    if (hopeless !== null) {
      settle(hopeless, null)
      return () => {}
    }
    seat.waits.add(wait)
    return () => {
      if (seat.waits.delete(wait)) this.changed()
    }
  }

  /**
   * A player's policy does something besides waiting (+1) or is done with it (-1): while it does, it is not stuck.
   * @param {string} player
   * @param {1 | -1} step
   */
  busy (player, step) {
    const seat = this.seats.get(player)
    if (seat === undefined) return
    seat.busy = Math.max(0, seat.busy + step)
    this.changed()
  }

  /**
   * A player's policy has ended: who waits for it and for nobody else is told so.
   * @param {string} player
   */
  end (player) {
    const seat = this.seats.get(player)
    if (seat === undefined || seat.ended) return
    seat.ended = true
    seat.waits.clear()
    seat.kept.length = 0
    for (const [name, other] of this.seats) {
      for (const wait of [...other.waits]) {
        const hopeless = this.hopeless(name, wait)
        if (hopeless === null) continue
        other.waits.delete(wait)
        wait.settle(hopeless, null)
      }
    }
    this.changed()
  }

  /**
   * @returns {string[]} the players in a deadlock: all that still run wait and do nothing else; [] when there is none
   */
  stuck () {
    for (const { ended, waits, busy } of this.seats.values()) if (!ended && (waits.size === 0 || busy > 0)) return []
    return [...this.seats].filter(([, seat]) => !seat.ended).map(([player]) => player)
  }

  /**
   * End a deadlock: every wait fails and says who waits for what.
   * @returns {string[]} the players that were in it; [] when there was none
   */
  breakDeadlock () {
    const players = this.stuck()
    if (players.length === 0) return players
    const text = players.map((player) => this.describe(player)).join('; ')
    for (const player of players) {
      const seat = this.seat(player)
      const waits = [...seat.waits]
      seat.waits.clear()
      for (const wait of waits) wait.settle(named('Deadlock', `all players that still run wait for signals: ${text}`), null)
    }
    this.changed()
    return players
  }

  /**
   * @param {() => void} fn - called after every change
   * @returns {() => void} stops it
   */
  watch (fn) {
    this.watchers.add(fn)
    return () => { this.watchers.delete(fn) }
  }

  /** @returns {string[]} everyone who takes part, ended or not */
  get players () {
    return [...this.seats.keys()]
  }

  /**
   * @param {string} player
   * @returns {Seat}
   */
  seat (player) {
    const seat = this.seats.get(player)
    if (seat === undefined) {
      throw named('UnknownPlayer', `no player ${JSON.stringify(String(player).slice(0, 32))} takes part; players: ${this.players.join(', ')}`)
    }
    return seat
  }

  /**
   * @param {Wait} wait
   * @param {Signal} signal
   * @returns {boolean}
   */
  fits (wait, signal) {
    return wait.name === '' || wait.name === signal.name || wait.name === signal.from
  }

  /**
   * @param {string} player
   * @param {Wait} wait
   * @returns {Error | null} why nobody is left who could send what is waited for
   */
  hopeless (player, wait) {
    const others = [...this.seats].filter(([name]) => name !== player)
    const senders = this.seats.has(wait.name) ? others.filter(([name]) => name === wait.name) : others
    if (senders.some(([, seat]) => !seat.ended)) return null
    const what = wait.name === '' ? 'a signal' : `signal ${JSON.stringify(wait.name)}`
    const who = senders.map(([name]) => name).join(', ')
    if (who === '') return named('SenderEnded', `${what} cannot come: no other player takes part`)
    return named('SenderEnded', `${what} cannot come: ${who} ended without sending it${this.hint(player)}`)
  }

  /**
   * @param {string} player
   * @returns {string} what it is waiting for
   */
  describe (player) {
    const names = [...this.seat(player).waits].map((wait) => wait.name === '' ? 'any signal' : JSON.stringify(wait.name))
    return `${player} for ${names.join(' and ')}${this.hint(player)}`
  }

  /**
   * @param {string} player
   * @returns {string} the signals that lie there under other names, since a wrong name is the usual mistake
   */
  hint (player) {
    const kept = this.seat(player).kept.slice(0, 4).map((signal) => `${JSON.stringify(signal.name)} from ${signal.from}`)
    return kept.length === 0 ? '' : ` (not taken: ${kept.join(', ')})`
  }

  changed () {
    this.version++
    for (const fn of this.watchers) fn()
  }
}

module.exports = { MOST_KEPT, MOST_NAME, SignalHub }
