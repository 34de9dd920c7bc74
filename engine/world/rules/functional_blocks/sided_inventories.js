'use strict'
/**
 * Containers as hoppers and droppers see them: slots that take and give items through each face (minecraft.wiki,
 * "Hopper" and each container's page).
 */
const { potionOf, isIngredient } = require('../brewing/recipes')
const { discOf, playing, changed } = require('./jukebox')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../windows/store').Store} Store */
/** @typedef {import('../blocks/block_entities').BlockEntity} BlockEntity */
/** @typedef {import('../../world').World} World */
/** @typedef {'up' | 'down' | 'side'} Face */
/**
 * Slots of a block, of both halves of a double chest, or of a minecart.
 *
 * @typedef {{ name: string, stores: Store[], block: BlockEntity | null }} Inventory
 */

const FURNACE = Object.freeze({ up: [0], down: [2, 1], side: [1] })
/** @type {Record<string, Readonly<Record<Face, number[]>>>} */
const SLOTS = nameTable({
  furnace: FURNACE, smoker: FURNACE, blast_furnace: FURNACE,
  brewing_stand: Object.freeze({ up: [3], down: [0, 1, 2, 3], side: [0, 1, 2, 4] })
})

/** @param {World} world @param {Pos} pos @returns {Inventory | null} */
function inventoryAt (world, pos) {
  const parts = world.blockEntities.parts(pos)
  if (parts.length > 0 && parts[0].container && parts[0].name !== 'lectern') {
    return { name: parts[0].name, stores: parts.map(({ store }) => store), block: parts[0] }
  }
  const cart = world.redstone.rails.carrierAt(pos)
  return cart && { name: cart.type, stores: [cart.store], block: null }
}

/** @param {string} side a direction @returns {Face} */
function faceOf (side) { return side === 'up' || side === 'down' ? side : 'side' }

/** @param {Inventory} inventory @param {Face} face @returns {[Store, number][]} */
function slotsOf ({ name, stores }, face) {
  const some = SLOTS[name]?.[face]
  return stores.flatMap((store) =>
    (some ?? [...store.slots.keys()]).map((index) => /** @type {[Store, number]} */ ([store, index])))
}

/**
 * Return true if a slot takes an item.
 *
 * @param {World} world
 * @param {string} name
 * @param {Store} store
 * @param {number} index
 * @param {Item} item
 * @returns {boolean}
 */
function takes (world, name, store, index, item) {
  if (name === 'jukebox') return store.get(0) === null && discOf(item) !== null
  if (name.endsWith('shulker_box')) return !item.name.endsWith('shulker_box')
  if (SLOTS[name] === FURNACE) {
    return index === 0 || (index === 1 &&
      (world.smelting.fuel(item) > 0 || (item.name === 'bucket' && store.get(1)?.name !== 'bucket')))
  }
  if (name !== 'brewing_stand') return true
  if (index === 3) return isIngredient(item.name)
  if (index === 4) return item.name === 'blaze_powder'
  return (potionOf(item) !== '' || item.name === 'glass_bottle') && store.get(index) === null
}

/**
 * Return true if an item leaves through the bottom: fuel stays in a furnace except for buckets, an ingredient stays in
 * a brewing stand except for bottles.
 *
 * @param {string} name
 * @param {number} index
 * @param {Item} item
 * @returns {boolean}
 */
function gives (name, index, item) {
  if (SLOTS[name] === FURNACE) return index !== 1 || /^(water_)?bucket$/.test(item.name)
  return name !== 'brewing_stand' || index !== 3 || item.name === 'glass_bottle'
}

/**
 * Put one item into a container.
 *
 * @param {World} world
 * @param {Inventory} into
 * @param {Item} item its kind; one of it goes in
 * @param {string} side the face through which it comes
 * @returns {boolean}
 */
function putOne (world, into, item, side) {
  const { stacks } = world
  for (const [store, index] of slotsOf(into, faceOf(side))) {
    const there = store.get(index)
    if (there && (there.count >= there.stackSize || !stacks.same(there, item))) continue
    if (!takes(world, into.name, store, index, item)) continue
    store.set(index, stacks.withCount(there ?? item, (there?.count ?? 0) + 1))
    worked(world, into)
    return true
  }
  return false
}

/**
 * Move one item out of a container's bottom.
 *
 * @param {World} world
 * @param {Inventory} from
 * @param {(item: Item) => boolean} put returns true if it has room for one
 * @returns {boolean}
 */
function takeOne (world, from, put) {
  for (const [store, index] of slotsOf(from, 'down')) {
    const item = store.get(index)
    if (!item || !gives(from.name, index, item) ||
      (from.name === 'jukebox' && from.block && playing(world, from.block.pos)) || !put(item)) {
      continue
    }
    store.set(index, world.stacks.withCount(item, item.count - 1))
    worked(world, from)
    return true
  }
  return false
}

/** Let a jukebox play its new disc. @param {World} world @param {Inventory} inventory */
function worked (world, { name, block }) { if (name === 'jukebox' && block) changed(world, block) }

module.exports = { inventoryAt, putOne, takeOne }
