/** Inventory and open containers, with the queries of prismarine-windows. */
'use strict'
const { Item } = require('./block')
const { named } = require('./errors')
const { refuseMembers } = require('./documented')
const { seal } = require('./harden')
const { handleAll } = require('./host')
const { Vec3 } = require('./vec3')

const TICKS_PER_SECOND = 20

/** Slots and their queries; the slots are read anew for each query. */
class Slots {
  /**
   * @param {() => any} look - gives {slots, inventoryStart, inventoryEnd, hotbarStart, id, type, title, selectedItem}
   */
  constructor (look) {
    Object.defineProperty(this, '_look', { value: look })
  }

  /** @returns {any} */
  get _data () { return /** @type {any} */ (this)._look() }
  get id () { return this._data.id }
  get type () { return this._data.type }
  get title () { return this._data.title }
  get inventoryStart () { return this._data.inventoryStart }
  get inventoryEnd () { return this._data.inventoryEnd }
  get hotbarStart () { return this._data.hotbarStart }
  get selectedItem () { return asItem(this._data.selectedItem) }

  /** @returns {(Item | null)[]} */
  get slots () { return this._data.slots.map(asItem) }

  /** @returns {any[]} what lies in the player's part */
  items () { return this.itemsRange(this.inventoryStart, this.inventoryEnd) }

  /** @returns {any[]} what lies in the container's part */
  containerItems () { return this.itemsRange(0, this.inventoryStart) }

  /** @param {number} start @param {number} end */
  itemsRange (start, end) { return this.slots.slice(start, end).filter((item) => item !== null) }

  /** @param {number} start @param {number} end @param {number | string} type */
  countRange (start, end, type) {
    return this.itemsRange(start, end).filter(fits(type)).reduce((sum, item) => sum + item.count, 0)
  }

  /** @param {number | string} type - item id or name */
  count (type) { return this.countRange(this.inventoryStart, this.inventoryEnd, type) }

  /** @param {number | string} type */
  containerCount (type) { return this.countRange(0, this.inventoryStart, type) }

  /**
   * @param {number} start @param {number} end @param {number | string} type @param {any} [_metadata] @param {boolean}
   *   [notFull]
   * @returns {any} an item or null
   */
  findItemRange (start, end, type, _metadata, notFull = false) {
    return this.itemsRange(start, end).find((item) => fits(type)(item) && !(notFull && item.count >= item.stackSize)) ??
      null
  }

  /** @param {number | string} type @param {any} [metadata] @param {boolean} [notFull] */
  findInventoryItem (type, metadata, notFull) {
    return this.findItemRange(this.inventoryStart, this.inventoryEnd, type, metadata, notFull)
  }

  /** @param {number | string} type @param {any} [metadata] @param {boolean} [notFull] */
  findContainerItem (type, metadata, notFull) {
    return this.findItemRange(0, this.inventoryStart, type, metadata, notFull)
  }

  /**
   * @param {number} start @param {number} end @param {number | string} type @param {any} [_metadata] @param {boolean}
   *   [notFull]
   * @returns {any[]}
   */
  findItemsRange (start, end, type, _metadata, notFull = false) {
    return this.itemsRange(start, end).filter((item) => fits(type)(item) && !(notFull && item.count >= item.stackSize))
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {string} name
   * @param {any} [metadata]
   * @param {boolean} [notFull]
   */
  findItemRangeName (start, end, name, metadata, notFull) {
    return this.findItemRange(start, end, name, metadata, notFull)
  }

  /** @param {number} start @param {number} end */
  sumRange (start, end) { return this.itemsRange(start, end).reduce((sum, item) => sum + item.count, 0) }

  /** @param {number} start @param {number} end @returns {number | null} */
  firstEmptySlotRange (start, end) {
    const { slots } = this
    for (let slot = start; slot < end; slot++) if (slots[slot] === null) return slot
    return null
  }

  firstEmptyHotbarSlot () { return this.firstEmptySlotRange(this.hotbarStart, this.hotbarStart + 9) }
  firstEmptyInventorySlot () { return this.firstEmptySlotRange(this.inventoryStart, this.inventoryEnd) }
  firstEmptyContainerSlot () { return this.firstEmptySlotRange(0, this.inventoryStart) }
  emptySlotCount () {
    return this.slots.slice(this.inventoryStart, this.inventoryEnd).filter((item) => item === null).length
  }
}

/** Open chest, barrel or the like; moved items are counted after the server has confirmed them. */
class ContainerWindow extends Slots {
  #host
  #id
  /**
   * @param {import('./host').Host} host
   * @param {any} opened - what the host says of it
   */
  constructor (host, opened) {
    super(() => {
      const data = host.read('window')
      if (data === null || data.id !== opened.id) {
        throw named('WindowClosed', 'the container is no longer open; open it again')
      }
      return data
    })
    this.#host = host
    this.#id = opened.id
    this.position = opened.position ? new Vec3(opened.position[0], opened.position[1], opened.position[2]) : null
  }

  /**
   * @param {number} itemType @param {any} _metadata @param {number} [count]
   * @returns {Promise<number>} how many really came into the inventory
   */
  async withdraw (itemType, _metadata, count = 1) { return this.#host.act('withdraw', this.#id, itemType, count ?? 1) }

  /**
   * @param {number} itemType @param {any} _metadata @param {number} [count]
   * @returns {Promise<number>} how many really went in
   */
  async deposit (itemType, _metadata, count = 1) { return this.#host.act('deposit', this.#id, itemType, count ?? 1) }

  async close () { return this.#host.act('closeWindow', this.#id) }

  /** @param {number} slot @param {number} itemType @param {number} count @protected */
  async _put (slot, itemType, count) { return this.#host.act('putInto', this.#id, slot, itemType, count ?? 1) }
  /** @param {number} slot @protected */
  async _take (slot) {
    const item = asItem(this._data.slots[slot])
    if (item === null) throw named('ItemNotInChest', `slot ${slot} of the ${this.type} is empty`)
    await this.#host.act('takeFrom', this.#id, slot)
    return item
  }
}

/** Furnace, smoker or blast furnace. */
class FurnaceWindow extends ContainerWindow {
  inputItem () { return this.slots[0] }
  fuelItem () { return this.slots[1] }
  outputItem () { return this.slots[2] }
  get fuel () { return this._data.fuel ?? null }
  get progress () { return this._data.progress ?? null }
  get totalFuel () { return this._ticks(1) }
  get totalFuelSeconds () { return seconds(this._ticks(1)) }
  get fuelSeconds () { return seconds(this._ticks(0)) }
  get totalProgress () { return this._ticks(3) }
  get totalProgressSeconds () { return seconds(this._ticks(3)) }
  /** @returns {number | null} until the item is done */
  get progressSeconds () {
    return this.totalProgress === null ? null : seconds(this.totalProgress - (this._ticks(2) ?? 0))
  }
  /**
   * @param {number} property - 0 fire left, 1 of how much, 2 progress, 3 of how much
   * @returns {number | null}
   * @protected
   */
  _ticks (property) { return this._data.properties?.[property] ?? null }
  /** @param {number} itemType @param {any} _metadata @param {number} count */
  async putInput (itemType, _metadata, count) { await this._put(0, itemType, count) }
  /** @param {number} itemType @param {any} _metadata @param {number} count */
  async putFuel (itemType, _metadata, count) { await this._put(1, itemType, count) }
  async takeInput () { return this._take(0) }
  async takeFuel () { return this._take(1) }
  async takeOutput () { return this._take(2) }
}

refuseMembers(Slots.prototype, 'window')
handleAll(ContainerWindow.prototype, 'window')
handleAll(FurnaceWindow.prototype, 'window')
seal(Slots, ContainerWindow, FurnaceWindow)

/** @param {number | null} ticks @returns {number | null} */
function seconds (ticks) { return ticks === null ? null : ticks / TICKS_PER_SECOND }

/** @param {any} data @returns {Item | null} */
function asItem (data) {
  return data === null || data === undefined ? null : new Item(data)
}

/** @param {number | string} type @returns {(item: any) => boolean} */
function fits (type) {
  return typeof type === 'string' ? (item) => item.name === type : (item) => item.type === type
}

module.exports = { ContainerWindow, FurnaceWindow, Slots, asItem }
