'use strict'
/** Day and weather: the sun's course, the light that it leaves, the weather of weather.js. */
const { Weather } = require('./weather')

const DAY = 24000
/** Ticks between two `time` events, as in vanilla. */
const TELL_EVERY = 20

/** Return the angle of the sun in radians at a time of day, 0 at noon. @param {number} daylight ticks, 0 to 24000 */
function sunAngleAt (daylight) {
  const turn = ((daylight / DAY - 0.25) % 1 + 1) % 1
  return (turn * 2 + 0.5 - Math.cos(turn * Math.PI) / 2) / 3 * 2 * Math.PI
}

/** Sky of one world. */
class Sky {
  /** @param {Pick<import('../../world').World, 'age' | 'emit' | 'random' | 'rules'>} world */
  constructor (world) {
    this.world = world
    this.timeOfDay = 1000
    this.course = new Weather(world)
  }

  get weather () { return this.course.kind }
  set weather (kind) { this.setWeather(kind, 0) }

  /** Day number, as /time query day. */
  get day () { return Math.floor(this.timeOfDay / DAY) }
  get daylight () { return ((this.timeOfDay % DAY) + DAY) % DAY }
  /**
   * Return the levels by which the sky's light is reduced: 0 by day, 11 at midnight, by vanilla's formula of the sun's
   * height and the weather (wiki: Light, "Internal light level").
   */
  get darken () {
    const rain = this.weather === 'clear' ? 1 : 1 - 5 / 16
    const thunder = this.weather === 'thunder' ? 1 - 5 / 16 : 1
    const sun = 0.5 + 2 * Math.max(-0.25, Math.min(0.25, Math.cos(this.sunAngle)))
    return Math.floor((1 - sun * rain * thunder) * 11)
  }

  /** Angle of the sun in radians; 0 at noon. */
  get sunAngle () { return sunAngleAt(this.daylight) }

  get isNight () { return this.daylight >= 13000 && this.daylight < 23000 }

  /**
   * @param {'clear' | 'rain' | 'thunder'} weather
   * @param {number} duration ticks that count while the rule `doWeatherCycle` is on; 0 for a random number
   */
  setWeather (weather, duration) {
    this.course.set(weather, duration)
    this.world.emit('weather', { weather })
  }

  /** @param {number} ticks */
  setTime (ticks) {
    this.timeOfDay = ticks
    this.emitTime()
  }

  emitTime () { this.world.emit('time', { age: this.world.age, timeOfDay: this.timeOfDay }) }

  tick () {
    if (this.world.rules.doDaylightCycle) this.timeOfDay++
    if (this.course.tick()) this.world.emit('weather', { weather: this.weather })
    if (this.world.age % TELL_EVERY === 0) this.emitTime()
  }
}

module.exports = { Sky, DAY, sunAngleAt }
