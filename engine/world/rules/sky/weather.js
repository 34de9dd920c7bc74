'use strict'
/**
 * Weather cycle (minecraft.wiki, "Weather", with vanilla's timers): rain and thunder alternate with clear skies while
 * the rule `doWeatherCycle` is on. A new world is clear for at least half a Minecraft day. Rain and snow are in
 * precipitation.js.
 */

/** @typedef {'clear' | 'rain' | 'thunder'} Kind */

/** Minimum and maximum ticks until rain or thunder begins, of rain, and of thunder. */
const DELAY = Object.freeze([12000, 180000])
const RAIN = Object.freeze([12000, 24000])
const THUNDER = Object.freeze([3600, 15600])

/** Weather of one world. */
class Weather {
  /** @param {Pick<import('../../world').World, 'random' | 'rules'>} world */
  constructor (world) {
    this.world = world
    this.raining = false
    this.thundering = false
    /** Ticks left of a clear sky that was set, and until rain and thunder change; 0 if to be drawn. */
    this.left = { clear: 0, rain: 0, thunder: 0 }
  }

  get random () { return this.world.random.stream('weather') }
  /** Kind of weather. There is no thunder without rain. @returns {Kind} */
  get kind () { return !this.raining ? 'clear' : this.thundering ? 'thunder' : 'rain' }

  /** @param {readonly number[]} range */
  draw ([least, most]) { return this.random.int(least, most) }

  /**
   * Set the weather, by command or after sleep.
   *
   * @param {Kind} kind
   * @param {number} duration ticks; 0 for a random number
   */
  set (kind, duration) {
    const lasts = duration || this.draw(kind === 'clear' ? DELAY : kind === 'rain' ? RAIN : THUNDER)
    this.raining = kind !== 'clear'
    this.thundering = kind === 'thunder'
    this.left = kind === 'clear' ? { clear: lasts, rain: 0, thunder: 0 } : { clear: 0, rain: lasts, thunder: lasts }
  }

  /** Advance the timers by one tick. @returns {boolean} true if the weather has changed */
  tick () {
    if (!this.world.rules.doWeatherCycle) return false
    const before = this.kind
    const { left } = this
    if (left.clear > 0) {
      left.clear--
      left.thunder = this.thundering ? 0 : 1
      left.rain = this.raining ? 0 : 1
      this.raining = this.thundering = false
    } else {
      this.thundering = this.turn('thunder', this.thundering, THUNDER)
      this.raining = this.turn('rain', this.raining, RAIN)
    }
    return before !== this.kind
  }

  /**
   * @param {'rain' | 'thunder'} clock
   * @param {boolean} on
   * @param {readonly number[]} range ticks while it is on
   * @returns {boolean} true if it is on now
   */
  turn (clock, on, range) {
    const { left } = this
    if (left[clock] > 0) return --left[clock] === 0 ? !on : on
    left[clock] = this.draw(on ? range : DELAY)
    return on
  }
}

module.exports = { Weather }
