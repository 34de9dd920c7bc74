'use strict'
/**
 * Plan of clicks that move items between the parts of a window, computed on a snapshot of it. The snapshot may be old
 * by the time of the click; `moving.js` notices and corrects the difference.
 */
const { LEFT, PLAIN, RIGHT, SHIFT, THROW } = require('./clicks')

/**
 * @typedef {import('./clicks').Click} Click
 * @typedef {{ type: number, count: number, stackSize: number }} Stack
 * @typedef {[number, number]} Range first slot, and the one after the last
 * @typedef {{ item: number, count: number, from: Range, to: Range }} Load
 */

/** @param {number} slot @param {number} button @returns {Click} */
const plain = (slot, button) => ({ slot, button, mode: PLAIN })
/** @param {number} slot @returns {Click} */
const shift = (slot) => ({ slot, button: LEFT, mode: SHIFT })

/**
 * Plan shift-clicks out of the own slots: the server chooses the target, so no click can meet a slot that somebody else
 * has just filled. If only a part of a stack is to go, it is laid into its own slot while the rest waits on the cursor.
 * @param {(Stack | null)[]} slots
 * @param {Load} load
 * @returns {Click[]} none where nothing of it is there
 */
function shiftOut (slots, { item, count, from }) {
  /** @type {Click[]} */
  const clicks = []
  let left = count
  for (let slot = from[0]; slot < from[1] && left > 0; slot++) {
    const there = slots[slot]
    if (there?.type !== item) continue
    clicks.push(
      ...(there.count <= left ? [shift(slot)] : [...lay(slot, there.count, left), shift(slot), plain(slot, LEFT)])
    )
    left -= there.count
  }
  return clicks
}

/**
 * @param {number} slot
 * @param {number} held - in it
 * @param {number} wanted - fewer than that
 * @returns {Click[]} after which so many lie in the slot and the others on the cursor
 */
function lay (slot, held, wanted) {
  const half = Math.floor(held / 2)
  const [first, lying] = wanted >= half ? [plain(slot, RIGHT), half] : [plain(slot, LEFT), 0]
  return [first, ...Array.from({ length: wanted - lying }, () => plain(slot, RIGHT))]
}

/**
 * Plan moves between slots: take a stack up, put down as many as wanted (onto stacks of the same kind first, then into
 * empty slots), and put the rest back.
 * @param {(Stack | null)[]} slots
 * @param {Load} load
 * @returns {Click[]} none where nothing of it is there, or no room
 */
function pickAndPut (slots, { item, count, from, to }) {
  /** @type {Click[]} */
  const clicks = []
  const filled = slots.map((stack) => stack && { ...stack })
  let left = count
  for (let source = from[0]; source < from[1] && left > 0; source++) {
    const stack = filled[source]
    if (stack?.type !== item) continue
    const put = putDown(filled, stack, left, to)
    if (put.clicks.length === 0) break
    clicks.push(plain(source, LEFT), ...put.clicks)
    if (put.moved < stack.count) clicks.push(plain(source, LEFT))
    left -= put.moved
  }
  return clicks
}

/**
 * @param {(Stack | null)[]} filled - is changed as the clicks will change it
 * @param {Stack} stack - on the cursor
 * @param {number} most
 * @param {Range} to
 * @returns {{ clicks: Click[], moved: number }}
 */
function putDown (filled, stack, most, to) {
  /** @type {Click[]} */
  const clicks = []
  let moved = 0
  for (const empty of [false, true]) {
    for (let slot = to[0]; slot < to[1] && moved < Math.min(most, stack.count); slot++) {
      const there = filled[slot]
      if (empty ? there : there?.type !== stack.type || there.count >= there.stackSize) continue
      const room = stack.stackSize - (there?.count ?? 0)
      const now = Math.min(room, most - moved, stack.count - moved)
      const whole = now === Math.min(room, stack.count - moved)
      clicks.push(...(whole ? [plain(slot, LEFT)] : Array.from({ length: now }, () => plain(slot, RIGHT))))
      filled[slot] = { ...stack, count: (there?.count ?? 0) + now }
      moved += now
    }
  }
  return { clicks, moved }
}

/**
 * Plan drops out of the own slots with the drop key: nothing reaches the cursor, so nothing can stay there.
 * @param {(Stack | null)[]} slots
 * @param {{ item: number, count: number, from: Range }} load
 * @returns {Click[]} none where nothing of it is there
 */
function throwOut (slots, { item, count, from }) {
  /** @type {Click[]} */
  const clicks = []
  let left = count
  for (let slot = from[0]; slot < from[1] && left > 0; slot++) {
    const there = slots[slot]
    if (there?.type !== item) continue
    const gone = Math.min(left, there.count)
    clicks.push(...(gone === there.count
      ? [throwAll(slot)]
      : Array.from({ length: gone }, () => ({ slot, button: LEFT, mode: THROW }))))
    left -= gone
  }
  return clicks
}

/** @param {number} slot @returns {Click} */
function throwAll (slot) {
  return { slot, button: RIGHT, mode: THROW }
}

module.exports = { pickAndPut, putDown, shiftOut, throwAll, throwOut }
