'use strict'
/**
 * Pictures of survival terrain: a map from above, and sections through the ground.
 *
 *   node benchmarks/terrain_map.js SEED FOLDER [--size 256] [--at X,Z]
 *
 * writes map-SEED.png (one pixel a block, shaded by height) and section-SEED.png (three cuts from west to east).
 */
const path = require('node:path')
const { World } = require('../engine/world')
const { writePng } = require('./png')

/** Colours by name pattern; the first match counts. @type {[RegExp, number[]][]} */
const COLOURS = [
  [/^air$/, [200, 225, 255]], [/^water$|kelp|seagrass/, [50, 90, 220]], [/^lava$/, [255, 110, 0]],
  [/ice$/, [160, 190, 255]], [/snow/, [245, 248, 255]], [/grass_block|^short_grass|fern|tall_grass/, [120, 175, 75]],
  [/podzol/, [120, 90, 50]], [/^dirt$|farmland/, [134, 96, 67]], [/dirt_path/, [170, 140, 80]],
  [/sandstone/, [216, 200, 150]], [/^sand$/, [230, 215, 160]], [/gravel/, [136, 126, 126]],
  [/coal_ore/, [30, 30, 30]], [/iron_ore/, [225, 170, 140]], [/gold_ore/, [255, 230, 40]],
  [/diamond_ore/, [60, 240, 240]], [/redstone_ore/, [230, 0, 0]], [/lapis_ore/, [20, 60, 230]],
  [/copper_ore/, [220, 120, 60]], [/emerald_ore/, [0, 230, 80]],
  [/granite/, [150, 105, 90]], [/diorite/, [190, 190, 190]], [/andesite/, [136, 138, 136]], [/tuff/, [90, 95, 85]],
  [/deepslate/, [72, 72, 78]], [/^stone$/, [125, 125, 125]], [/bedrock/, [20, 20, 20]],
  [/mossy|cobble/, [100, 110, 100]],
  [/spruce_leaves/, [55, 85, 55]], [/birch_leaves/, [110, 150, 80]], [/dark_oak_leaves/, [40, 80, 25]],
  [/cherry_leaves/, [240, 170, 200]], [/acacia_leaves/, [140, 150, 50]], [/jungle_leaves/, [40, 130, 20]],
  [/leaves|vine|lily/, [60, 120, 40]],
  [/cactus|bamboo|cane/, [90, 160, 60]], [/mushroom_block/, [180, 60, 50]],
  [/log|planks|stairs|fence|door/, [110, 85, 50]], [/pumpkin|melon/, [230, 140, 30]], [/./, [220, 90, 160]]
]
/** @type {Map<string, number[]>} */
const known = new Map()
/** @param {string} name */
function colourOf (name) {
  let colour = known.get(name)
  if (!colour) {
    known.set(name, colour = /** @type {[RegExp, number[]]} */ (COLOURS.find(([rule]) => rule.test(name)))[1])
  }
  return colour
}

/** @param {string[]} argv */
function main ([seed = '1', folder = '.', ...rest]) {
  const option = (/** @type {string} */ name, /** @type {string} */ usual) =>
    rest.includes(name) ? rest[rest.indexOf(name) + 1] : usual
  const size = Number(option('--size', '256'))
  const world = new World({ seed, terrain: 'survival' })
  const [x0, z0] = option('--at', `${world.spawn.x},${world.spawn.z}`).split(',')
    .map((v) => Math.floor(Number(v)) - (size >> 1))
  /** @type {{ y: number, name: string }[]} */
  const tops = []
  for (let z = 0; z < size; z++) for (let x = 0; x < size; x++) tops.push(topAt(world, x0 + x, z0 + z))
  writePng(path.join(folder, `map-${seed}.png`), size, size, (x, z) => {
    const here = tops[z * size + x]
    const shade = 1 + Math.max(-0.35,
      Math.min(0.35, (here.y - tops[z * size + Math.max(0, x - 1)].y) * 0.12 + (here.y - 75) * 0.002))
    return colourOf(here.name).map((value) => value * shade)
  })
  const cuts = [0.25, 0.5, 0.75].map((part) => z0 + Math.floor(size * part))
  const [top, deep] = [150, 214]
  writePng(path.join(folder, `section-${seed}.png`), size, deep * 3,
    (x, row) => colourOf(world.stateAt(x0 + x, top - row % deep, cuts[Math.floor(row / deep)]).name))
}

/** @param {any} world @param {number} x @param {number} z */
function topAt (world, x, z) {
  let y = 250
  while (y > -64 && world.stateAt(x, y, z).air) y--
  return { y, name: world.stateAt(x, y, z).name }
}

main(process.argv.slice(2))
