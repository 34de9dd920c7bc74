'use strict'
/** Numbered rows of slots, of a player, a chest, a furnace or a crafting grid. */

/** @typedef {import('../types').Item} Item */
/** @typedef {import('../stacks').Stacks} Stacks */

/** A row of slots. Slots hold immutable stacks or null. */
class Store {
  /** @param {number} size */
  constructor (size) {
    /** @type {(Item | null)[]} */
    this.slots = new Array(size).fill(null)
    /** Number of writes, a cheap check for changes. */
    this.version = 0
    /** Called after each write. @type {(() => void) | null} */
    this.onChange = null
  }

  get size () { return this.slots.length }

  /** @param {number} index @returns {Item | null} */
  get (index) { return this.slots[index] }

  /** @param {number} index @param {Item | null} item */
  set (index, item) {
    if (!(index in this.slots)) throw new Error(`slot ${index} is not legal: use 0 to ${this.slots.length - 1}`)
    this.slots[index] = item && item.count > 0 ? item : null
    this.version++
    this.onChange?.()
  }

  /**
   * Insert as much of a stack as fits into the given slots: onto equal stacks first, then into empty slots.
   * @param {Stacks} stacks
   * @param {Item} item
   * @param {Iterable<number>} order slots in the order they are tried
   * @param {(index: number, item: Item) => boolean} [allows]
   * @returns {Item | null} the items that did not fit
   */
  insert (stacks, item, order, allows = () => true) {
    const indices = [...order]
    let rest = item.count
    for (const i of indices) {
      const there = this.slots[i]
      if (rest <= 0 || !there || !stacks.same(there, item) || there.count >= there.stackSize) continue
      const n = Math.min(rest, there.stackSize - there.count)
      this.set(i, stacks.withCount(there, there.count + n))
      rest -= n
    }
    for (const i of indices) {
      if (rest <= 0) break
      if (this.slots[i] || !allows(i, item)) continue
      const n = Math.min(rest, item.stackSize)
      this.set(i, stacks.withCount(item, n))
      rest -= n
    }
    return stacks.withCount(item, rest)
  }

  /** Remove and return all items. @returns {Item[]} */
  empty () {
    const items = this.slots.filter((item) => item !== null)
    for (let i = 0; i < this.slots.length; i++) if (this.slots[i]) this.set(i, null)
    return items
  }
}

/** @param {number} from @param {number} to exclusive @returns {number[]} */
function range (from, to) {
  return from <= to ? Array.from({ length: to - from }, (_, i) => from + i)
    : Array.from({ length: from - to }, (_, i) => from - 1 - i)
}

/** Slots of a player's own store, in the numbering of window 0. */
const PLAYER = Object.freeze({ RESULT: 0, GRID: Object.freeze([1, 2, 3, 4]), HEAD: 5, CHEST: 6, LEGS: 7, FEET: 8,
  MAIN: 9, HOTBAR: 36, OFFHAND: 45, SIZE: 46 })

/** Order in which empty slots are filled, and, by held slot, in which stacks are added to. */
const INTO = Object.freeze([...range(PLAYER.HOTBAR, PLAYER.HOTBAR + 9), ...range(PLAYER.MAIN, PLAYER.HOTBAR)])
const ONTO = Object.freeze(range(0, 9)
  .map((held) => Object.freeze(
  [PLAYER.HOTBAR + held, PLAYER.OFFHAND, ...INTO.filter((i) => i !== PLAYER.HOTBAR + held)])))

/**
 * A player's store: picked-up items join equal stacks (the held one, the off-hand, then the rest), then fill the hot
 * bar, then the main part.
 */
class PlayerStore extends Store {
  constructor () { super(PLAYER.SIZE) }

  /**
   * Add a stack like a pick-up or /give.
   * @param {Stacks} stacks
   * @param {Item} item
   * @param {number} held 0..8
   * @returns {Item | null} the items that did not fit
   */
  add (stacks, item, held) {
    const rest = item.stackSize > 1 ? this.mergeOnly(stacks, item, ONTO[held]) : item
    return rest && this.insert(stacks, rest, INTO)
  }

  /** @param {Stacks} stacks @param {Item} item @param {readonly number[]} order */
  mergeOnly (stacks, item, order) {
    return this.insert(stacks, item, order, () => false)
  }
}

module.exports = { Store, PlayerStore, PLAYER, range }
