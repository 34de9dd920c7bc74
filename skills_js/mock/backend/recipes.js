'use strict'
/**
 * Recipes of minecraft-data.
 *
 * @module skills_js/mock/backend/recipes
 */
/** @type {any} */
const loadRecipe = require('prismarine-recipe')
const { recipeData } = require('../../bot_facade/snapshots')
const { OWN_END, OWN_START } = require('./snapshots')

/** @type {WeakMap<object, any>} prismarine-recipe's class by registry: making it reads every recipe */
const classes = new WeakMap()

/** @param {any} registry @returns {any} */
function recipeClass (registry) {
  if (!classes.has(registry)) classes.set(registry, loadRecipe(registry).Recipe)
  return classes.get(registry)
}

/**
 * @param {any} registry
 * @param {number} item
 * @returns {any[]} every recipe of it; the place in this list is its index
 */
function recipesOf (registry, item) {
  return recipeClass(registry).find(item, null)
}

/**
 * @param {import('../client').Client} client
 * @param {{item: number, minCount: number, table: boolean, all: boolean}} asked `table`: a crafting table may be used;
 *   `all`: ingredients may be missing
 * @returns {any[]} recipes as data
 */
function recipes (client, { item, minCount, table, all }) {
  const counts = countsByType(client)
  return recipesOf(client.simulation.world.registry, item)
    .map((recipe, index) => ({ recipe, index }))
    .filter(({ recipe }) => (table || !recipe.requiresTable) && (all || affordable(recipe, minCount, counts)))
    .map(({ recipe, index }) => recipeData(recipe, index))
}

/** @param {any} recipe @param {number} minCount @param {Map<number, number>} counts @returns {boolean} */
function affordable (recipe, minCount, counts) {
  const times = Math.ceil(minCount / recipe.result.count)
  return recipe.delta.every((/** @type {any} */ change) => (counts.get(change.id) ?? 0) + change.count * times >= 0)
}

/** @param {import('../client').Client} client @returns {Map<number, number>} item type -> count in the inventory */
function countsByType (client) {
  /** @type {Map<number, number>} */
  const counts = new Map()
  const { slots } = client.player
  for (let slot = OWN_START; slot < OWN_END; slot++) {
    const item = slots[slot]
    if (item) counts.set(item.type, (counts.get(item.type) ?? 0) + item.count)
  }
  return counts
}

module.exports = { countsByType, recipes, recipesOf }
