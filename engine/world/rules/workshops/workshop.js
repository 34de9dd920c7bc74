'use strict'
/** Base of workshop windows: input slots, usually one result slot; the inputs are given back when it closes. */
const { View } = require('../../windows/view')
const { Store, PLAYER, range } = require('../../windows/store')

/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../player').Player} Player */

/**
 * One kind of workshop. `store` has the inputs first, then the result.
 *
 * @typedef {object} Shop
 * @property {string} menu vanilla's menu name
 * @property {string} title translation key
 * @property {((item: Item) => boolean)[]} accepts one rule for each input slot
 * @property {(item: Item) => number[]} [goes] target slots of a shift-click; by default the first slots that accept the
 *   item
 * @property {number[]} [limits] maximum number of items in each input slot
 * @property {boolean} [gives] true if there is a result slot
 * @property {(work: Work) => void} refresh updates the result after a change of the inputs
 * @property {(work: Work, taken: Item) => void} [take] handles a taken result
 * @property {(work: Work) => boolean} [mayTake]
 * @property {(work: Work, button: number) => boolean} [button] handles a pressed button of the window
 * @property {(work: Work, name: string) => void} [rename]
 * @property {(work: Work, index: number) => void} [select] handles a chosen trade
 */

/** Work of one player at one workshop. */
class Work {
  /** @param {import('../../world').World} world @param {Player} player @param {Shop} shop @param {Pos} pos */
  constructor (world, player, shop, pos) {
    this.world = world
    this.player = player
    this.shop = shop
    this.pos = pos
    this.inputs = shop.accepts.length
    this.store = new Store(this.inputs + (shop.gives ? 1 : 0))
    /** State of the kind of workshop while its window is open. @type {any} */
    this.state = {}
    /** @type {View} */
    this.view = workshopView(this)
  }

  /** @param {number} index */
  get (index) { return this.store.get(index) }
  get result () { return this.store.get(this.inputs) }

  /** @param {Item | null} item */
  give (item) {
    if (!this.world.stacks.equal(item, this.result)) this.store.set(this.inputs, item)
  }

  /** Consume items of an input. @param {number} index @param {number} [count] */
  use (index, count = 1) {
    const item = this.get(index)
    if (item) this.store.set(index, this.world.stacks.withCount(item, item.count - count))
  }

  /** Show a number in the window. @param {number} property @param {number} value */
  show (property, value) {
    this.world.emit('windowProperty', { player: this.player, windowId: this.view.id, property, value })
  }

  refresh () { this.shop.refresh(this) }

  /** Give the inputs back. */
  close () {
    if (this.shop.gives) this.store.set(this.inputs, null)
    for (const item of this.store.empty()) this.player.giveOrDrop(item)
  }
}

/** @param {Work} work @returns {View} */
function workshopView (work) {
  const { shop, store, player, inputs } = work
  /** @type {import('../../windows/view').ViewSlot[]} */
  const slots = shop.accepts.map((accepts, index) => ({ store, index, limit: shop.limits?.[index] ?? 64, accepts }))
  if (shop.gives) {
    slots.push({ store, index: inputs, limit: 64, accepts: () => false, result: true,
      mayTake: () => shop.mayTake?.(work) ?? true, onTake: (taken) => {
      shop.take?.(work, taken)
      work.refresh()
    } })
  }
  const first = slots.length
  slots.push(...range(PLAYER.MAIN, PLAYER.OFFHAND)
    .map((index) => ({ store: player.store, index, limit: 64, accepts: () => true })))
  const info = work.world.opener.info(player, shop.menu, shop.title, shop.menu)
  const view = new View(info, slots, (index, item) => {
    if (index < first) return [index === inputs ? range(slots.length, first) : range(first, slots.length)]
    const fitting = shop.goes?.(item) ?? range(0, inputs).filter((i) => slots[i].accepts(item))
    return [fitting, index < first + 27 ? range(first + 27, slots.length) : range(first, first + 27)]
  })
  if (shop.gives) view.resultSlot = inputs
  view.work = work
  view.closers.push(() => work.close())
  return view
}

module.exports = { Work }
