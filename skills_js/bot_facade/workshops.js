/** Windows for making and trading: mineflayer's openEnchantmentTable, openAnvil and openVillager. */
'use strict'
const { Item } = require('./block')
const { named } = require('./errors')
const { seal } = require('./harden')
const { handleAll } = require('./host')
const { ContainerWindow } = require('./window')

const RESULT = 2
const LEFT = 0
const SHIFT = 1
const LONGEST_NAME = 35

/** Window whose slots are filled one after the other. */
class WorkWindow extends ContainerWindow {
  #host
  /**
   * @param {import('./host').Host} host
   * @param {any} opened
   */
  constructor (host, opened) {
    super(host, opened)
    this.#host = host
  }

  /**
   * Put one stack of the inventory into a slot by a shift-click, which fills the slots in their order.
   * @param {any} item
   * @param {number} to
   * @protected
   */
  async _lay (item, to) {
    if (this.slots[to] !== null) {
      throw named('NotUsed', `slot ${to} holds ${this.slots[to]?.name} already; take it out first`)
    }
    await this.#host.act('clickWindow', this._find(item), LEFT, SHIFT)
    if (this.slots[to] === null) throw named('NotUsed', `${item.name} does not go into slot ${to} of the ${this.type}`)
  }

  /**
   * Return the slot of that very item: one of its kind with its enchantments and wear.
   * @param {any} item
   * @returns {number}
   * @protected
   */
  _find (item) {
    const wanted = likeness(item)
    const { slots, inventoryStart, inventoryEnd } = this
    for (let slot = inventoryStart; slot < inventoryEnd; slot++) {
      if (slots[slot] !== null && likeness(slots[slot]) === wanted) return slot
    }
    throw named(
      'ItemNotInInventory',
      `${item?.name ?? 'that item'} is not in the inventory any more; ` +
        'take it of the window\'s or of bot.inventory\'s items'
    )
  }

  /** @param {number} slot @protected */
  async _takeWhole (slot) { return this._take(slot) }
  /** @param {number} button @protected */
  async _press (button) { await this.#host.act('pressButton', this.id, button) }
  /** @param {string} name @protected */
  async _rename (name) { await this.#host.act('renameItem', this.id, name) }
  /** @param {number} index @protected */
  async _select (index) { await this.#host.act('selectTrade', this.id, index) }
  /** @param {number} slot @param {number} mode @protected */
  async _click (slot, mode) { await this.#host.act('clickWindow', slot, LEFT, mode) }
}

/** Enchanting table. Slot 0 holds the item to enchant, slot 1 the lapis lazuli. */
class EnchantmentWindow extends WorkWindow {
  /**
   * @returns {{level: number, expected: {enchant: number, level: number}}[]} three offers: the level that each asks for
   *   (0: none), and one enchantment of it by number
   */
  get enchantments () {
    const value = (/** @type {number} */ property) => this._data.properties?.[property] ?? -1
    return [
      0, 1, 2
    ].map((slot) => ({ level: value(slot), expected: { enchant: value(4 + slot), level: value(7 + slot) } }))
  }

  get xpseed () { return this._data.properties?.[3] ?? -1 }
  targetItem () { return this.slots[0] }
  /** @param {any} item */
  async putTargetItem (item) { return this._lay(item, 0) }
  /** @param {any} item */
  async putLapis (item) { return this._lay(item, 1) }
  async takeTargetItem () { return this._takeWhole(0) }

  /** @param {number | string} choice 0, 1 or 2 @returns {Promise<any>} the enchanted item */
  async enchant (choice) {
    const slot = Number(choice)
    const offer = this.enchantments[slot]
    if (offer === undefined) throw named('BadArgument', `the choice is ${choice}; give 0, 1 or 2`)
    if (offer.level <= 0) {
      throw named(
        'NotUsed',
        `the table offers nothing there: put something that can be enchanted into it, with bookshelves around`
      )
    }
    await this._press(slot)
    return this.targetItem()
  }
}

/** Anvil. */
class AnvilWindow extends WorkWindow {
  /** @param {any} itemOne @param {any} itemTwo @param {string} [name] @returns {Promise<any>} what was made */
  async combine (itemOne, itemTwo, name) {
    if (!itemOne || !itemTwo) throw named('BadArgument', 'combine needs two items of the inventory')
    await this._lay(itemOne, 0)
    await this._lay(itemTwo, 1)
    return this._forge(name)
  }

  /** @param {any} item @param {string} name @returns {Promise<any>} */
  async rename (item, name) {
    if (!item) throw named('BadArgument', 'rename needs an item of the inventory')
    if (typeof name !== 'string') throw named('BadArgument', 'rename needs a text')
    await this._lay(item, 0)
    return this._forge(name)
  }

  /**
   * Make the result of the slots and take it; if that fails, put everything back.
   * @param {string | undefined} name
   * @protected
   */
  async _forge (name) {
    if (name !== undefined && (typeof name !== 'string' || name.length > LONGEST_NAME)) {
      throw named(
        'BadArgument', `the name is ${JSON.stringify(name)}; give a text of at most ${LONGEST_NAME} characters`
      )
    }
    if (name) await this._rename(name)
    const cost = this._data.properties?.[0] ?? 0
    try {
      if (this.slots[RESULT] === null) {
        throw named('NotUsed', cost > 0 ? `too expensive: ${cost} levels` : 'these cannot be combined on an anvil')
      }
      return await this._takeWhole(RESULT)
    } catch (error) {
      for (const slot of [0, 1]) if (this.slots[slot] !== null) await this._takeWhole(slot)
      if (error.name !== 'InventoryFull') throw error
      throw named('NotUsed', `the anvil asks for ${cost} levels, which the bot has not, or the inventory is full`)
    }
  }
}

/** Trades of a villager. */
class VillagerWindow extends WorkWindow {
  /**
   * Uses of each trade when first seen, plus own ones since: servers tell uses only when the window opens.
   * @type {Map<number, number>}
   */
  #before = new Map()
  /** @type {Map<number, number>} */
  #made = new Map()

  /** @param {number} index @param {number} told @returns {number} */
  #uses (index, told) {
    if (!this.#before.has(index)) this.#before.set(index, told)
    return Math.max(told, (this.#before.get(index) ?? 0) + (this.#made.get(index) ?? 0))
  }

  /**
   * @returns {any[]} as mineflayer has them: inputItem1, inputItem2, outputItem, realPrice, nbTradeUses,
   *   maximumNbTradeUses, tradeDisabled ...
   */
  get trades () {
    return (this._data.trades ?? []).map((/** @type {any} */ trade, /** @type {number} */ index) => {
      const nbTradeUses = this.#uses(index, trade.nbTradeUses)
      const asItem = (/** @type {any} */ data) => data === null ? null : new Item(data)
      const [
        inputItem1, inputItem2, outputItem
      ] = [asItem(trade.inputItem1), asItem(trade.inputItem2), asItem(trade.outputItem)]
      return {
        ...trade, nbTradeUses, tradeDisabled: trade.tradeDisabled || nbTradeUses >= trade.maximumNbTradeUses,
        inputItem1, inputItem2, outputItem, hasItem2: inputItem2 !== null,
        inputs: inputItem2 ? [inputItem1, inputItem2] : [inputItem1], outputs: [outputItem]
      }
    })
  }

  /**
   * @param {number | string} index
   * @param {number} [count] as often as the villager wants when left out
   * @returns {Promise<void>}
   */
  async trade (index, count) {
    const trade = this.trades[Number(index)]
    if (trade === undefined) {
      throw named('BadArgument', `there is no trade ${index}; the villager has ${this.trades.length}, from 0`)
    }
    const left = trade.tradeDisabled ? 0 : trade.maximumNbTradeUses - trade.nbTradeUses
    const times = count === undefined || count === 0 ? left : count
    if (!Number.isInteger(times) || times < 1 || times > left) {
      throw named('NotUsed', `the villager trades that ${left} more times now; asked for ${times}`)
    }
    this._afford(trade.inputItem1, trade.realPrice * times)
    if (trade.hasItem2) this._afford(trade.inputItem2, trade.inputItem2.count * times)
    for (let i = 0; i < times; i++) await this._once(Number(index), trade)
    for (const slot of [0, 1]) if (this.slots[slot] !== null) await this._takeWhole(slot)
  }

  /** @param {any} item @param {number} count @protected */
  _afford (item, count) {
    const held = this.count(item.type)
    if (held < count) {
      throw named('ItemNotInInventory', `the trade takes ${count} ${item.name}; the inventory holds ${held}`)
    }
  }

  /** @param {number} index @param {any} trade @protected */
  async _once (index, trade) {
    await this._select(index)
    const given = this.slots[RESULT]
    if (given === null || given.type !== trade.outputItem.type) {
      throw named('NotUsed', `the villager did not offer ${trade.outputItem.name}`)
    }
    const to = this._room(given)
    const uses = this.#made.get(index) ?? 0
    await this._click(RESULT, 0)
    // On a server what is on the cursor has been put away by now.
    if (this.selectedItem !== null) await this._click(to, 0)
    this.#made.set(index, uses + 1)
  }

  /**
   * Return a slot of the inventory for the item bought.
   * @param {any} item
   * @returns {number}
   * @protected
   */
  _room (item) {
    const { slots, inventoryStart, inventoryEnd } = this
    let empty = -1
    for (let slot = inventoryStart; slot < inventoryEnd; slot++) {
      const there = slots[slot]
      if (there === null) empty = empty < 0 ? slot : empty
      else if (likeness({ ...there, count: 0 }) === likeness({ ...item, count: 0 }) &&
        there.count + item.count <= there.stackSize) {
        return slot
      }
    }
    if (empty < 0) throw named('InventoryFull', `no room for ${item.name} in the inventory`)
    return empty
  }
}

/**
 * Return a text that tells one stack from another of its kind.
 * @param {any} item
 * @returns {string}
 */
function likeness (item) {
  return JSON.stringify([item?.type, item?.enchants, item?.durabilityUsed, item?.displayName])
}

/**
 * Create the bot's members for these windows.
 * @param {(target: any, member: string, Kind: any) => Promise<any>} open
 */
function createWorkshops (open) {
  const checked = async (
    /** @type {any} */ target, /** @type {string} */ member, /** @type {any} */ Kind, /** @type {RegExp} */ type
  ) => {
    const window = await open(target, member, Kind)
    if (type.test(window.type)) return window
    const found = window.type
    await window.close()
    throw named('NotUsed', `bot.${member}: a ${found} opened, which is another thing`)
  }
  return {
    openEnchantmentTable: async (/** @type {any} */ block) =>
      checked(block, 'openEnchantmentTable', EnchantmentWindow, /^minecraft:enchant/),
    openAnvil: async (/** @type {any} */ block) => checked(block, 'openAnvil', AnvilWindow, /^minecraft:anvil$/),
    openVillager: async (/** @type {any} */ entity) =>
      checked(entity, 'openVillager', VillagerWindow, /^minecraft:(villager|merchant)$/),
    trade: async (/** @type {any} */ villager, /** @type {number} */ index, /** @type {number} */ count) => {
      if (!(villager instanceof VillagerWindow)) {
        throw named('BadArgument', 'bot.trade needs the window that bot.openVillager gave')
      }
      return villager.trade(index, count)
    }
  }
}

handleAll(WorkWindow.prototype, 'window')
for (const Kind of [EnchantmentWindow, AnvilWindow, VillagerWindow]) handleAll(Kind.prototype, 'window')
seal(WorkWindow, EnchantmentWindow, AnvilWindow, VillagerWindow)

module.exports = { createWorkshops, AnvilWindow, EnchantmentWindow, VillagerWindow }
