'use strict'
/** What each kind of animal, villager and monster is: health, speed, damage, food and drops of 1.20.4 (wiki, each mob's page). */

/**
 * @typedef {object} Kind
 * @property {number} health
 * @property {number} speed vanilla's movement speed attribute
 * @property {'animal' | 'monster' | 'villager' | 'other'} [is] what it does of itself; 'other' wanders
 * @property {number} [damage] of a blow on normal difficulty
 * @property {boolean} [shoots]
 * @property {boolean} [explodes]
 * @property {boolean} [calm] a monster that strikes only back
 * @property {boolean} [burns] in daylight
 * @property {number} [sight] blocks from which it sees its prey
 * @property {number} [armour]
 * @property {[string, number, number][]} drops item, least and most
 * @property {number} experience
 * @property {Record<string, string>} [cooked] what a burning one drops instead
 * @property {readonly string[]} [food] what it follows, breeds by and grows up by
 * @property {readonly string[]} [tamed] what tames it, one time in three
 */

const SEEDS = Object.freeze(['wheat_seeds', 'melon_seeds', 'pumpkin_seeds', 'beetroot_seeds', 'torchflower_seeds', 'pitcher_pod'])
const MEAT = Object.freeze(['beef', 'cooked_beef', 'chicken', 'cooked_chicken', 'mutton', 'cooked_mutton', 'porkchop', 'cooked_porkchop', 'rabbit', 'cooked_rabbit', 'rotten_flesh'])
const WHEAT = Object.freeze(['wheat'])
const FISH = Object.freeze(['cod', 'salmon'])

/** @type {Record<string, Kind>} */
const KINDS = {
  __proto__: /** @type {any} */ (null),
  pig: { is: 'animal', health: 10, speed: 0.25, food: ['carrot', 'potato', 'beetroot'], drops: [['porkchop', 1, 3]], experience: 3, cooked: { porkchop: 'cooked_porkchop' } },
  cow: { is: 'animal', health: 10, speed: 0.2, food: WHEAT, drops: [['leather', 0, 2], ['beef', 1, 3]], experience: 3, cooked: { beef: 'cooked_beef' } },
  sheep: { is: 'animal', health: 8, speed: 0.23, food: WHEAT, drops: [['white_wool', 1, 1], ['mutton', 1, 2]], experience: 3, cooked: { mutton: 'cooked_mutton' } },
  chicken: { is: 'animal', health: 4, speed: 0.25, food: SEEDS, drops: [['feather', 0, 2], ['chicken', 1, 1]], experience: 3, cooked: { chicken: 'cooked_chicken' } },
  rabbit: { is: 'animal', health: 3, speed: 0.3, food: ['carrot', 'golden_carrot', 'dandelion'], drops: [['rabbit_hide', 0, 1], ['rabbit', 0, 1]], experience: 3, cooked: { rabbit: 'cooked_rabbit' } },
  mooshroom: { is: 'animal', health: 10, speed: 0.2, food: WHEAT, drops: [['leather', 0, 2], ['beef', 1, 3]], experience: 3, cooked: { beef: 'cooked_beef' } },
  goat: { is: 'animal', health: 10, speed: 0.2, food: WHEAT, drops: [], experience: 3 },
  cat: { is: 'animal', health: 10, speed: 0.3, food: FISH, tamed: FISH, drops: [['string', 0, 2]], experience: 3 },
  wolf: { is: 'animal', health: 8, speed: 0.3, damage: 4, food: MEAT, tamed: ['bone'], drops: [], experience: 3 },
  horse: { health: 22, speed: 0.225, drops: [['leather', 0, 2]], experience: 3 },
  villager: { is: 'villager', health: 20, speed: 0.25, drops: [], experience: 0 },
  iron_golem: { health: 100, speed: 0.25, drops: [['iron_ingot', 3, 5], ['poppy', 0, 2]], experience: 0 },
  zombie: { is: 'monster', health: 20, speed: 0.23, damage: 3, sight: 35, burns: true, armour: 2, drops: [['rotten_flesh', 0, 2]], experience: 5 },
  husk: { is: 'monster', health: 20, speed: 0.23, damage: 3, sight: 35, armour: 2, drops: [['rotten_flesh', 0, 2]], experience: 5 },
  skeleton: { is: 'monster', health: 20, speed: 0.25, damage: 2, shoots: true, burns: true, drops: [['arrow', 0, 2], ['bone', 0, 2]], experience: 5 },
  stray: { is: 'monster', health: 20, speed: 0.25, damage: 2, shoots: true, burns: true, drops: [['arrow', 0, 2], ['bone', 0, 2]], experience: 5 },
  spider: { is: 'monster', health: 16, speed: 0.3, damage: 2, drops: [['string', 0, 2], ['spider_eye', 0, 1]], experience: 5 },
  creeper: { is: 'monster', health: 20, speed: 0.25, explodes: true, drops: [['gunpowder', 0, 2]], experience: 5 },
  enderman: { is: 'monster', health: 40, speed: 0.3, damage: 7, calm: true, drops: [['ender_pearl', 0, 1]], experience: 5 },
  witch: { is: 'monster', health: 26, speed: 0.25, drops: [['glowstone_dust', 0, 2], ['redstone', 0, 2], ['stick', 0, 2]], experience: 5 },
  slime: { is: 'monster', health: 4, speed: 0.2, damage: 2, drops: [['slime_ball', 0, 2]], experience: 1 },
  zombified_piglin: { is: 'monster', health: 20, speed: 0.23, damage: 8, calm: true, drops: [['rotten_flesh', 0, 1], ['gold_nugget', 0, 1]], experience: 5 },
  blaze: { is: 'monster', health: 20, speed: 0.23, damage: 6, sight: 48, drops: [['blaze_rod', 0, 1]], experience: 10 },
  wither_skeleton: { is: 'monster', health: 20, speed: 0.25, damage: 8, drops: [['coal', 0, 1], ['bone', 0, 2]], experience: 5 },
  magma_cube: { is: 'monster', health: 16, speed: 0.2, damage: 6, drops: [['magma_cream', 0, 1]], experience: 4 },
  piglin: { is: 'monster', health: 16, speed: 0.35, damage: 5, drops: [], experience: 5 },
  hoglin: { is: 'monster', health: 40, speed: 0.3, damage: 6, drops: [['porkchop', 2, 4], ['leather', 0, 1]], experience: 5, cooked: { porkchop: 'cooked_porkchop' } },
  ghast: { is: 'monster', health: 10, speed: 0.1, damage: 6, drops: [['ghast_tear', 0, 1], ['gunpowder', 0, 2]], experience: 5 },
  strider: { health: 20, speed: 0.175, drops: [['string', 2, 5]], experience: 2 },
  armor_stand: { health: 20, speed: 0, drops: [['armor_stand', 1, 1]], experience: 0 }
}

module.exports = { KINDS }
