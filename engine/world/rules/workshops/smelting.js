'use strict'
/** Furnaces, smokers and blast furnaces: recipes, fuels, progress. */
const { nameTable } = require('../../../name_table')

/** @typedef {import('../blocks/block_entities').BlockEntity} BlockEntity */
/** @typedef {import('../../types').Item} Item */
/**
 * State of a furnace: ticks of fuel left and in full, ticks of work done and needed, stored experience, smelted item.
 *
 * @typedef
 *   {{ left: number, full: number, progress: number, total: number, experience: number, shown: string, item: string }}
 *   Burning
 */

/** Food as [input, result, experience]; smokers accept it too. @type {[string, string, number][]} */
const FOOD = [['beef', 'cooked_beef', 0.35], ['porkchop', 'cooked_porkchop', 0.35], ['mutton', 'cooked_mutton', 0.35],
  ['chicken', 'cooked_chicken', 0.35], ['rabbit', 'cooked_rabbit', 0.35],
  ['cod', 'cooked_cod', 0.35], ['salmon', 'cooked_salmon', 0.35], ['potato', 'baked_potato', 0.35],
  ['kelp', 'dried_kelp', 0.1]]
/** Ores and metals; blast furnaces accept them too. @type {[string, string, number][]} */
const METAL = [['raw_iron', 'iron_ingot', 0.7], ['raw_gold', 'gold_ingot', 1], ['raw_copper', 'copper_ingot', 0.7],
  ['iron_ore', 'iron_ingot', 0.7], ['deepslate_iron_ore', 'iron_ingot', 0.7], ['gold_ore', 'gold_ingot', 1],
  ['deepslate_gold_ore', 'gold_ingot', 1], ['nether_gold_ore', 'gold_ingot', 1], ['copper_ore', 'copper_ingot', 0.7],
  ['deepslate_copper_ore', 'copper_ingot', 0.7], ['coal_ore', 'coal', 0.1], ['deepslate_coal_ore', 'coal', 0.1],
  ['diamond_ore', 'diamond', 1], ['deepslate_diamond_ore', 'diamond', 1], ['emerald_ore', 'emerald', 1],
  ['deepslate_emerald_ore', 'emerald', 1], ['lapis_ore', 'lapis_lazuli', 0.2],
  ['deepslate_lapis_ore', 'lapis_lazuli', 0.2],
  ['redstone_ore', 'redstone', 0.7], ['deepslate_redstone_ore', 'redstone', 0.7], ['nether_quartz_ore', 'quartz', 0.2],
  ['ancient_debris', 'netherite_scrap', 2]]
/** @type {[string, string, number][]} */
const OTHER = [['sand', 'glass', 0.1], ['red_sand', 'glass', 0.1], ['cobblestone', 'stone', 0.1],
  ['stone', 'smooth_stone', 0.1], ['sandstone', 'smooth_sandstone', 0.1],
  ['red_sandstone', 'smooth_red_sandstone', 0.1], ['quartz_block', 'smooth_quartz', 0.1],
  ['basalt', 'smooth_basalt', 0.1], ['cobbled_deepslate', 'deepslate', 0.1],
  ['stone_bricks', 'cracked_stone_bricks', 0.1], ['deepslate_bricks', 'cracked_deepslate_bricks', 0.1],
  ['deepslate_tiles', 'cracked_deepslate_tiles', 0.1],
  ['nether_bricks', 'cracked_nether_bricks', 0.1],
  ['polished_blackstone_bricks', 'cracked_polished_blackstone_bricks', 0.1], ['netherrack', 'nether_brick', 0.1],
  ['clay_ball', 'brick', 0.3], ['clay', 'terracotta', 0.35],
  ['cactus', 'green_dye', 1], ['sea_pickle', 'lime_dye', 0.1], ['wet_sponge', 'sponge', 0.15],
  ['chorus_fruit', 'popped_chorus_fruit', 0.1]]

/** Ticks that a fuel burns. @type {Record<string, number>} */
const FUEL = nameTable({
  lava_bucket: 20000, coal_block: 16000, dried_kelp_block: 4001, blaze_rod: 2400,
  coal: 1600, charcoal: 1600, bamboo: 50, stick: 100, bowl: 100, scaffolding: 50, dead_bush: 100, azalea: 100,
  flowering_azalea: 100, mangrove_roots: 300,
  crafting_table: 300, bookshelf: 300, chiseled_bookshelf: 300, lectern: 300, jukebox: 300, note_block: 300, chest: 300,
  trapped_chest: 300, barrel: 300, cartography_table: 300, fletching_table: 300, smithing_table: 300, loom: 300,
  composter: 300, daylight_detector: 300,
  bow: 300, crossbow: 300, fishing_rod: 300, ladder: 300, wooden_sword: 200, wooden_pickaxe: 200, wooden_axe: 200,
  wooden_shovel: 200, wooden_hoe: 200, bamboo_mosaic: 300, bamboo_block: 300, stripped_bamboo_block: 300
})
/** Fuels by the ends of their names; fungus wood of the Nether does not burn. @type {[RegExp, number][]} */
const FUEL_KINDS = [[/_(planks|log|wood|stairs|fence|fence_gate|trapdoor|pressure_plate|banner|hanging_sign)$/, 300],
  [/_slab$/, 150], [/_sign$|_door$/, 200], [/_button$|_sapling$|^mangrove_propagule$|_wool$/, 100], [/_carpet$/, 67],
  [/_boat$|_raft$/, 1200]]
const WOODS = /^(stripped_)?(oak|spruce|birch|jungle|acacia|dark_oak|mangrove|cherry|bamboo)_/

const DYED_TERRACOTTA = new RegExp('^(white|orange|magenta|light_blue|yellow|lime|pink|gray|light_gray|cyan|purple|' +
  'blue|brown|green|red|black)_terracotta$')
const METAL_EQUIPMENT = new RegExp(
  '^(iron|chainmail|golden)_(sword|pickaxe|axe|shovel|hoe|helmet|chestplate|leggings|' +
  'boots|horse_armor)$')

/** Smelting in one world. */
class Smelting {
  /**
   * @param {Pick<import('../../world').World, 'blockAt' | 'data' | 'emit' | 'popExperience' | 'random' | 'registry' |
   *   'setBlock' | 'stacks' | 'stats'>} world
   */
  constructor (world) {
    this.world = world
    /** @type {Map<string, { result: string, experience: number, kind: string }>} */
    this.recipes = new Map()
    for (const [kind, list] of /** @type {[string, [string, string, number][]][]} */ ([['food', FOOD], ['metal', METAL],
      ['other', OTHER], ['other', this.families()]])) {
      for (const [what, result, experience] of list) this.recipes.set(what, { result, experience, kind })
    }
  }

  /** Return recipes for families of names. @returns {[string, string, number][]} */
  families () {
    /** @type {[string, string, number][]} */
    const found = []
    for (const { name } of this.world.registry.itemsArray) {
      if (WOODS.test(name) && /_(log|wood)$/.test(name)) found.push([name, 'charcoal', 0.15])
      if (DYED_TERRACOTTA.test(name)) found.push([name, name.replace('terracotta', 'glazed_terracotta'), 0.1])
      const metal = METAL_EQUIPMENT.exec(name)
      if (metal) found.push([name, metal[1] === 'golden' ? 'gold_nugget' : 'iron_nugget', 0.1])
    }
    return found
  }

  /** @returns {Burning} */
  start () { return { left: 0, full: 0, progress: 0, total: 200, experience: 0, shown: '', item: '' } }

  /**
   * @param {Item} item
   * @param {string} block kind of furnace
   * @returns {{ result: string, experience: number } | null}
   */
  result (item, block) {
    const recipe = this.recipes.get(item.name)
    if (!recipe || (block === 'smoker' && recipe.kind !== 'food') ||
      (block === 'blast_furnace' && recipe.kind !== 'metal' && !/_nugget$/.test(recipe.result))) {
      return null
    }
    return recipe
  }

  /** Return the ticks that one item burns, or 0. @param {Item} item @returns {number} */
  fuel (item) {
    if (FUEL[item.name]) return FUEL[item.name]
    const kind = FUEL_KINDS.find(([pattern]) => pattern.test(item.name))
    if (!kind) return 0
    return WOODS.test(item.name) || /_(wool|carpet|banner)$/.test(item.name) || item.name === 'mangrove_propagule'
      ? kind[1] : 0
  }

  /** Advance one furnace by one tick. @param {BlockEntity} entity */
  tick (entity) {
    const b = /** @type {Burning} */ (entity.burning)
    if (b.left === 0 && b.progress === 0 && !entity.store.get(0)) return
    const lit = b.left > 0
    const quick = entity.name !== 'furnace'
    if (b.left > 0) b.left--
    const name = entity.store.get(0)?.name ?? ''
    if (name !== '' && name !== b.item) b.progress = 0
    if (name !== '') b.item = name
    const recipe = this.workable(entity)
    if (b.left === 0 && recipe) this.light(entity, b, quick)
    if (b.left > 0 && recipe) {
      b.total = quick ? 100 : 200
      if (++b.progress >= b.total) {
        b.progress = 0
        this.finish(entity, b, recipe)
      }
    } else b.progress = b.left > 0 ? 0 : Math.max(0, b.progress - 2)
    if (lit !== b.left > 0) this.showFire(entity, b.left > 0)
    this.showProgress(entity, b)
  }

  /** Return the recipe that the furnace can work on now. @param {BlockEntity} entity */
  workable (entity) {
    const item = entity.store.get(0)
    const recipe = item && this.result(item, entity.name)
    const there = entity.store.get(2)
    if (!recipe || (there && (there.name !== recipe.result || there.count >= there.stackSize))) return null
    return recipe
  }

  /** @param {BlockEntity} entity @param {Burning} b @param {boolean} quick */
  light (entity, b, quick) {
    const item = entity.store.get(1)
    const ticks = item ? this.fuel(item) : 0
    if (!item || ticks === 0) return
    b.left = b.full = quick ? Math.floor(ticks / 2) : ticks
    entity.store.set(1, item.name === 'lava_bucket' ? this.world.stacks.make('bucket')
      : this.world.stacks.withCount(item, item.count - 1))
  }

  /** @param {BlockEntity} entity @param {Burning} b @param {{ result: string, experience: number }} recipe */
  finish (entity, b, recipe) {
    const item = /** @type {Item} */ (entity.store.get(0))
    const there = entity.store.get(2)
    entity.store.set(2, this.world.stacks.make(recipe.result, (there?.count ?? 0) + 1))
    entity.store.set(0, this.world.stacks.withCount(item, item.count - 1))
    b.experience += recipe.experience
    const fuel = entity.store.get(1)
    if (item.name === 'wet_sponge' && fuel?.name === 'bucket' && fuel.count === 1) {
      entity.store.set(1, this.world.stacks.make('water_bucket'))
    }
  }

  /**
   * Handle the result that a player took.
   *
   * @param {BlockEntity} entity
   * @param {import('../../player').Player} player
   * @param {Item} item
   */
  taken (entity, player, item) {
    const b = /** @type {Burning} */ (entity.burning)
    this.world.stats.add(player, 'crafted', item.name, item.count)
    const whole = Math.floor(b.experience)
    const points = whole + (this.world.random.stream('smelting').chance(b.experience - whole) ? 1 : 0)
    b.experience = 0
    if (points > 0) this.world.popExperience(points, { x: player.x, y: player.y, z: player.z })
  }

  /** @param {BlockEntity} entity @param {boolean} lit */
  showFire (entity, lit) {
    const { x, y, z } = entity.pos
    this.world.setBlock(x, y, z, this.world.data.withProps(this.world.blockAt(x, y, z), { lit }))
  }

  /** @param {BlockEntity} entity @param {Burning} b */
  showProgress (entity, b) {
    if (entity.viewers.size === 0) return
    for (const player of entity.viewers) this.showAllProgress(entity, player, b)
  }

  /** @param {BlockEntity} entity @param {import('../../player').Player} player @param {Burning} [b] */
  showAllProgress (entity, player, b = /** @type {Burning} */ (entity.burning)) {
    const windowId = player.screens.container?.id
    if (windowId === undefined) return
    ;[b.left, b.full, b.progress,
      b.total].forEach((value, property) => this.world.emit('windowProperty', { player, windowId, property, value }))
  }
}

module.exports = { Smelting }
