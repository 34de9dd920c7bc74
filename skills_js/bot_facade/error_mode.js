/**
 * Error modes of primitives: how a program learns that a primitive failed. By default a primitive throws a named error.
 * A program whose last line is `// primitives: voyager` gets Voyager's mode: primitives search for what is missing,
 * report the failure in the chat, and the program continues; its bot digs and builds on its way.
 */
'use strict'
const { named } = require('./errors')

const ERROR_MODES = Object.freeze(['named', 'voyager'])
/** Errors caused by the world: reported in the chat. A program's own mistakes are thrown in both modes. */
const TOLD = new Set(['BlockNotFound', 'BlockGone', 'NotBroken', 'NotPlaced', 'NoTool', 'OutOfReach', 'NoPath',
  'NotReached', 'TimedOut',
  'InventoryFull', 'ItemNotInInventory', 'ItemNotInChest', 'ChestFull', 'ChestNotFound', 'WindowNotOpened',
  'WindowClosed', 'NotEquipped',
  'CannotEat', 'NoRecipe', 'NotCrafted', 'NotSmelted', 'MobNotFound', 'EntityGone', 'NotKilled', 'NotFound'])
/** Most failures of a primitive in a row; after that the program is in a loop and ends. */
const MAX_FAILURES = 10
const MAX_SAID = 250

/**
 * @param {string} source - a program
 * @returns {string} the error mode that it chooses
 * @throws {BadArgument} there is no such mode
 */
function errorModeOf (source) {
  const asked = /(?:^|\n)\/\/ primitives: ([^\n]*)\s*$/.exec(source)
  if (asked === null) return 'named'
  const name = asked[1].trim()
  if (ERROR_MODES.includes(name)) return name
  throw named(
    'BadArgument',
    `// primitives: ${name.slice(0, 40)}: there is no such error mode; write one of ${ERROR_MODES.join(', ')}`
  )
}

/**
 * @param {any} bot
 * @returns {(name: string, error: any) => void} tells of a failure in the chat, or throws it on
 */
function tolerant (bot) {
  /** @type {Map<string, number>} primitive -> failures since it last did its work */
  const failures = new Map()
  return (name, error) => {
    if (error === null) { failures.delete(name); return }
    if (!TOLD.has(error?.name)) throw error
    const count = (failures.get(name) ?? 0) + 1
    failures.set(name, count)
    say(bot, `${name}: ${error.message}`)
    if (count >= MAX_FAILURES) {
      throw named(error.name, `${name} failed ${count} times, one after the other; the last time: ${error.message}`)
    }
  }
}

/** @param {any} bot @param {string} text - what cannot be said any more is not worth a program */
function say (bot, text) {
  try {
    bot.chat(text.replace(/\s+/g, ' ').slice(0, MAX_SAID))
  } catch (error) {
    if (error.name !== 'LimitExceeded') throw error
  }
}

module.exports = { ERROR_MODES, errorModeOf, say, tolerant }
