/** What moment is shown, and how it moves on. */

export const SPEEDS = [1, 2, 5, 10, 30, 100, 300, 1000]
/** A live run is caught up with by this share of the way in a second. */
const EAGER = 6

/** Moves through a record; a run that is played goes on at its end. */
export class Clock {
  constructor () {
    this.at = 0
    this.until = 0
    this.speed = 1
    this.playing = false
    /** Whether the end of the record is followed as it grows. */
    this.live = false
    /** A moment that an address names and that is not read yet. @type {number | null} */
    this.awaited = null
  }

  /** @param {number} at */
  seek (at) {
    this.at = Math.min(Math.max(0, at), this.until)
    this.live = false
    this.awaited = null
  }

  /** Go to a moment as soon as so much of the record is read. @param {number} at */
  await (at) {
    this.seek(at)
    this.awaited = at
  }

  /** Play or stop; at the end it begins again. */
  toggle () {
    this.awaited = null
    if (this.live) this.playing = this.live = false
    else {
      this.playing = !this.playing
      if (this.playing && this.at >= this.until) this.at = 0
    }
  }

  /** Follow the end. */
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
