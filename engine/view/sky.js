'use strict'
/** Colours of the sky, of fog and of light, by dimension, time of day and weather. */
const { noise } = require('./patterns')

/** @typedef {[number, number, number]} Rgb */
/** @typedef {import('../world/world').World} World */

/** Brightness of a place without any light: pictures are for eyes that have to find their way in caves. */
const DARK = 0.16
/** Brightness of the brightest night. */
const MOONLIGHT = 0.3
/** @type {Readonly<Record<string, { zenith: Rgb, fog: Rgb, least: number }>>} */
const REALMS = Object.freeze({
  the_nether: { zenith: [70, 18, 14], fog: [70, 18, 14], least: 0.42 },
  the_end: { zenith: [18, 12, 26], fog: [28, 20, 38], least: 0.5 }
})
const DAY = { zenith: /** @type {Rgb} */ ([104, 158, 236]), fog: /** @type {Rgb} */ ([186, 212, 242]) }
const NIGHT = { zenith: /** @type {Rgb} */ ([6, 9, 20]), fog: /** @type {Rgb} */ ([16, 21, 38]) }
const DUSK = /** @type {Rgb} */ ([226, 138, 84])
const RAIN = /** @type {Rgb} */ ([120, 128, 140])
/** Colours of a lamp's light at its strongest. */
const LAMP = /** @type {Rgb} */ ([1, 0.87, 0.66])

/** @param {Rgb} a @param {Rgb} b @param {number} part @returns {Rgb} */
const mix = (a, b, part) => [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part, a[2] + (b[2] - a[2]) * part]

/** Sky and light at one moment. */
class Daylight {
  /** @param {World} world @param {string} dimension */
  constructor (world, dimension) {
    const realm = REALMS[dimension]
    const angle = world.sky.sunAngle
    const height = Math.cos(angle)
    /** Direction of the sun; the moon is opposite. */
    this.sun = [-Math.sin(angle), height, 0]
    /** Share of day, 0 to 1. */
    this.day = realm ? 0 : Math.max(0, Math.min(1, height * 2 + 0.5))
    const dusk = realm ? 0 : Math.max(0, 1 - Math.abs(height) * 4) * 0.6
    const wet = world.weather === 'clear' || realm ? 0 : 0.7
    this.zenith = realm ? realm.zenith : mix(mix(NIGHT.zenith, DAY.zenith, this.day), mix(NIGHT.fog, RAIN, this.day),
      wet)
    this.fog = realm ? realm.fog
      : mix(mix(mix(NIGHT.fog, DAY.fog, this.day), DUSK, dusk), mix(NIGHT.fog, RAIN, this.day), wet)
    this.open = !realm
    this.clear = wet === 0
    const least = realm ? realm.least : DARK
    /** Brightness of a face by `sky << 4 | block` light: red, green and blue of each. */
    this.light = lightTable(least, (MOONLIGHT + (1 - MOONLIGHT) * this.day) * (wet ? 0.85 : 1), this.day)
  }

  /** Return true if all but the places of the sun and the moon is as at another moment. @param {Daylight} other */
  hasLightOf (other) {
    return this.open === other.open && this.clear === other.clear && this.day === other.day &&
      [0, 1, 2].every((i) => this.fog[i] === other.fog[i] && this.zenith[i] === other.zenith[i]) &&
      this.light.every((part, at) => part === other.light[at])
  }

  /**
   * Return squares around the sun and the moon, now and at another moment, as directions of their corners; none if they
   * have not moved or are not seen.
   * @param {number} half width at distance 1 @param {Daylight} other
   * @returns {number[][][]}
   */
  discs (half, other) {
    const { sun } = this
    if (!this.open || !this.clear || (sun[0] === other.sun[0] && sun[1] === other.sun[1])) return []
    return [sun, other.sun].flatMap(([x, y]) => [1, -1].map((side) =>
      [[1, 1], [1, -1], [-1, 1], [-1, -1]].map(([a, z]) =>
        [side * x + a * half * y, side * y - a * half * x, z * half])))
  }

  /**
   * Write the colour of the sky in a direction of length 1.
   * @param {number} x
   * @param {number} y
   * @param {number} z
   * @param {Float64Array} out
   */
  colour (x, y, z, out) {
    const up = y > 0 ? 1 - (1 - y) * (1 - y) : 0
    for (let i = 0; i < 3; i++) out[i] = this.fog[i] + (this.zenith[i] - this.fog[i]) * up
    if (!this.open || !this.clear || y < -0.05) return
    const along = x * this.sun[0] + y * this.sun[1]
    // Square discs, as wide as the game's: both axes across the direction are compared.
    const across = Math.max(Math.abs(x * this.sun[1] - y * this.sun[0]), Math.abs(z))
    if (along > 0 && across < 0.085) return void out.set([255, 244, 190])
    if (along < 0 && across < 0.06) return void out.set([214, 220, 232])
    if (this.day < 0.5 && y > 0 && noise(Math.floor(x * 90), Math.floor(z * 90), Math.floor(y * 90)) > 0.9975) {
      for (let i = 0; i < 3; i++) out[i] += 150 * (1 - 2 * this.day)
    }
  }
}

/** @param {number} level 0 to 15 @returns {number} */
const curve = (level) => (level / 15) / (4 - 3 * (level / 15)) * 0.35 + (level / 15) * 0.65

/** @param {number} least @param {number} sun brightness of the open sky @param {number} day share of day */
function lightTable (least, sun, day) {
  const table = new Float64Array(256 * 3)
  const moon = mix([0.72, 0.84, 1.12], [1, 1, 1], day)
  for (let at = 0; at < 256; at++) {
    const sky = curve(at >> 4) * sun
    const lamp = Math.min(1, curve(at & 15) * 1.3)
    for (let i = 0; i < 3; i++) {
      table[at * 3 + i] = Math.min(1, least + (1 - least) * Math.max(sky * moon[i], lamp * LAMP[i]))
    }
  }
  return table
}

module.exports = { Daylight }
