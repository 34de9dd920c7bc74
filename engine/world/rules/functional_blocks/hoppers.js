'use strict'
/**
 * Hoppers (minecraft.wiki, "Hopper"): every eight ticks a hopper pushes an item into the container that it points at,
 * and pulls one from the container above or picks up dropped items. Power locks it. Only placed hoppers are ticked.
 */
const { inventoryAt, putOne, takeOne } = require('./sided_inventories')
const { compost, chanceOf, FULL, RIPE } = require('./composters')
const { beside, OPPOSITE } = require('../redstone/power')
const { overlap } = require('../../geometry')
const { ItemEntity } = require('../../entities/drops')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../windows/store').Store} Store */
/** @typedef {import('../blocks/block_entities').BlockEntity} BlockEntity */
/** @typedef {{ cooldown: number, ticked: number }} Clock */

const EVERY = 8
/** Height of a hopper's bowl above the floor of its block, and of the space above that it takes items from. */
const BOWL = 11 / 16
const MOUTH = 2

/** Hoppers of one world, in the order in which they were placed. */
class Hoppers {
  /** @param {import('../../world').World} world */
  constructor (world) {
    this.world = world
    /** @type {Map<BlockEntity, Clock>} */
    this.clocks = new Map()
  }

  /** @param {BlockEntity} hopper */
  add (hopper) { this.clocks.set(hopper, { cooldown: 0, ticked: -1 }) }

  /** @param {BlockEntity} entity of a removed block */
  forget (entity) { this.clocks.delete(entity) }

  tick () {
    for (const [hopper, clock] of this.clocks) {
      clock.ticked = this.world.age
      if (clock.cooldown > 0 && --clock.cooldown > 0) continue
      if (this.move(hopper)) clock.cooldown = EVERY
    }
  }

  /** @param {BlockEntity} hopper @returns {boolean} true if any item was moved */
  move (hopper) {
    const { x, y, z } = hopper.pos
    const { props } = this.world.stateAt(x, y, z)
    if (props.enabled === 'false') return false
    const pushed = this.push(hopper, props.facing)
    const pulled = pull(this.world, hopper.store, hopper.pos)
    return pushed || pulled
  }

  /** @param {BlockEntity} hopper @param {string} facing */
  push (hopper, facing) {
    const { world } = this
    const { store } = hopper
    if (store.slots.every((item) => item === null)) return false
    const to = beside(hopper.pos, facing)
    const into = inventoryAt(world, to)
    if (!into) return facing === 'down' && this.compost(store, to)
    const empty = into.stores.every(({ slots }) => slots.every((item) => item === null))
    for (const [index, item] of store.slots.entries()) {
      if (!item || !putOne(world, into, item, OPPOSITE[facing])) continue
      store.set(index, world.stacks.withCount(item, item.count - 1))
      if (empty && into.block) this.delay(into.block, hopper)
      return true
    }
    return false
  }

  /** Put one item into a composter that is not full. @param {Store} store @param {Pos} pos @returns {boolean} */
  compost (store, pos) {
    const { world } = this
    const state = world.stateAt(pos.x, pos.y, pos.z)
    if (state.name !== 'composter' || Number(state.props.level) >= FULL) return false
    const slot = store.slots.findIndex((item) => item !== null && chanceOf(item.name) > 0)
    const item = store.slots[slot]
    if (!item) return false
    compost(world, pos, state, item.name)
    store.set(slot, world.stacks.withCount(item, item.count - 1))
    return true
  }

  /**
   * Delay a hopper that was empty before it received an item, one tick less if it has already been ticked in this tick.
   *
   * @param {BlockEntity} filled
   * @param {BlockEntity} by
   */
  delay (filled, by) {
    const clock = this.clocks.get(filled)
    if (!clock || clock.cooldown > EVERY) return
    clock.cooldown = clock.ticked >= (this.clocks.get(by)?.ticked ?? -1) ? EVERY - 1 : EVERY
  }
}

/**
 * Pull one item from the container above a hopper or a hopper minecart, or else from the items dropped into it.
 * @param {import('../../world').World} world
 * @param {Store} store
 * @param {Pos} pos the hopper's block
 * @returns {boolean}
 */
function pull (world, store, pos) {
  if (store.slots.every((item) => item !== null && item.count >= item.stackSize)) return false
  const above = inventoryAt(world, beside(pos, 'up'))
  const into = { name: 'hopper', stores: [store], block: null }
  if (above) return takeOne(world, above, (item) => putOne(world, into, item, 'up'))
  if (harvest(world, beside(pos, 'up'), (item) => putOne(world, into, item, 'up'))) return true
  if (world.loose.size === 0) return false
  const mouth = [pos.x, pos.y + BOWL, pos.z, pos.x + 1, pos.y + MOUTH, pos.z + 1]
  for (const drop of world.dropGrid.near({ x: pos.x + 0.5, z: pos.z + 0.5 })) {
    if (drop instanceof ItemEntity && !drop.removed && overlap(mouth, drop.box) && swallow(world, store, drop)) {
      return true
    }
  }
  return false
}

/**
 * Take the bone meal of a ripe composter.
 *
 * @param {import('../../world').World} world
 * @param {Pos} pos
 * @param {(item: Item) => boolean} put
 * @returns {boolean}
 */
function harvest (world, pos, put) {
  const state = world.stateAt(pos.x, pos.y, pos.z)
  if (state.name !== 'composter' || Number(state.props.level) !== RIPE || !put(world.stacks.make('bone_meal'))) {
    return false
  }
  world.setBlock(pos.x, pos.y, pos.z, world.data.withProps(state.stateId, { level: 0 }))
  return true
}

/**
 * Take as many items of a dropped stack as fit.
 *
 * @param {import('../../world').World} world
 * @param {Store} store
 * @param {ItemEntity} drop
 * @returns {boolean}
 */
function swallow (world, store, drop) {
  const rest = store.insert(world.stacks, drop.item, store.slots.keys())
  if (rest?.count === drop.item.count) return false
  if (rest === null) drop.remove()
  else {
    drop.resume()
    drop.item = rest
    world.emit('entityMeta', { entity: drop })
  }
  return true
}

module.exports = { Hoppers, pull }
