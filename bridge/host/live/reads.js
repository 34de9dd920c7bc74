'use strict'
/** Reads of the host API: what the bot knows, as plain data. */
const { named } = require('../../../skills_js/bot_facade/errors')
const { CAPS } = require('../../../skills_js/bot_facade/host_api')
const { fitting } = require('../../../skills_js/bot_facade/fitting')
const { lookAround } = require('../../../skills_js/bot_facade/in_view')
const { searchBudget } = require('../../../skills_js/bot_facade/search_budget')
const { findBlocks, statesAround } = require('./find_blocks')
const { recipes } = require('./items')
const { eyeOf, point, seesBlock } = require('./sight')
const { stateData } = require('../../../skills_js/bot_facade/snapshots')
const { entityData, itemData, vec, windowData } = require('./snapshots')
const { burningOf, shownBy } = require('./windows')
const { tradeData } = require('./workshops')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const CONTROLS = ['forward', 'back', 'left', 'right', 'jump', 'sprint', 'sneak']
/** Tables of minecraft-data that a policy may read. */
const TABLES = new Set(['blocks', 'blocksByName', 'items', 'itemsByName', 'foods', 'foodsByName', 'entities',
  'entitiesByName',
  'biomes', 'biomesByName', 'recipes', 'enchantmentsByName', 'effectsByName', 'materials', 'blocksByStateId'])

/** A tick of game time, in ms. */
const TICK_MS = 50

/**
 * @param {LiveBot} bot
 * @param {{ now: () => number }} clock - ms of game time
 * @returns {Record<string, (...args: any[]) => any>}
 */
function createReads (bot, clock) {
  return {
    self: () => selfData(bot, clock),
    now: clock.now,
    inventory: () => inventoryData(bot),
    window: () => bot.currentWindow ? openWindow(bot) : null,
    players: () => Object.values(bot.players).slice(0, CAPS.entities).map(playerData),
    entities: () => entitiesAround(bot),
    cursor: () => { const block = bot.blockAtCursor(5); return block ? vec(block.position) : null },
    entity: (id) => Object.hasOwn(bot.entities, id) && bot.entities[id].isValid !== false
      ? entityData(bot.entities[id])
      : null,
    recipes: (item, minCount, table, all) => recipes(bot, item, minCount, table, all).slice(0, 32),
    data: (table, key) => dataEntry(bot, table, key),
    dataKeys: (table) => Object.keys(dataTable(bot, table)),
    ...createBlockReads(bot, clock)
  }
}

/** @param {LiveBot} bot @param {{ now: () => number }} clock @returns {Record<string, (...args: any[]) => any>} */
function createBlockReads (bot, clock) {
  const Block = require('prismarine-block')(bot.registry)
  const search = searching(bot, clock)
  return {
    blockAt: (x, y, z) => bot.blockAt(point(x, y, z), false)?.stateId ?? null,
    biomeAt: (x, y, z) => {
      const biome = blockThere(bot, x, y, z).biome
      return { id: biome?.id ?? 0, name: biome?.name || bot.registry.biomes?.[biome?.id]?.name || 'unknown' }
    },
    blockState: (state) => {
      if (bot.registry.blocksByStateId[state] === undefined) {
        throw named('BadArgument', `there is no block state ${state}`)
      }
      return stateData(Block.fromStateId(state, 0))
    },
    blockStates: (x, y, z, maxDistance) => search(() => statesAround(bot, { x, y, z }, distanceCap(maxDistance))),
    findBlocks: (x, y, z, maxDistance, count, ...[types, states]) => search(() => findBlocks(bot, {
      from: { x, y, z },
      maxDistance: distanceCap(maxDistance),
      count: Math.max(1, Math.min(count, CAPS.searchCount)),
      states: wantedStates(bot, types, states)
    })),
    inView: (maxDistance) => search(() =>
      lookAround(bot.version, stateReader(bot), entitiesAround(bot), distanceCap(maxDistance))),
    canSeeBlock: (x, y, z) => seesBlock(bot, eyeOf(bot), point(x, y, z)),
    digTime: (x, y, z, item) =>
      digTime(bot, blockThere(bot, x, y, z), item === undefined || item === null ? null : item),
    bestTool: (x, y, z) => bestTool(bot, blockThere(bot, x, y, z))
  }
}

/**
 * @param {LiveBot} bot
 * @param {{ now: () => number }} clock
 * @returns {(look: () => { found: any[], looked: import('./find_blocks').Looked }) => any[]} searches within the bot's
 *   share
 */
function searching (bot, clock) {
  const budget = searchBudget(bot)
  return (look) => {
    budget.enter(clock.now())
    const { found, looked } = look()
    budget.spend(looked)
    return found
  }
}

/** @typedef {{ sections: ({ data: { get: (at: number) => number } } | null)[] }} Sections of a loaded column */
/**
 * @param {LiveBot} bot
 * @returns {(x: number, y: number, z: number) => number} reader of block states, 0 where nothing is loaded; it keeps
 *   the columns that it has looked up, so that it is for one look alone
 */
function stateReader (bot) {
  const { minY, height } = /** @type {{ minY: number, height: number }} */ (bot.game)
  /** @type {Map<number, Sections | null>} */
  const columns = new Map()
  return (x, y, z) => {
    if (y < minY || y >= minY + height) return 0
    const [cx, cz] = [x >> 4, z >> 4]
    const key = cx * 0x4000000 + cz
    let column = columns.get(key)
    if (column === undefined) {
      column = /** @type {Sections | null} */ (/** @type {unknown} */ (bot.world.getColumn(cx, cz) ?? null))
      columns.set(key, column)
    }
    const section = column?.sections[(y - minY) >> 4]
    return section ? section.data.get((y & 15) << 8 | (z & 15) << 4 | (x & 15)) : 0
  }
}

/** @param {LiveBot} bot @returns {any} the open container's window, with what it shows besides its slots */
function openWindow (bot) {
  const window = bot.currentWindow
  const { packets, ...shown } = shownBy(window)
  /** @type {any} */
  const items = require('prismarine-item')
  const Item = packets ? items(bot.registry) : null
  const trades = packets ? { trades: packets.map((trade) => tradeData(trade, (item) => Item.fromNotch(item))) } : {}
  return { ...windowData(window), ...burningOf(window), ...shown, ...trades }
}

/**
 * Return the inventory. While a container is open, the server tells the player's items in that window only; mineflayer
 * copies them when it closes.
 * @param {LiveBot} bot
 * @returns {any}
 */
function inventoryData (bot) {
  const data = windowData(bot.inventory)
  const open = bot.currentWindow
  if (open === null) return data
  const offset = open.inventoryStart - data.inventoryStart
  for (let slot = data.inventoryStart; slot < data.inventoryEnd; slot++) {
    const item = itemData(open.slots[slot + offset])
    data.slots[slot] = item === null ? null : { ...item, slot }
  }
  return data
}

/** @param {number} value */
function distanceCap (value) {
  return Math.max(0, Math.min(value, CAPS.searchDistance))
}

/**
 * @param {LiveBot} bot @param {any} types @param {any} states
 * @returns {Set<number>}
 */
function wantedStates (bot, types, states) {
  const wanted = new Set(Array.isArray(states) ? states : [])
  for (const type of Array.isArray(types) ? types : []) {
    const block = bot.registry.blocks[type]
    if (!block) throw named('BadArgument', `there is no block with id ${String(type).slice(0, 20)}`)
    for (let state = block.minStateId; state <= block.maxStateId; state++) wanted.add(state)
  }
  return wanted
}

/** @param {LiveBot} bot @param {number} x @param {number} y @param {number} z */
function blockThere (bot, x, y, z) {
  const block = bot.blockAt(point(x, y, z))
  if (block === null) throw named('BlockGone', `the land at (${x}, ${y}, ${z}) is not loaded`)
  return block
}

/** @param {LiveBot} bot @param {any} block @param {number | null} item - its type @returns {number} ms */
function digTime (bot, block, item) {
  return block.digTime(item, bot.game.gameMode === 'creative', false, false, [], bot.entity.effects)
}

/**
 * @param {LiveBot} bot
 * @param {any} block
 * @returns {{ item: any, harvests: boolean, needed: number[] }} the fastest item that gets the drops; null: the bare
 *   hand
 */
function bestTool (bot, block) {
  const needed = Object.keys(block.harvestTools ?? {}).map(Number)
  const able = bot.inventory.items()
    .filter((/** @type {any} */ item) => needed.length === 0 || needed.includes(item.type))
  let best = null
  let bestTime = digTime(bot, block, null)
  for (const item of able) {
    const time = digTime(bot, block, item.type)
    if (time < bestTime || (needed.length > 0 && best === null)) [best, bestTime] = [item, time]
  }
  return { item: itemData(best), harvests: needed.length === 0 || best !== null, needed }
}

/**
 * @param {LiveBot} bot
 * @param {{ now: () => number }} clock - the server tells the world's age once a second only
 * @returns {any}
 */
function selfData (bot, clock) {
  const { entity, game, time } = bot
  return {
    entity: entityData(entity),
    health: bot.health ?? 0,
    food: bot.food ?? 0,
    saturation: bot.foodSaturation ?? 0,
    oxygen: bot.oxygenLevel ?? 20,
    sleeping: Boolean(bot.isSleeping),
    vehicle: bot.vehicle?.id ?? null,
    raining: Boolean(bot.isRaining),
    experience: { ...bot.experience },
    game: {
      gameMode: game.gameMode,
      dimension: game.dimension,
      difficulty: game.difficulty,
      minY: game.minY,
      height: game.height
    },
    time: {
      time: time.time,
      timeOfDay: time.timeOfDay,
      day: time.day,
      isDay: time.isDay,
      moonPhase: time.moonPhase,
      age: Math.floor(clock.now() / TICK_MS)
    },
    spawnPoint: vec(bot.spawnPoint ?? entity.position),
    quickBarSlot: bot.quickBarSlot ?? 0,
    usingItem: Boolean(bot.usingHeldItem),
    controls: Object.fromEntries(CONTROLS.map((control) => [control, bot.getControlState(control)])),
    digTarget: bot.targetDigBlock ? vec(bot.targetDigBlock.position) : null,
    digging: bot.targetDigBlock !== null,
    building: bot.pathfinder.isBuilding(),
    walking: bot.pathfinder.isMoving()
  }
}

/** @param {LiveBot} bot @returns {any[]} the bot itself first, then the nearest */
function entitiesAround (bot) {
  const me = bot.entity
  const others = Object.values(bot.entities)
    .filter((entity) => entity !== me && entity.position && entity.isValid !== false)
  const near = others.map((entity) => ({ entity, distance: entity.position.distanceSquared(me.position) }))
    .sort((a, b) => a.distance - b.distance).slice(0, CAPS.entities - 1)
  return fitting([me, ...near.map(({ entity }) => entity)].map(entityData))
}

/** @param {any} player */
function playerData (player) {
  return {
    username: player.username,
    uuid: player.uuid,
    ping: player.ping,
    gamemode: player.gamemode,
    entity: player.entity ? entityData(player.entity) : null
  }
}

/** @param {LiveBot} bot @param {string} table @returns {any} */
function dataTable (bot, table) {
  if (!TABLES.has(table)) throw named('NotSupported', `mcData.${table}`)
  return bot.registry[table] ?? {}
}

/** @param {LiveBot} bot @param {string} table @param {string} key */
function dataEntry (bot, table, key) {
  const entries = dataTable(bot, table)
  return Object.hasOwn(entries, key) ? entries[key] : null
}

module.exports = { CONTROLS, createReads }
