'use strict'
/**
 * Signals of one run group in one host. If the players of the group are spread over several hosts, the supervisor
 * forwards to each hub what the others do, so that every hub knows who waits for what and detects a deadlock of all
 * players.
 */
const { SignalHub } = require('../../../skills_js/signals')

/** Time between two checks, in ms; two in a row without any change turn a standstill into a deadlock. */
const LOOK_MS = 500

/**
 * @typedef {{ op: 'send', from: string, to: string, name: string }
 * | { op: 'wait', id: number, player: string, wanted: string | import('../../../skills_js/signals').Wanted } | { op:
 * 'unwait', id: number }
 * | { op: 'busy', player: string, step: 1|-1 } | { op: 'end', player: string } | { op: 'deadlock' }} SignalOp
 * @typedef {{
 *   players: string[], local: string[], forward: ((op: SignalOp) => void)|null,
 *   onSent: (from: string, to: string, name: string) => void
 *   }} GroupOptions
 */

/** Signal hub that also represents the players of other hosts. */
class GroupSignals extends SignalHub {
  /** @type {Set<string>} */
  #local
  #forward
  #onSent
  #nextWait = 1
  /** @type {Map<number, () => void>} waits of other hosts' players, by their id */
  #ghosts = new Map()
  /** @type {NodeJS.Timeout|null} */
  #timer = null

  /** @param {GroupOptions} options `forward` is null when all players are here */
  constructor ({ players, local, forward, onSent }) {
    super(players)
    this.#local = new Set(local)
    this.#forward = forward
    this.#onSent = onSent
  }

  /**
   * Check for deadlocks from now on; `idle()` tells whether no program of this host is computing.
   * @param {() => boolean} idle
   */
  drive (idle) {
    let seen = -1
    this.#timer = setInterval(() => {
      if (!idle()) seen = -1
      else if (seen === this.version && this.stuck().length > 0) this.breakDeadlock()
      else seen = this.version
    }, LOOK_MS)
  }

  /** Stop checking. */
  close () {
    if (this.#timer) clearInterval(this.#timer)
    this.#timer = null
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {string} [name]
   * @returns {boolean}
   */
  send (from, to, name = '') {
    const remote = this.#forward !== null && this.mailboxes.has(to) && !this.#local.has(to)
    const waiting = remote ? this.#sendAway(from, to, name) : super.send(from, to, name)
    this.#onSent(from, to, name)
    return waiting
  }

  /**
   * @param {string} from
   * @param {string} to
   * @param {string} name
   */
  #sendAway (from, to, name) {
    this.charge(from)
    this.#forward?.({ op: 'send', from, to, name: name.slice(0, 64) })
    this.changed()
    return false
  }

  /**
   * @param {string} player
   * @param {string | import('../../../skills_js/signals').Wanted} wanted
   * @param {import('../../../skills_js/signals').Settle} settle
   * @returns {() => void}
   */
  wait (player, wanted, settle) {
    if (!this.#forward || !this.#local.has(player)) return super.wait(player, wanted, settle)
    const id = this.#nextWait++
    let open = true
    const over = () => {
      if (open) this.#forward?.({ op: 'unwait', id })
      open = false
    }
    this.#forward({ op: 'wait', id, player, wanted })
    const giveUp = super.wait(player, wanted, (error, signal) => { over(); settle(error, signal) })
    return () => { over(); giveUp() }
  }

  /**
   * @param {string} player
   * @param {1|-1} step
   */
  busy (player, step) {
    super.busy(player, step)
    if (this.#forward && this.#local.has(player)) this.#forward({ op: 'busy', player, step })
  }

  /** @param {string} player */
  end (player) {
    super.end(player)
    if (this.#forward && this.#local.has(player)) this.#forward({ op: 'end', player })
  }

  /**
   * End a deadlock in all hosts. The others are told before the waits end here: otherwise they would see them end and
   * check again.
   * @returns {string[]}
   */
  breakDeadlock () {
    this.#forward?.({ op: 'deadlock' })
    return super.breakDeadlock()
  }

  /**
   * Process an event of another host.
   * @param {string} host a key of that host, since every host counts its waits from 1
   * @param {SignalOp} op
   */
  receive (host, op) {
    if (op.op === 'send' && this.#local.has(op.to)) {
      // A full box fails at its sender when both are here; from afar the signal is lost, as a full box loses it.
      try {
        super.send(op.from, op.to, op.name)
      } catch (error) { if (error.name !== 'LimitExceeded') throw error }
    } else if (op.op === 'wait') {
      this.#ghosts.set(ghost(host, op.id), super.wait(op.player, op.wanted, () => {}))
    } else if (op.op === 'unwait') {
      this.#ghosts.get(ghost(host, op.id))?.()
      this.#ghosts.delete(ghost(host, op.id))
    } else if (op.op === 'busy') super.busy(op.player, op.step)
    else if (op.op === 'end') super.end(op.player)
    else if (op.op === 'deadlock') super.breakDeadlock()
  }
}

/**
 * @param {string} host
 * @param {number} id
 * @returns {any}
 */
function ghost (host, id) {
  return `${host}/${id}`
}

module.exports = { GroupSignals, LOOK_MS }
