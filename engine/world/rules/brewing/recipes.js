'use strict'
/** Brewing recipes (minecraft.wiki, "Brewing"), and the effects of potions, in ticks. */
const { dataOf } = require('../items/item_data')
const { nameTable } = require('../../../name_table')

/** Recipes: potion, ingredient, resulting potion. @type {readonly (readonly [string, string, string])[]} */
const MIXES = Object.freeze([
  ['water', 'nether_wart', 'awkward'], ['water', 'redstone', 'mundane'], ['water', 'glowstone_dust', 'thick'],
  ['water', 'fermented_spider_eye', 'weakness'],
  ...['sugar', 'rabbit_foot', 'blaze_powder', 'glistering_melon_slice', 'spider_eye', 'ghast_tear',
    'magma_cream'].map((/** @type {string} */ each) => /** @type {const} */ (['water', each, 'mundane'])),
  ['awkward', 'sugar', 'swiftness'], ['awkward', 'rabbit_foot', 'leaping'], ['awkward', 'blaze_powder', 'strength'],
  ['awkward', 'glistering_melon_slice', 'healing'], ['awkward', 'spider_eye', 'poison'],
  ['awkward', 'ghast_tear', 'regeneration'],
  ['awkward', 'magma_cream', 'fire_resistance'], ['awkward', 'golden_carrot', 'night_vision'],
  ['awkward', 'pufferfish', 'water_breathing'], ['awkward', 'turtle_helmet', 'turtle_master'],
  ['awkward', 'phantom_membrane', 'slow_falling'],
  ['night_vision', 'fermented_spider_eye', 'invisibility'],
  ['long_night_vision', 'fermented_spider_eye', 'long_invisibility'], ['swiftness', 'fermented_spider_eye', 'slowness'],
  ['long_swiftness', 'fermented_spider_eye', 'long_slowness'],
  ['strong_swiftness', 'fermented_spider_eye', 'strong_slowness'],
  ['leaping', 'fermented_spider_eye', 'slowness'], ['long_leaping', 'fermented_spider_eye', 'long_slowness'],
  ['healing', 'fermented_spider_eye', 'harming'], ['strong_healing', 'fermented_spider_eye', 'strong_harming'],
  ['poison', 'fermented_spider_eye', 'harming'], ['long_poison', 'fermented_spider_eye', 'harming'],
  ['strong_poison', 'fermented_spider_eye', 'strong_harming'],
  ...['night_vision', 'invisibility', 'fire_resistance', 'leaping', 'swiftness', 'slowness', 'turtle_master',
    'water_breathing', 'poison', 'regeneration', 'strength', 'weakness',
    'slow_falling'].map((each) => /** @type {const} */ ([each, 'redstone', `long_${each}`])),
  ...['leaping', 'swiftness', 'slowness', 'turtle_master', 'healing', 'harming', 'poison', 'regeneration',
    'strength'].map((each) => /** @type {const} */ ([each, 'glowstone_dust', `strong_${each}`]))
])

/** Ingredients that change the bottle. @type {Record<string, [string, string]>} */
const BOTTLES = nameTable({ gunpowder: ['potion', 'splash_potion'],
  dragon_breath: ['splash_potion', 'lingering_potion'] })

/** @typedef {[string, number, number]} Effect name, amplifier, ticks */

/**
 * Effects of each potion: plain, long and strong.
 *
 * @type {Record<string, [Effect[], (Effect[] | null)?, (Effect[] | null)?]>}
 */
const EFFECTS = nameTable({
  night_vision: [[['night_vision', 0, 3600]], [['night_vision', 0, 9600]]],
  invisibility: [[['invisibility', 0, 3600]], [['invisibility', 0, 9600]]],
  leaping: [[['jump_boost', 0, 3600]], [['jump_boost', 0, 9600]], [['jump_boost', 1, 1800]]],
  fire_resistance: [[['fire_resistance', 0, 3600]], [['fire_resistance', 0, 9600]]],
  swiftness: [[['speed', 0, 3600]], [['speed', 0, 9600]], [['speed', 1, 1800]]],
  slowness: [[['slowness', 0, 1800]], [['slowness', 0, 4800]], [['slowness', 3, 400]]],
  turtle_master: [[['slowness', 3, 400], ['resistance', 2, 400]], [['slowness', 3, 800], ['resistance', 2, 800]],
    [['slowness', 5, 400], ['resistance', 3, 400]]],
    water_breathing: [[['water_breathing', 0, 3600]], [['water_breathing', 0, 9600]]],
  healing: [[['instant_health', 0, 1]], null, [['instant_health', 1, 1]]],
  harming: [[['instant_damage', 0, 1]], null, [['instant_damage', 1, 1]]],
  poison: [[['poison', 0, 900]], [['poison', 0, 1800]], [['poison', 1, 432]]],
  regeneration: [[['regeneration', 0, 900]], [['regeneration', 0, 1800]], [['regeneration', 1, 450]]],
  strength: [[['strength', 0, 3600]], [['strength', 0, 9600]], [['strength', 1, 1800]]],
  weakness: [[['weakness', 0, 1800]], [['weakness', 0, 4800]]],
  slow_falling: [[['slow_falling', 0, 1800]], [['slow_falling', 0, 4800]]]
})

/** @typedef {import('../../types').Item} Item */

/** Return the potion in a bottle, or "". @param {Item} item */
function potionOf (item) {
  return /(^|_)potion$/.test(item.name)
    ? String(dataOf(item).Potion?.value ?? 'empty').replace(/^minecraft:/, '') : ''
}

/** @param {import('../../stacks').Stacks} stacks @param {string} potion @param {string} [bottle] @returns {Item} */
function bottled (stacks, potion, bottle = 'potion') {
  return stacks.make(bottle, 1,
    { type: 'compound', name: '', value: { Potion: { type: 'string', value: `minecraft:${potion}` } } })
}

/**
 * Return the bottle that an ingredient makes of another, or null.
 *
 * @param {import('../../stacks').Stacks} stacks
 * @param {Item} bottle
 * @param {Item} ingredient
 * @returns {Item | null}
 */
function brewed (stacks, bottle, ingredient) {
  const potion = potionOf(bottle)
  if (!potion) return null
  const turn = BOTTLES[ingredient.name]
  if (turn) return bottle.name === turn[0] && potion !== 'empty' ? bottled(stacks, potion, turn[1]) : null
  const mix = MIXES.find(([from, by]) => from === potion && by === ingredient.name)
  return mix ? bottled(stacks, mix[2], bottle.name) : null
}

/** @param {string} name of an item @returns {boolean} true if it is an ingredient of any potion */
function isIngredient (name) { return name in BOTTLES || MIXES.some(([, by]) => by === name) }

/** @param {string} potion e.g. "strong_healing" @returns {Effect[]} */
function effectsOf (potion) {
  const [, kind, base] = /** @type {RegExpExecArray} */ (/^(long_|strong_)?(.*)$/.exec(potion))
  const [plain, long, strong] = EFFECTS[base] ?? [[]]
  return (kind === 'long_' ? long : kind === 'strong_' ? strong : plain) ?? []
}

module.exports = { MIXES, BOTTLES, potionOf, bottled, brewed, isIngredient, effectsOf }
