/** Members of the bot facade that ask the host to act. */
'use strict'
const { named } = require('./errors')
const { position } = require('./bot_state')
const { ContainerWindow, FurnaceWindow } = require('./window')
const { createPvp } = require('./pvp')
const { follow } = require('./walking')
const { createWorkshops } = require('./workshops')
const { pagesOf } = require('./writing')

/**
 * @typedef {Record<string, (...args: any[]) => any>} Members members of the bot; a program may call them with anything
 * @typedef {(target: any, member: string, Kind: new (host: any, opened: any) => any) => Promise<any>} OpenWindow
 */

/**
 * @param {import('./host').Host} host
 * @param {{pathfinder: any, registry: any, bot: () => any, emit: (event: string) => void}} parts - emit: tells the
 *   program's listeners
 * @returns {any} methods for the bot
 */
function createActions (host, { pathfinder, registry, bot, emit }) {
  const at = (/** @type {any} */ block, /** @type {string} */ member) => position(block?.position ?? block, member)
    .floored()
    .toArray()
  return {
    pathfinder,
    ...createHands(host, at),
    ...createItems(host, at, registry),
    ...createBody(host),
    collectBlock: { collect: (/** @type {any} */ targets) => collect(bot(), targets) },
    pvp: createPvp(host, { pathfinder, bot, emit }),
    // The usual plugins are built in.
    loadPlugin: () => {},
    loadPlugins: () => {},
    hasPlugin: () => true,
    tool: {
      equipForBlock: (/** @type {any} */ block, options = {}) => equipForBlock(bot(), host, block, options)
    }
  }
}

/**
 * Create members that dig, place and use.
 * @param {import('./host').Host} host
 * @param {(block: any, member: string) => number[]} at
 * @returns {Members}
 */
function createHands (host, at) {
  return {
    dig: async (block, _forceLook, _digFace) => {
      const where = at(block, 'dig')
      // As mineflayer does: who digs a column of plants from below finds air where the upper ones stood.
      const gone = () => host.command('log', 'info', `nothing to dig at (${where.join(', ')}): there is air already`)
      if (block.type === 0) return gone()
      try {
        await host.act('dig', ...where)
      } catch (error) {
        if (error.name !== 'BlockGone') throw error
        gone()
      }
    },
    stopDigging: () => host.command('stopDigging'),
    placeBlock: async (reference, face) => {
      const { x, y, z } = position(face, 'placeBlock')
      return host.act('place', ...at(reference, 'placeBlock'), x, y, z)
    },
    activateBlock: async (block, direction) => {
      const face = direction === undefined || direction === null
        ? [null, null, null]
        : position(direction, 'activateBlock').toArray()
      return host.act('activateBlock', ...at(block, 'activateBlock'), ...face)
    },
    activateEntity: async (entity) => host.act('activateEntity', entityId(entity, 'activateEntity')),
    activateEntityAt: async (entity, where) => {
      const { x, y, z } = position(where, 'activateEntityAt')
      return host.act('activateEntityAt', entityId(entity, 'activateEntityAt'), x, y, z)
    },
    useOn: async (entity) => host.act('activateEntity', entityId(entity, 'useOn')),
    attack: (entity) => host.act('attack', entityId(entity, 'attack')),
    activateItem: (offHand = false) => host.command('useItem', Boolean(offHand)),
    deactivateItem: () => host.command('releaseItem'),
    swingArm: () => host.command('swing'),
    consume: async () => host.act('consume'),
    fish: async () => host.act('fish'),
    sleep: async (bed) => host.act('sleepInBed', ...at(bed, 'sleep')),
    wake: async () => host.act('wake'),
    ...createRides(host),
    ...createWriting(host, at)
  }
}

/**
 * Create members that ride boats.
 * @param {import('./host').Host} host
 * @returns {Members}
 */
function createRides (host) {
  return {
    mount: async (entity) => host.act('mount', entityId(entity, 'mount')),
    dismount: async () => host.act('dismount'),
    moveVehicle: (left, forward) => host.command('steer', left, forward)
  }
}

/**
 * Create members that write books and signs. The server names the author of a book, whatever author is given.
 * @param {import('./host').Host} host
 * @param {(block: any, member: string) => number[]} at
 * @returns {Members}
 */
function createWriting (host, at) {
  return {
    writeBook: async (slot, pages) => host.act('writeBook', slot, bookPages(pages, 'writeBook'), null),
    signBook: async (slot, pages, _author, title) =>
      host.act('writeBook', slot, bookPages(pages, 'signBook'), asText(title, 'signBook')),
    updateSign: async (block, text, back = false) =>
      host.act('writeSign', ...at(block, 'updateSign'), asText(text, 'updateSign').split('\n'), Boolean(back))
  }
}

/**
 * Create members for items, windows and crafting.
 * @param {import('./host').Host} host
 * @param {(block: any, member: string) => number[]} at
 * @param {any} registry
 * @returns {Members}
 */
function createItems (host, at, registry) {
  /** @type {OpenWindow} */
  const open = async (target, member, Kind) => {
    const entity = Number.isInteger(target?.id) && target?.getDroppedItem !== undefined
    const opened = entity
      ? await host.act('openEntity', target.id)
      : await host.act('openContainer', ...at(target, member))
    return new Kind(host, opened)
  }
  const openContainer = async (/** @type {any} */ target) => open(target, 'openContainer', ContainerWindow)
  /** @param {any} item @param {any} minCount @param {any} table @param {boolean} all */
  const recipes = (item, minCount, table, all) =>
    [...host.read('recipes', item, minCount, Boolean(table), all)]
  return {
    equip: async (item, destination = 'hand') => host.act('equip', slotOf(host, item, 'equip'), String(destination)),
    unequip: async (destination = 'hand') => host.act('unequip', String(destination)),
    toss: async (itemType, _metadata, count = 1) => host.act('toss', itemType, count ?? 1),
    tossStack: async (item) => host.act('tossSlot', slotOf(host, item, 'tossStack')),
    setQuickBarSlot: (slot) => host.command('selectSlot', slot),
    clickWindow: async (slot, button, mode) => host.act('clickWindow', slot, button, mode),
    openContainer,
    openChest: openContainer,
    openDispenser: openContainer,
    openBlock: openContainer,
    openFurnace: async (block) => open(block, 'openFurnace', FurnaceWindow),
    ...createWorkshops(open),
    closeWindow: async (window) => window?.close?.(),
    recipesFor: (itemType, _metadata, minCount = 1, table = null) => recipes(itemType, minCount ?? 1, table, false),
    recipesAll: (itemType, _metadata, table = null) => recipes(itemType, 1, table, true),
    craft: async (recipe, count = 1, table = null) => {
      if (!Number.isInteger(recipe?.index)) {
        throw named('BadArgument', 'bot.craft needs a recipe of bot.recipesFor; it found none?')
      }
      const where = table === null || table === undefined ? [null, null, null] : at(table, 'craft')
      return host.act('craft', recipe.result.id, recipe.index, count ?? 1, ...where)
    },
    registry
  }
}

/**
 * Create members that look, talk, press keys and wait.
 * @param {import('./host').Host} host
 * @returns {Members}
 */
function createBody (host) {
  return {
    look: async (yaw, pitch, force = false) => host.act('look', yaw, pitch, Boolean(force)),
    lookAt: async (target, force = false) => {
      const { x, y, z } = position(target, 'lookAt')
      return host.act('lookAt', x, y, z, Boolean(force))
    },
    chat: (text) => host.command('chat', asText(text, 'chat')),
    whisper: (to, text) => host.command('whisper', String(to), asText(text, 'whisper')),
    waitForTicks: async (ticks) => host.act('waitTicks', Math.ceil(ticks)),
    waitForChunksToLoad: async () => undefined,
    setControlState: (control, on) => host.command('setControl', String(control), Boolean(on)),
    clearControlStates: () => host.command('clearControls')
  }
}

/** @param {unknown} text @param {string} member @returns {string} */
function asText (text, member) {
  if (typeof text === 'string' || typeof text === 'number') return String(text)
  throw named('BadArgument', `bot.${member} needs a text`)
}

/** @param {any} entity @param {string} member @returns {number} */
function entityId (entity, member) {
  if (Number.isInteger(entity?.id)) return entity.id
  throw named('BadArgument', `bot.${member} needs an entity, e.g. of bot.nearestEntity; it found none?`)
}

/**
 * @param {import('./host').Host} host
 * @param {any} item - an item or an item id
 * @param {string} member
 * @returns {number}
 */
function slotOf (host, item, member) {
  if (Number.isInteger(item?.slot)) return item.slot
  const found = Number.isInteger(item)
    ? host.read('inventory').slots.find((/** @type {any} */ held) => held !== null && held.type === item)
    : undefined
  if (found !== undefined) return found.slot
  throw named('ItemNotInInventory', `bot.${member} needs an item of bot.inventory; it is not there?`)
}

/**
 * Take the best tool of the inventory into the hand, like mineflayer-tool.
 * @param {any} bot
 * @param {import('./host').Host} host
 * @param {any} block
 * @param {any} options
 */
async function equipForBlock (bot, host, block, options) {
  const { x, y, z } = position(block?.position, 'tool.equipForBlock').floored()
  const best = host.read('bestTool', x, y, z)
  if (options.requireHarvest === true && !best.harvests) {
    const tools = best.needed.map((/** @type {number} */ id) => bot.registry.items[id].name)
    throw named(
      'NoTool', `${block.name} gives nothing without one of: ${tools.join(', ')}; the inventory has none of them`
    )
  }
  if (best.item !== null && best.item.slot !== 36 + bot.quickBarSlot) await host.act('equip', best.item.slot, 'hand')
}

/**
 * Collect blocks and dropped items, like mineflayer-collectblock.
 * @param {any} bot
 * @param {any} targets - one or several
 */
async function collect (bot, targets) {
  for (const target of Array.isArray(targets) ? targets : [targets]) {
    if (Number.isInteger(target?.id) && target?.isValid !== undefined) {
      await follow(bot.pathfinder).to(target.position, 1)
      continue
    }
    const block = bot.blockAt(target.position)
    if (block === null || block.name !== target.name) {
      throw named('BlockGone', `${target.name} at ${target.position} is gone`)
    }
    await equipForBlock(bot, require('./actions').hostOf(bot), block, { requireHarvest: true })
    await require('../primitives/support/reach').comeToReach(bot, block.position)
    await bot.dig(block, true)
    await require('../primitives/collectDrops').collectDrops(bot, 6)
  }
}

/**
 * @param {any} pages
 * @param {string} member
 * @returns {string[]} as many and as long as fit, or an error that says so before anything is sent
 */
function bookPages (pages, member) {
  try {
    return pagesOf(pages)
  } catch (error) {
    throw named(error.name, `bot.${member}: ${error.message}`)
  }
}

module.exports = { createActions }
