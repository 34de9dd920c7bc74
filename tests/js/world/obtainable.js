'use strict'
/**
 * Items that a player of survival terrain can obtain without commands: generated blocks are broken, opened, milked and
 * killed by the engine's own rules and tables, and the results are crafted, smelted, planted and used, until nothing
 * new appears. Each item has the first way found to it. Items without a rule in the engine count for nothing.
 */
const fs = require('node:fs')
const path = require('node:path')
const { World } = require('../../../engine/world')
const { RandomStream } = require('../../../engine/world/random')
const { CHESTS } = require('../../../engine/world/terrain/chest_loot')
const { ANIMALS } = require('../../../engine/world/terrain/residents')

const ENGINE = path.join(__dirname, '../../../engine/world')
const { OFFERS, parse } = require('../../../engine/world/rules/trading/offers')
const { BARTER } = require('../../../engine/world/rules/trading/bartering')
const { MIXES, BOTTLES } = require('../../../engine/world/rules/brewing/recipes')
const { cutsOf } = require('../../../engine/world/rules/workshops/stonecutter')
const { smith } = require('../../../engine/world/rules/workshops/smithing')
const { fortressOf } = require('../../../engine/world/terrain/fortresses')
const { ORIGIN } = require('../../../engine/world/dimensions')

const PLANTED = new Set(['carrot', 'potato', 'sweet_berries', 'sugar_cane', 'cactus', 'bamboo', 'cocoa_beans', 'kelp',
  'red_mushroom', 'brown_mushroom'])
/** Attempts at a random result. */
const TRIES = 300
/** Ticks for a plant to grow, and random ticks per section. */
const GROWTH = { ticks: 300, speed: 400 }
const BIOMES = ['plains', 'sunflower_plains', 'forest', 'flower_forest', 'birch_forest', 'dark_forest', 'meadow',
  'cherry_grove', 'savanna', 'jungle', 'bamboo_jungle', 'taiga', 'snowy_taiga', 'old_growth_spruce_taiga',
  'snowy_plains', 'swamp', 'desert', 'beach', 'river', 'ocean', 'cold_ocean', 'warm_ocean', 'windswept_hills',
  'stony_peaks', 'grove', 'frozen_ocean']
const STYLES = ['plains', 'desert', 'savanna', 'snowy', 'taiga']

/** Return a module of the engine that may be absent. @param {string} name */
function part (name) { return fs.existsSync(path.join(ENGINE, `${name}.js`)) ? require(path.join(ENGINE, name)) : {} }

/** A walk over everything obtainable in one world. */
class Walk {
  /** @param {number} seed */
  constructor (seed) {
    /** @type {any} */
    this.world = new World({ seed, terrain: 'survival' })
    /** @type {any} */
    this.lab = new World({ seed })
    /** Ways by item. @type {Map<string, string>} */
    this.items = new Map()
    /** Blocks that stand somewhere, by state. @type {Map<number, string>} */
    this.blocks = new Map()
    this.random = new RandomStream('walk')
    /** Items that were tried in the lab. @type {Set<string>} */
    this.tried = new Set()
    /** Mobs that spawn somewhere by themselves. @type {Set<string>} */
    this.met = new Set()
    this.kinds = part('entities/kinds').KINDS ?? require('../../../engine/world/entities/mobs').KINDS
  }

  /** @param {string} name @param {string} way */
  have (name, way) {
    if (!this.items.has(name) && name !== 'air') this.items.set(name, way)
  }

  /** @param {number} state @param {string} way */
  meet (state, way) {
    if (!this.blocks.has(state)) this.blocks.set(state, way)
  }

  /** Run until nothing new is found. */
  run () {
    this.look()
    this.chests()
    for (let before = -1; before < this.items.size + this.blocks.size;) {
      before = this.items.size + this.blocks.size
      this.breakBlocks()
      this.craft()
      this.smelt()
      this.fish()
      this.mobs()
      this.useThings()
      this.trade()
      this.workshops()
      this.brew()
      this.beyond()
    }
    return this.items
  }

  /** Trade with villagers of every profession: their workplaces can be made. */
  trade () {
    for (const [profession, levels] of Object.entries(OFFERS)) {
      for (const line of levels.flat()) {
        if (line === 'book') {
          if (this.items.has('emerald') && this.items.has('book')) {
            this.have('enchanted_book', `trade with a ${profession}`)
          }
          continue
        }
        const { wants, also, gives } = parse(line)
        if (!wants.names.some((name) => this.items.has(name)) ||
          (also && !also.names.some((name) => this.items.has(name)))) {
          continue
        }
        for (const name of gives.names) this.have(name, `trade with a ${profession}`)
      }
    }
  }

  workshops () {
    const has = (/** @type {string} */ name) => this.items.has(name)
    if (has('stonecutter')) {
      for (const [from, list] of cutsOf(this.world)) {
        if (has(from)) for (const { name } of list) this.have(name, `cut ${from}`)
      }
    }
    if (has('enchanting_table') && has('lapis_lazuli') && has('book')) this.have('enchanted_book', 'enchant a book')
    if (!has('smithing_table')) return
    for (const template of [...this.items.keys()].filter((name) => name.endsWith('smithing_template'))) {
      for (const base of [...this.items.keys()].filter((name) => name.startsWith('diamond_'))) {
        const stack = (/** @type {string} */ name) => has(name) ? this.world.stacks.make(name) : null
        const made = smith(this.world, stack(template), stack(base), stack('netherite_ingot'))
        if (made) this.have(made.name, `smith ${base}`)
      }
    }
  }

  /** Brew potions, from water on. */
  brew () {
    if (!['brewing_stand', 'blaze_powder', 'glass_bottle'].every((name) => this.items.has(name))) return
    const potions = new Set(['water'])
    for (let before = 0; before < potions.size;) {
      before = potions.size
      for (const [from, by, to] of MIXES) if (potions.has(from) && this.items.has(by)) potions.add(to)
    }
    this.have('potion', `fill a bottle; ${potions.size} kinds by brewing`)
    for (const [by, [from, to]] of Object.entries(BOTTLES)) {
      if (this.items.has(by) && this.items.has(from)) this.have(to, `brew with ${by}`)
    }
  }

  /** Visit the Nether, once a portal can be built and lit; the End, once there are eyes. */
  beyond () {
    const once = (/** @type {string} */ what) => !this.tried.has(what) && Boolean(this.tried.add(what))
    if (this.items.has('obsidian') && this.items.has('flint_and_steel') && once('nether')) {
      for (let i = 0; i < 40; i += 5) this.around({ x: ORIGIN.the_nether + i * 160, z: i * 90 }, 3, 'the Nether')
      const realm = this.world.terrain.realm(ORIGIN.the_nether >> 4)
      const { x, z } = fortressOf(realm.seed, Math.floor((ORIGIN.the_nether >> 4) / 24), 0)
      for (const [dx, dz] of [[0, 0], [40, 0], [0, 44]]) this.around({ x: x + dx, z: z + dz }, 1, 'a fortress')
    }
    if (this.tried.has('nether') && this.items.has('gold_ingot')) {
      for (const [name] of BARTER) this.have(name.split(':')[0], 'barter with piglins')
    }
    if (!this.items.has('ender_eye') || !once('end')) return
    for (const x of [0, 96, 1024, 1100]) this.around({ x: ORIGIN.the_end + x, z: 0 }, 4, 'the End')
  }

  /** Record generated land: columns of all biomes, villages of all styles, dungeons. */
  look () {
    const { generator } = this.world.terrain
    const from = this.world.spawn
    for (const biome of BIOMES) {
      const found = generator.locateBiome(biome, from)
      if (found) this.around(found, 2, biome)
    }
    for (const style of STYLES) {
      const found = generator.locateVillage(from, style)
      if (found) this.around(found, 3, `village (${style})`)
    }
    for (let cx = 0, left = 3; left > 0; cx++) {
      const found = generator.hollows.dungeon(cx, 0)
      if (found) left--
      if (found) this.around(found, 0, 'dungeon')
    }
  }

  /** @param {{ x: number, z: number }} middle @param {number} reach columns @param {string} what */
  around (middle, reach, what) {
    for (let dx = -reach; dx <= reach; dx++) {
      for (let dz = -reach; dz <= reach; dz++) {
        for (const section of this.world.column((middle.x >> 4) + dx, (middle.z >> 4) + dz).sections) {
          for (const state of section.data.palette ?? [section.data.value]) if (state !== 0) this.meet(state, what)
        }
      }
    }
  }

  chests () {
    for (const [table, pools] of Object.entries(CHESTS)) {
      for (const { entries } of pools) for (const [name] of entries) this.have(name, `chest: ${table}`)
    }
  }

  /** Break every block met with every tool at hand. */
  breakBlocks () {
    const tools = [null, ...[...this.items.keys()].filter(
      (name) => /_(pickaxe|axe|shovel|hoe|sword)$|^shears$/.test(name)).map((name) => this.world.stacks.make(name))]
    for (const [id] of this.blocks) {
      const state = this.world.data.state(id)
      if (state.hardness < 0) continue
      for (const tool of tools) {
        const tries = this.world.loot.blockDrops(state, tool, this.random).length > 1 ||
          /leaves|grass|fern|crop|ore|gravel|potato|stem/.test(state.name) ? TRIES : 3
        for (let i = 0; i < tries; i++) {
          for (const item of this.world.loot.blockDrops(state, tool, this.random)) {
            this.have(item.name, `break ${state.name}${tool ? ` with ${tool.name}` : ''}`)
          }
        }
      }
    }
  }

  craft () {
    const { items, recipes } = this.world.registry
    const known = new Set([...this.items.keys()].map((name) => this.world.registry.itemsByName[name].id))
    const id = (/** @type {any} */ entry) =>
      (Array.isArray(entry) ? entry[0] : typeof entry === 'object' && entry ? entry.id : entry) ?? -1
    for (const recipe of /** @type {any[]} */ (Object.values(recipes).flat())) {
      const needed = (recipe.inShape ? recipe.inShape.flat()
        : recipe.ingredients).map(id).filter((/** @type {number} */ n) => n >= 0)
      const wide = recipe.inShape &&
        (recipe.inShape.length > 2 || recipe.inShape.some((/** @type {any[]} */ row) => row.length > 2))
      if ((wide || needed.length > 4) && !this.items.has('crafting_table')) continue
      if (needed.every((/** @type {number} */ n) => known.has(n))) this.have(items[id(recipe.result)].name, 'craft')
    }
  }

  smelt () {
    if (!this.items.has('furnace')) return
    for (const [what, { result }] of this.world.smelting.recipes) {
      if (this.items.has(what)) this.have(result, `smelt ${what}`)
    }
  }

  fish () {
    const { CATCHES } = part('rules/items/fishing_loot')
    if (CATCHES && this.items.has('fishing_rod')) {
      for (const list of /** @type {any[][]} */ (Object.values(CATCHES))) {
        for (const { item } of list) this.have(item, 'fish')
      }
    }
  }

  /** Kill, shear and milk residents, and monsters where the engine spawns them. */
  mobs () {
    const types = new Set([...Object.values(ANIMALS).flatMap((groups) => groups.map(([type]) => type)), 'villager',
      'iron_golem', 'cat'])
    for (const row of part('rules/mobs/spawning').BIOMES ?? []) {
      const realm = /nether|crimson|warped|soul|basalt/.test(row[0].source) ? 'nether'
        : /the_end/.test(row[0].source) ? 'end' : null
      if (realm === null || this.tried.has(realm)) {
        for (const list of row.slice(1)) for (const { type } of list) types.add(type)
      }
    }
    if (this.tried.has('nether')) for (const { type } of part('rules/mobs/spawning').FORTRESS) types.add(type)
    for (const type of types) {
      this.met.add(type)
      const kind = this.kinds[type]
      if (!kind) continue
      for (const [name, , most] of kind.drops) if (most > 0) this.have(name, `kill ${type}`)
      for (const name of Object.values(kind.cooked ?? {})) {
        this.have(/** @type {string} */ (name), `kill a burning ${type}`)
      }
      for (const tool of ['shears', 'bucket', 'bowl']) {
        if (this.items.has(tool) && !this.tried.has(`${tool}/${type}`)) this.treat(type, tool)
      }
    }
  }

  /** @param {string} type @param {string} tool */
  treat (type, tool) {
    this.tried.add(`${tool}/${type}`)
    const player = this.player()
    const mob = this.lab.summon(type, { x: 1.5, y: -60, z: 0.5 })
    if (!mob) return
    player.store.set(36, this.lab.stacks.make(tool))
    player.useEntity(mob.id, 'interact')
    this.gather(`${tool} on ${type}`, player)
  }

  /** Return a player alone on clean ground. */
  player () {
    const { lab } = this
    for (const entity of [...lab.entities.values()]) if (entity.type !== 'player') entity.remove()
    lab.tick()
    const player = lab.players.get('Walker') ?? lab.addPlayer('Walker')
    player.place3d({ x: 0.5, y: -60, z: 0.5 })
    player.store.empty()
    return player
  }

  /** Record the items of a player and of the ground around. @param {string} way @param {any} player */
  gather (way, player) {
    for (const item of player.slots) if (item) this.have(item.name, way)
    for (const drop of this.lab.drops()) if (drop.item) this.have(drop.item.name, way)
  }

  /** Plant plants and watch them; use tools and buckets on the blocks met. */
  useThings () {
    for (const name of [...this.items.keys()]) {
      if (this.tried.has(name)) continue
      this.tried.add(name)
      const placed = this.world.data.placeable.get(name)
      if (placed !== undefined) this.meet(placed, `place ${name}`)
      if (/_sapling$|_seeds$/.test(name) || PLANTED.has(name)) this.grow(name)
      if (/_(axe|hoe|shovel)$|^(bucket|glass_bottle)$/.test(name)) this.useOn(name)
    }
  }

  /** Use a tool once on a block of each kind met. @param {string} name */
  grow (name) {
    const { lab } = this
    const plant = this.world.data.placeable.get(name)
    if (plant === undefined) return
    const kind = lab.data.state(plant)
    const soil = /cactus/.test(name) ? 'sand'
      : /sapling|mushroom|sweet|bamboo|cane/.test(name) ? 'grass_block' : 'farmland'
    this.player()
    lab.command('fill -8 -60 -8 8 -40 8 air')
    lab.command('fill -8 -61 -8 8 -61 8 grass_block')
    lab.command(`setblock 3 -61 3 ${soil === 'farmland' ? 'farmland[moisture=7]' : soil}`)
    if (/cane|farmland/.test(soil + name)) lab.command('setblock 4 -61 3 water')
    lab.setBlock(3, -60, 3, kind.stateId)
    lab.command(`gamerule randomTickSpeed ${GROWTH.speed}`)
    for (let i = 0; i < GROWTH.ticks; i++) lab.tick()
    lab.command('gamerule randomTickSpeed 0')
    for (let x = -8; x <= 8; x++) {
      for (let z = -8; z <= 8; z++) {
        for (let y = -60; y <= -40; y++) if (!lab.stateAt(x, y, z).air) this.meet(lab.blockAt(x, y, z), `grow ${name}`)
      }
    }
  }

  /** One use on a block of each kind that was met. @param {string} tool */
  useOn (tool) {
    const names = new Set([...this.blocks.keys()].map((id) => this.world.data.state(id).name)
      .filter((name) => /_log$|_wood$|^(water|lava|grass_block|dirt|cauldron|pumpkin)$/.test(name)))
    for (const name of names) {
      const player = this.player()
      this.lab.command('fill -8 -60 -8 8 -50 8 air')
      this.lab.setBlock(2, -60, 0, this.lab.data.stateId(name))
      player.store.set(36, this.lab.stacks.make(tool))
      // Yaw -90 looks along +x; the block lies at the feet.
      player.moveTo({ yaw: -90, pitch: 40 })
      if (!player.place({ pos: { x: 2, y: -60, z: 0 }, face: 4, cursor: { x: 0, y: 0.5, z: 0.5 } }).ok) {
        player.useItem(0)
      }
      this.gather(`${tool} on ${name}`, player)
      const after = this.lab.blockAt(2, -60, 0)
      if (after !== 0) this.meet(after, `${tool} on ${name}`)
    }
  }
}

/** @param {number} [seed] @returns {Map<string, string>} item -> the way to it */
function obtainable (seed = 1) { return new Walk(seed).run() }

module.exports = { obtainable, Walk }
