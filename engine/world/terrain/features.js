'use strict'
/** Features placed by command: trees by the rules of saplings, ores and blobs by the generator's. */
const { Canvas, MIN_Y } = require('./canvas')
const { Ores, VEINS, veinAt } = require('./ores')
const { growTree } = require('../rules/growing/saplings')
const { nameTable } = require('../../name_table')

/** @typedef {import('../world').World} World */
/** @typedef {import('../types').Pos} Pos */

/** Vanilla's names of tree features. @type {Record<string, { kind: string, wide?: boolean }>} */
const TREES = nameTable({
  oak: { kind: 'oak' }, birch: { kind: 'birch' }, spruce: { kind: 'spruce' }, pine: { kind: 'spruce' },
  acacia: { kind: 'acacia' }, cherry: { kind: 'cherry' }, jungle_tree: { kind: 'jungle' },
  jungle_tree_no_vine: { kind: 'jungle' },
  dark_oak: { kind: 'dark_oak', wide: true }, mega_spruce: { kind: 'spruce', wide: true },
  mega_pine: { kind: 'spruce', wide: true }, mega_jungle_tree: { kind: 'jungle', wide: true }
})
/** Vanilla's names of veins, with block and size. @type {Record<string, [string, number]>} */
const ORES = nameTable({
  ore_dirt: ['dirt', 33], ore_gravel: ['gravel', 33], ore_granite: ['granite', 64], ore_diorite: ['diorite', 64],
  ore_andesite: ['andesite', 64], ore_tuff: ['tuff', 64],
  ore_coal: ['coal_ore', 17], ore_iron: ['iron_ore', 9], ore_iron_small: ['iron_ore', 4], ore_gold: ['gold_ore', 9],
  ore_redstone: ['redstone_ore', 8], ore_diamond_small: ['diamond_ore', 4], ore_diamond_large: ['diamond_ore', 12],
  ore_lapis: ['lapis_ore', 7], ore_emerald: ['emerald_ore', 3], ore_copper_small: ['copper_ore', 10]
})
const FEATURES = Object.freeze([...Object.keys(TREES), ...Object.keys(ORES)])

/**
 * Copy a part of the world onto a canvas.
 * @param {World} world
 * @param {number} cx
 * @param {number} cz its first column
 * @param {number} across columns on a side
 */
function canvasOf (world, cx, cz, across) {
  const canvas = new Canvas(world.data, cx, cz, across)
  const { size, cells, x, z } = canvas
  for (let dy = 0, at = 0; dy < world.height; dy++) {
    for (let dz = 0; dz < size; dz++) {
      for (let dx = 0; dx < size; dx++, at++) cells[at] = world.terrain.peek(x + dx, MIN_Y + dy, z + dz)
    }
  }
  return canvas
}

/**
 * Draw on a copy of the world, and set the changed blocks.
 * @param {World} world
 * @param {{ cx: number, cz: number, across: number }} area
 * @param {(canvas: Canvas) => void} draw
 * @returns {number} blocks changed
 */
function paint (world, { cx, cz, across }, draw) {
  const canvas = canvasOf(world, cx, cz, across)
  const before = canvas.cells.slice()
  draw(canvas)
  let count = 0
  const { size, cells, x, z } = canvas
  for (let dy = 0, at = 0; dy < world.height; dy++) {
    for (let dz = 0; dz < size; dz++) {
      for (let dx = 0; dx < size; dx++, at++) {
        if (cells[at] !== before[at] && world.setBlock(x + dx, MIN_Y + dy, z + dz, cells[at])) count++
      }
    }
  }
  return count
}

/**
 * @param {World} world
 * @param {string} name one of FEATURES
 * @param {Pos} pos
 * @returns {boolean} true if there was room for it
 */
function placeFeature (world, name, pos) {
  const random = world.random.stream('place')
  const tree = TREES[name]
  if (tree) return growTree(world, pos, tree.kind, tree.wide === true, random)
  const [block, size] = ORES[name]
  const kind = VEINS.findIndex((vein) => vein.block === block && vein.size === size)
  const ores = new Ores(world.data, random.int(0, 0x7fffffff), /** @type {any} */ (null))
  return paint(world, { cx: (pos.x >> 4) - 1, cz: (pos.z >> 4) - 1, across: 3 },
    (canvas) => ores.draw(canvas, veinAt(kind, pos, random.int(0, 0x7fffffff)), 0)) > 0
}

module.exports = { placeFeature, paint, FEATURES }
