'use strict'
/** Trees of the advancements of 1.20.4 (minecraft.wiki, "Advancement"): each line is a parent and its children. */
const { nameTable } = require('../../../name_table')

/** @type {Record<string, string[]>} */
const CHILDREN = nameTable({
  'story/root': ['mine_stone'], 'story/mine_stone': ['upgrade_tools'], 'story/upgrade_tools': ['smelt_iron'],
  'story/smelt_iron': ['obtain_armor', 'lava_bucket', 'iron_tools'], 'story/obtain_armor': ['deflect_arrow'],
  'story/lava_bucket': ['form_obsidian'], 'story/form_obsidian': ['enter_the_nether'],
  'story/enter_the_nether': ['cure_zombie_villager', 'follow_ender_eye'], 'story/follow_ender_eye': ['enter_the_end'],
  'story/iron_tools': ['mine_diamond'], 'story/mine_diamond': ['shiny_gear', 'enchant_item'],
  'nether/root': ['return_to_sender', 'find_bastion', 'obtain_ancient_debris', 'fast_travel', 'find_fortress',
    'distract_piglin', 'ride_strider'], 'nether/return_to_sender': ['uneasy_alliance'],
    'nether/find_bastion': ['loot_bastion'],
  'nether/obtain_ancient_debris': ['netherite_armor', 'use_lodestone'],
  'nether/find_fortress': ['get_wither_skull', 'obtain_blaze_rod'], 'nether/get_wither_skull': ['summon_wither'],
  'nether/summon_wither': ['create_beacon'],
  'nether/create_beacon': ['create_full_beacon'], 'nether/obtain_blaze_rod': ['brew_potion'],
  'nether/brew_potion': ['all_potions'], 'nether/all_potions': ['all_effects'],
  'nether/distract_piglin': ['obtain_crying_obsidian'],
  'nether/obtain_crying_obsidian': ['charge_respawn_anchor'],
  'nether/ride_strider': ['ride_strider_in_overworld_lava', 'explore_nether'],
  'end/root': ['kill_dragon'],
  'end/kill_dragon': ['dragon_egg', 'enter_end_gateway', 'respawn_dragon', 'dragon_breath'],
  'end/enter_end_gateway': ['find_end_city'], 'end/find_end_city': ['elytra', 'levitate'],
  'adventure/root': ['voluntary_exile', 'sleep_in_bed', 'kill_a_mob', 'honey_block_slide', 'ol_betsy', 'trade',
    'spyglass_at_parrot', 'lightning_rod_with_villager_no_fire', 'fall_from_world_height',
    'trim_with_any_armor_pattern', 'read_power_from_chiseled_bookshelf', 'salvage_sherd', 'avoid_vibration'],
  'adventure/voluntary_exile': ['hero_of_the_village'],
  'adventure/sleep_in_bed': ['adventuring_time', 'walk_on_powder_snow_with_leather_boots', 'play_jukebox_in_meadows'],
  'adventure/kill_a_mob': ['shoot_arrow', 'kill_all_mobs', 'totem_of_undying', 'throw_trident',
  'kill_mob_near_sculk_catalyst'],
  'adventure/shoot_arrow': ['sniper_duel', 'bullseye'], 'adventure/throw_trident': ['very_very_frightening'],
  'adventure/ol_betsy': ['whos_the_pillager_now', 'two_birds_one_arrow', 'arbalistic'],
  'adventure/trade': ['trade_at_world_height', 'summon_iron_golem'],
  'adventure/spyglass_at_parrot': ['spyglass_at_ghast'], 'adventure/spyglass_at_ghast': ['spyglass_at_dragon'],
  'adventure/trim_with_any_armor_pattern': ['trim_with_all_exclusive_armor_patterns'],
  'adventure/salvage_sherd': ['craft_decorated_pot_using_only_sherds'],
  'husbandry/root': ['safely_harvest_honey', 'breed_an_animal', 'tame_an_animal', 'fishy_business', 'plant_seed',
    'ride_a_boat_with_a_goat', 'make_a_sign_glow', 'tadpole_in_a_bucket', 'allay_deliver_item_to_player',
    'obtain_sniffer_egg', 'silk_touch_nest'],
  'husbandry/safely_harvest_honey': ['wax_on'], 'husbandry/wax_on': ['wax_off'],
  'husbandry/breed_an_animal': ['breed_all_animals'], 'husbandry/tame_an_animal': ['complete_catalogue'],
  'husbandry/fishy_business': ['tactical_fishing'], 'husbandry/tactical_fishing': ['axolotl_in_a_bucket'],
  'husbandry/axolotl_in_a_bucket': ['kill_axolotl_target'], 'husbandry/plant_seed': ['balanced_diet', 'netherite_hoe'],
  'husbandry/tadpole_in_a_bucket': ['leash_all_frog_variants'], 'husbandry/leash_all_frog_variants': ['froglights'],
  'husbandry/allay_deliver_item_to_player': ['allay_deliver_cake_to_note_block'],
  'husbandry/obtain_sniffer_egg': ['feed_snifflet'], 'husbandry/feed_snifflet': ['plant_any_sniffer_seed']
})

/**
 * Parent of each advancement, null for a root, in the order of the trees.
 *
 * @type {ReadonlyMap<string, string | null>}
 */
const PARENTS = parentsOf()

/** @returns {Map<string, string | null>} */
function parentsOf () {
  /** @type {Map<string, string | null>} */
  const parents = new Map()
  const visit = (/** @type {string} */ name, /** @type {string | null} */ parent) => {
    parents.set(name, parent)
    const [tab] = name.split('/')
    for (const child of CHILDREN[name] ?? []) visit(`${tab}/${child}`, name)
  }
  for (const tab of ['story', 'nether', 'end', 'adventure', 'husbandry']) visit(`${tab}/root`, null)
  return parents
}

/** @param {string} name @returns {string[]} ancestors from the root down, without the advancement itself */
function above (name) {
  const found = []
  for (let parent = PARENTS.get(name) ?? null; parent !== null; parent = PARENTS.get(parent) ?? null) {
    found.unshift(parent)
  }
  return found
}

/** @param {string} name @returns {string[]} descendants, without the advancement itself */
function below (name) { return [...PARENTS.keys()].filter((other) => above(other).includes(name)) }

module.exports = { PARENTS, above, below }
