'use strict'
/**
 * Composters (minecraft.wiki, "Composter"): plants fill them by chance; a full one ripens in a second and gives bone
 * meal.
 */

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */

const FULL = 7
const RIPE = 8
const RIPENS_IN = 20

/** Chances to add a layer, with the items that have them. @type {readonly (readonly [number, RegExp])[]} */
const CHANCES = Object.freeze([
  [
    0.3,
    new RegExp(
      '^((?!flowering_)\\w+_leaves|\\w+_sapling|mangrove_propagule|\\w+_seeds|dried_kelp|kelp|short_grass|' +
      'seagrass|(sweet|glow)_berries|moss_carpet|pink_petals|small_dripleaf|hanging_roots|mangrove_roots|' +
      'pitcher_pod)$')],
  [
    0.5,
    new RegExp(
      '^(dried_kelp_block|tall_grass|flowering_azalea_leaves|cactus|sugar_cane|vine|nether_sprouts|(weeping|' +
      'twisting)_vines|melon_slice|glow_lichen)$')],
  [
    0.65,
    new RegExp(
      '^(sea_pickle|lily_pad|pumpkin|carved_pumpkin|melon|apple|beetroot|carrot|cocoa_beans|potato|wheat|' +
      '(brown|red)_mushroom|mushroom_stem|(crimson|warped)_(fungus|roots)|nether_wart|shroomlight|dandelion|' +
      'poppy|blue_orchid|allium|azure_bluet|\\w+_tulip|oxeye_daisy|cornflower|lily_of_the_valley|wither_rose|' +
      'fern|large_fern|sunflower|lilac|rose_bush|peony|spore_blossom|azalea|moss_block|big_dripleaf)$')],
  [
    0.85,
    new RegExp(
      '^(hay_block|(brown|red)_mushroom_block|(nether|warped)_wart_block|flowering_azalea|bread|baked_potato|' +
      'cookie|torchflower|pitcher_plant)$')],
  [1, /^(cake|pumpkin_pie)$/]
])

/** Return the chance that an item adds a layer, or 0. @param {string} name */
function chanceOf (name) { return CHANCES.find(([, names]) => names.test(name))?.[0] ?? 0 }

/**
 * Use a composter by hand.
 *
 * @param {World} world
 * @param {import('../../player').Player} player
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {0 | 1} hand
 * @returns {boolean} true if the click was for the composter
 */
function useComposter (world, player, pos, state, hand) {
  const level = Number(state.props.level)
  const item = player.inHand(hand)
  if (level === RIPE) {
    empty(world, pos, state)
    return true
  }
  if (!item || chanceOf(item.name) === 0) return false
  if (level === FULL) return true
  compost(world, pos, state, item.name)
  world.stats.add(player, 'used', item.name)
  player.consume(hand)
  return true
}

/**
 * Put an item into a composter, which may add a layer.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {BlockState} state
 * @param {string} name of the item
 * @returns {boolean} true if it added a layer
 */
function compost (world, pos, state, name) {
  const level = Number(state.props.level)
  const grows = level === 0 || world.random.stream('composters').chance(chanceOf(name))
  if (grows) world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { level: level + 1 }))
  sound(world, pos, grows ? 'fill_success' : 'fill')
  return grows
}

/** Take the bone meal out. @param {World} world @param {Pos} pos @param {BlockState} state */
function empty (world, pos, state) {
  world.popItem(world.stacks.make('bone_meal'), { x: pos.x, y: pos.y + 1, z: pos.z })
  world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { level: 0 }))
  sound(world, pos, 'empty')
}

/**
 * Let a composter that has just become full ripen.
 *
 * @param {World} world
 * @param {Pos} pos
 * @param {import('../../data').BlockState} before
 * @param {BlockState} after
 */
function composterChanged (world, pos, before, after) {
  if (after.name !== 'composter' || Number(after.props.level) !== FULL || before === after) return
  world.later(RIPENS_IN, () => {
    const now = world.stateAt(pos.x, pos.y, pos.z)
    if (now.stateId !== after.stateId) return
    world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(now.stateId, { level: RIPE }))
    sound(world, pos, 'ready')
  })
}

/** @param {World} world @param {Pos} pos @param {string} what */
function sound (world, pos, what) {
  world.emit('sound', { name: `block.composter.${what}`, x: pos.x + 0.5, y: pos.y + 0.5, z: pos.z + 0.5 })
}

module.exports = { useComposter, compost, composterChanged, chanceOf, FULL, RIPE }
