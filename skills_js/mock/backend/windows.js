'use strict'
/**
 * Containers. Every transfer is a sequence of vanilla clicks within one tick; its effect is what is counted.
 *
 * @module skills_js/mock/backend/windows
 */
const { named } = require('../../bot_facade/errors')
const { refuseUnlessOpens } = require('../../refusals')
const { until } = require('../tasks')
const { eyeDistance } = require('../sight')
const { REACH, click, show } = require('./hands')
const { blockThere } = require('./reads')
const { windowData } = require('./snapshots')

const OPEN_TICKS = 30
const OPEN_TRIES = 2
const OUTSIDE = -999
const LEFT = 0
const RIGHT = 1

/** @typedef {import('../client').Client} Client */

/**
 * @param {Client} client
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {Generator<number | void, any, void>} the window as data
 * @throws {ChestNotFound}
 * @throws {OutOfReach}
 * @throws {WindowNotOpened}
 */
function * openContainer (client, x, y, z) {
  const at = { x, y, z }
  const block = blockThere(client, x, y, z)
  if (block.type === 0) throw named('ChestNotFound', `there is air at ${show(at)}, nothing to open`)
  refuseUnlessOpens(block.name, show(at))
  refuseBeyondReach(client, block, at)
  return yield * open(client, `${block.name} at ${show(at)}`, [x, y, z], () => click(client, at))
}

/**
 * @param {Client} client
 * @param {any} block prismarine-block
 * @param {{x: number, y: number, z: number}} at
 * @throws {OutOfReach}
 */
function refuseBeyondReach (client, block, at) {
  const distance = eyeDistance(client.eye, at)
  if (distance > REACH) {
    throw named('OutOfReach', `${block.name} at ${show(at)} is ${distance.toFixed(1)} blocks away; go within 4.5 first`)
  }
}

/**
 * @param {Client} client
 * @param {number} id
 * @returns {Generator<number | void, any, void>} the window as data
 */
function * openEntity (client, id) {
  const entity = client.simulation.world.entities.get(id)
  if (!entity) throw named('EntityGone', 'the entity to open is no longer there')
  return yield * open(client, entity.type, null, function * () {
    client.player.useEntity(id, 'interact')
    yield
  })
}

/**
 * @param {Client} client
 * @param {string} what
 * @param {number[] | null} at
 * @param {() => Generator<number | void, void, void>} use
 */
function * open (client, what, at, use) {
  client.stopWalk()
  closeOpen(client)
  for (let tries = 1; tries <= OPEN_TRIES; tries++) {
    yield * use()
    if (yield * until(() => client.player.openWindow !== null, OPEN_TICKS)) {
      client.openedAt = at
      return windowData(client)
    }
  }
  throw named(
    'WindowNotOpened', `${what} did not open in ${OPEN_TRIES * OPEN_TICKS / 20} s; is something on top of it?`
  )
}

/** @param {Client} client closes whatever window is open */
function closeOpen (client) {
  const window = client.player.openWindow
  if (window !== null) client.player.closeWindow(window.id)
}

/** @param {Client} client @param {number} id @returns {any} the window's data */
function current (client, id) {
  const window = windowData(client)
  if (window === null || window.id !== id) throw named('WindowClosed', 'the container is no longer open; open it again')
  return window
}

/**
 * @param {Client} client
 * @param {{id: number, item: number, count: number, out: boolean}} what `out`: from the container to the player
 * @returns {Generator<number | void, number, void>} how many really moved
 */
function * move (client, { id, item, count, out }) {
  if (count < 1) throw named('BadArgument', `the count is ${count}; give a whole number of at least 1`)
  const type = client.simulation.world.registry.items[item]
  if (!type) throw named('UnknownName', `there is no item with id ${item}`)
  const window = current(client, id)
  const chest = [0, window.inventoryStart]
  const own = [window.inventoryStart, window.inventoryEnd]
  const [from, to] = out ? [chest, own] : [own, chest]
  const there = survey(window, from, item, type.stackSize).count
  const { count: before, room } = survey(window, to, item, type.stackSize)
  if (there === 0) {
    const holder = out ? 'the chest' : 'the inventory'
    throw named(
      out ? 'ItemNotInChest' : 'ItemNotInInventory', `no ${type.name} came: ${holder} holds ${contents(window, from)}`
    )
  }
  if (room === 0) {
    throw named(
      out ? 'InventoryFull' : 'ChestFull', `no room for ${type.name} in ${out ? 'the inventory' : 'the chest'}`
    )
  }
  transfer(client, window, { item, count: Math.min(count, there, room), from, to })
  const moved = survey(current(client, id), to, item, type.stackSize).count - before
  yield
  if (moved <= 0) throw named(out ? 'ItemNotInChest' : 'ItemNotInInventory', `no ${type.name} came`)
  return moved
}

/**
 * @param {any} window data
 * @param {number[]} range
 * @param {number} type
 * @param {number} stackSize
 * @returns {{count: number, room: number}} items of that type, and how many more would fit
 */
function survey (window, [start, end], type, stackSize) {
  let count = 0
  let room = 0
  for (let slot = start; slot < end; slot++) {
    const item = window.slots[slot]
    if (item === null) room += stackSize
    else if (item.type === type) {
      count += item.count
      room += Math.max(0, item.stackSize - item.count)
    }
  }
  return { count, room }
}

/** @param {any} window @param {number[]} range @returns {string} the contents in words */
function contents (window, [start, end]) {
  /** @type {Record<string, number>} */
  const counts = {}
  for (const item of window.slots.slice(start, end)) {
    if (item !== null) counts[item.name] = (counts[item.name] ?? 0) + item.count
  }
  return Object.entries(counts).map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing'
}

/**
 * Move items by clicks: take a stack up, put down as many as wanted, put the rest back.
 * @param {Client} client
 * @param {any} window data
 * @param {{item: number, count: number, from: number[], to: number[]}} what
 */
function transfer (client, window, { item, count, from, to }) {
  const press = (/** @type {number} */ slot, /** @type {number} */ button) =>
    client.player.click({ windowId: window.id, slot, button, mode: 0 })
  const look = () => /** @type {any} */ (client.player.windowView(window.id))
  let left = count
  for (let source = from[0]; source < from[1] && left > 0; source++) {
    if (look().items[source]?.type !== item) continue
    press(source, LEFT)
    left = putDown(press, look, { item, left, to })
    if (look().carried) press(source, LEFT)
  }
}

/**
 * Put down what the cursor holds, at most `left` of it: onto stacks of its kind first, then into empty slots.
 *
 * @returns {number} how many are still to be moved
 */
function putDown (
  /** @type {(slot: number, button: number) => void} */ press, /** @type {() => any} */ look,
  /** @type {{item: number, left: number, to: number[]}} */ { item, left, to }
) {
  for (const empty of [false, true]) {
    for (let slot = to[0]; slot < to[1] && left > 0 && look().carried; slot++) {
      const there = look().items[slot]
      if (empty ? there : there?.type !== item || there.count >= there.stackSize) continue
      left -= drop(press, look, slot, left)
    }
  }
  return left
}

/**
 * Put down items from the cursor.
 *
 * @param {(slot: number, button: number) => void} press
 * @param {() => any} look
 * @param {number} slot
 * @param {number} most
 * @returns {number} number of items that went into the slot
 */
function drop (press, look, slot, most) {
  const before = look().carried.count
  if (before <= most) press(slot, LEFT)
  else {
    for (let each = 0; each < most; each++) {
      const held = look().carried.count
      press(slot, RIGHT)
      if ((look().carried?.count ?? 0) === held) break
    }
  }
  return before - (look().carried?.count ?? 0)
}

/**
 * @param {Client} client
 * @param {number} id
 * @param {number} slot
 * @param {number} item
 * @param {number} count
 * @returns {Generator<number | void, void, void>}
 */
function * putInto (client, id, slot, item, count) {
  const window = current(client, id)
  const type = client.simulation.world.registry.items[item]
  const own = [window.inventoryStart, window.inventoryEnd]
  const held = type ? survey(window, own, item, type.stackSize).count : 0
  if (held === 0) {
    throw named(
      'ItemNotInInventory', `no ${type?.name ?? `item ${item}`} in the inventory, which holds ${contents(window, own)}`
    )
  }
  const before = survey(window, [slot, slot + 1], item, type.stackSize).count
  transfer(client, window, { item, count: Math.min(count, held), from: own, to: [slot, slot + 1] })
  yield
  if (survey(current(client, id), [slot, slot + 1], item, type.stackSize).count <= before &&
    survey(current(client, id), own, item, type.stackSize).count >= held) throw named(
      'ChestFull', `slot ${slot} did not take ${type.name}`
    )
}

/**
 * @param {Client} client
 * @param {number} id
 * @param {number} slot
 * @returns {Generator<number | void, void, void>}
 */
function * takeFrom (client, id, slot) {
  const window = current(client, id)
  const item = window.slots[slot]
  if (!item) throw named('ItemNotInChest', `slot ${slot} is empty`)
  const own = [window.inventoryStart, window.inventoryEnd]
  const before = survey(window, own, item.type, item.stackSize).count
  client.player.click({ windowId: id, slot, button: LEFT, mode: 1 })
  yield
  if (survey(current(client, id), own, item.type, item.stackSize).count <= before) {
    throw named('InventoryFull', `${item.name} did not come into the inventory`)
  }
}

/**
 * @param {Client} client
 * @param {number} slot
 * @param {number} button
 * @param {number} mode
 * @returns {Generator<number | void, void, void>}
 */
function * clickWindow (client, slot, button, mode) {
  if (mode < 0 || mode > 6) throw named('BadArgument', `the mode is ${mode}; give 0 to 6`)
  client.player.click({ windowId: client.player.openWindow?.id ?? 0, slot, button, mode })
  yield
}

/**
 * @param {Client} client
 * @param {number} id
 * @returns {Generator<number | void, void, void>}
 */
function * closeWindow (client, id) {
  if (client.player.openWindow?.id === id) client.player.closeWindow(id)
}

/**
 * Move the items on the cursor back into the inventory; they fall if it is full.
 * @param {Client} client
 * @param {number} windowId
 * @param {number[]} own slots of the player's part
 */
function emptyCursor (client, windowId, own) {
  const look = () => /** @type {any} */ (client.player.windowView(windowId))
  const carried = look().carried
  if (!carried) return
  const press = (/** @type {number} */ slot, /** @type {number} */ button) =>
    client.player.click({ windowId, slot, button, mode: 0 })
  putDown(press, look, { item: carried.type, left: carried.count, to: own })
  if (look().carried) press(OUTSIDE, LEFT)
}

module.exports = {
  OUTSIDE, clickWindow, closeOpen, closeWindow, emptyCursor, move, openContainer, openEntity, putInto,
  refuseBeyondReach, survey, takeFrom, transfer
}
