'use strict'
/**
 * Reads of the host API in the mock world: what a player knows.
 *
 * @module skills_js/mock/backend/reads
 */
const { named } = require('../../bot_facade/errors')
const { CAPS } = require('../../bot_facade/host_api')
const { fitting } = require('../../bot_facade/fitting')
const { TABLES } = require('../../bot_facade/registry')
const { lookAround } = require('../../bot_facade/in_view')
const { searchBudget } = require('../../bot_facade/search_budget')
const { TICK_MS } = require('../clock')
const { States, findBlocks, statesAround } = require('./find_blocks')
const { recipes } = require('./recipes')
const { firstHit, seesBlock } = require('../sight')
const { itemData, stateData } = require('../../bot_facade/snapshots')
const { BOUNDS } = require('../../../engine/world/dimensions')
const { entityData, inventoryData, selfEntity, windowData } = require('./snapshots')

/** @typedef {'forward' | 'back' | 'left' | 'right' | 'jump' | 'sprint' | 'sneak'} Control */

/** @type {readonly Control[]} */
const CONTROLS = Object.freeze(['forward', 'back', 'left', 'right', 'jump', 'sprint', 'sneak'])
const CURSOR_REACH = 5
const DAY_TICKS = 24000

/** @typedef {import('../client').Client} Client */

/**
 * @param {Client} client
 * @returns {Record<string, (...args: any[]) => any>}
 */
function createReads (client) {
  const { world } = client.simulation
  return {
    self: () => selfData(client),
    now: () => world.age * TICK_MS,
    inventory: () => inventoryData(client),
    window: () => windowData(client),
    players: () => [...world.players.values()].map((player) => playerData(client, player)).slice(0, CAPS.entities),
    entities: () => entitiesAround(client),
    entity: (id) => entityById(client, id),
    cursor: () => cursor(client),
    recipes: (item, minCount, table, all) => recipes(client, { item, minCount, table, all }).slice(0, 32),
    data: (table, key) => {
      const entries = dataTable(world.registry, table)
      return Object.hasOwn(entries, key) ? entries[key] : null
    },
    dataKeys: (table) => Object.keys(dataTable(world.registry, table)),
    ...createBlockReads(client)
  }
}

/** @param {Client} client @returns {Record<string, (...args: any[]) => any>} */
function createBlockReads (client) {
  const { space, world } = client.simulation
  const { registry } = world
  const search = searching(client)
  const near = (/** @type {number} */ distance) => Math.max(0, Math.min(distance, CAPS.searchDistance))
  return {
    blockAt: (x, y, z) => Math.abs(x) > 3e7 || Math.abs(z) > 3e7 ? null : space.stateAt(x, y, z),
    biomeAt: (x, y, z) => {
      const id = world.terrain.biome(x, y, z)
      return { id, name: registry.biomes[id].name }
    },
    blockState: (state) => {
      if (registry.blocksByStateId[state] === undefined) throw named('BadArgument', `there is no block state ${state}`)
      return stateData(space.table.Block.fromStateId(state, 0))
    },
    blockStates: (x, y, z, maxDistance) => search(() => statesAround(world, { x, y, z }, near(maxDistance))),
    findBlocks: (x, y, z, maxDistance, count, ...[types, states]) => search(() => findBlocks(world, {
      from: { x, y, z },
      maxDistance: near(maxDistance),
      count: Math.max(1, Math.min(count, CAPS.searchCount)),
      key: JSON.stringify([types, states]),
      states: () => new States(registry, statesWanted(registry, types, states))
    })),
    inView: (maxDistance) => search(() => lookAround(world.data.version, (x, y, z) => space.stateAt(x, y, z),
      entitiesAround(client), near(maxDistance))),
    canSeeBlock: (x, y, z) => seesBlock(space, client.eye, { x, y, z }),
    digTime: (x, y, z, item) => digTime(client, blockThere(client, x, y, z), item ?? null),
    bestTool: (x, y, z) => bestTool(client, blockThere(client, x, y, z))
  }
}

/**
 * @param {Client} client
 * @returns {(look: () => {found: any[], looked: import('./find_blocks').Looked}) => any[]} searches within the bot's
 *   share
 */
function searching (client) {
  const budget = searchBudget(client)
  return (look) => {
    budget.enter(client.simulation.world.age * TICK_MS)
    const { found, looked } = look()
    budget.spend(looked)
    return found
  }
}

/** @param {any} registry @param {any} types @param {any} states @returns {Set<number>} */
function statesWanted (registry, types, states) {
  const wanted = new Set(Array.isArray(states) ? states : [])
  for (const type of Array.isArray(types) ? types : []) {
    const block = registry.blocks[type]
    if (!block) throw named('BadArgument', `there is no block with id ${String(type).slice(0, 20)}`)
    for (let state = block.minStateId; state <= block.maxStateId; state++) wanted.add(state)
  }
  return wanted
}

/** @param {Client} client @param {number} x @param {number} y @param {number} z @returns {any} prismarine-block */
function blockThere (client, x, y, z) {
  const { space } = client.simulation
  return space.table.Block.fromStateId(space.stateAt(x, y, z), 0)
}

/**
 * @param {Client} client
 * @param {any} block prismarine-block
 * @param {number | null} item its type; null: the bare hand
 * @returns {number} ms on firm ground
 */
function digTime (client, block, item) {
  return block.digTime(item, client.player.gamemode === 'creative', false, false, [], effectsOf(client))
}

/** @param {Client} client @returns {Record<number, {amplifier: number}>} as prismarine-block counts them */
function effectsOf (client) {
  /** @type {Record<number, {amplifier: number}>} */
  const effects = {}
  for (const effect of client.player.effects.values()) effects[effect.id] = { amplifier: effect.amplifier }
  return effects
}

/**
 * @param {Client} client
 * @param {any} block
 * @returns {{item: any, harvests: boolean, needed: number[]}} the fastest item that gets the drops; null: the bare hand
 */
function bestTool (client, block) {
  const needed = Object.keys(block.harvestTools ?? {}).map(Number)
  const { slots } = inventoryData(client)
  const able = slots.slice(9, 45)
    .filter((/** @type {any} */ item) => item !== null && (needed.length === 0 || needed.includes(item.type)))
  let best = null
  let bestTime = digTime(client, block, null)
  for (const item of able) {
    const time = digTime(client, block, item.type)
    if (time < bestTime || (needed.length > 0 && best === null)) [best, bestTime] = [item, time]
  }
  return { item: best, harvests: needed.length === 0 || best !== null, needed }
}

/** @param {Client} client @returns {any} */
function selfData (client) {
  const { body, player, simulation: { world } } = client
  const day = Math.floor(world.timeOfDay / DAY_TICKS)
  const hour = world.timeOfDay % DAY_TICKS
  return {
    entity: selfEntity(client),
    health: player.health,
    food: player.food,
    saturation: player.saturation,
    oxygen: Math.max(0, Math.round(player.air / 15)),
    sleeping: client.asleep,
    vehicle: player.vehicle?.id ?? null,
    raining: world.weather !== 'clear',
    experience: {
      level: player.experience.level, points: player.experience.total, progress: player.experience.progress
    },
    game: {
      gameMode: player.gamemode,
      dimension: player.dimension,
      difficulty: world.difficulty,
      ...BOUNDS[/** @type {keyof typeof BOUNDS} */ (player.dimension)]
    },
    time: { time: world.timeOfDay, timeOfDay: hour, day, isDay: hour < 13000, moonPhase: day % 8, age: world.age },
    spawnPoint: [world.spawn.x, world.spawn.y, world.spawn.z],
    quickBarSlot: player.heldSlot,
    usingItem: player.usingItem,
    controls: Object.fromEntries(CONTROLS.map((control) => [control, body[control]])),
    digTarget: client.digging === null ? null : [client.digging.x, client.digging.y, client.digging.z],
    digging: client.digging !== null,
    building: client.walk?.builds === true,
    walking: client.walk !== null
  }
}

/** @param {Client} client @returns {number[] | null} the block that the eye rests on */
function cursor (client) {
  const { body, eye, simulation: { space } } = client
  const flat = Math.cos(body.pitch)
  const ahead = {
    x: eye.x - Math.sin(body.yaw) * flat, y: eye.y + Math.sin(body.pitch), z: eye.z - Math.cos(body.yaw) * flat
  }
  const hit = firstHit(space, eye, ahead, CURSOR_REACH)
  return hit === null ? null : [hit.x, hit.y, hit.z]
}

/**
 * @param {Client} client
 * @returns {import('../../bot_facade/in_view').Snapshot[]} the player itself first, then the nearest
 */
function entitiesAround (client) {
  const { body, simulation: { world } } = client
  const { x, y, z } = body
  const others = []
  for (const entity of world.entitiesNear(body, VIEW)) {
    if (entity === client.player || !visible(client, entity)) continue
    others.push({ entity, distance: (entity.x - x) ** 2 + (entity.y - y) ** 2 + (entity.z - z) ** 2 })
  }
  const near = others.sort((a, b) => a.distance - b.distance || a.entity.id - b.entity.id).slice(0, CAPS.entities - 1)
  return fitting([selfEntity(client), ...near.map(({ entity }) => entityData(world.registry, entity))])
}

/** Distance up to which servers tell of entities, in blocks. */
const VIEW = 64

/** @param {Client} client @param {any} entity @returns {boolean} spectators and markers are seen by nobody */
function visible (client, entity) {
  return !entity.removed && !entity.hidden && entity.gamemode !== 'spectator' &&
    Math.abs(entity.x - client.body.x) <= VIEW && Math.abs(entity.z - client.body.z) <= VIEW
}

/** @param {Client} client @param {number} id @returns {any} */
function entityById (client, id) {
  if (id === client.player.id) return selfEntity(client)
  const { world } = client.simulation
  const entity = world.entities.get(id)
  return entity !== undefined && visible(client, entity) ? entityData(world.registry, entity) : null
}

const GAMEMODES = ['survival', 'creative', 'adventure', 'spectator']

/** @param {Client} client @param {import('../../../engine/world/player').Player} player the engine's @returns {any} */
function playerData (client, player) {
  return {
    username: player.name,
    uuid: player.uuid,
    ping: 0,
    gamemode: GAMEMODES.indexOf(player.gamemode),
    entity: entityById(client, player.id)
  }
}

/** @param {any} registry @param {string} table @returns {any} */
function dataTable (registry, table) {
  if (!TABLES.includes(table)) throw named('NotSupported', `mcData.${table}`)
  return registry[table] ?? {}
}

module.exports = { CONTROLS, blockThere, createReads, digTime, effectsOf, itemData }
