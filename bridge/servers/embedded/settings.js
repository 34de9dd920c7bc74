'use strict'
/** Settings from the parent process: one JSON object, checked here. */

const { TERRAINS } = require('../../../engine/world/terrain')
const { GAMEMODES } = require('./viewer')

/**
 * @typedef {object} Settings
 * @property {number | string} seed drives everything random in the world
 * @property {string} terrain "flat" or "survival"
 * @property {string} host address to listen on
 * @property {number} port game port, 0 for a free one
 * @property {number} rconPort 0 for a free one
 * @property {string} rconPassword
 * @property {number} viewDistance columns around a viewer, 2 to 16
 * @property {string[] | null} players names that play, all others watch; null: everybody plays
 * @property {boolean} whitelist whether only those may join whom `whitelist add` has named
 * @property {number} maxPlayers
 * @property {string} motd
 * @property {number} loginMs a connection that plays not by then is closed, in milliseconds
 * @property {string | null} functions folder of a data pack whose functions can be run (data/NAMESPACE/functions), or
 *   null
 * @property {string | null} bodiesSecret what hosts of engine bodies say to come in; null: there are none
 * @property {number} surfaceY height of the lowest air block of the flat world
 * @property {import('../../../engine/world/types').Gamemode} gamemode of whoever joins for the first time
 */

/** @type {Settings} */
const DEFAULTS = Object.freeze({
  seed: 0,
  terrain: 'flat',
  host: '127.0.0.1',
  port: 0,
  rconPort: 0,
  rconPassword: '',
  viewDistance: 4,
  players: null,
  whitelist: false,
  maxPlayers: 500,
  motd: 'Accord',
  loginMs: 15000,
  functions: null,
  bodiesSecret: null,
  surfaceY: -60,
  gamemode: 'survival'
})

/** @type {Record<keyof Settings, [(value: any) => boolean, string]>} what is legal, in code and in words */
const RULES = Object.freeze({
  seed: [
    (v) => Number.isSafeInteger(v) || (typeof v === 'string' && v.length <= 64),
    'an integer or a text of up to 64 characters'
  ],
  terrain: [(v) => TERRAINS.includes(v), `one of ${TERRAINS.join(', ')}`],
  host: [(v) => typeof v === 'string' && v.length > 0, 'an address such as "127.0.0.1"'],
  port: [isPort, 'an integer from 0 (a free port) to 65535'],
  rconPort: [isPort, 'an integer from 0 (a free port) to 65535'],
  rconPassword: [(v) => typeof v === 'string' && v.length > 0, 'a text that is not empty'],
  viewDistance: [(v) => Number.isInteger(v) && v >= 2 && v <= 16, 'an integer from 2 to 16'],
  players: [
    (v) => v === null || (Array.isArray(v) && v.every((name) => typeof name === 'string' && /^\w{1,16}$/.test(name))),
    'null or a list of player names'
  ],
  whitelist: [(v) => typeof v === 'boolean', 'true or false'],
  maxPlayers: [(v) => Number.isInteger(v) && v >= 1 && v <= 2000, 'an integer from 1 to 2000'],
  motd: [(v) => typeof v === 'string' && v.length <= 256, 'a text of up to 256 characters'],
  loginMs: [(v) => Number.isInteger(v) && v >= 100 && v <= 120000, 'an integer from 100 to 120000'],
  functions: [
    (v) => v === null || (typeof v === 'string' && v.length > 0), 'null or the path of a data pack\'s folder'
  ],
  bodiesSecret: [(v) => v === null || (typeof v === 'string' && v.length > 0), 'null or a text that is not empty'],
  surfaceY: [(v) => Number.isInteger(v) && v >= -63 && v <= 300, 'an integer from -63 to 300'],
  gamemode: [(v) => GAMEMODES.includes(v), `one of ${GAMEMODES.join(', ')}`]
})

/** @param {unknown} value */
function isPort (value) {
  return Number.isInteger(value) && /** @type {number} */ (value) >= 0 && /** @type {number} */ (value) <= 65535
}

/**
 * @param {string} line JSON
 * @returns {Settings}
 * @throws {Error} one line that names the setting, its value and what is legal
 */
function readSettings (line) {
  /** @type {any} */
  let given
  try {
    given = JSON.parse(line)
  } catch {
    throw new Error('settings: the first line on standard input must be one JSON object')
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new Error('settings: the first line on standard input must be one JSON object')
  }
  const unknown = Object.keys(given).find((key) => !Object.hasOwn(RULES, key))
  if (unknown) {
    throw new Error(`settings: unknown setting ${JSON.stringify(unknown)}; known are ${Object.keys(RULES).join(', ')}`)
  }
  const settings = { ...DEFAULTS, ...given }
  for (const [key, [legal, words]] of Object.entries(RULES)) {
    if (!legal(settings[key])) {
      throw new Error(`settings: ${key} is ${JSON.stringify(settings[key])}, but must be ${words}`)
    }
  }
  return settings
}

module.exports = { readSettings, DEFAULTS }
