'use strict'
/** Things that /summon makes and that are no mobs. */
const { ArmourStand } = require('../entities/armour_stand')
const { EndCrystal } = require('../entities/end_crystal')
const { Boat } = require('../entities/boat')

/** @typedef {import('../world').World} World */
/** @typedef {{ x: number, y: number, z: number }} At */

/** @type {Record<string, (world: World, at: At) => import('../entities/entity').Entity>} */
const THINGS = {
  __proto__: /** @type {any} */ (null),
  armor_stand: (world, at) => new ArmourStand(world, at),
  boat: (world, at) => new Boat(world, at, { wood: 'oak', chest: false, yaw: 0 }),
  chest_boat: (world, at) => new Boat(world, at, { wood: 'oak', chest: true, yaw: 0 }),
  end_crystal: (world, at) => new EndCrystal(world, at)
}

/** @param {World} world @param {string} type @param {At} at */
function summonThing (world, type, at) { return THINGS[type]?.(world, at) ?? null }

module.exports = { summonThing }
