/** A game that a person plays on its page: the person's state in it, and reports of how it stands. */
import { byId } from './dom.mjs'

/** @typedef {(path: string, how?: RequestInit) => Promise<any>} Ask */
/** @typedef {(text: string, bad: boolean) => void} Tell */

/**
 * Base of the kinds of play: in a world (`seat_play.mjs`), in a grid game (`seat_grid.mjs`), by answers
 * (`seat_words.mjs`).
 */
export class SeatGame {
  /**
   * @param {string} section id of the element that shows the game
   * @param {Ask} ask
   * @param {Tell} tell
   * @param {(error: unknown) => void} failed
   */
  constructor (section, ask, tell, failed) {
    this.section = section
    this.ask = ask
    this.tell = tell
    this.failed = failed
    this.state = 'out'
    this.me = ''
    /** @type {EventSource | null} */
    this.events = null
  }

  /** @param {string} me */
  start (me) {
    if (this.events) return
    this.me = me
    this.prepare()
    this.events = new EventSource('api/reports')
    this.events.onmessage = ({ data }) => this.hear(JSON.parse(data))
  }

  /** Prepare the game's own part of the page. */
  prepare () {}

  /** @param {any} report */
  hear (report) {
    if (report.kind === 'state') this.enterState(report)
  }

  /** True while the player is in the game. */
  get playing () { return this.state === 'in' }

  /** @param {{state: string, reason?: string}} report */
  enterState ({ state, reason }) {
    const before = this.state
    this.state = state
    const inside = state !== 'out'
    byId('leave').hidden = !inside
    this.showSection(inside)
    if (state === 'out' && reason) this.tell(`You are out of the game: ${reason}`, true)
    if (state === 'in') this.enter(before !== 'in')
    if (state === 'out') this.end()
    document.dispatchEvent(new CustomEvent('seat-state'))
  }

  /** @param {boolean} shown */
  showSection (shown) {
    byId(this.section).hidden = !shown
    document.body.classList.toggle('ingame', shown)
  }

  /** Begin to show the game. @param {boolean} anew true if the player was not in the game before */
  enter (anew) { void anew }

  /** End to show the game. */
  end () {}

  /** Note a text that the study has sent to this page. @param {string} text */
  noteText (text) { void text }

  /** End the play for good. */
  finish () {
    this.events?.close()
    this.enterState({ state: 'out' })
  }
}
