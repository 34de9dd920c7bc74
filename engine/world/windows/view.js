'use strict'
/**
 * A window's view of stores: slots in the window's own numbering, each with its own rules, and the targets of
 * shift-clicks as lists of slots in the order in which they are tried.
 */
const { dataOf } = require('../rules/items/item_data')
const { PLAYER, range } = require('./store')

/** @typedef {import('../types').Item} Item */
/** @typedef {import('./store').Store} Store */

/**
 * One slot of a window.
 * @typedef {object} ViewSlot
 * @property {Store} store
 * @property {number} index in the store
 * @property {number} limit most items it may hold, whatever the item's own limit
 * @property {(item: Item) => boolean} accepts
 * @property {(taken: Item) => void} [onTake] after items were taken out of a result slot
 * @property {boolean} [result] nothing can be put there; taken only whole
 * @property {(item: Item) => boolean} [mayTake]
 */

const anything = () => true
const nothing = () => false

/** @param {Store} store @param {number} index @param {Partial<ViewSlot>} [rules] @returns {ViewSlot} */
function slot (store, index, rules = {}) { return { store, index, limit: 64, accepts: anything, ...rules } }

/** @param {string} name @returns {number} the armour slot of window 0 for that item, or -1 */
function armourSlot (name) {
  if (/_helmet$|^carved_pumpkin$|_skull$|_head$/.test(name)) return name === 'piston_head' ? -1 : PLAYER.HEAD
  if (/_chestplate$|^elytra$/.test(name)) return PLAYER.CHEST
  if (/_leggings$/.test(name)) return PLAYER.LEGS
  if (/_boots$/.test(name)) return PLAYER.FEET
  return -1
}

/** An open window of one player. */
class View {
  /**
   * @param {{ id: number, type: string, typeId: number, title: string, kind: string }} info
   * @param {ViewSlot[]} slots
   * @param {(index: number, item: Item) => number[][]} targets where a shift-click on that slot moves its stack: lists
   *   tried in turn
   */
  constructor (info, slots, targets) {
    this.id = info.id
    this.type = info.type
    this.typeId = info.typeId
    this.title = info.title
    this.kind = info.kind
    this.slots = slots
    this.targets = targets
    /** Number of slots before the player's own. */
    this.own = slots.findIndex((s) => s.store.size === PLAYER.SIZE && s.index >= PLAYER.MAIN)
    /** Slot that is sent after every click instead of being compared (crafting results). @type {number | null} */
    this.resultSlot = null
    /** Callbacks on closing. @type {(() => void)[]} */
    this.closers = []
    /** Return true if the window may stay open. @type {() => boolean} */
    this.valid = anything
    /** Actions of a workshop's window (rules/workshops). @type {import('../rules/workshops/workshop').Work | null} */
    this.work = null
    /** The drag in progress. */
    this.drag = { status: 0, type: 0, slots: /** @type {number[]} */ ([]) }
  }

  /** @param {number} index @returns {Item | null} */
  get (index) { const s = this.slots[index]; return s.store.get(s.index) }

  /** @param {number} index @param {Item | null} item */
  set (index, item) { const s = this.slots[index]; s.store.set(s.index, item) }

  /** Return the maximum count of an item in a slot. @param {number} index @param {Item} item */
  capacity (index, item) { return Math.min(this.slots[index].limit, item.stackSize) }
}

/** Return main part and hot bar, the last slots of every container window. @param {Store} store */
function playerSlots (store) { return range(PLAYER.MAIN, PLAYER.OFFHAND).map((i) => slot(store, i)) }

/**
 * Return window 0, the player's own inventory.
 * @param {Store} store
 * @param {(taken: Item) => void} onCraft
 */
function inventoryView (store, onCraft) {
  const slots = range(0, PLAYER.SIZE).map((i) => {
    if (i === PLAYER.RESULT) return slot(store, i, { accepts: nothing, result: true, onTake: onCraft })
    if (i >= PLAYER.HEAD && i <= PLAYER.FEET) {
      return slot(store, i, { limit: 1, accepts: (item) => armourSlot(item.name) === i,
        mayTake: (item) => !bindingCurse(item) })
    }
    return slot(store, i)
  })
  const everywhere = range(PLAYER.MAIN, PLAYER.OFFHAND)
  const view = new View({ id: 0, type: 'minecraft:inventory', typeId: -1, title: '""', kind: 'inventory' }, slots,
    (index, item) => {
    if (index === PLAYER.RESULT) return [range(PLAYER.OFFHAND, PLAYER.MAIN)]
    if (index < PLAYER.MAIN) return [everywhere]
    const armour = armourSlot(item.name)
    if (armour >= 0 && !store.get(armour)) return [[armour]]
    if (item.name === 'shield' && !store.get(PLAYER.OFFHAND)) return [[PLAYER.OFFHAND]]
    if (index < PLAYER.HOTBAR) return [range(PLAYER.HOTBAR, PLAYER.OFFHAND)]
    if (index < PLAYER.OFFHAND) return [range(PLAYER.MAIN, PLAYER.HOTBAR)]
    return [everywhere]
  })
  view.resultSlot = PLAYER.RESULT
  view.own = PLAYER.MAIN
  return view
}

/** @param {Item} item */
function bindingCurse (item) {
  /** @type {Record<string, import('../nbt/values').Tag>[]} */
  const list = dataOf(item).Enchantments?.value?.value ?? []
  return list.some((e) => String(e?.id?.value).endsWith('binding_curse'))
}

/**
 * Return a window on one or two rows of plain slots and the player's own.
 * @param {{ id: number, type: string, typeId: number, title: string, kind: string }} info
 * @param {Store[]} stores
 * @param {Store} own
 */
function containerView (info, stores, own) {
  const slots = [...stores.flatMap((store) => range(0, store.size).map((i) => slot(store, i))), ...playerSlots(own)]
  const n = slots.length - 36
  return new View(info, slots, (index) => [index < n ? range(slots.length, n) : range(0, n)])
}

/**
 * Return the window of a 3x3 crafting table.
 * @param {{ id: number, type: string, typeId: number, title: string, kind: string }} info
 * @param {Store} grid slot 0 the result, 1-9 the grid
 * @param {Store} own
 * @param {(taken: Item) => void} onCraft
 */
function craftingView (info, grid, own, onCraft) {
  const slots = [slot(grid, 0, { accepts: nothing, result: true, onTake: onCraft }),
    ...range(1, 10).map((i) => slot(grid, i)), ...playerSlots(own)]
  const view = new View(info, slots, (index) => {
    if (index === 0) return [range(46, 10)]
    if (index < 10) return [range(10, 46)]
    return [range(1, 10), index < 37 ? range(37, 46) : range(10, 37)]
  })
  view.resultSlot = 0
  return view
}

/**
 * Return a furnace's window: 0 the input, 1 fuel, 2 the result.
 * @param {{ id: number, type: string, typeId: number, title: string, kind: string }} info
 * @param {Store} store
 * @param {Store} own
 * @param {{ smelts: (item: Item) => boolean, burns: (item: Item) => boolean, onTake: (taken: Item) => void }} rules
 */
function furnaceView (info, store, own, rules) {
  const slots = [slot(store, 0), slot(store, 1, { accepts: (item) => rules.burns(item) || item.name === 'bucket' }),
    slot(store, 2, { accepts: nothing, result: true, onTake: rules.onTake }), ...playerSlots(own)]
  return new View(info, slots, (index, item) => {
    if (index === 2) return [range(39, 3)]
    if (index < 2) return [range(3, 39)]
    if (rules.smelts(item)) return [[0]]
    if (rules.burns(item)) return [[1]]
    return [index < 30 ? range(30, 39) : range(3, 30)]
  })
}

module.exports = { View, inventoryView, containerView, craftingView, furnaceView, armourSlot }
