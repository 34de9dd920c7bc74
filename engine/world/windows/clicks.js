'use strict'
/**
 * Clicks in windows: vanilla's seven modes. Items only move between slots, the cursor and the ground; a meaningless
 * click does nothing. Shift-clicks and drags never lose or make an item.
 */

/** @typedef {import('../types').Item} Item */
/** @typedef {import('./view').View} View */

/**
 * The clicking player: cursor, drops, and the items that may be cloned.
 * @typedef {object} Hand
 * @property {import('../stacks').Stacks} stacks
 * @property {Item | null} carried
 * @property {(item: Item) => void} drop
 * @property {import('./store').PlayerStore} store
 * @property {boolean} creative
 * @property {(item: Item) => Item | null} add puts into the inventory; returns what did not fit
 */

const OUTSIDE = -999

/**
 * Perform one click. Slots out of range, unknown modes and buttons are refused.
 * @param {View} view
 * @param {Hand} hand
 * @param {{ slot: number, button: number, mode: number }} click
 * @returns {boolean} true if the click was one that exists
 */
function performClick (view, hand, { slot, button, mode }) {
  const inside = Number.isInteger(slot) && slot >= 0 && slot < view.slots.length
  if (!inside && slot !== OUTSIDE && !(slot === -1 && mode === 0)) return false
  if (mode === 5) return drag(view, hand, slot, button)
  if (view.drag.status !== 0) {
    resetDrag(view)
    return true
  }
  switch (mode) {
    case 0: return inside ? pickup(view, hand, slot, button) : slot === OUTSIDE ? dropCarried(hand, button) : true
    case 1: return inside ? (button === 0 || button === 1) && quickMove(view, hand, slot)
      : slot === OUTSIDE && dropCarried(hand, button)
    case 2: return inside && swapWithHotbar(view, hand, slot, button)
    case 3: return inside && cloneStack(view, hand, slot)
    case 4: return inside ? throwFrom(view, hand, slot, button) : true
    case 6: return inside && (button === 0 || button === 1) && pickupAll(view, hand, slot, button)
    default: return false
  }
}

/** @param {Hand} hand @param {number} button 0 all, 1 one */
function dropCarried (hand, button) {
  if (button !== 0 && button !== 1) return false
  const item = hand.carried
  if (!item) return true
  const n = button === 0 ? item.count : 1
  hand.carried = hand.stacks.withCount(item, item.count - n)
  hand.drop(/** @type {Item} */ (hand.stacks.withCount(item, n)))
  return true
}

/**
 * Take up to `n` items out of a slot; a result slot gives all or nothing.
 * @param {View} view
 * @param {Hand} hand
 * @param {number} index
 * @param {number} n
 */
function takeFrom (view, hand, index, n) {
  const s = view.slots[index]
  const item = view.get(index)
  if (!item || n <= 0 || (s.mayTake && !hand.creative && !s.mayTake(item))) return null
  const count = Math.min(n, item.count)
  if (s.result && count < item.count) return null
  const taken = /** @type {Item} */ (hand.stacks.withCount(item, count))
  view.set(index, hand.stacks.withCount(item, item.count - count))
  s.onTake?.(taken)
  return taken
}

/**
 * Put up to `n` items into a slot that is empty or holds equal items.
 * @param {View} view
 * @param {Hand} hand
 * @param {number} index
 * @param {Item} item
 * @param {number} n
 * @returns {number} how many went in
 */
function putInto (view, hand, index, item, n) {
  const there = view.get(index)
  if (!view.slots[index].accepts(item) || (there && !hand.stacks.same(there, item))) return 0
  const room = view.capacity(index, item) - (there?.count ?? 0)
  const count = Math.min(n, item.count, Math.max(0, room))
  if (count > 0) view.set(index, hand.stacks.withCount(item, (there?.count ?? 0) + count))
  return count
}

/**
 * Mode 0: click.
 * @param {View} view
 * @param {Hand} hand
 * @param {number} index
 * @param {number} button
 */
function pickup (view, hand, index, button) {
  if (button !== 0 && button !== 1) return false
  const there = view.get(index)
  const carried = hand.carried
  const s = view.slots[index]
  if (!there && !carried) return true
  if (!carried) {
    const item = /** @type {Item} */ (there)
    hand.carried = takeFrom(view, hand, index, button === 0 || s.result ? item.count : Math.ceil(item.count / 2))
    return true
  }
  if (!there || (hand.stacks.same(there, carried) && s.accepts(carried))) {
    const put = putInto(view, hand, index, carried, button === 0 ? carried.count : 1)
    hand.carried = hand.stacks.withCount(carried, carried.count - put)
  } else if (s.accepts(carried)) {
    if (carried.count <= view.capacity(index, carried) && (!s.mayTake || hand.creative || s.mayTake(there))) {
      view.set(index, carried)
      hand.carried = there
    }
  } else if (hand.stacks.same(there, carried)) {
    if (carried.count + there.count > carried.stackSize && s.result) return true
    const taken = takeFrom(view, hand, index, carried.stackSize - carried.count)
    if (taken) hand.carried = hand.stacks.withCount(carried, carried.count + taken.count)
  }
  return true
}

/**
 * Mode 1: shift-click. Move a stack to the other part of the window, or craft as often as possible.
 * @param {View} view
 * @param {Hand} hand
 * @param {number} index
 */
function quickMove (view, hand, index) {
  const kind = view.get(index)
  const s = view.slots[index]
  if (!kind) return true
  // A result re-appears after each take: bounded by the largest number of crafts a grid can hold.
  for (let round = 0; round < 64; round++) {
    const item = view.get(index)
    if (!item || !hand.stacks.same(item, kind) || (s.mayTake && !hand.creative && !s.mayTake(item))) return true
    const rest = moveTo(view, hand, item, view.targets(index, item))
    if (rest && rest.count === item.count) return true
    if (s.result) {
      view.set(index, null)
      s.onTake?.(item)
      if (rest) hand.drop(rest)
    } else {
      view.set(index, rest)
      return true
    }
  }
  return true
}

/**
 * Move a stack into the first list of slots that takes any of it.
 * @param {View} view
 * @param {Hand} hand
 * @param {Item} item
 * @param {number[][]} lists
 * @returns {Item | null} the items that did not fit
 */
function moveTo (view, hand, item, lists) {
  let left = item.count
  for (const list of lists) {
    if (item.stackSize > 1) {
      for (const i of list) if (view.get(i) && left > 0) left -= putInto(view, hand, i, item, left)
    }
    for (const i of list) {
      if (!view.get(i) && left > 0) {
        left -= putInto(view, hand, i, /** @type {Item} */ (hand.stacks.withCount(item, left)), left)
      }
    }
    if (left < item.count) break
  }
  return hand.stacks.withCount(item, left)
}

/**
 * Mode 2: a number key (0-8) or F (40) over a slot.
 * @param {View} view
 * @param {Hand} hand
 * @param {number} index
 * @param {number} button
 */
function swapWithHotbar (view, hand, index, button) {
  if (button !== 40 && !(Number.isInteger(button) && button >= 0 && button <= 8)) return false
  const own = button === 40 ? 45 : 36 + button
  const s = view.slots[index]
  const mine = hand.store.get(own)
  const there = view.get(index)
  if (s.store === hand.store && s.index === own) return true
  if (!mine && !there) return true
  if (there && s.mayTake && !hand.creative && !s.mayTake(there)) return true
  if (!mine) {
    const taken = takeFrom(view, hand, index, /** @type {Item} */ (there).count)
    hand.store.set(own, taken)
  } else if (s.accepts(mine)) {
    const n = Math.min(mine.count, view.capacity(index, mine))
    const rest = hand.stacks.withCount(mine, mine.count - n)
    view.set(index, hand.stacks.withCount(mine, n))
    hand.store.set(own, rest ?? there)
    const over = rest && there ? hand.add(there) : null
    if (over) hand.drop(over)
  }
  return true
}

/** Mode 3: a creative player copies a stack. @param {View} view @param {Hand} hand @param {number} index */
function cloneStack (view, hand, index) {
  const item = view.get(index)
  if (hand.creative && item && !hand.carried) hand.carried = hand.stacks.withCount(item, item.stackSize)
  return true
}

/**
 * Mode 4: Q over a slot.
 * @param {View} view
 * @param {Hand} hand
 * @param {number} index
 * @param {number} button 0 one, 1 all
 */
function throwFrom (view, hand, index, button) {
  if (button !== 0 && button !== 1) return false
  const item = view.get(index)
  if (hand.carried || !item) return true
  const taken = takeFrom(view, hand, index, button === 0 && !view.slots[index].result ? 1 : item.count)
  if (taken) hand.drop(taken)
  return true
}

/** @param {View} view */
function resetDrag (view) { view.drag = { status: 0, type: 0, slots: [] } }

/**
 * Mode 5: drag, begun (button & 3 = 0), over a slot (1), ended (2); button >> 2 is the kind: 0 shared evenly, 1 one
 * each, 2 full stacks (creative).
 * @param {View} view
 * @param {Hand} hand
 * @param {number} slot
 * @param {number} button
 */
function drag (view, hand, slot, button) {
  const step = button & 3
  const type = (button >> 2) & 3
  const { drag: state } = view
  const legal = Number.isInteger(button) && button >= 0 && button <= 10 && step < 3 &&
    (type < 2 || (type === 2 && hand.creative))
  const inOrder = step === 0 ? state.status === 0 : state.status === 1 && state.type === type
  if (!legal || !inOrder || !hand.carried) {
    resetDrag(view)
    return legal
  }
  if (step === 0) view.drag = { status: 1, type, slots: [] }
  else if (step === 1) {
    if (slot >= 0 && !state.slots.includes(slot) && draggable(view, hand, slot) &&
      (type === 2 || hand.carried.count > state.slots.length)) {
      state.slots.push(slot)
    }
  } else endDrag(view, hand)
  return true
}

/** @param {View} view @param {Hand} hand @param {number} slot */
function draggable (view, hand, slot) {
  const item = /** @type {Item} */ (hand.carried)
  const there = view.get(slot)
  return view.slots[slot].accepts(item) && (!there || (hand.stacks.same(there, item) && there.count <= item.stackSize))
}

/** @param {View} view @param {Hand} hand */
function endDrag (view, hand) {
  const { type, slots } = view.drag
  resetDrag(view)
  const item = /** @type {Item} */ (hand.carried)
  if (slots.length === 0) return
  if (slots.length === 1) {
    if (type < 2) pickup(view, hand, slots[0], type)
    return
  }
  const each = type === 0 ? Math.floor(item.count / slots.length) : type === 1 ? 1 : item.stackSize
  let left = item.count
  for (const slot of slots) {
    if (!draggable(view, hand, slot) || (type !== 2 && item.count < slots.length)) continue
    const before = view.get(slot)?.count ?? 0
    const after = Math.max(before,
      Math.min(before + each, view.capacity(slot, item), type === 2 ? Infinity : before + left))
    view.set(slot, hand.stacks.withCount(item, after))
    if (type !== 2) left -= after - before
  }
  hand.carried = hand.stacks.withCount(item, left)
}

/**
 * Mode 6: double click. Gather equal stacks onto the cursor, part stacks first.
 * @param {View} view
 * @param {Hand} hand
 * @param {number} index
 * @param {number} button
 */
function pickupAll (view, hand, index, button) {
  let carried = hand.carried
  const s = view.slots[index]
  const there = view.get(index)
  if (!carried || (there && (!s.mayTake || s.mayTake(there)))) return true
  const order = view.slots.map((_, i) => (button === 0 ? i : view.slots.length - 1 - i))
  for (const full of [false, true]) {
    for (const i of order) {
      const item = view.get(i)
      if (!item || view.slots[i].result || carried.count >= carried.stackSize || !hand.stacks.same(item, carried)) {
        continue
      }
      if (!full && item.count === item.stackSize) continue
      const taken = takeFrom(view, hand, i, carried.stackSize - carried.count)
      if (taken) carried = /** @type {Item} */ (hand.stacks.withCount(carried, carried.count + taken.count))
    }
  }
  hand.carried = carried
  return true
}

module.exports = { performClick, OUTSIDE }
