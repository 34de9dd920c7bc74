'use strict'
/**
 * Kinds of animals, villagers and monsters: health, speed, damage, food and drops of 1.20.4 (wiki, each mob's page).
 */
const { nameTable } = require('../../name_table')

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
 * @property {boolean} [dry] water and rain hurt it
 * @property {number} [sight] blocks from which it sees its prey
 * @property {number} [armour]
 * @property {[string, number, number][]} drops item, least and most
 * @property {number} experience
 * @property {Record<string, string>} [cooked] what a burning one drops instead
 * @property {readonly string[]} [food] what it follows, breeds by and grows up by
 * @property {readonly string[]} [tamed] what tames it, one time in three
 * @property {boolean} [flies] it keeps its height, and goes straight where it wants to
 * @property {boolean} [swims] it is at home in water, and goes straight there
 * @property {'water' | 'both'} [breathes] where, when not in air alone
 * @property {boolean} [fireproof]
 * @property {number} [size] of slimes, as their hitbox has it
 */

const SEEDS = Object.freeze(['wheat_seeds', 'melon_seeds', 'pumpkin_seeds', 'beetroot_seeds', 'torchflower_seeds',
  'pitcher_pod'])
const MEAT = Object.freeze(['beef', 'cooked_beef', 'chicken', 'cooked_chicken', 'mutton', 'cooked_mutton', 'porkchop',
  'cooked_porkchop', 'rabbit', 'cooked_rabbit', 'rotten_flesh'])
const WHEAT = Object.freeze(['wheat'])
const FISH = Object.freeze(['cod', 'salmon'])

/** @type {Record<string, Kind>} */
const KINDS = nameTable({
  pig: { is: 'animal', health: 10, speed: 0.25, food: ['carrot', 'potato', 'beetroot'], drops: [['porkchop', 1, 3]],
    experience: 3, cooked: { porkchop: 'cooked_porkchop' } },
  cow: { is: 'animal', health: 10, speed: 0.2, food: WHEAT, drops: [['leather', 0, 2], ['beef', 1, 3]], experience: 3,
    cooked: { beef: 'cooked_beef' } },
  sheep: { is: 'animal', health: 8, speed: 0.23, food: WHEAT, drops: [['white_wool', 1, 1], ['mutton', 1, 2]],
    experience: 3, cooked: { mutton: 'cooked_mutton' } },
  chicken: { is: 'animal', health: 4, speed: 0.25, food: SEEDS, drops: [['feather', 0, 2], ['chicken', 1, 1]],
    experience: 3, cooked: { chicken: 'cooked_chicken' } },
  rabbit: { is: 'animal', health: 3, speed: 0.3, food: ['carrot', 'golden_carrot', 'dandelion'],
    drops: [['rabbit_hide', 0, 1], ['rabbit', 0, 1]], experience: 3, cooked: { rabbit: 'cooked_rabbit' } },
  mooshroom: { is: 'animal', health: 10, speed: 0.2, food: WHEAT, drops: [['leather', 0, 2], ['beef', 1, 3]],
    experience: 3, cooked: { beef: 'cooked_beef' } },
  goat: { is: 'animal', health: 10, speed: 0.2, food: WHEAT, drops: [], experience: 3 },
  cat: { is: 'animal', health: 10, speed: 0.3, food: FISH, tamed: FISH, drops: [['string', 0, 2]], experience: 3 },
  wolf: { is: 'animal', health: 8, speed: 0.3, damage: 4, food: MEAT, tamed: ['bone'], drops: [], experience: 3 },
  horse: { health: 22, speed: 0.225, drops: [['leather', 0, 2]], experience: 3 },
  villager: { is: 'villager', health: 20, speed: 0.25, drops: [], experience: 0 },
  iron_golem: { health: 100, speed: 0.25, drops: [['iron_ingot', 3, 5], ['poppy', 0, 2]], experience: 0 },
  zombie: { is: 'monster', health: 20, speed: 0.23, damage: 3, sight: 35, burns: true, armour: 2,
    drops: [['rotten_flesh', 0, 2]], experience: 5 },
  husk: { is: 'monster', health: 20, speed: 0.23, damage: 3, sight: 35, armour: 2, drops: [['rotten_flesh', 0, 2]],
    experience: 5 },
  skeleton: { is: 'monster', health: 20, speed: 0.25, damage: 2, shoots: true, burns: true,
    drops: [['arrow', 0, 2], ['bone', 0, 2]], experience: 5 },
  stray: { is: 'monster', health: 20, speed: 0.25, damage: 2, shoots: true, burns: true,
    drops: [['arrow', 0, 2], ['bone', 0, 2]], experience: 5 },
  spider: { is: 'monster', health: 16, speed: 0.3, damage: 2, drops: [['string', 0, 2], ['spider_eye', 0, 1]],
    experience: 5 },
  creeper: { is: 'monster', health: 20, speed: 0.25, explodes: true, drops: [['gunpowder', 0, 2]], experience: 5 },
  enderman: { is: 'monster', health: 40, speed: 0.3, damage: 7, calm: true, dry: true, drops: [['ender_pearl', 0, 1]],
    experience: 5 },
  witch: { is: 'monster', health: 26, speed: 0.25,
    drops: [['glowstone_dust', 0, 2], ['redstone', 0, 2], ['stick', 0, 2]], experience: 5 },
  slime: { is: 'monster', health: 4, size: 4, speed: 0.2, damage: 2, drops: [['slime_ball', 0, 2]], experience: 1 },
  zombified_piglin: { is: 'monster', fireproof: true, health: 20, speed: 0.23, damage: 8, calm: true,
    drops: [['rotten_flesh', 0, 1], ['gold_nugget', 0, 1]], experience: 5 },
  blaze: { is: 'monster', fireproof: true, health: 20, speed: 0.23, damage: 6, sight: 48, dry: true,
    drops: [['blaze_rod', 0, 1]], experience: 10 },
  wither_skeleton: { is: 'monster', fireproof: true, health: 20, speed: 0.25, damage: 8,
    drops: [['coal', 0, 1], ['bone', 0, 2]], experience: 5 },
  magma_cube: { is: 'monster', health: 16, size: 4, fireproof: true, speed: 0.2, damage: 6,
    drops: [['magma_cream', 0, 1]], experience: 4 },
  piglin: { is: 'monster', health: 16, speed: 0.35, damage: 5, drops: [], experience: 5 },
  hoglin: { is: 'monster', health: 40, speed: 0.3, damage: 6, drops: [['porkchop', 2, 4], ['leather', 0, 1]],
    experience: 5, cooked: { porkchop: 'cooked_porkchop' } },
  ghast: { is: 'monster', fireproof: true, health: 10, speed: 0.1, damage: 6,
    drops: [['ghast_tear', 0, 1], ['gunpowder', 0, 2]], experience: 5 },
  strider: { fireproof: true, health: 20, speed: 0.175, drops: [['string', 2, 5]], experience: 2 },
  armor_stand: { health: 20, speed: 0, drops: [['armor_stand', 1, 1]], experience: 0 }
})

/** Animals that breed, or at least flee. @type {Record<string, Kind>} */
const ANIMALS = {
  axolotl: { is: 'animal', swims: true, breathes: 'both', health: 14, speed: 1, damage: 2,
    food: ['tropical_fish_bucket'], drops: [], experience: 3 },
  bee: { is: 'animal', flies: true, health: 10, speed: 0.3, damage: 2,
    food: ['dandelion', 'poppy', 'cornflower', 'oxeye_daisy', 'allium', 'azure_bluet', 'blue_orchid',
    'lily_of_the_valley', 'sunflower', 'lilac', 'rose_bush', 'peony', 'red_tulip', 'orange_tulip', 'white_tulip',
    'pink_tulip', 'wither_rose', 'torchflower'], drops: [], experience: 3 },
  camel: { is: 'animal', health: 32, speed: 0.09, food: ['cactus'], drops: [], experience: 3 },
  donkey: { is: 'animal', health: 22, speed: 0.175, food: ['golden_carrot', 'golden_apple'], drops: [['leather', 0, 2]],
    experience: 3 },
  fox: { is: 'animal', health: 10, speed: 0.3, damage: 2, food: ['sweet_berries', 'glow_berries'], drops: [],
    experience: 3 },
  frog: { is: 'animal', health: 10, speed: 1, breathes: 'both', food: ['slime_ball'], drops: [], experience: 3 },
  llama: { is: 'animal', health: 22, speed: 0.175, food: ['hay_block'], drops: [['leather', 0, 2]], experience: 3 },
  mule: { is: 'animal', health: 22, speed: 0.175, drops: [['leather', 0, 2]], experience: 3 },
  ocelot: { is: 'animal', health: 10, speed: 0.3, damage: 3, food: FISH, drops: [], experience: 3 },
  panda: { is: 'animal', health: 20, speed: 0.15, damage: 6, food: ['bamboo'], drops: [['bamboo', 1, 1]],
    experience: 3 },
  parrot: { is: 'animal', flies: true, health: 6, speed: 0.2, drops: [['feather', 1, 2]], experience: 3 },
  polar_bear: { is: 'animal', health: 30, speed: 0.25, damage: 6, drops: [['cod', 0, 2]], experience: 3,
    cooked: { cod: 'cooked_cod' } },
  sniffer: { is: 'animal', health: 14, speed: 0.1, food: ['torchflower_seeds'], drops: [], experience: 3 },
  trader_llama: { is: 'animal', health: 22, speed: 0.175, food: ['hay_block'], drops: [['leather', 0, 2]],
    experience: 3 },
  turtle: { is: 'animal', health: 30, speed: 0.25, breathes: 'both', food: ['seagrass'], drops: [['seagrass', 0, 2]],
    experience: 3 }
}

/** Harmless mobs. @type {Record<string, Kind>} */
const PEACEFUL = {
  allay: { flies: true, health: 20, speed: 0.1, drops: [], experience: 0 },
  bat: { flies: true, health: 6, speed: 0.3, drops: [], experience: 0 },
  cod: { swims: true, breathes: 'water', health: 3, speed: 0.7, drops: [['cod', 1, 1]], experience: 3,
    cooked: { cod: 'cooked_cod' } },
  dolphin: { swims: true, breathes: 'both', health: 10, speed: 1.2, drops: [['cod', 0, 1]], experience: 3,
    cooked: { cod: 'cooked_cod' } },
  glow_squid: { swims: true, breathes: 'water', health: 10, speed: 0.7, drops: [['glow_ink_sac', 1, 3]],
    experience: 3 },
  pufferfish: { swims: true, breathes: 'water', health: 3, speed: 0.7, drops: [['pufferfish', 1, 1]], experience: 3 },
  salmon: { swims: true, breathes: 'water', health: 3, speed: 0.7, drops: [['salmon', 1, 1]], experience: 3,
    cooked: { salmon: 'cooked_salmon' } },
  skeleton_horse: { breathes: 'both', health: 15, speed: 0.2, drops: [['bone', 0, 2]], experience: 3 },
  snow_golem: { health: 4, speed: 0.2, drops: [['snowball', 0, 15]], experience: 0 },
  squid: { swims: true, breathes: 'water', health: 10, speed: 0.7, drops: [['ink_sac', 1, 3]], experience: 3 },
  tadpole: { swims: true, breathes: 'water', health: 6, speed: 1, drops: [], experience: 0 },
  tropical_fish: { swims: true, breathes: 'water', health: 3, speed: 0.7, drops: [['tropical_fish', 1, 1]],
    experience: 3 },
  wandering_trader: { health: 20, speed: 0.25, drops: [], experience: 0 },
  zombie_horse: { breathes: 'both', health: 15, speed: 0.2, drops: [['rotten_flesh', 0, 2]], experience: 3 }
}

/** Monsters. Bosses, giants and shulkers do not move. @type {Record<string, Kind>} */
const HOSTILE = {
  breeze: { is: 'monster', health: 30, speed: 0.4, damage: 3, drops: [], experience: 10 },
  cave_spider: { is: 'monster', health: 12, speed: 0.3, damage: 2, drops: [['string', 0, 2], ['spider_eye', 0, 1]],
    experience: 5 },
  drowned: { is: 'monster', health: 20, speed: 0.23, damage: 3, sight: 35, burns: true, breathes: 'both', armour: 2,
    drops: [['rotten_flesh', 0, 2]], experience: 5 },
  elder_guardian: { is: 'monster', swims: true, breathes: 'both', health: 80, speed: 0.3, damage: 8,
    drops: [['prismarine_shard', 0, 2], ['wet_sponge', 1, 1]], experience: 10 },
  ender_dragon: { flies: true, fireproof: true, health: 200, speed: 0, drops: [], experience: 500 },
  endermite: { is: 'monster', health: 8, speed: 0.25, damage: 2, drops: [], experience: 3 },
  evoker: { is: 'monster', health: 24, speed: 0.5, calm: true, drops: [['totem_of_undying', 1, 1], ['emerald', 0, 1]],
    experience: 10 },
  giant: { is: 'monster', health: 100, speed: 0, damage: 50, drops: [], experience: 5 },
  guardian: { is: 'monster', swims: true, breathes: 'both', health: 30, speed: 0.5, damage: 6,
    drops: [['prismarine_shard', 0, 2]], experience: 10 },
  illusioner: { is: 'monster', health: 32, speed: 0.5, damage: 2, shoots: true, drops: [], experience: 5 },
  phantom: { is: 'monster', flies: true, burns: true, health: 20, speed: 0.7, damage: 6, sight: 64,
    drops: [['phantom_membrane', 0, 1]], experience: 5 },
  piglin_brute: { is: 'monster', health: 50, speed: 0.35, damage: 13, drops: [], experience: 20 },
  pillager: { is: 'monster', health: 24, speed: 0.35, damage: 4, shoots: true, drops: [['arrow', 0, 2]],
    experience: 5 },
  ravager: { is: 'monster', health: 100, speed: 0.3, damage: 12, drops: [['saddle', 1, 1]], experience: 20 },
  shulker: { is: 'monster', fireproof: true, health: 30, speed: 0, armour: 20, drops: [['shulker_shell', 0, 1]],
    experience: 5 },
  silverfish: { is: 'monster', health: 8, speed: 0.25, damage: 1, drops: [], experience: 5 },
  vex: { is: 'monster', flies: true, fireproof: true, health: 14, speed: 0.3, damage: 9, drops: [], experience: 3 },
  vindicator: { is: 'monster', health: 24, speed: 0.35, damage: 13, drops: [['emerald', 0, 1]], experience: 5 },
  warden: { is: 'monster', fireproof: true, health: 500, speed: 0.3, damage: 30, drops: [['sculk_catalyst', 1, 1]],
    experience: 5 },
  wither: { is: 'monster', flies: true, fireproof: true, health: 300, speed: 0, armour: 4,
    drops: [['nether_star', 1, 1]], experience: 50 },
  zoglin: { is: 'monster', fireproof: true, health: 40, speed: 0.3, damage: 6, drops: [['rotten_flesh', 1, 3]],
    experience: 5 },
  zombie_villager: { is: 'monster', health: 20, speed: 0.23, damage: 3, sight: 35, burns: true, armour: 2,
    drops: [['rotten_flesh', 0, 2]], experience: 5 }
}
Object.assign(KINDS, ANIMALS, PEACEFUL, HOSTILE)

module.exports = { KINDS }
