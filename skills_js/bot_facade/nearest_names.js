/** Suggestions for wrong names ("did you mean"): the nearest legal names, by meaning first, then by spelling. */
'use strict'

/**
 * Names of other versions and games and everyday words -> legal names, best first.
 * @type {Readonly<Record<string, readonly string[]>>}
 */
const MEANINGS = Object.freeze({
  grass: ['short_grass', 'grass_block'],
  tallgrass: ['short_grass', 'tall_grass'],
  grass_path: ['dirt_path'],
  wood: ['oak_log', 'birch_log', 'spruce_log'],
  log: ['oak_log', 'birch_log', 'spruce_log'],
  logs: ['oak_log', 'birch_log', 'spruce_log'],
  tree: ['oak_log', 'birch_log', 'spruce_log'],
  planks: ['oak_planks', 'birch_planks', 'spruce_planks'],
  wooden_planks: ['oak_planks', 'birch_planks', 'spruce_planks'],
  leaves: ['oak_leaves', 'birch_leaves', 'spruce_leaves'],
  sapling: ['oak_sapling', 'birch_sapling', 'spruce_sapling'],
  fence: ['oak_fence', 'birch_fence', 'spruce_fence'],
  fence_gate: ['oak_fence_gate', 'birch_fence_gate', 'spruce_fence_gate'],
  door: ['oak_door', 'iron_door', 'birch_door'],
  wooden_door: ['oak_door', 'birch_door', 'spruce_door'],
  trapdoor: ['oak_trapdoor', 'iron_trapdoor', 'birch_trapdoor'],
  sign: ['oak_sign', 'birch_sign', 'spruce_sign'],
  boat: ['oak_boat', 'birch_boat', 'spruce_boat'],
  bed: ['white_bed', 'red_bed'],
  wool: ['white_wool', 'black_wool'],
  carpet: ['white_carpet', 'red_carpet'],
  workbench: ['crafting_table'],
  craftingtable: ['crafting_table'],
  cobble: ['cobblestone'],
  rock: ['stone', 'cobblestone'],
  reeds: ['sugar_cane'],
  sugarcane: ['sugar_cane'],
  iron: ['raw_iron', 'iron_ingot', 'iron_ore'],
  gold: ['raw_gold', 'gold_ingot', 'gold_ore'],
  copper: ['raw_copper', 'copper_ingot', 'copper_ore'],
  lapis: ['lapis_lazuli', 'lapis_ore'],
  redstone_dust: ['redstone'],
  steak: ['cooked_beef', 'beef'],
  meat: ['cooked_beef', 'cooked_porkchop', 'cooked_chicken'],
  raw_beef: ['beef'],
  raw_porkchop: ['porkchop'],
  raw_chicken: ['chicken'],
  raw_mutton: ['mutton'],
  raw_rabbit: ['rabbit'],
  raw_cod: ['cod'],
  raw_fish: ['cod', 'salmon'],
  fish: ['cod', 'salmon'],
  wheat_crop: ['wheat'],
  carrot_crop: ['carrots'],
  potato_crop: ['potatoes'],
  zombie_pigman: ['zombified_piglin'],
  pigman: ['zombified_piglin'],
  zombie_pigmen: ['zombified_piglin'],
  snowman: ['snow_golem'],
  golem: ['iron_golem', 'snow_golem'],
  mooshroom_cow: ['mooshroom'],
  dragon: ['ender_dragon'],
  person: ['villager', 'player']
})

/**
 * Return the edit distance, with an early end, since one wrong name is compared with about a thousand.
 * @param {string} a
 * @param {string} b
 * @param {number} most - give up beyond this distance
 * @returns {number} the distance, or most + 1
 */
function distance (a, b, most) {
  if (Math.abs(a.length - b.length) > most) return most + 1
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1))
    }
    if (Math.min(...next) > most) return most + 1
    row = next
  }
  return row[b.length]
}

/**
 * @param {string} name - the wrong name
 * @param {readonly string[]} legal
 * @param {number} [count]
 * @returns {string[]} the nearest legal names, best first; ties in the order of `legal`
 */
function nearestNames (name, legal, count = 3) {
  const wanted = name.toLowerCase().replace(/[^a-z0-9]+/g, '_')
  const meant = Object.hasOwn(MEANINGS, wanted) ? MEANINGS[wanted].filter((candidate) => legal.includes(candidate)) : []
  const scored = legal.filter((candidate) => !meant.includes(candidate)).map((candidate) => {
    const plain = candidate.toLowerCase()
    const shared = plain.includes(wanted) || wanted.includes(plain)
      ? Math.abs(plain.length - wanted.length) / 8
      : Infinity
    return { candidate, score: Math.min(shared, distance(wanted, plain, 6)) }
  })
  return [...meant, ...scored.sort((a, b) => a.score - b.score).map((entry) => entry.candidate)].slice(0, count)
}

/**
 * @param {string} name - the wrong name
 * @param {readonly string[]} legal
 * @returns {string | null} the one that was surely meant: at most a third of the letters differ
 */
function surelyMeant (name, legal) {
  const most = Math.max(1, Math.floor(name.length / 3))
  const plain = name.toLowerCase()
  const [nearest] = legal.map((candidate) => ({ candidate, score: distance(plain, candidate.toLowerCase(), most) }))
    .sort((a, b) => a.score - b.score)
  return nearest !== undefined && nearest.score <= most ? nearest.candidate : null
}

module.exports = { MEANINGS, nearestNames, surelyMeant }
