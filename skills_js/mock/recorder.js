'use strict'
/**
 * Events of the mock world as scenarios get them from every world (docs/seams.md, section 2), in order and with the
 * tick of each.
 *
 * @module skills_js/mock/recorder
 */

const { ItemEntity } = require('../../engine/world/entities/drops')
const { blockText } = require('../block_text')
const { DropTeller, RestingDrops, SAMPLE_S: DROPS_S } = require('../drop_changes')
const { GroundChanges, SAMPLE_S } = require('../ground_changes')

const TICKS_A_SECOND = 20
/** First slot of a player's own window that holds items to keep; below are the crafting grid and its result. */
const FIRST_KEPT = 5
const MAX_TEXT = 256

/**
 * @typedef {{kind: string, tick: number, data: object}} Told
 * @typedef {{number: number, count: number}} Region of a world in regions: its number from 0, and how many there are
 */

/** Recorder of a simulation's events. */
class Recorder {
  #simulation
  #tell
  /** Players whose items may have changed since the last report. @type {Set<import('./client').Client>} */
  #dirty = new Set()
  /** @type {WeakMap<import('./client').Client, string>} */
  #said = new WeakMap()
  #ground = new GroundChanges()
  /** World age at which changes of the ground are due. */
  #due = Infinity
  #resting = new RestingDrops()
  #drops = new DropTeller()
  /** World age at which the items on the ground are looked at next. */
  #dropsDue = 0
  #shown
  #region

  /**
   * @param {import('./simulation').Simulation} simulation
   * @param {(event: Told) => void} tell
   * @param {(system: any) => object | null} [shown] what is told of a line of the game's own: fields of `chat`; null
   *   for nothing
   * @param {Region} [region] makes the numbers of items differ from those of other regions
   */
  constructor (simulation, tell, shown = shownToAll, region = { number: 0, count: 1 }) {
    this.#simulation = simulation
    this.#tell = tell
    this.#shown = shown
    this.#region = region
    this.#watch()
  }

  /**
   * @param {string} kind
   * @param {object} data
   */
  emit (kind, data) {
    // What a program has done comes before its end: time may stand still then.
    if (kind === 'policy' && /** @type {any} */ (data).state === 'ended') this.tellGround()
    this.#tell({ kind, tick: this.#simulation.age, data })
  }

  /** Report changed inventories, and changes of ground and items on it when due: once a tick, and after commands. */
  flush () {
    if (this.#simulation.age >= this.#due) this.tellGround()
    if (this.#simulation.age >= this.#dropsDue) this.#tellDrops()
    if (this.#dirty.size === 0) return
    for (const client of this.#simulation.clients.values()) {
      if (!this.#dirty.has(client)) continue
      const data = { bot: client.name, items: itemsOf(client.player), held: client.player.heldItem?.name ?? null }
      const now = JSON.stringify(data)
      if (now === this.#said.get(client)) continue
      this.#said.set(client, now)
      this.emit('inventory', data)
    }
    this.#dirty.clear()
  }

  /** Report the blocks that players have mined and placed since the last report. */
  tellGround () {
    if (this.#ground.empty) return
    const { world } = this.#simulation
    this.#due = Infinity
    const blockAt = (
      /** @type {string} */ _player, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z
    ) => {
      const { info, stateId } = world.stateAt(x, y, z)
      return blockText(info, stateId)
    }
    const highest = (/** @type {number} */ x, /** @type {number} */ z) => world.spawning.surface(x, z)
    const sample = this.#ground.sample(blockAt, { low: world.minY, high: world.minY + world.height, highest })
    if (sample !== null) this.emit('ground_changed', sample)
  }

  /** Report all items on the ground again, for whoever listens from now on. */
  repeatDrops () {
    this.#drops.repeat()
    this.#dropsDue = 0
  }

  /** Report the items that have come to lie on the ground or have gone since the last report. */
  #tellDrops () {
    const { world, age } = this.#simulation
    this.#dropsDue = age + DROPS_S * TICKS_A_SECOND
    if (world.loose.size === 0 && this.#resting.empty && this.#drops.empty) return
    this.#resting.sample(lying(world, this.#region))
    const sample = this.#drops.tell(this.#resting.rows, () =>
      [...world.players.values()].filter(({ gamemode }) => gamemode !== 'spectator'))
    if (sample !== null) this.emit('drops', sample)
  }

  #watch () {
    const { world, clients } = this.#simulation
    const due = () => {
      if (!this.#ground.empty) this.#due = Math.min(this.#due, this.#simulation.age + SAMPLE_S * TICKS_A_SECOND)
    }
    world.on('worked', ({ player, places }) => {
      for (const place of places) this.#ground.touch(player.name, place)
      due()
    })
    world.on('block', (place) => {
      this.#ground.change('', place)
      due()
    })
    const touch = (/** @type {{player: any}} */ { player }) => {
      const client = clients.get(player.name)
      if (client !== undefined) this.#dirty.add(client)
    }
    for (const event of /** @type {const} */ (['slot', 'windowItems', 'heldSlot', 'windowClose', 'respawn', 'death'])) {
      world.on(event, touch)
    }
    world.on('chat', ({ from, text }) => this.emit('chat', { from, text: text.slice(0, MAX_TEXT) }))
    world.on('system', (line) => {
      // Who comes and goes is told as a `bot` event.
      const told = line.overlay || line.arrival ? null : this.#shown(line)
      if (told !== null) this.emit('chat', told)
    })
    let sky = world.weather
    world.on('weather', ({ weather }) => {
      if (weather !== sky) this.emit('weather', { weather })
      sky = weather
    })
    world.on('death', ({ player }) => this.#bot(player, 'died', ''))
    world.on('respawn', ({ player }) => this.#bot(player, 'respawned', ''))
    world.on('kick', ({ player, reason }) => this.#bot(player, 'kicked', reason))
  }

  /** @param {import('./client').Client} client who has come */
  joined (client) {
    this.emit('bot', { bot: client.name, state: 'spawned', reason: '' })
    this.#dirty.add(client)
    this.flush()
  }

  /** @param {string} name @param {string} reason who has gone */
  left (name, reason) {
    this.emit('bot', { bot: name, state: 'ended', reason })
  }

  /** @param {any} player @param {string} state @param {string} reason */
  #bot (player, state, reason) {
    if (this.#simulation.clients.has(player.name)) this.emit('bot', { bot: player.name, state, reason })
  }
}

/**
 * Yield the items on the ground.
 * @param {import('../../engine/world/world').World} world
 * @param {Region} region
 * @returns {Iterable<import('../drop_changes').Drop>}
 */
function * lying (world, { number, count }) {
  for (const drop of world.loose) {
    if (!(drop instanceof ItemEntity)) continue
    const { id, item, x, y, z } = drop
    yield { id: id * count + number, name: item.name, count: item.count, x, y, z }
  }
}

/** @param {{text: string}} line @returns {object} */
function shownToAll ({ text }) {
  return { from: null, text: text.slice(0, MAX_TEXT) }
}

/**
 * @typedef {{ held: any[], counts: number[], names: string[], items: Record<string, number> }} Counted by place: the
 *   slots, then the cursor
 */

/** Items of each player at the last count. @type {WeakMap<any, Counted>} */
const counted = new WeakMap()

/**
 * Return a player's items by name, over the whole inventory including armour, off-hand and cursor.
 * @param {any} player the engine's
 * @returns {Record<string, number>} sorted by name; frozen, and the same object for as long as nothing changes
 */
function itemsOf (player) {
  const { slots } = player
  const { carried } = player.screens
  const before = counted.get(player)
  if (before !== undefined && holdsStill(before, slots, carried)) return before.items
  const held = [...slots.slice(FIRST_KEPT), carried].map((item) => item ?? null)
  /** @type {Record<string, number>} */
  const counts = {}
  for (const item of held) if (item !== null) counts[item.name] = (counts[item.name] ?? 0) + item.count
  const items = Object.freeze(Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a < b ? -1 : 1)))
  counted.set(player, { held, names: held.map((item) => item?.name), counts: held.map((item) => item?.count), items })
  return items
}

/**
 * Return true if no stack has changed. Stacks change in place, so their names and counts are compared.
 * @param {Counted} before
 * @param {unknown[]} slots
 * @param {any} carried
 */
function holdsStill ({ held, names, counts }, slots, carried) {
  const last = held.length - 1
  if (last !== slots.length - FIRST_KEPT) return false
  for (let place = 0; place <= last; place++) {
    const item = (place < last ? slots[place + FIRST_KEPT] : carried) ?? null
    if (item !== held[place] || (item !== null && (item.name !== names[place] || item.count !== counts[place]))) {
      return false
    }
  }
  return true
}

/**
 * Return a player as its bot sees itself (`Observation` of bridge/types.py).
 * @param {import('./client').Client} client
 */
function observationOf (client) {
  const { body, player } = client
  return {
    name: client.name,
    position: [body.x, body.y, body.z],
    health: player.health,
    food: player.food,
    items: itemsOf(player),
    held: player.heldItem?.name ?? null,
    gamemode: player.gamemode,
    tick: client.simulation.age
  }
}

module.exports = { MAX_TEXT, Recorder, itemsOf, observationOf }
