'use strict'
/** Cover of a column's ground: grass, flowers, cane, cactus, bamboo, mushrooms, snow, and plants under water. */
const { Dice, mix, diceAt } = require('./dice')
const { BIOMES } = require('./biomes')
const { SEA } = require('./climate')
const { flatNoise } = require('./noise')
const { ON } = require('./canvas')

/**
 * @typedef {object} Cover
 * @property {number} [grass] share of places with grass, at the middle of its patches
 * @property {[string, number][]} [grasses] which, by weight
 * @property {number} [flowers] share of places with a flower
 * @property {string[]} [kinds] of flowers; patches of one kind
 * @property {number} [tall] share with a tall plant
 * @property {string[]} [talls]
 * @property {[string, number][]} [more] other blocks and their share of places
 * @property {[string, number][]} [patches] what grows in patches: block and chance a column
 */

/** @type {[string, number][]} */
const MEADOW = [['short_grass', 1]]
/** @type {[string, number][]} */
const FERNS = [['fern', 4], ['short_grass', 1]]
const BLOOM = ['dandelion', 'poppy', 'azure_bluet', 'oxeye_daisy', 'cornflower']
const WOODLAND = ['dandelion', 'poppy', 'lily_of_the_valley']
const TULIPS = ['red_tulip', 'orange_tulip', 'white_tulip', 'pink_tulip']
const TALLS = ['lilac', 'rose_bush', 'peony']
/** Mushrooms grow in dark forests only: elsewhere there is too much light. @type {[string, number][]} */
const MUSHROOMS = [['brown_mushroom', 0.006], ['red_mushroom', 0.004]]
/**
 * Vanilla has pumpkin patches in one of 300 columns; ours are denser, since our biomes are smaller.
 * @type {[string, number]}
 */
const PUMPKINS = ['pumpkin', 1 / 90]

/** @type {Record<string, Cover>} */
const COVER = {
  plains: { grass: 0.3, grasses: [['short_grass', 9], ['tall_grass', 1]], flowers: 0.025, kinds: [...BLOOM, ...TULIPS],
    patches: [PUMPKINS] },
  sunflower_plains: { grass: 0.3, grasses: [['short_grass', 9], ['tall_grass', 1]], flowers: 0.02, kinds: BLOOM,
    tall: 0.02, talls: ['sunflower'], patches: [PUMPKINS] },
  forest: { grass: 0.08, grasses: MEADOW, flowers: 0.012, kinds: WOODLAND, tall: 0.004, talls: TALLS,
    patches: [PUMPKINS] },
  flower_forest: { grass: 0.1, grasses: MEADOW, flowers: 0.14,
    kinds: ['dandelion', 'poppy', 'allium', 'azure_bluet', ...TULIPS, 'oxeye_daisy', 'cornflower',
    'lily_of_the_valley'], tall: 0.02, talls: TALLS },
  birch_forest: { grass: 0.08, grasses: MEADOW, flowers: 0.012, kinds: WOODLAND, tall: 0.006, talls: TALLS,
    patches: [PUMPKINS] },
  dark_forest: { grass: 0.08, grasses: MEADOW, flowers: 0.006, kinds: WOODLAND, tall: 0.006, talls: TALLS,
    more: MUSHROOMS },
  meadow: { grass: 0.3, grasses: [['short_grass', 4], ['tall_grass', 1]], flowers: 0.08,
    kinds: ['cornflower', 'azure_bluet', 'poppy', 'dandelion', 'allium', 'oxeye_daisy'] },
  cherry_grove: { grass: 0.1, grasses: MEADOW, more: [['pink_petals', 0.12]] },
  savanna: { grass: 0.4, grasses: [['short_grass', 5], ['tall_grass', 2]], flowers: 0.008,
    kinds: ['dandelion', 'poppy'], patches: [PUMPKINS] },
  jungle: { grass: 0.25, grasses: [['short_grass', 3], ['fern', 1]], flowers: 0.01, kinds: ['dandelion', 'poppy'],
    more: [['bamboo', 0.02]], patches: [['melon', 1 / 8]] },
  bamboo_jungle: { grass: 0.2, grasses: [['short_grass', 3], ['fern', 1]], more: [['bamboo', 0.2]],
    patches: [['melon', 1 / 12]] },
  taiga: { grass: 0.12, grasses: FERNS, tall: 0.01, talls: ['large_fern'], more: [['brown_mushroom', 0.001]],
    patches: [['sweet_berry_bush', 1 / 10], PUMPKINS] },
  old_growth_spruce_taiga: { grass: 0.14, grasses: FERNS, tall: 0.02, talls: ['large_fern'],
    more: [['dead_bush', 0.004], ['brown_mushroom', 0.004], ['red_mushroom', 0.002]],
    patches: [['sweet_berry_bush', 1 / 16]] },
  snowy_taiga: { grass: 0.06, grasses: FERNS, patches: [['sweet_berry_bush', 1 / 24]] },
  snowy_plains: { grass: 0.03, grasses: MEADOW, flowers: 0.001, kinds: ['dandelion', 'poppy'] },
  swamp: { grass: 0.16, grasses: MEADOW, flowers: 0.01, kinds: ['blue_orchid'],
    more: [['dead_bush', 0.003], ['brown_mushroom', 0.002], ['red_mushroom', 0.001]], patches: [PUMPKINS] },
  desert: { more: [['dead_bush', 0.008], ['cactus', 0.05]] },
  windswept_hills: { grass: 0.06, grasses: MEADOW, flowers: 0.004, kinds: ['dandelion', 'poppy'] },
  windswept_forest: { grass: 0.06, grasses: MEADOW, flowers: 0.004, kinds: ['dandelion', 'poppy'] },
  grove: {}, river: { grass: 0.12, grasses: MEADOW, flowers: 0.01, kinds: ['dandelion', 'poppy'] }
}
const DOUBLE = new Set(['tall_grass', 'large_fern', 'sunflower', 'lilac', 'rose_bush', 'peony'])
/** Share of shore places with cane. */
const CANE = 0.22
const SALT = Object.freeze({ place: 51, patch: 52 })
const SIDES = Object.freeze([[1, 0], [-1, 0], [0, 1], [0, -1]])

/** Blocks on which no snow lies. */
const SNOWLESS = new RegExp(
  `^(${['water', 'ice', 'lava', '.*_stairs', '.*_slab', '.*fence.*', '.*_pane', '.*_door', '.*torch',
  'dirt_path', 'farmland', 'snow', 'bell', '.*_bed', 'chest'].join('|')})$`)

/** The covers of one world. */
class Covers {
  /**
   * @param {import('../data').GameData} data
   * @param {string} name the world's seed
   * @param {number} seed
   * @param {import('./outline').Outlines} outlines
   */
  constructor (data, name, seed, outlines) {
    this.data = data
    this.seed = seed
    this.outlines = outlines
    this.patchy = flatNoise(name, 'patches', 26, 2)
    this.kinds = flatNoise(name, 'flowers', 55, 2)
    /** @type {Map<string, number>} */
    this.states = new Map()
    this.soil = new Set(['grass_block', 'podzol', 'dirt'].map((block) => data.stateId(block))
      .concat(data.stateId('grass_block', { snowy: true })))
    this.sand = data.stateId('sand')
    this.water = data.stateId('water')
    this.snowy = new Set(BIOMES.flatMap((biome, i) => (/snowy|frozen|grove|jagged/.test(biome) ? [i] : [])))
    this.snow = data.stateId('snow')
    this.leaves = new Set(data.registry.blocksArray.filter((/** @type {any} */ block) => block.name.endsWith('_leaves'))
      .map((/** @type {any} */ block) => block.id))
  }

  /** @param {string} name @param {Record<string, string | number | boolean>} [props] */
  state (name, props) {
    const key = props ? name + JSON.stringify(props) : name
    let state = this.states.get(key)
    if (state === undefined) this.states.set(key, state = this.data.stateId(name, props))
    return state
  }

  /** @param {import('./canvas').Canvas} canvas of a single column @param {import('./outline').Outline} outline */
  draw (canvas, outline) {
    const dice = new Dice(0)
    for (let z = 0; z < 16; z++) {
      for (let x = 0; x < 16; x++) {
        const at = z * 16 + x
        dice.state = mix(this.seed, canvas.x + x, canvas.z + z, SALT.place)
        const [ground, biome] = [outline.ground[at], outline.biome[at]]
        if (ground < SEA) this.drown(canvas, x, ground, z, BIOMES[biome], dice)
        else this.plant(canvas, x, ground, z, BIOMES[biome], dice)
        if (this.snowy.has(biome)) this.snowOn(canvas, x, ground, z)
      }
    }
    this.patches(canvas, outline)
  }

  /**
   * Plant one place on land.
   * @param {import('./canvas').Canvas} canvas
   * @param {number} x
   * @param {number} ground
   * @param {number} z
   * @param {string} biome
   * @param {Dice} dice
   */
  plant (canvas, x, ground, z, biome, dice) {
    const [wx, wz] = [canvas.x + x, canvas.z + z]
    const top = canvas.get(wx, ground, wz)
    const soil = this.soil.has(top)
    if ((!soil && top !== this.sand) || canvas.get(wx, ground + 1, wz) !== 0) return
    if (ground === SEA && !this.snowyAt(wx, wz) && dice.chance(CANE) && this.shore(canvas, wx, wz)) {
      return this.stack(canvas, wx, ground, wz, 'sugar_cane', dice.int(1, 3))
    }
    const cover = COVER[biome]
    if (cover) this.choose(canvas, { x: wx, y: ground + 1, z: wz }, cover, soil, dice)
  }

  /**
   * @param {import('./canvas').Canvas} canvas
   * @param {{ x: number, y: number, z: number }} at
   * @param {Cover} cover
   * @param {boolean} soil
   * @param {Dice} dice
   */
  choose (canvas, at, cover, soil, dice) {
    for (const [name, share] of cover.more ?? []) {
      if (dice.chance(share) && this.special(canvas, at, name, soil, dice)) return
    }
    if (!soil) return
    const patch = this.patchy(at.x, at.z)
    if (cover.kinds && dice.chance((cover.flowers ?? 0) * (1 + 1.5 * patch))) {
      return this.one(canvas, at,
        cover.kinds[Math.floor((this.kinds(at.x, at.z) + 1) / 2 * 0.999 * cover.kinds.length)], dice)
    }
    if (cover.talls && dice.chance(cover.tall ?? 0)) return this.one(canvas, at, dice.pick(cover.talls), dice)
    if (cover.grasses && dice.chance((cover.grass ?? 0) * (1 + 1.5 * patch))) {
      this.one(canvas, at, dice.weighted(cover.grasses), dice)
    }
  }

  /**
   * Draw a plant of one or two blocks.
   * @param {import('./canvas').Canvas} canvas
   * @param {{ x: number, y: number, z: number }} at
   * @param {string} name
   * @param {Dice} dice
   */
  one (canvas, { x, y, z }, name, dice) {
    if (!DOUBLE.has(name)) {
      return canvas.put(x, y, z,
        name === 'sweet_berry_bush' ? this.state(name, { age: dice.int(1, 3) }) : this.state(name), ON.AIR)
    }
    if (canvas.get(x, y + 1, z) !== 0) return
    canvas.put(x, y, z, this.state(name, { half: 'lower' }), ON.AIR)
    canvas.put(x, y + 1, z, this.state(name, { half: 'upper' }), ON.AIR)
  }

  /**
   * Draw a plant that needs more than soil.
   * @param {import('./canvas').Canvas} canvas
   * @param {{ x: number, y: number, z: number }} at
   * @param {string} name
   * @param {boolean} soil
   * @param {Dice} dice
   * @returns {boolean} true if it grows there
   */
  special (canvas, at, name, soil, dice) {
    if (name === 'cactus') return this.cactus(canvas, at, soil, dice)
    if (!soil && name !== 'dead_bush') return false
    if (name === 'bamboo') this.bamboo(canvas, at, dice)
    else if (name === 'pink_petals') {
      canvas.put(at.x, at.y, at.z,
        this.state(name, { flower_amount: dice.int(1, 4), facing: dice.pick(['north', 'south', 'west', 'east']) }),
        ON.AIR)
    } else {
      this.one(canvas, at, name, dice)
    }
    return true
  }

  /**
   * Draw a cactus, which allows no neighbours; on a grid of three no two touch.
   * @param {import('./canvas').Canvas} canvas
   * @param {{ x: number, y: number, z: number }} at
   * @param {boolean} soil
   * @param {Dice} dice
   */
  cactus (canvas, { x, y, z }, soil, dice) {
    if (soil || (x + 3 * z) % 5 !== 0 || SIDES.some(([dx, dz]) => this.outlines.groundAt(x + dx, z + dz) >= y)) {
      return false
    }
    this.stack(canvas, x, y - 1, z, 'cactus', dice.int(1, 3))
    return true
  }

  /** @param {import('./canvas').Canvas} canvas @param {{ x: number, y: number, z: number }} at @param {Dice} dice */
  bamboo (canvas, { x, y, z }, dice) {
    let height = 0
    for (const most = dice.int(5, 12); height < most && canvas.get(x, y + height, z) === 0;) height++
    for (let i = 0; i < height; i++) {
      const left = height - 1 - i
      canvas.put(x, y + i, z, this.state('bamboo',
        { age: 1, leaves: left < 2 ? 'large' : left === 2 ? 'small' : 'none', stage: left === 0 ? 1 : 0 }), ON.AIR)
    }
  }

  /**
   * @param {import('./canvas').Canvas} canvas
   * @param {number} x
   * @param {number} ground
   * @param {number} z
   * @param {string} name
   * @param {number} height
   */
  stack (canvas, x, ground, z, name, height) {
    for (let i = 1; i <= height; i++) canvas.put(x, ground + i, z, this.state(name), ON.AIR)
  }

  /**
   * Return true if open water lies beside the highest block.
   * @param {import('./canvas').Canvas} canvas
   * @param {number} x
   * @param {number} z
   */
  shore (canvas, x, z) {
    return SIDES.some(([dx, dz]) => {
      if (canvas.index(x + dx, SEA, z + dz) >= 0) return canvas.get(x + dx, SEA, z + dz) === this.water
      return this.outlines.groundAt(x + dx, z + dz) < SEA && !this.snowyAt(x + dx, z + dz)
    })
  }

  /** @param {number} x @param {number} z */
  snowyAt (x, z) { return this.snowy.has(this.outlines.biomeAt(x, z)) }

  /**
   * Plant one place under water.
   * @param {import('./canvas').Canvas} canvas
   * @param {number} x
   * @param {number} ground
   * @param {number} z
   * @param {string} biome
   * @param {Dice} dice
   */
  drown (canvas, x, ground, z, biome, dice) {
    const [wx, wz] = [canvas.x + x, canvas.z + z]
    if (canvas.get(wx, ground + 1, wz) !== this.water || biome.startsWith('frozen')) return
    const deep = SEA - ground
    if (biome === 'swamp' && dice.chance(0.06)) return canvas.put(wx, SEA + 1, wz, this.state('lily_pad'), ON.AIR)
    if (/ocean/.test(biome) && biome !== 'warm_ocean' && deep > 4 &&
      dice.chance(0.12 * Math.max(0, this.patchy(wx, wz)))) {
      return this.kelp(canvas, wx, ground, wz, dice.int(3, Math.min(deep - 1, 14)))
    }
    // Water one block deep stays open: cane beside it must find water.
    if (deep < 2 || !dice.chance(biome === 'river' ? 0.12 : 0.2)) return
    if (deep > 2 && dice.chance(0.25)) {
      canvas.put(wx, ground + 1, wz, this.state('tall_seagrass', { half: 'lower' }), ON.WATER)
      canvas.put(wx, ground + 2, wz, this.state('tall_seagrass', { half: 'upper' }), ON.WATER)
    } else canvas.put(wx, ground + 1, wz, this.state('seagrass'), ON.WATER)
  }

  /**
   * @param {import('./canvas').Canvas} canvas
   * @param {number} x
   * @param {number} ground
   * @param {number} z
   * @param {number} height
   */
  kelp (canvas, x, ground, z, height) {
    for (let i = 1; i < height; i++) canvas.put(x, ground + i, z, this.state('kelp_plant'), ON.WATER)
    canvas.put(x, ground + height, z, this.state('kelp', { age: 20 }), ON.WATER)
  }

  /**
   * Put snow on the highest block, ground or leaves.
   * @param {import('./canvas').Canvas} canvas
   * @param {number} x
   * @param {number} ground
   * @param {number} z
   */
  snowOn (canvas, x, ground, z) {
    const [wx, wz] = [canvas.x + x, canvas.z + z]
    let y = ground + 22
    while (y > ground && canvas.get(wx, y, wz) === 0) y--
    const info = this.data.registry.blocksByStateId[canvas.get(wx, y, wz)]
    const bare = y >= SEA && info.boundingBox === 'block' && !SNOWLESS.test(info.name)
    if (this.leaves.has(info.id) || bare) canvas.put(wx, y + 1, wz, this.snow, ON.AIR)
  }

  /**
   * Draw patches of pumpkins, melons and berries around one place of the column.
   * @param {import('./canvas').Canvas} canvas
   * @param {import('./outline').Outline} outline
   */
  patches (canvas, outline) {
    const dice = diceAt(this.seed, canvas.x, canvas.z, SALT.patch)
    const biome = BIOMES[outline.biome[8 * 16 + 8]]
    for (const [name, chance] of COVER[biome]?.patches ?? []) {
      if (!dice.chance(chance)) continue
      for (let i = 0; i < 14; i++) {
        const [x, z] = [8 + dice.int(-4, 4), 8 + dice.int(-4, 4)]
        const y = outline.ground[z * 16 + x] + 1
        const [wx, wz] = [canvas.x + x, canvas.z + z]
        if (y > SEA && this.soil.has(canvas.get(wx, y - 1, wz)) && canvas.get(wx, y + 1, wz) === 0) {
          this.one(canvas, { x: wx, y, z: wz }, name, dice)
        }
      }
    }
  }
}

module.exports = { Covers, COVER }
