'use strict'
/** Textures of blocks by their names. Colours are our own, near to those that people know from the game. */
const { nameTable } = require('../name_table')

/** @typedef {import('./textures').Paint} Paint */
/** @typedef {{ side: Paint, top?: Paint, bottom?: Paint, front?: Paint }} Material */

/** @type {Record<string, number>} */
const DYES = nameTable({ white: 0xe6eaeb, orange: 0xee7a1c, magenta: 0xba46ae, light_blue: 0x41aad6, yellow: 0xf4c52e,
  lime: 0x74b722, pink: 0xea8fab, light_gray: 0x8f8f88, gray: 0x42484b, cyan: 0x178a92, purple: 0x7b2fab,
  blue: 0x373c9c, brown: 0x744a2b, green: 0x566d20, red: 0xa22a25, black: 0x191a1f })
const DYE = Object.keys(DYES).join('|')
/** Planks, bark and leaves of each wood. @type {Record<string, [number, number, number]>} */
const WOODS = nameTable({ dark_oak: [0x4a321a, 0x3d3020, 0x3f6a24], oak: [0xa5854f, 0x6b5434, 0x4f8a34],
  spruce: [0x765433, 0x3d2b17, 0x426644], birch: [0xc3b27c, 0xdcdad2, 0x6f9a50], jungle: [0xa27553, 0x574523, 0x3c8f2c],
  acacia: [0xaa5c35, 0x6a635b, 0x7d9238], mangrove: [0x783a34, 0x56432a, 0x57803a],
  cherry: [0xe2b5af, 0x38232e, 0xeba9c8], bamboo: [0xc5af56, 0x8c9b40, 0x5d8a2c], crimson: [0x68334a, 0x5d1d22,
    0x7c1313],
  warped: [0x2e6d66, 0x3c3d52, 0x167e86] })
const WOOD = Object.keys(WOODS).join('|')
const GREEN = 0x6aa544
const LEAF = 0x4c8f35
const DIRT = 0x866043
const STONE = 0x7e7e7e
const DEEP = 0x4d4d52
const SEAM = 0x5c5c5c
const STICK = 0x8a6a3e
/** Lumps in ores. @type {Record<string, number>} */
const ORES = nameTable({ coal: 0x252525, iron: 0xd9af93, copper: 0xd07a4e, gold: 0xf6d743, redstone: 0xe01b1b,
  lapis: 0x2250c4, diamond: 0x55e6e0, emerald: 0x1fce57, quartz: 0xe8e0d6 })
/** Flowers: stalk and head. @type {Record<string, number>} */
const FLOWERS = nameTable({ dandelion: 0xf6dc3b, poppy: 0xd8332b, blue_orchid: 0x35b2e8, allium: 0xb671e0,
  azure_bluet: 0xf2f4ea, red_tulip: 0xd8402b, orange_tulip: 0xe8862b, white_tulip: 0xf0f0ea, pink_tulip: 0xf0b6dc,
  oxeye_daisy: 0xf6f6e6, cornflower: 0x4d6be8, lily_of_the_valley: 0xffffff, wither_rose: 0x22221e,
  torchflower: 0xf08a2b, sunflower: 0xf8d030, lilac: 0xd69ad8, rose_bush: 0xc8302b, peony: 0xe8b6e0,
  pitcher_plant: 0x5a86c8, spore_blossom: 0xe070b8 })
/** Crops with ages: leaves, fruit, oldest age. @type {Record<string, [number, number, number]>} */
const CROPS = nameTable({ wheat: [0x8fa03a, 0xdcbb65, 7], carrots: [0x4f9a2e, 0xe8842b, 7],
  potatoes: [0x4f9a2e, 0xc8a65a, 7], beetroots: [0x4f8a2e, 0x9a3040, 3], nether_wart: [0x8a1a20, 0xb02a2a, 3],
  torchflower_crop: [0x4f9a5e, 0xf08a2b, 2], pitcher_crop: [0x4f9a5e, 0x5a86c8, 4] })
/** @type {Record<string, number>} */
const CORALS = nameTable({ tube: 0x3058d0, brain: 0xd06098, bubble: 0xa01ca0, fire: 0xa82330, horn: 0xd8c742 })
/** Blocks of one texture. @type {Record<string, Paint>} */
const PLAIN = nameTable({
  stone: ['coarse', STONE], granite: ['mottled', 0x9a6b58, 0x855a4a], diorite: ['mottled', 0xbdbdbe, 0x8f9092],
  andesite: ['mottled', 0x878a87, 0x73766f], tuff: ['mottled', 0x6d6f66, 0x5a5d55], calcite: ['coarse', 0xdedfda],
  dripstone_block: ['coarse', 0x866b5c], pointed_dripstone: ['coarse', 0x866b5c], bedrock: ['mottled', 0x575757,
    0x2a2a2a],
  dirt: ['coarse', DIRT], coarse_dirt: ['mottled', 0x785438, 0x93704e], rooted_dirt: ['mottled', 0x906a4c, 0xa98a66],
  mud: ['fine', 0x3c3a3d], packed_mud: ['fine', 0x8e6b50], clay: ['fine', 0xa1a7b3], gravel: ['mottled', 0x85807e,
    0x6a6462],
  sand: ['fine', 0xdccfa3], red_sand: ['fine', 0xbd6521], soul_sand: ['mottled', 0x523f33, 0x3b2d25],
  soul_soil: ['coarse', 0x4c3a2f], snow: ['fine', 0xf4f9fb], snow_block: ['fine', 0xf4f9fb], powder_snow: ['fine',
    0xf6fafc],
  moss_block: ['coarse', 0x5d7030], moss_carpet: ['coarse', 0x5d7030], netherrack: ['mottled', 0x6b2a2a, 0x511b1b],
  end_stone: ['mottled', 0xdde0a5, 0xc8cb8d], obsidian: ['mottled', 0x120d1c, 0x2d1f42],
  crying_obsidian: ['mottled', 0x24103c, 0x7a24d8], cobblestone: ['cobbles', 0x868686, SEAM],
  mossy_cobblestone: ['cobbles', 0x7a8662, 0x59693f], cobbled_deepslate: ['cobbles', 0x54545a, 0x3a3a3e],
  bricks: ['bricks', 0x99574a, 0xa9a094], mud_bricks: ['bricks', 0x8b694f, 0x6d503a],
  nether_bricks: ['bricks', 0x321a1e, 0x1c0e11], red_nether_bricks: ['bricks', 0x4c0d10, 0x2b0608],
  cracked_nether_bricks: ['bricks', 0x2e181b, 0x160b0d], chiseled_nether_bricks: ['framed', 0x321a1e, 0x1c0e11],
  end_stone_bricks: ['bricks', 0xdbe0a8, 0xb4b985], prismarine_bricks: ['bricks', 0x64a99d, 0x46867c],
  prismarine: ['mottled', 0x65a194, 0x4b8377], dark_prismarine: ['tiles', 0x355d4e, 0x2c4d41],
  sea_lantern: ['panel', 0xb5cfc9], glowstone: ['mottled', 0xf0c877, 0xab8353], shroomlight: ['mottled', 0xf39c4b,
    0xd97a30],
  magma_block: ['mottled', 0x8a3f1e, 0xe9792a], sponge: ['mottled', 0xc5c14c, 0x8f8a31], wet_sponge: ['mottled',
    0xa9a63f, 0x757328],
  coal_block: ['coarse', 0x17171a], iron_block: ['pillar', 0xdcdcdc], gold_block: ['panel', 0xf6d23f],
  diamond_block: ['panel', 0x63e2da], emerald_block: ['panel', 0x2ccb59], lapis_block: ['coarse', 0x1f4390],
  redstone_block: ['panel', 0xb01a07], netherite_block: ['panel', 0x433d40], raw_iron_block: ['mottled', 0xa68869,
    0xd8b090],
  raw_copper_block: ['mottled', 0x9c6a50, 0xd58457], raw_gold_block: ['mottled', 0xdda62c, 0xf6d85a],
  amethyst_block: ['mottled', 0x8561bd, 0xa988dc], budding_amethyst: ['mottled', 0x8561bd, 0xcbb0ee],
  quartz_block: ['panel', 0xece6df], smooth_quartz: ['plain', 0xece6df], quartz_bricks: ['bricks', 0xebe5de, 0xcfc8be],
  chiseled_quartz_block: ['framed', 0xe8e2da, 0xc8c0b5], quartz_pillar: ['pillar', 0xece6df],
  purpur_block: ['tiles', 0xab7eab, 0x9d6f9d], purpur_pillar: ['pillar', 0xab80ab], bone_block: ['pillar', 0xe2dcc7],
  slime_block: ['jelly', 0x70bf5c], honey_block: ['jelly', 0xf0a530], honeycomb_block: ['tiles', 0xe59420, 0xd27f18],
  glass: ['glass', 0xdff0f4], glass_pane: ['glass', 0xdff0f4], tinted_glass: ['stained', 0x2c2530], ice: ['ice',
    0x91b6f2],
  frosted_ice: ['ice', 0x91b6f2], packed_ice: ['fine', 0x8db3f3], blue_ice: ['fine', 0x74a8f8],
  cobweb: ['web', 0xe6eaea], ladder: ['ladder', 0x7f6037], iron_bars: ['bars', 0x8a8f8f], chain: ['bars', 0x3d4453],
  spawner: ['bars', 0x2c3a48], scaffolding: ['ladder', 0xb89a56], sculk: ['mottled', 0x0d1e24, 0x1a5a66],
  sculk_catalyst: ['mottled', 0x0d1e24, 0xd8dcc8], sculk_vein: ['hanging', 0x1a5a66], sculk_sensor: ['framed',
    0x1a5a66, 0x0d1e24],
  calibrated_sculk_sensor: ['framed', 0x8561bd, 0x0d1e24], sculk_shrieker: ['framed', 0xd8dcc8, 0x0d1e24],
  reinforced_deepslate: ['framed', 0x5a5d5a, 0x8a8a78], gilded_blackstone: ['ore', 0x2b252a, 0xf0c843],
  ancient_debris: ['rings', 0x664638, 0x583c33], warped_wart_block: ['coarse', 0x167678],
    nether_wart_block: ['coarse', 0x750807],
  dried_kelp_block: ['mottled', 0x363c22, 0x262a18], target: ['framed', 0xd8d0c0, 0xc83a30], lodestone: ['framed',
    0x8f9093, 0x5f6063],
  respawn_anchor: ['mottled', 0x241038, 0x8a30e0], enchanting_table: ['framed', 0xa02828, 0x1a1324],
  beacon: ['glass', 0x8ce8e0], conduit: ['framed', 0xa8957a, 0x5f8a86], end_rod: ['plain', 0xf2ead8],
    dragon_egg: ['mottled', 0x0d0812, 0x2c1038],
  cauldron: ['panel', 0x46464a], water_cauldron: ['panel', 0x46464a], lava_cauldron: ['panel', 0x46464a],
    powder_snow_cauldron: ['panel', 0x46464a],
  hopper: ['panel', 0x4c4c50], anvil: ['fine', 0x46464a], chipped_anvil: ['fine', 0x46464a], damaged_anvil: ['fine',
    0x46464a],
  brewing_stand: ['fine', 0x8a7a50], bell: ['fine', 0xf0c83c], lantern: ['framed', 0xffd27a, 0x3d4453],
    soul_lantern: ['framed', 0x7ae8ea, 0x3d4453],
  redstone_wire: ['dust', 0xc81010], tripwire: ['dust', 0xc8c8c8], rail: ['rail', 0x79603a, 0x9a9a9a],
    powered_rail: ['rail', 0x8a5a3a, 0xf0c83c],
  detector_rail: ['rail', 0x79603a, 0xa04040], activator_rail: ['rail', 0x79603a, 0x802020], lever: ['plain', STICK],
  lily_pad: ['pad', 0x2f7a2c], frogspawn: ['petals', 0x6a5e52, 0x2c2620], pink_petals: ['petals', 0xf2b8dc, 0x5f9a3a],
  vine: ['hanging', 0x3f7a28], glow_lichen: ['hanging', 0x7a9a88], hanging_roots: ['hanging', 0xa3805c],
    cave_vines: ['hanging', 0x5f7a2c],
  cave_vines_plant: ['hanging', 0x5f7a2c], weeping_vines: ['hanging', 0x8a1414], weeping_vines_plant: ['hanging',
    0x8a1414],
  twisting_vines: ['hanging', 0x1a8a86], twisting_vines_plant: ['hanging', 0x1a8a86], short_grass: ['blades', GREEN],
    fern: ['blades', 0x5a9640],
  tall_grass: ['tall_blades', GREEN], large_fern: ['tall_blades', 0x5a9640], dead_bush: ['coral', 0x8a6430],
    sweet_berry_bush: ['bush', 0x3f6f38, 0xc02828],
  azalea: ['bush', 0x64803a, 0x64803a], flowering_azalea: ['bush', 0x64803a, 0xc868c8], small_dripleaf: ['flower',
    0x5f8a36, 0x6f9a3c],
  big_dripleaf: ['flower', 0x5f8a36, 0x6f9a3c], big_dripleaf_stem: ['cane', 0x5f8a36], crimson_roots: ['blades',
    0x8a1420],
  warped_roots: ['blades', 0x1a8a80], nether_sprouts: ['young_crop', 0x1a8a80], mangrove_roots: ['hatch', 0x56432a],
    muddy_mangrove_roots: ['mottled', 0x483b30, 0x5a4a35],
  sugar_cane: ['cane', 0x8fbd63], kelp: ['weed', 0x4f8a2c], kelp_plant: ['weed', 0x4f8a2c], seagrass: ['blades',
    0x3f8a2c], tall_seagrass: ['tall_blades', 0x3f8a2c],
  bamboo: ['cane', 0x7fa53c], bamboo_sapling: ['young_crop', 0x6f953c], brown_mushroom: ['mushroom', 0x916c52,
    0xd8ccb4],
  red_mushroom: ['mushroom', 0xd02a28, 0xd8ccb4], crimson_fungus: ['mushroom', 0xb02a28, 0xe0b080],
    warped_fungus: ['mushroom', 0x1a9a8a, 0xe0b080],
  brown_mushroom_block: ['fine', 0x916c52], red_mushroom_block: ['petals', 0xc82c28, 0xc82c28],
    mushroom_stem: ['bark', 0xccc5b8], chorus_plant: ['fine', 0x603c60],
  chorus_flower: ['framed', 0xa080a0, 0x603c60], cocoa: ['fine', 0x985c28], turtle_egg: ['fine', 0xe0e0c0],
    sniffer_egg: ['mottled', 0x8a4038, 0x5a8a5a],
  sea_pickle: ['cane', 0x6a7a38], fire: ['flame', 0xf09a2c, 0xf8dc5a], soul_fire: ['flame', 0x3ac8d0, 0xa0f4f4],
    nether_portal: ['shimmer', 0x7a2cc0],
  end_portal: ['mottled', 0x0c1418, 0x2c6a6a], end_gateway: ['mottled', 0x0c1418, 0x2c6a6a], flower_pot: ['fine',
    0x7c4438], candle: ['plain', 0xe6cfa0],
  cake: ['framed', 0xf4f0ea, 0xb06a3c], iron_door: ['door', 0xc6c6c6], iron_trapdoor: ['hatch', 0xc6c6c6],
    copper_door: ['door', 0xc06a4c],
  repeater: ['framed', 0xa8a8a4, 0x8a1010], comparator: ['framed', 0xa8a8a4, 0x8a1010], daylight_detector: ['tiles',
    0x8a7a64, 0xb0a080], redstone_lamp: ['tiles', 0x5f3a20, 0x7a4e2a],
  decorated_pot: ['fine', 0x8c4a3a], heavy_core: ['panel', 0x50565c], soul_campfire: ['bark', 0x6b5434],
    campfire: ['bark', 0x6b5434], shulker_box: ['panel', 0x8b608b],
  water: ['plain', 0x2f62c8], lava: ['lava', 0xe0621a, 0xf6a03a], bubble_column: ['plain', 0x2f62c8],
    tripwire_hook: ['plain', STICK], structure_block: ['framed', 0x8a78a0, 0x2c2038], candle_cake: ['framed',
    0xf4f0ea, 0xb06a3c], jigsaw: ['framed', 0x8a78a0, 0x2c2038],
  ochre_froglight: ['fine', 0xf4e6a8], verdant_froglight: ['fine', 0xdcf0d0], pearlescent_froglight: ['fine',
    0xf0e0ec], copper_grate: ['hatch', 0xc06a4c],
  chiseled_tuff: ['framed', 0x6d6f66, 0x585a52], suspicious_sand: ['mottled', 0xd8caa0, 0xb8a676],
    suspicious_gravel: ['mottled', 0x85807e, 0x6a5f5a],
  infested_stone: ['coarse', STONE], infested_cobblestone: ['cobbles', 0x868686, SEAM], trial_spawner: ['bars',
    0x4a5a60], vault: ['framed', 0x5a6a70, 0x3a4448],
  attached_melon_stem: ['half_crop', 0xa09a3a], attached_pumpkin_stem: ['half_crop', 0xa09a3a],
    melon_stem: ['young_crop', 0x6f9a3a], pumpkin_stem: ['young_crop', 0x6f9a3a]
})

/**
 * Return a material whose end faces differ from its sides.
 * @param {Paint} side
 * @param {Paint} top
 * @param {Paint} [bottom]
 * @returns {Material}
 */
const capped = (side, top, bottom = top) => ({ side, top, bottom })
/** @param {Paint} side @param {Paint} front @param {Paint} [top] @returns {Material} */
const fronted = (side, front, top = side) => ({ side, front, top, bottom: top })
const stoneFace = /** @type {Paint} */ (['panel', 0x8c8c8c])

/** Blocks whose faces differ. @type {Record<string, Material>} */
const FACED = nameTable({
  grass_block: capped(['fringe', DIRT, GREEN], ['coarse', GREEN], ['coarse', DIRT]),
  podzol: capped(['fringe', DIRT, 0x6b4a22], ['coarse', 0x6b4a22], ['coarse', DIRT]),
  mycelium: capped(['fringe', DIRT, 0x6f6469], ['coarse', 0x6f6469], ['coarse', DIRT]),
  crimson_nylium: capped(['fringe', 0x6b2a2a, 0x8a2222], ['coarse', 0x8a2222], ['coarse', 0x6b2a2a]),
  warped_nylium: capped(['fringe', 0x6b2a2a, 0x2c7a70], ['coarse', 0x2c7a70], ['coarse', 0x6b2a2a]),
  dirt_path: capped(['fringe', DIRT, 0x9a7c46], ['coarse', 0x9a7c46], ['coarse', DIRT]),
  farmland: capped(['coarse', DIRT], ['furrows', 0x5d3f26], ['coarse', DIRT]),
  sandstone: capped(['large_bricks', 0xd8cb9b, 0xc5b580], ['fine', 0xdccfa3]),
  red_sandstone: capped(['large_bricks', 0xba631f, 0xa5551a], ['fine', 0xbd6521]),
  basalt: capped(['pillar', 0x4c4c52], ['rings', 0x58585e, 0x4c4c52]),
  polished_basalt: capped(['pillar', 0x5a5a5f], ['rings', 0x66666b, 0x5a5a5f]),
  deepslate: capped(['coarse', DEEP], ['mottled', 0x55555a, 0x47474b]),
  infested_deepslate: capped(['coarse', DEEP], ['mottled', 0x55555a, 0x47474b]),
  hay_block: capped(['pillar', 0xb8951c], ['rings', 0xa8891d, 0x8a6a18]),
  crafting_table: capped(['framed', 0x8a6438, 0x4a321a], ['workbench', 0xb08452, 0x5a3c20], ['planks', 0xa5854f]),
  fletching_table: capped(['framed', 0xc3b27c, 0x6a5a3a], ['workbench', 0xc9b98a, 0x7a6a48]),
  smithing_table: capped(['framed', 0x3a2c2c, 0x22222a], ['fine', 0x3c3e48]),
  cartography_table: capped(['framed', 0x5a3c24, 0x3a2818], ['workbench', 0xcfc3a0, 0x5a3c24]),
  loom: capped(['framed', 0xa5854f, 0x6b5434], ['pillar', 0xd8cfb8]),
  stonecutter: capped(['framed', 0x8a8a8a, 0x5f5f5f], ['framed', 0x9a9a9a, 0x6b5434]),
  grindstone: capped(['fine', 0x8f8f8f], ['fine', 0x8f8f8f]),
  composter: capped(['upright_planks', 0x8f6a3a], ['framed', 0x5a4428, 0x8f6a3a]),
  barrel: capped(['upright_planks', 0x86653b], ['framed', 0x6b4e2c, 0x8a683c]),
  lectern: capped(['planks', 0xa5854f], ['planks', 0xb8955a]),
  bookshelf: capped(['books', 0xa5854f, 0x5a3c8a], ['planks', 0xa5854f]),
  chiseled_bookshelf: capped(['books', 0xa5854f, 0x5a3c8a], ['planks', 0xa5854f]),
  jukebox: capped(['framed', 0x80553a, 0x5c3c28], ['framed', 0x2c2420, 0x80553a]),
  note_block: capped(['framed', 0x80553a, 0x5c3c28], ['framed', 0x80553a, 0x5c3c28]),
  tnt: capped(['tiles', 0xd8402b, 0xe0d8d0], ['framed', 0xb8b0a8, 0xd8402b]),
  cactus: capped(['spiny', 0x5a8a2f], ['framed', 0x7aa84a, 0x5a8a2f]),
  pumpkin: capped(['pumpkin', 0xd0801e], ['pumpkin', 0xc2761b]),
  melon: capped(['pumpkin', 0x76952a], ['mottled', 0x76952a, 0x93a92d]),
  carved_pumpkin: fronted(['pumpkin', 0xd0801e], ['carved', 0xd0801e, 0x3c2408]),
  jack_o_lantern: fronted(['pumpkin', 0xd0801e], ['carved', 0xd0801e, 0xfde68a]),
  furnace: fronted(['cobbles', 0x808080, SEAM], ['oven', 0x808080, 0x241c18], stoneFace),
  blast_furnace: fronted(['panel', 0x60606a], ['oven', 0x70707a, 0x241c18]),
  smoker: fronted(['upright_planks', 0x6b5434], ['oven', 0x7a6a58, 0x241c18]),
  dispenser: fronted(['cobbles', 0x808080, SEAM], ['oven', 0x808080, 0x1c1c1c], stoneFace),
  dropper: fronted(['cobbles', 0x808080, SEAM], ['framed', 0x2a2a2a, 0x808080], stoneFace),
  observer: fronted(['cobbles', 0x6a6a6a, 0x4c4c4c], ['face', 0x707070, 0x202020]),
  crafter: capped(['framed', 0x7a6a64, 0x4c4444], ['workbench', 0xa8a098, 0x4c4444]),
  piston: fronted(['cobbles', 0x808080, SEAM], ['planks', 0xa5854f]),
  sticky_piston: fronted(['cobbles', 0x808080, SEAM], ['fine', 0x70a85c]),
  piston_head: fronted(['planks', 0xa5854f], ['planks', 0xa5854f]), moving_piston: fronted(['planks', 0xa5854f],
    ['planks', 0xa5854f]),
  chest: fronted(['chest', 0xa4762c, 0xa4762c], ['chest', 0xa4762c, 0xd8d8d8], ['panel', 0x8f6626]),
  trapped_chest: fronted(['chest', 0xa4762c, 0xa4762c], ['chest', 0xa4762c, 0xd84040], ['panel', 0x8f6626]),
  ender_chest: fronted(['chest', 0x2c3a3c, 0x2c3a3c], ['chest', 0x2c3a3c, 0x4ad8a0], ['panel', 0x26383a]),
  bee_nest: fronted(['pumpkin', 0xc89848], ['oven', 0xc89848, 0x3c2408], ['rings', 0xd0a858, 0xb88838]),
  beehive: fronted(['planks', 0xb09058], ['oven', 0xb09058, 0x3c2408]),
  end_portal_frame: capped(['fine', 0xcdd09a], ['framed', 0x2f6b5c, 0x5a8f6e]),
  command_block: fronted(['framed', 0xb8865f, 0x7a4e2c], ['workbench', 0xb8865f, 0x5a8f5a]),
  torch: capped(['torch', STICK, 0xffd84a], ['plain', 0xffe27a]), wall_torch: capped(['torch', STICK, 0xffd84a],
    ['plain', 0xffe27a]),
  soul_torch: capped(['torch', STICK, 0x62e2e6], ['plain', 0x8af0f2]), soul_wall_torch: capped(['torch', STICK,
    0x62e2e6], ['plain', 0x8af0f2]),
  redstone_torch: capped(['torch', STICK, 0xf02a1a], ['plain', 0xff5a4a]), redstone_wall_torch: capped(['torch',
    STICK, 0xf02a1a], ['plain', 0xff5a4a])
})

/** @typedef {(found: RegExpExecArray, props: Readonly<Record<string, string>>) => Material | null} Rule */
/** Families of blocks; the first rule that fits counts. @type {[RegExp, Rule][]} */
const FAMILIES = [
  [/^(?:potted_)?(.+)$/, ([, name]) => FLOWERS[name] === undefined ? null
    : { side: [/bush|sun|lilac|peony/.test(name) ? 'flowers' : 'flower', LEAF, FLOWERS[name]] }],
  [/^(.+)$/, ([, name], props) => cropMaterial(name, Number(props.age ?? 0))],
  [/^(deepslate|nether)?_?(.+)_ore$/, ([, bed, kind]) => ORES[kind] === undefined ? null
    : { side: ['ore', bed === 'deepslate' ? DEEP : bed === 'nether' ? 0x6b2a2a : STONE, ORES[kind]] }],
  [/^redstone_lamp$/, (_, props) => props.lit === 'true' ? { side: ['tiles', 0xf2c57a, 0xe0a050] } : null],
  [new RegExp(`^(${DYE})_(wool|carpet|bed|banner|wall_banner)$`), ([, dye]) => ({ side: ['stitched', DYES[dye]] })],
  [new RegExp(`^(${DYE})_concrete_powder$`), ([, dye]) => ({ side: ['fine', DYES[dye]] })],
  [new RegExp(`^(${DYE})_(concrete|candle|candle_cake)$`), ([, dye]) => ({ side: ['plain', DYES[dye]] })],
  [new RegExp(`^(${DYE})_shulker_box$`), ([, dye]) => ({ side: ['panel', DYES[dye]] })],
  [new RegExp(`^(${DYE})_stained_glass(_pane)?$`), ([, dye]) => ({ side: ['stained', DYES[dye]] })],
  [new RegExp(`^(${DYE})_glazed_terracotta$`), ([, dye]) => ({ side: ['tiles', DYES[dye], 0xdcd0b8] })],
  [new RegExp(`^(${DYE})_terracotta$`), ([, dye]) => ({ side: ['fine', blend(DYES[dye], 0x985e43)] })],
  [/^terracotta$/, () => ({ side: ['fine', 0x985e43] })],
  [/^(flowering_)?azalea_leaves$/, () => ({ side: ['leaves', 0x64803a] })],
  [/^(?:stripped_)(.+)_(log|wood|stem|hyphae|block)$/, ([, wood]) => logMaterial(wood, true)],
  [/^(.+)_(log|stem)$/, ([, wood]) => logMaterial(wood, false)],
  [/^(.+)_(wood|hyphae)$/, ([, wood]) => WOODS[wood] ? { side: barkOf(wood) } : null],
  [/^bamboo_block$/, () => logMaterial('bamboo', false)],
  [new RegExp(`^(${WOOD})_(mosaic|planks)`), ([, wood]) => ({ side: ['planks', WOODS[wood][0]] })],
  [new RegExp(`^(${WOOD})_leaves$`), ([, wood]) => ({ side: ['leaves', WOODS[wood][2]] })],
  [new RegExp(`^(?:potted_)?(${WOOD})_(sapling|propagule)$`), ([, wood]) =>
    ({ side: ['sapling', WOODS[wood][2], WOODS[wood][1]] })],
  [new RegExp(`^(${WOOD})_door$`), ([, wood], props) =>
    ({ side: [props.half === 'upper' ? 'window_door' : 'door', WOODS[wood][0], 0x9fc0cc] })],
  [new RegExp(`^(${WOOD})_trapdoor$`), ([, wood]) => ({ side: ['panel', WOODS[wood][0]] })],
  [new RegExp(`^(${WOOD})_`), ([, wood]) => ({ side: ['planks', WOODS[wood][0]] })],
  [/(copper|lightning_rod)/, ([all]) => ({ side: ['panel', copperColour(all)] })],
  [/^(dead_)?(tube|brain|bubble|fire|horn)_coral(_block)?/, ([, dead, kind, block]) => {
    return { side: [block ? 'mottled' : 'coral', dead ? 0x857f7a : CORALS[kind]] }
  }],
  [/^(small|medium|large)_amethyst_bud$|^amethyst_cluster$/, () => ({ side: ['crystal', 0x8561bd, 0xb898e8] })],
  [/(skull|head)$/, ([all]) => ({ side: ['fine', /creeper/.test(all) ? 0x5aa54a : /zombie|piglin/.test(all) ? 0x5f8a4a
    : /wither|dragon/.test(all) ? 0x2a2a2a : 0xc8c8c0] })],
  [/^potted_/, () => ({ side: ['bush', LEAF] })],
  [/^(chiseled|cut|smooth)_(red_)?sandstone/, ([, how, red]) =>
    ({ side: [how === 'smooth' ? 'fine' : how === 'cut' ? 'large_bricks' : 'framed', red ? 0xba631f : 0xd8cb9b, red
      ? 0xa5551a : 0xc5b580] })],
  [/deepslate_(bricks|tiles)|cracked_deepslate/, ([all]) => ({ side: [/tiles/.test(all) ? 'tiles' : 'bricks',
    0x47474b, 0x323235] })],
  [/(mossy|cracked|chiseled|infested)?.*stone_bricks$/, ([all]) => ({ side: [/chiseled/.test(all) ? 'framed' : 'bricks',
    /blackstone/.test(all) ? 0x322d36 : /mossy/.test(all) ? 0x737a66 : 0x7b7b7b, /blackstone/.test(all) ? 0x1c191f
      : 0x5f5f5f] })],
  [/tuff/, ([all]) => ({ side: [/brick/.test(all) ? 'bricks' : 'panel', 0x6d6f66, 0x55584f] })],
  [/blackstone/, () => ({ side: ['mottled', 0x2b252c, 0x38323a] })],
  [/^(polished|chiseled|smooth)_(.+)$/, ([, how, base]) => {
    const paint = PLAIN[base] ?? FACED[base]?.side
    return paint ? { side: [how === 'chiseled' ? 'framed' : 'panel', paint[1], paint[2] ?? paint[1]] } : null
  }],
  [/^(petrified_)/, () => ({ side: ['planks', WOODS.oak[0]] })],
  [/command_block$/, () => FACED.command_block],
  [/weighted_pressure_plate$/, ([all]) => ({ side: ['plain', /^light/.test(all) ? 0xf6d23f : 0xdcdcdc] })]
]

/** @param {string} name @param {number} age @returns {Material | null} */
function cropMaterial (name, age) {
  const crop = CROPS[name]
  if (!crop) return null
  const [leaves, fruit, ripe] = crop
  if (age >= ripe) return { side: name === 'wheat' ? ['ripe_crop', fruit, blend(fruit, 0xa07a30)] : ['ripe_crop',
    leaves, fruit] }
  return { side: [age * 2 < ripe ? 'young_crop' : 'half_crop', leaves] }
}

/** @param {string} wood @returns {Paint} */
const barkOf = (wood) => wood === 'birch' ? ['birch_bark', WOODS.birch[1], 0x3a3a36] : ['bark', WOODS[wood][1]]

/** @param {string} wood @param {boolean} stripped @returns {Material | null} */
function logMaterial (wood, stripped) {
  const colours = WOODS[wood]
  if (!colours) return null
  return capped(stripped ? ['bark', colours[0]] : barkOf(wood), ['rings', colours[0], stripped ? colours[0]
    : colours[1]])
}

/** @param {string} name */
function copperColour (name) {
  return /oxidized/.test(name) ? 0x52a285 : /weathered/.test(name) ? 0x6b976b : /exposed/.test(name) ? 0xa07d68
    : 0xc06a4c
}

/** Return the mean of two colours. @param {number} a @param {number} b */
function blend (a, b) { return ((a & 0xfefefe) >> 1) + ((b & 0xfefefe) >> 1) }

const SHAPE_OF = /_(slab|stairs|wall|fence|fence_gate|pressure_plate|button|(wall_)?(hanging_)?sign)$/

/**
 * Return the textures of a block.
 * @param {string} name without namespace
 * @param {Readonly<Record<string, string>>} props
 * @returns {Material | null} null for a block that nobody has described
 */
function materialOf (name, props) {
  if (FACED[name]) return FACED[name]
  if (PLAIN[name]) return { side: PLAIN[name] }
  for (const [rule, make] of FAMILIES) {
    const found = rule.exec(name)
    const made = found && make(found, props)
    if (made) return made
  }
  if (!SHAPE_OF.test(name)) return null
  const base = name.replace(SHAPE_OF, '')
  const known = [base, `${base}s`, `${base}_block`, `${base}_planks`]
  for (const each of known) {
    const made = materialOf(each, {})
    if (made) return made
  }
  return null
}

/** Texture of blocks that nobody has described: later versions may have some. @type {Paint} */
const UNKNOWN = ['tiles', 0xb060b0, 0x905090]

module.exports = { materialOf, UNKNOWN, DYES, WOODS, ORES }
