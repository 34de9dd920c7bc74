'use strict'
/**
 * Many hands at one chest, in every order that a server may take their clicks in: one click at a time, of a player
 * drawn from a seed. The chest and the hands are the engine's; what is tested is the live backend's moving of items.
 */
const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { test } = require('node:test')
const { carry } = require('../../../bridge/host/live/moving')
const { press } = require('../../../bridge/host/live/clicks')
const { pickAndPut, shiftOut } = require('../../../bridge/host/live/planning')
const { makeWorld, census } = require('../world/helpers')

const CHEST = { x: 2, y: -60, z: 0 }
const NOTHING = { slot: -999, button: 2, mode: 5 }
const NAMES = ['Ann', 'Bob', 'Cyd', 'Dan']
const KINDS = ['dirt', 'stone', 'stick']

/** @param {number} seed @returns {(span: number) => number} */
function dice (seed) {
  let state = seed * 2654435761 % 2 ** 31 + 1
  return (span) => { state = (state * 1103515245 + 12345) % 2 ** 31; return Math.floor(state / 2 ** 31 * span) }
}

/** Client as mineflayer is one: its window follows the server's answers. */
class Client extends EventEmitter {
  /** @param {any} world @param {any} player */
  constructor (world, player) {
    super()
    this.player = player
    this.registry = world.registry
    /** @type {any[]} clicks that the server has yet to take */
    this.queue = []
    this._client = { write: (/** @type {string} */ _name, /** @type {any} */ click) => this.queue.push(click) }
    /** @type {any} */
    this.window = {
      id: player.openWindow.id,
      type: 'minecraft:generic_9x3',
      inventoryStart: 27,
      inventoryEnd: 63,
      slots: [],
      selectedItem: null
    }
    this.see()
  }

  /** The whole truth. */
  see () {
    const { items, carried } = this.player.windowView(this.window.id)
    Object.assign(this.window, { slots: items.map(copy), selectedItem: copy(carried) })
    this.emit(`setWindowItems:${this.window.id}`)
  }

  /** The server takes this client's next click. */
  serve () {
    const { windowId, slot, mouseButton, mode } = this.queue.shift()
    this.player.click({ windowId, slot, button: mouseButton, mode })
    this.see()
  }

  /** @param {any} order @returns {Promise<number | string>} how many moved, or the error's name */
  carry (order) {
    const { signal } = new AbortController()
    const bot = /** @type {any} */ (this)
    const sync = () => press(bot, signal, this.window, [NOTHING])
    const slots = /** @type {[number, number]} */ ([0, 27])
    return carry(bot, signal, { window: this.window, slots, ...order }, sync).catch((error) => error.name)
  }

  /** @param {string} name */
  has (name) {
    return [...this.player.slots, this.player.screens.carried].reduce(
      (sum, item) => sum + (item?.name === name ? item.count : 0), 0
    )
  }
}

/** @param {any} item */
const copy = (item) => item ? { type: item.type, name: item.name, count: item.count, stackSize: item.stackSize } : null

/**
 * @param {(world: any, players: any[]) => void} lay
 * @returns {{ world: any, clients: Client[] }}
 */
function scene (lay) {
  const world = makeWorld({ players: Object.fromEntries(NAMES.map((name) => [name, { x: 0.5, z: 0.5 }])) })
  world.command(`setblock ${CHEST.x} ${CHEST.y} ${CHEST.z} chest`)
  const players = [...world.players.values()]
  lay(world, players)
  for (const player of players) player.place({ pos: CHEST, face: 1, cursor: { x: 0.5, y: 0.5, z: 0.5 }, hand: 0 })
  return { world, clients: players.map((player) => new Client(world, player)) }
}

/**
 * Serve clicks one by one until all orders have ended.
 * @param {Client[]} clients
 * @param {Promise<any>[]} orders
 * @param {(span: number) => number} draw
 */
async function serveAll (clients, orders, draw) {
  let open = true
  const all = Promise.all(orders).finally(() => { open = false })
  while (open) {
    await new Promise((resolve) => setImmediate(resolve))
    for (let waiting = clients.filter((each) =>
      each.queue.length > 0); waiting.length > 0; waiting = clients.filter((each) => each.queue.length > 0)) {
      waiting[draw(waiting.length)].serve()
      // Now and then those who have heard an answer act on it before the next click is taken.
      if (draw(3) === 0) await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return all
}

for (let seed = 1; seed <= 24; seed++) {
  test(`whatever order clicks are taken in, nothing is lost ` +
    `and each is told what it moved (seed ${seed})`, async () => {
    const draw = dice(seed)
    const put = (/** @type {any} */ world, /** @type {any} */ store, /** @type {number} */ slot) =>
      store.set(slot, world.stacks.make(KINDS[draw(3)], 1 + draw(64)))
    const { world, clients } = scene((world, players) => {
      world.command(`item replace block ${CHEST.x} ${CHEST.y} ${CHEST.z} container.0 with dirt ${1 + draw(64)}`)
      world.command(`item replace block ${CHEST.x} ${CHEST.y} ${CHEST.z} ` +
        `container.${1 + draw(4)} with stone ${1 + draw(64)}`)
      for (const player of players) for (let slot = 0; slot < 4; slot++) put(world, player.store, 9 + draw(6))
    })
    const all = KINDS.map((kind) => census(world, kind))
    for (let round = 0; round < 3; round++) {
      const before = clients.map((client) => KINDS.map((kind) => client.has(kind)))
      const asked = clients.map(() => ({ kind: draw(3), count: 1 + draw(40), out: draw(2) === 0 }))
      const orders = clients.map((client, index) => {
        const { kind, count, out } = asked[index]
        return client.carry({ item: world.registry.itemsByName[KINDS[kind]].id, count, out })
      })
      const moved = await serveAll(clients, orders, draw)
      assert.deepEqual(KINDS.map((kind) => census(world, kind)), all, 'conservation')
      clients.forEach((client, index) => {
        const { kind, count, out } = asked[index]
        const expected = KINDS.map((_, each) =>
          before[index][each] + (each === kind ? (out ? 1 : -1) * moved[index] : 0))
        assert.deepEqual(
          KINDS.map((each) => client.has(each)), expected, JSON.stringify([NAMES[index], asked[index], moved[index]])
        )
        assert.ok(moved[index] >= 0 && moved[index] <= count)
        assert.equal(client.player.screens.carried, null)
      })
    }
  })
}

test('all that fits is moved, and a part of a stack leaves the rest where it was', async () => {
  const { world, clients: [ann] } = scene((world, [player]) => {
    player.store.set(9, world.stacks.make('dirt', 20))
    player.store.set(12, world.stacks.make('dirt', 50))
  })
  const { id } = world.registry.itemsByName.dirt
  const moved = (/** @type {any} */ order) => serveAll([ann], [ann.carry({ item: id, ...order })], dice(1))
  assert.deepEqual(await moved({ count: 35, out: false }), [35])
  assert.deepEqual([9, 12].map((slot) => ann.player.slots[slot]?.count), [undefined, 35])
  assert.deepEqual(await moved({ count: 10, out: true }), [10])
  assert.deepEqual([9, 12].map((slot) => ann.player.slots[slot]?.count), [undefined, 45])
  assert.deepEqual(await moved({ count: 99, out: true }), [25])
  assert.deepEqual(await moved({ count: 1, out: true }), [0])
  assert.equal(ann.has('dirt'), 70)
})

test('items that fall to the feet meanwhile are not counted as taken, nor as left', async () => {
  const { world, clients: [ann] } = scene((world, [player]) => { player.store.set(9, world.stacks.make('dirt', 20)) })
  const order = ann.carry({ item: world.registry.itemsByName.dirt.id, count: 5, out: false })
  ann.player.give(world.stacks.make('dirt', 7))
  assert.deepEqual(await serveAll([ann], [order], dice(1)), [5])
  assert.equal(ann.has('dirt'), 22)
})

test('clicks are planned for a picture of the window: parts of stacks, room, and nothing where nothing is', () => {
  const stack = (/** @type {number} */ count) => ({ type: 1, count, stackSize: 64 })
  const load = (/** @type {number} */ count) => ({
    item: 1, count, from: /** @type {[number, number]} */ ([1, 3]), to: /** @type {[number, number]} */ ([0, 1])
  })
  const show = (/** @type {any[]} */ clicks) =>
    clicks.map(({ slot, button, mode }) => `${slot}${'LR'[button]}${mode === 1 ? '+' : ''}`).join(' ')
  assert.equal(show(shiftOut([null, stack(5), stack(4)], load(9))), '1L+ 2L+')
  assert.equal(show(shiftOut([null, stack(5), null], load(1))), '1L 1R 1L+ 1L')
  assert.equal(show(shiftOut([null, stack(5), null], load(3))), '1R 1R 1L+ 1L')
  assert.equal(show(pickAndPut([stack(63), stack(5), null], load(5))), '1L 0L 1L')
  assert.equal(show(pickAndPut([null, stack(3), null], load(2))), '1L 0R 0R 1L')
  assert.equal(show(pickAndPut([stack(64), stack(3), null], load(2))), '')
})
