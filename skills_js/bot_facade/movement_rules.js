/**
 * Rules of movement for both backends: the facade's `Movements` as plain data, checked and bounded on the host's side,
 * since a program may send anything.
 */
'use strict'
const { named } = require('./errors')

/** Most blocks of one list; there are some 1,060 kinds. */
const MAX_BLOCKS = 1100
const MAX_DROP = 20
const MAX_COST = 100

/**
 * @typedef {object} MovementRules
 * @property {boolean} canDig
 * @property {boolean} towers puts blocks below itself
 * @property {boolean} opens gates
 * @property {boolean} parkour
 * @property {boolean} sprinting
 * @property {boolean} detects others stand in the way
 * @property {boolean} guardsFlow digs nothing that holds a liquid back
 * @property {boolean} guardsFalls digs nothing below what falls
 * @property {boolean} dives any depth into water
 * @property {number} maxDrop blocks
 * @property {number} digCost
 * @property {number} placeCost
 * @property {number} liquidCost
 * @property {number} entityCost
 * @property {number[]} scaffolding items to build with, by their numbers, the first that is there
 * @property {number[]} fixed blocks that are never broken, besides those that nobody can break
 * @property {number[]} avoided blocks that are never entered
 * @property {number[]} climbable blocks
 * @property {boolean} works more than walking and jumping: blocks may change, or the reckoning is another
 */

/** @type {Record<string, {from: string, usual: boolean}>} */
const SWITCHES = {
  canDig: { from: 'canDig', usual: false },
  towers: { from: 'allow1by1towers', usual: false },
  opens: { from: 'canOpenDoors', usual: false },
  parkour: { from: 'allowParkour', usual: true },
  sprinting: { from: 'allowSprinting', usual: true },
  detects: { from: 'allowEntityDetection', usual: true },
  guardsFlow: { from: 'dontCreateFlow', usual: true },
  guardsFalls: { from: 'dontMineUnderFallingBlock', usual: true },
  dives: { from: 'infiniteLiquidDropdownDistance', usual: true }
}
const COSTS = ['digCost', 'placeCost', 'liquidCost', 'entityCost']
const LISTS = {
  scaffolding: 'scafoldingBlocks', fixed: 'blocksCantBreak', avoided: 'blocksToAvoid', climbable: 'climbables'
}
/** Rules that need no more than walking. */
const WALKING = ['parkour', 'sprinting', 'maxDrop', 'towers']

/**
 * @param {any} registry - of the game version
 * @param {any} data - the bot facade's movements, or null for the usual way: it walks, and leaves every block as it is
 * @returns {MovementRules}
 * @throws {BadArgument}
 */
function rulesOf (registry, data) {
  const usual = usualOf(registry)
  if (data === null || data === undefined) return { ...usual, works: false }
  if (typeof data !== 'object' || Array.isArray(data)) {
    throw named('BadArgument', 'movements: give an object of class Movements')
  }
  const rules = reckoned(registry, data)
  const key = (/** @type {any} */ each) =>
    JSON.stringify(Object.entries(each).filter(([name]) => !WALKING.includes(name)))
  return { ...rules, works: key(rules) !== key(usual) }
}

/** Default rules of each version: most walks ask for no others. @type {WeakMap<any, any>} */
const usuals = new WeakMap()

/** @param {any} registry @returns {any} */
function usualOf (registry) {
  const known = usuals.get(registry)
  if (known !== undefined) return known
  const usual = reckoned(registry, {})
  for (const name of Object.keys(LISTS)) Object.freeze(usual[name])
  usuals.set(registry, Object.freeze(usual))
  return usual
}

/** @param {any} registry @param {any} data @returns {any} */
function reckoned (registry, data) {
  const names = (/** @type {string[]} */ list) => list.flatMap((name) => registry.blocksByName[name]?.id ?? [])
  const lists = {
    scaffolding: [], fixed: names(['chest']), avoided: names(['fire', 'cobweb', 'lava']), climbable: names(['ladder'])
  }
  const given = Object.entries(LISTS)
    .map(([name, from]) => [name, numbers(from, data[from]) ?? lists[/** @type {keyof typeof lists} */ (name)]])
  return {
    ...Object.fromEntries(Object.entries(SWITCHES)
      .map(([name, { from, usual }]) => [name, typeof data[from] === 'boolean' ? data[from] : usual])),
    maxDrop: Number.isInteger(data.maxDropDown) ? Math.min(Math.max(data.maxDropDown, 0), MAX_DROP) : 4,
    ...Object.fromEntries(COSTS.map((name) => [name, cost(name, data[name])])),
    ...Object.fromEntries(given)
  }
}

/** @param {string} name @param {any} value @returns {number} */
function cost (name, value) {
  if (value === undefined || value === null) return 1
  if (typeof value === 'number' && value >= 0 && value <= MAX_COST) return value
  throw named('BadArgument', `movements.${name} is ${String(value).slice(0, 20)}; give a number from 0 to ${MAX_COST}`)
}

/** @param {string} name @param {any} value @returns {number[] | null} in order, each once */
function numbers (name, value) {
  if (value === undefined || value === null) return null
  if (Array.isArray(value) && value.length <= MAX_BLOCKS &&
    value.every((each) => Number.isSafeInteger(each) && each >= 0)) {
    return name === LISTS.scaffolding ? [...new Set(value)] : [...new Set(value)].sort((a, b) => a - b)
  }
  throw named('BadArgument', `movements.${name}: give at most ${MAX_BLOCKS} ids, such as mcData.blocksByName.dirt.id`)
}

module.exports = { LISTS, rulesOf }
