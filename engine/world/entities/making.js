'use strict'
/** Creation of mobs by name. */
const { Mob, KINDS } = require('./mobs')
const { Animal } = require('./animals')
const { Sheep, Dairy, Chicken } = require('./farm_animals')
const { Pet } = require('./pets')
const { Monster, Creeper } = require('./monsters')
const { Phantom } = require('./phantom')
const { Villager } = require('./villagers')
const { Piglin } = require('../rules/trading/bartering')
const { nameTable } = require('../../name_table')

/**
 * @typedef {new (world: import('../world').World, type: string, at: { x: number, y: number, z: number }) => Mob}
 *   MobClass
 */

/** Kinds with a class of their own. @type {Record<string, MobClass>} */
const OWN = nameTable({ sheep: Sheep, cow: Dairy, mooshroom: Dairy, goat: Dairy,
  chicken: Chicken, wolf: Pet, cat: Pet, creeper: Creeper, piglin: Piglin, phantom: Phantom })
/** @type {Record<string, MobClass>} */
const BY_WAY = { animal: Animal, monster: Monster, villager: Villager, other: Mob }

/**
 * @param {import('../world').World} world
 * @param {string} type
 * @param {{ x: number, y: number, z: number }} at
 * @returns {Mob | null} null for what this engine does not have
 */
function makeMob (world, type, at) {
  const kind = KINDS[type]
  return kind ? new (OWN[type] ?? BY_WAY[kind.is ?? 'other'])(world, type, at) : null
}

module.exports = { makeMob }
