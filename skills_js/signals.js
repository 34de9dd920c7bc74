/**
 * Signals between the players of one run: sent, kept, awaited. The hub is pure: no clock, no promise, no process. Its
 * driver (a bot host, the mock world) decides when nothing moves any more and asks it to check for a deadlock.
 */
'use strict'
const { named } = require('./bot_facade/errors')

/** Most signals of one sender kept for one player who does not take them. */
const MAX_KEPT = 256
/** Most signals that one program may send: each is recorded, and a send loop must not fill the record. */
const MAX_SENT = 5000
/** Longest name of a signal, in characters. */
const MAX_NAME = 64

/**
 * @typedef {{from: string, name: string}} Signal
 * @typedef {(error: Error | null, signal: Signal | null) => void} Settle
 * @typedef {{from: string, name: string}} Wanted empty: any
 * @typedef {Wanted & {settle: Settle}} Wait
 * @typedef {{kept: Signal[], keptOf: Map<string, number>, waits: Set<Wait>, busy: number, ended: boolean, sent:
 *   number}} Mailbox `keptOf`: sender -> how many of those kept are its; `sent`: also counts what was refused
 */

class SignalHub {
  /**
   * @param {readonly string[]} players - everyone who takes part in the run
   */
  constructor (players) {
    /** @type {Map<string, Mailbox>} */
    this.mailboxes = new Map(players.map((player) => [player, newMailbox()]))
    /** @type {Set<() => void>} */
    this.watchers = new Set()
    /** Number that grows with every change, so that a driver sees whether anything has moved. */
    this.version = 0
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {string} [name]
   * @returns {boolean} whether that player was waiting for it
   */
  send (from, to, name = '') {
    if (name.length > MAX_NAME) {
      throw named('BadArgument', `the signal's name has ${name.length} characters; at most ${MAX_NAME}`)
    }
    const mailbox = this.mailbox(to)
    this.charge(from)
    this.changed()
    if (mailbox.ended) return false
    const signal = { from, name }
    for (const wait of mailbox.waits) {
      if (!this.fits(wait, signal)) continue
      mailbox.waits.delete(wait)
      wait.settle(null, signal)
      return true
    }
    const kept = mailbox.keptOf.get(from) ?? 0
    if (kept >= MAX_KEPT) {
      throw named(
        'LimitExceeded',
        `${to} has ${MAX_KEPT} signals of ${from} not yet taken; wait for an answer before sending more`
      )
    }
    mailbox.keptOf.set(from, kept + 1)
    mailbox.kept.push(signal)
    return false
  }

  /**
   * Take a kept signal or wait for one; `settle` is called exactly once unless the wait is given up.
   * @param {string} player - who waits
   * @param {string | Wanted} wanted - as a text: the sender's name where a player has it, else the signal's name; ''
   *   for any
   * @param {Settle} settle
   * @returns {() => void} gives the wait up
   */
  wait (player, wanted, settle) {
    const mailbox = this.mailbox(player)
    const wait = { ...this.meaning(wanted), settle }
    if (wait.from !== '') this.mailbox(wait.from)
    const index = mailbox.kept.findIndex((signal) => this.fits(wait, signal))
    this.changed()
    if (index >= 0) {
      settle(null, this.take(mailbox, index))
      return () => {}
    }
    const hopeless = this.hopeless(player, wait)
    if (hopeless !== null) {
      settle(hopeless, null)
      return () => {}
    }
    mailbox.waits.add(wait)
    return () => {
      if (mailbox.waits.delete(wait)) this.changed()
    }
  }

  /**
   * Note that a player's policy does something besides waiting (+1) or has finished it (-1): meanwhile it is not stuck.
   * @param {string} player
   * @param {1 | -1} step
   */
  busy (player, step) {
    const mailbox = this.mailboxes.get(player)
    if (mailbox === undefined) return
    mailbox.busy = Math.max(0, mailbox.busy + step)
    this.changed()
  }

  /**
   * End a player: those who wait for that player alone are told.
   * @param {string} player
   */
  end (player) {
    const mailbox = this.mailboxes.get(player)
    if (mailbox === undefined || mailbox.ended) return
    mailbox.ended = true
    mailbox.waits.clear()
    mailbox.kept.length = 0
    mailbox.keptOf.clear()
    for (const [name, other] of this.mailboxes) {
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
    for (const { ended, waits, busy } of this.mailboxes.values()) {
      if (!ended && (waits.size === 0 || busy > 0)) return []
    }
    return [...this.mailboxes].filter(([, mailbox]) => !mailbox.ended).map(([player]) => player)
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
      const mailbox = this.mailbox(player)
      const waits = [...mailbox.waits]
      mailbox.waits.clear()
      for (const wait of waits) {
        wait.settle(named('Deadlock', `all players that still run wait for signals: ${text}`), null)
      }
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
    return [...this.mailboxes.keys()]
  }

  /**
   * @param {string} player
   * @returns {Mailbox}
   */
  mailbox (player) {
    const mailbox = this.mailboxes.get(player)
    if (mailbox === undefined) {
      throw named(
        'UnknownPlayer',
        `no player ${JSON.stringify(String(player).slice(0, 32))} takes part; players: ${this.players.join(', ')}`
      )
    }
    return mailbox
  }

  /**
   * Return the meaning of a wanted name: the name of a player means that sender, so that nobody can pass for another by
   * a signal's name.
   * @param {string | Wanted} wanted
   * @returns {Wanted}
   */
  meaning (wanted) {
    if (typeof wanted !== 'string') return { from: wanted.from, name: wanted.name }
    return this.mailboxes.has(wanted) ? { from: wanted, name: '' } : { from: '', name: wanted }
  }

  /**
   * @param {Wanted} wanted
   * @param {Signal} signal
   * @returns {boolean}
   */
  fits (wanted, signal) {
    return (wanted.from === '' || wanted.from === signal.from) && (wanted.name === '' || wanted.name === signal.name)
  }

  /**
   * @param {Mailbox} mailbox
   * @param {number} index
   * @returns {Signal} no longer kept
   */
  take (mailbox, index) {
    const [signal] = mailbox.kept.splice(index, 1)
    mailbox.keptOf.set(signal.from, (mailbox.keptOf.get(signal.from) ?? 1) - 1)
    return signal
  }

  /**
   * Count a signal of that sender.
   * @param {string} from
   * @throws {LimitExceeded} its program has sent as many as it may
   */
  charge (from) {
    const own = this.mailboxes.get(from)
    if (own === undefined || ++own.sent <= MAX_SENT) return
    throw named('LimitExceeded', `this program has sent ${MAX_SENT} signals; it can send no more`)
  }

  /**
   * @param {string} player
   * @returns {number} signals that its program may not send any more and tried to
   */
  refused (player) {
    return Math.max(0, (this.mailboxes.get(player)?.sent ?? 0) - MAX_SENT)
  }

  /**
   * @param {string} player
   * @param {Wait} wait
   * @returns {Error | null} why nobody is left who could send what is waited for
   */
  hopeless (player, wait) {
    const others = [...this.mailboxes].filter(([name]) => name !== player)
    const senders = wait.from === '' ? others : others.filter(([name]) => name === wait.from)
    if (senders.some(([, mailbox]) => !mailbox.ended)) return null
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
    const names = [...this.mailbox(player).waits].map(told)
    return `${player} for ${names.join(' and ')}${this.hint(player)}`
  }

  /**
   * @param {string} player
   * @returns {string} the signals that lie there under other names, since a wrong name is the usual mistake
   */
  hint (player) {
    const kept = this.mailbox(player).kept.slice(0, 4)
      .map((signal) => `${JSON.stringify(signal.name)} from ${signal.from}`)
    return kept.length === 0 ? '' : ` (not taken: ${kept.join(', ')})`
  }

  changed () {
    this.version++
    for (const fn of this.watchers) fn()
  }
}

/** @returns {Mailbox} */
function newMailbox () {
  return { kept: [], keptOf: new Map(), waits: new Set(), busy: 0, ended: false, sent: 0 }
}

/**
 * @param {Wanted} wanted
 * @returns {string}
 */
function told ({ from, name }) {
  const signal = name === '' ? 'any signal' : JSON.stringify(name)
  return from === '' ? signal : `${signal} from ${from}`
}

module.exports = { MAX_KEPT, MAX_NAME, MAX_SENT, SignalHub }
