/** Members of the bot facade that only read. */
'use strict'
const { named } = require('./errors')
const { point } = require('./entity')
const { CAPS } = require('./host_api')
const { ContainerWindow, Slots, asItem } = require('./window')

/**
 * @param {import('./host').Host} host
 * @param {{blocks: any, entities: any, settings: any}} parts
 * @returns {any} getters and methods for the bot
 */
function createState (host, { blocks, entities, settings }) {
  const inventory = new Slots(() => host.read('inventory'))
  const self = () => host.read('self')
  return {
    inventory,
    get entity () { return entities.make(self().entity) },
    get entities () { return byId(entities.all()) },
    get players () { return playersOf(host, entities) },
    get player () { return playersOf(host, entities)[settings.username] },
    get health () { return self().health },
    get food () { return self().food },
    get foodSaturation () { return self().saturation },
    get oxygenLevel () { return self().oxygen },
    get isAlive () { return self().health > 0 },
    get isSleeping () { return self().sleeping },
    get vehicle () {
      const { vehicle } = self()
      const data = vehicle === null ? null : host.read('entity', vehicle)
      return data === null ? null : entities.make(data)
    },
    get isRaining () { return self().raining },
    get experience () { return self().experience },
    get game () { return self().game },
    get time () { return self().time },
    get spawnPoint () { return point(self().spawnPoint) },
    get quickBarSlot () { return self().quickBarSlot },
    get heldItem () { return asItem(host.read('inventory').slots[36 + self().quickBarSlot]) },
    get usingHeldItem () { return self().usingItem },
    get controlState () { return { ...self().controls } },
    get targetDigBlock () {
      const at = self().digTarget
      return at === null ? null : blocks.at(point(at))
    },
    get currentWindow () {
      const open = host.read('window')
      return open === null ? null : new ContainerWindow(host, open)
    },
    world: { getBlock: (/** @type {any} */ at) => blocks.at(position(at, 'world.getBlock')) },
    username: settings.username,
    version: settings.version,
    getControlState: (/** @type {string} */ control) => self().controls[control] ?? false,
    getEquipmentDestSlot: (/** @type {any} */ place) => equipmentSlot(place, self().quickBarSlot),
    nearestEntity: (/** @type {any} */ match) => nearest(entities, match),
    ...createBlockQueries(host, blocks)
  }
}

/**
 * @param {import('./host').Host} host
 * @param {any} blocks
 * @returns {Record<string, (...args: any[]) => any>} queries about blocks
 */
function createBlockQueries (host, blocks) {
  const find = (/** @type {any} */ options) => findBlocks(host, blocks, options)
  return {
    blockAt: (at) => blocks.at(position(at, 'blockAt')),
    findBlocks: find,
    findBlock: (options) => {
      const found = find({ ...options, count: 1 })
      return found.length === 0 ? null : blocks.at(found[0])
    },
    canSeeBlock: (block) => {
      const { x, y, z } = position(block?.position, 'canSeeBlock').floored()
      return host.read('canSeeBlock', x, y, z)
    },
    inView: (maxDistance = 32) => host.read('inView', bounded(maxDistance, 'maxDistance')).map(
      (/** @type {{ at: number[] }} */ { at, ...thing }) => ({ ...thing, position: point(at) })),
    canDigBlock: (block) => {
      if (!block || !block.diggable) return false
      const eye = point(host.read('self').entity.position).offset(0, 1.65, 0)
      return block.position.offset(0.5, 0.5, 0.5).distanceTo(eye) <= 5.1
    },
    blockAtCursor: (maxDistance = 5) => {
      const at = host.read('cursor')
      return at === null || maxDistance <= 0 ? null : blocks.at(point(at))
    },
    digTime: (block) => block.digTime(host.read('inventory').slots[36 + host.read('self').quickBarSlot]?.type ?? null)
  }
}

/**
 * Implement bot.findBlocks: predicates run here, on the kinds of blocks that occur within the distance, then (if they
 * look at positions) on each candidate.
 * @param {import('./host').Host} host
 * @param {any} blocks
 * @param {any} options - as mineflayer's
 * @returns {({ x: number, y: number, z: number })[]} positions, nearest first
 */
function findBlocks (host, blocks, options) {
  if (options === null || typeof options !== 'object') {
    throw named('BadArgument', 'findBlocks takes {matching, maxDistance, count}')
  }
  const { matching, point: from, maxDistance = 16, count = 1, useExtraInfo = false } = options
  const start = from ? position(from, 'findBlocks') : point(host.read('self').entity.position)
  const distance = Math.min(bounded(maxDistance, 'maxDistance'), CAPS.searchDistance)
  const most = Math.min(Math.floor(bounded(count, 'count')), CAPS.searchCount)
  /** @param {number[]|null} types @param {number[]|null} states @param {number} limit @returns {any[]} */
  const search = (types, states, limit) =>
    host.read('findBlocks', start.x, start.y, start.z, distance, limit, types, states)
    .map((/** @type {number[]} */ at) => point(at))
  if (typeof matching !== 'function') return search(typeIds(matching), null, most)
  const states = statesMatching(host, blocks, matching, { start, distance })
  if (states.length === 0) return []
  const extra = typeof useExtraInfo === 'function' ? useExtraInfo : useExtraInfo ? matching : null
  if (extra === null) return search(null, states, most)
  return search(null, states, CAPS.searchCount).filter((at) => extra(blocks.at(at))).slice(0, most)
}

/**
 * @param {import('./host').Host} host
 * @param {any} blocks
 * @param {Function} matching
 * @param {{start: any, distance: number}} where
 * @returns {number[]} the states for which the predicate holds, or cannot tell without a position
 */
function statesMatching (host, blocks, matching, { start, distance }) {
  const present = host.read('blockStates', start.x, start.y, start.z, distance)
  return present.filter((/** @type {number} */ state) => {
    const block = blocks.make(state, null)
    try {
      return matching(block)
    } catch (error) {
      // mineflayer hands the matcher blocks without a position first as well; one that needs it has to say so.
      if (error instanceof TypeError && /null/.test(error.message)) return true
      throw error
    }
  })
}

/** @param {any} matching @returns {number[]} */
function typeIds (matching) {
  const list = Array.isArray(matching) ? matching : [matching]
  if (list.length > 0 && list.every(Number.isInteger)) return list
  throw named(
    'BadArgument',
    'matching must be a block id, an array of ids or a function; ids stand in mcData.blocksByName.iron_ore.id'
  )
}

/** @param {unknown} value @param {string} what @returns {number} */
function bounded (value, what) {
  if (typeof value === 'number' && value >= 1) return value
  throw named('BadArgument', `${what} is ${String(value).slice(0, 20)}; give a number of at least 1`)
}

/** @param {any} value @param {string} member @returns {any} a position with finite coordinates */
function position (value, member) {
  if (value !== null && typeof value === 'object' && [value.x, value.y, value.z].every(Number.isFinite)) {
    return point([value.x, value.y, value.z])
  }
  throw named('BadArgument', `bot.${member} needs a position with finite x, y and z`)
}

/** @param {any[]} list */
function byId (list) {
  return Object.fromEntries(list.map((entity) => [entity.id, entity]))
}

/** @param {any} entities @param {any} match @returns {any} */
function nearest (entities, match = () => true) {
  const [me, ...others] = entities.all()
  let best = null
  let bestDistance = Infinity
  for (const entity of others) {
    if (!match(entity)) continue
    const distance = me.position.distanceSquared(entity.position)
    if (distance < bestDistance) [best, bestDistance] = [entity, distance]
  }
  return best
}

/** @param {import('./host').Host} host @param {any} entities */
function playersOf (host, entities) {
  /** @type {Record<string, any>} */
  const players = {}
  for (const player of host.read('players')) {
    players[player.username] = { ...player, entity: player.entity === null ? null : entities.make(player.entity) }
  }
  return players
}

const ARMOUR = Object.freeze({ head: 5, torso: 6, legs: 7, feet: 8, 'off-hand': 45 })

/** @param {any} place @param {number} quickBarSlot @returns {number} */
function equipmentSlot (place, quickBarSlot) {
  if (place === 'hand') return 36 + quickBarSlot
  if (Object.hasOwn(ARMOUR, place)) return ARMOUR[/** @type {keyof typeof ARMOUR} */ (place)]
  throw named(
    'BadArgument',
    `${String(place).slice(0, 20)} is no place for equipment; use hand, ${Object.keys(ARMOUR).join(', ')}`
  )
}

module.exports = { createState, position }
