'use strict'
/**
 * Offers of villagers by profession (minecraft.wiki, "Trading", Java Edition 1.20.4). A line is an offer: the price,
 * ">", the result, then the uses before restocking and the villager's experience. "e3" is three emeralds. A name in
 * braces stands for several, one of which is drawn. "^" before the result: enchanted as by level 5 to 19, which is
 * added to the price.
 */
const { nameTable } = require('../../../name_table')

const COLOURS =
  'white,orange,magenta,light_blue,yellow,lime,pink,gray,light_gray,cyan,purple,blue,brown,green,red,black'

/** Five levels of offers by profession. @type {Record<string, string[][]>} */
const OFFERS = nameTable({
  farmer: [['wheat 20>e 16 2', 'potato 26>e 16 2', 'carrot 22>e 16 2', 'beetroot 15>e 16 2', 'e>bread 6 16 1'],
    ['pumpkin 6>e 12 10', 'e>pumpkin_pie 4 12 5', 'e>apple 4 16 5'],
    ['e3>cookie 18 12 10', 'melon 4>e 12 20'], ['e>cake 1 12 15', 'e>suspicious_stew 1 12 15'],
    ['e3>golden_carrot 3 12 30', 'e4>glistering_melon_slice 3 12 30']],
  fisherman: [['string 20>e 16 2', 'coal 10>e 16 2', 'e+cod 6>cooked_cod 6 16 1', 'e3>cod_bucket 1 16 1'],
    ['cod 15>e 16 10', 'e+salmon 6>cooked_salmon 6 16 5', 'e2>campfire 1 12 5'],
    ['salmon 13>e 16 20', 'e3>^fishing_rod 1 3 10'], ['tropical_fish 6>e 12 30'],
    ['pufferfish 4>e 12 30', '{oak,spruce,jungle,acacia,dark_oak}_boat 1>e 12 30']],
  shepherd: [['white_wool 18>e 16 2', 'brown_wool 18>e 16 2', 'black_wool 18>e 16 2', 'gray_wool 18>e 16 2',
    'e2>shears 1 12 1'],
    ['{white,gray,black,light_blue,lime}_dye 12>e 16 10', `e>{${COLOURS}}_wool 1 16 5`, `e>{${COLOURS}}_carpet 4 16 5`],
    ['{yellow,light_gray,orange,red,pink}_dye 12>e 16 20', `e3>{${COLOURS}}_bed 1 12 10`],
    ['{brown,purple,blue,green,magenta,cyan}_dye 12>e 16 30', `e3>{${COLOURS}}_banner 1 12 15`],
    ['e2>painting 3 12 30']],
  fletcher: [['stick 32>e 16 2', 'e>arrow 16 12 1', 'e+gravel 10>flint 10 12 1'], ['flint 26>e 12 10', 'e2>bow 1 12 5'],
    ['string 14>e 16 20', 'e3>crossbow 1 12 10'],
    ['feather 24>e 16 30', 'e2>^bow 1 3 15'],
    ['tripwire_hook 8>e 12 30', 'e3>^crossbow 1 3 15', 'e2+arrow 5>tipped_arrow 5 12 30']],
  librarian: [['paper 24>e 16 2', 'book', 'e9>bookshelf 1 12 1'], ['book 4>e 12 10', 'book', 'e>lantern 1 12 5'],
    ['ink_sac 5>e 12 20', 'book', 'e>glass 4 12 10'],
    ['writable_book 2>e 12 30', 'book', 'e5>clock 1 12 15', 'e4>compass 1 12 15'], ['e20>name_tag 1 12 30']],
  cartographer: [['paper 24>e 16 2', 'e7>map 1 12 1'], ['glass_pane 11>e 16 10'], ['compass 1>e 12 20'],
    ['e7>item_frame 1 12 15', `e3>{${COLOURS}}_banner 1 12 15`], ['e8>globe_banner_pattern 1 12 30']],
  cleric: [['rotten_flesh 32>e 16 2', 'e>redstone 2 12 1'], ['gold_ingot 3>e 12 10', 'e>lapis_lazuli 1 12 5'],
    ['rabbit_foot 2>e 12 20', 'e4>glowstone 1 12 10'],
    ['scute 4>e 12 30', 'glass_bottle 9>e 12 30', 'e5>ender_pearl 1 12 15'],
    ['nether_wart 22>e 12 30', 'e3>experience_bottle 1 12 30']],
  armorer: [['coal 15>e 16 2', 'e7>iron_leggings 1 12 1', 'e4>iron_boots 1 12 1', 'e5>iron_helmet 1 12 1',
    'e9>iron_chestplate 1 12 1'],
    ['iron_ingot 4>e 12 10', 'e36>bell 1 12 5', 'e3>chainmail_leggings 1 12 5', 'e>chainmail_boots 1 12 5'],
    ['lava_bucket 1>e 12 20', 'diamond 1>e 12 20', 'e>chainmail_helmet 1 12 10', 'e4>chainmail_chestplate 1 12 10',
      'e5>shield 1 12 10'], ['e14>^diamond_leggings 1 3 15', 'e8>^diamond_boots 1 3 15'],
      ['e8>^diamond_helmet 1 3 30', 'e16>^diamond_chestplate 1 3 30']],
  weaponsmith: [['coal 15>e 16 2', 'e3>iron_axe 1 12 1', 'e2>^iron_sword 1 3 1'],
    ['iron_ingot 4>e 12 10', 'e36>bell 1 12 5'], ['flint 24>e 12 20'], ['diamond 1>e 12 30', 'e12>^diamond_axe 1 3 15'],
    ['e8>^diamond_sword 1 3 30']],
  toolsmith: [['coal 15>e 16 2', 'e>stone_axe 1 12 1', 'e>stone_shovel 1 12 1', 'e>stone_pickaxe 1 12 1',
    'e>stone_hoe 1 12 1'], ['iron_ingot 4>e 12 10', 'e36>bell 1 12 5'],
    ['flint 30>e 12 20', 'e>^iron_axe 1 3 10', 'e2>^iron_shovel 1 3 10', 'e3>^iron_pickaxe 1 3 10',
      'e4>diamond_hoe 1 3 10'], ['diamond 1>e 12 30', 'e12>^diamond_axe 1 3 15', 'e5>^diamond_shovel 1 3 15'],
      ['e13>^diamond_pickaxe 1 3 30']],
  butcher: [['chicken 14>e 16 2', 'porkchop 7>e 16 2', 'rabbit 4>e 16 2', 'e>rabbit_stew 1 12 1'],
    ['coal 15>e 16 2', 'e>cooked_porkchop 5 16 5', 'e>cooked_chicken 8 16 5'], ['mutton 7>e 16 20', 'beef 10>e 16 20'],
    ['dried_kelp_block 10>e 12 30'], ['sweet_berries 10>e 12 30']],
  leatherworker: [['leather 6>e 16 2', 'e3>leather_leggings 1 12 1', 'e7>leather_chestplate 1 12 1'],
    ['flint 26>e 12 10', 'e5>leather_helmet 1 12 5', 'e4>leather_boots 1 12 5'],
    ['rabbit_hide 9>e 12 20', 'e7>leather_chestplate 1 12 10'],
    ['scute 4>e 12 30', 'e6>leather_horse_armor 1 12 15'], ['e6>saddle 1 12 30', 'e5>leather_helmet 1 12 30']],
  mason: [['clay_ball 10>e 16 2', 'e>brick 10 16 1'], ['stone 20>e 16 10', 'e>chiseled_stone_bricks 4 16 5'],
    ['granite 16>e 16 20', 'andesite 16>e 16 20', 'diorite 16>e 16 20', 'e>dripstone_block 4 16 10',
      'e>polished_andesite 4 16 10', 'e>polished_diorite 4 16 10', 'e>polished_granite 4 16 10'],
    ['quartz 12>e 12 30', `e>{${COLOURS}}_terracotta 1 12 15`, `e>{${COLOURS}}_glazed_terracotta 1 12 15`],
    ['e>quartz_pillar 1 12 30', 'e>quartz_block 1 12 30']]
})

/** Profession by workplace. @type {Record<string, string>} */
const WORKPLACES = nameTable({
  composter: 'farmer', barrel: 'fisherman', loom: 'shepherd',
  fletching_table: 'fletcher', lectern: 'librarian', cartography_table: 'cartographer', brewing_stand: 'cleric',
  blast_furnace: 'armorer', grindstone: 'weaponsmith', smithing_table: 'toolsmith', smoker: 'butcher',
  cauldron: 'leatherworker', stonecutter: 'mason'
})

/**
 * @typedef {{ names: string[], count: number }} Goods one of these names
 * @typedef {{ wants: Goods, also: Goods | null, gives: Goods, enchanted: boolean, uses: number, experience: number }}
 *   Line
 */

/** @param {string} text e.g. "e3", "wheat 20", "{red,blue}_bed 1" @returns {Goods} */
function goods (text) {
  const emeralds = /^e(\d*)$/.exec(text)
  if (emeralds) return { names: ['emerald'], count: Number(emeralds[1] || 1) }
  const [name, count = '1'] = text.split(' ')
  const many = /^\{(.*)\}(.*)$/.exec(name)
  return { names: many ? many[1].split(',').map((each) => each + many[2]) : [name], count: Number(count) }
}

/** @param {string} line of OFFERS except "book" @returns {Line} */
function parse (line) {
  const [, price, result, uses, experience] = /** @type {RegExpExecArray} */ (/^(.*)>(.*) (\d+) (\d+)$/.exec(line))
  const [wants, also] = price.split('+')
  return { wants: goods(wants), also: also ? goods(also) : null, gives: goods(result.replace('^', '')),
    enchanted: result.startsWith('^'), uses: Number(uses), experience: Number(experience) }
}

module.exports = { OFFERS, WORKPLACES, parse }
