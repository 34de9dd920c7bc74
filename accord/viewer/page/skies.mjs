/** Sky and light at a moment, between the samples that the engine gave. */

const DAY_TICKS = 24000
const TICKS_PER_S = 20

/** @typedef {{sun: number[], day: number, zenith: number[], fog: number[], open: boolean, light: string}} ToldSky */
/** @typedef {import('./gl_scene.mjs').SkyNow} SkyNow */

/** Skies of one land. */
export class Skies {
  /**
   * @param {{overworld: ToldSky[], rain: ToldSky[], nether: ToldSky, end: ToldSky}} told
   * @param {{time: number, turns: boolean, weather: string, nether_from: number, end_from: number}} facts
   */
  constructor (told, facts) {
    this.facts = facts
    this.overworld = told.overworld.map(skyOf)
    this.rain = told.rain.map(skyOf)
    this.nether = skyOf(told.nether)
    this.end = skyOf(told.end)
  }

  /** Return the time of day in ticks, where days pass. @param {number} seconds since the episode began */
  timeAt (seconds) {
    const { time, turns } = this.facts
    return ((time + (turns ? seconds * TICKS_PER_S : 0)) % DAY_TICKS + DAY_TICKS) % DAY_TICKS
  }

  /**
   * @param {number} seconds since the episode began @param {number} x of the camera
   * @param {string} [weather] clear, rain or thunder; that of the land as it was built if it is left out
   * @returns {SkyNow}
   */
  at (seconds, x, weather = this.facts.weather) {
    if (x >= this.facts.end_from) return this.end
    if (x >= this.facts.nether_from) return this.nether
    const samples = weather === 'clear' ? this.overworld : this.rain
    const step = this.timeAt(seconds) / DAY_TICKS * samples.length
    const [one, other] = [0, 1].map((next) => samples[(Math.floor(step) + next) % samples.length])
    const share = step - Math.floor(step)
    const mixed = (/** @type {number[]} */ from, /** @type {number[]} */ to) =>
      from.map((part, place) => part + (to[place] - part) * share)
    return { zenith: mixed(one.zenith, other.zenith), fog: mixed(one.fog, other.fog), sun: mixed(one.sun, other.sun),
      open: one.open, light: one.light.map((part, place) => part + (other.light[place] - part) * share) }
  }
}

/** @param {ToldSky} told @returns {SkyNow} */
function skyOf ({ sun, zenith, fog, open, light }) {
  const shares = (/** @type {number[]} */ colour) => colour.map((part) => part / 255)
  return { sun, open, zenith: shares(zenith), fog: shares(fog),
    light: Uint8Array.from(atob(light), (sign) => sign.charCodeAt(0)) }
}
