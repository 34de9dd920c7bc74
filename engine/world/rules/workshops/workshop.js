'use strict'
/** What the windows of workshops share: slots for what is put in, mostly one for what comes out, all given back at the end. */
const { View } = require('../../windows/view')
const { Store, PLAYER, range } = require('../../windows/store')

/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../player').Player} Player */

/**
 * What one kind of workshop does. `store` has the inputs first, then the result.
 * @typedef {object} Shop
 * @property {string} menu vanilla's menu name
 * @property {string} title translation key
 * @property {((item: Item) => boolean)[]} accepts one rule an input slot
 * @property {(item: Item) => number[]} [goes] where a shift-click puts it, if not into the first slots that accept it
 * @property {number[]} [limits] most items an input slot takes
 * @property {boolean} [gives] whether there is a result slot
 * @property {(work: Work) => void} refresh something was put in or taken out
 * @property {(work: Work, taken: Item) => void} [take] the result was taken
 * @property {(work: Work) => boolean} [mayTake]
 * @property {(work: Work, button: number) => boolean} [button] a button of the window was pressed
 * @property {(work: Work, name: string) => void} [rename]
 * @property {(work: Work, index: number) => void} [select] a trade was chosen
 */

/** One player's work at one workshop. */
class Work {
  /** @param {import('../../world').World} world @param {Player} player @param {Shop} shop @param {Pos} pos */
  constructor (world, player, shop, pos) {
    this.world = world
    this.player = player
    this.shop = shop
    this.pos = pos
    this.inputs = shop.accepts.length
    this.store = new Store(this.inputs + (shop.gives ? 1 : 0))
    /** What kinds of workshops keep while they are open. @type {any} */
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

  /** Uses up some of an input. @param {number} index @param {number} [count] */
  use (index, count = 1) {
    const item = this.get(index)
    if (item) this.store.set(index, this.world.stacks.withCount(item, item.count - count))
  }

  /** A number that the window shows. @param {number} property @param {number} value */
  show (property, value) { this.world.emit('windowProperty', { player: this.player, windowId: this.view.id, property, value }) }

  refresh () { this.shop.refresh(this) }

  /** What was put in goes back. */
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
    slots.push({ store, index: inputs, limit: 64, accepts: () => false, result: true, mayTake: () => shop.mayTake?.(work) ?? true, onTake: (taken) => { shop.take?.(work, taken); work.refresh() } })
  }
  const first = slots.length
  slots.push(...range(PLAYER.MAIN, PLAYER.OFFHAND).map((index) => ({ store: player.store, index, limit: 64, accepts: () => true })))
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
