/** The shown moment and its progress. */

export const SPEEDS = [1, 2, 5, 10, 30, 100, 300, 1000]
/** Share of the remaining distance to a live run's end that is covered per second. */
const EAGER = 6

/** Clock that moves through a record and follows the end of a live run. */
export class Clock {
  constructor () {
    this.at = 0
    this.until = 0
    this.speed = 1
    this.playing = false
    /** True while the growing end of the record is followed. */
    this.live = false
    /** Moment requested by an address but not read yet. @type {number | null} */
    this.awaited = null
  }

  /** @param {number} at */
  seek (at) {
    this.at = Math.min(Math.max(0, at), this.until)
    this.live = false
    this.awaited = null
  }

  /** Go to a moment once the record is read up to it. @param {number} at */
  await (at) {
    this.seek(at)
    this.awaited = at
  }

  /** Start or stop playing; at the end, start over. */
  toggle () {
    this.awaited = null
    if (this.live) this.playing = this.live = false
    else {
      this.playing = !this.playing
      if (this.playing && this.at >= this.until) this.at = 0
    }
  }

  /** Follow the end of the record. */
  follow () {
    this.awaited = null
    this.live = true
    this.playing = false
  }

  /** @param {number} step 1 for faster, -1 for slower */
  change (step) {
    const place = SPEEDS.indexOf(this.speed) + step
    this.speed = SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, place))]
  }

  /**
   * @param {number} seconds of real time that have passed
   * @param {number} until the end of the record as it is known now
   * @param {boolean} [whole] whether all that there is of the record is read
   */
  tick (seconds, until, whole = true) {
    this.until = until
    if (this.awaited !== null) {
      const wanted = this.awaited
      this.seek(wanted)
      this.awaited = whole || until >= wanted ? null : wanted
    } else if (this.live) {
      const left = until - this.at
      this.at = left < 0.05 ? until : this.at + left * Math.min(1, seconds * EAGER)
    } else if (this.playing) {
      this.at = Math.min(until, this.at + seconds * this.speed)
      if (this.at >= until) this.playing = false
    }
  }
}
