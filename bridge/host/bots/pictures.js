'use strict'
/**
 * Pictures through the eyes of this host's bots, from what the server has sent them: chunks and entities that
 * mineflayer holds. Bots of a host share their chunks, and so one drawn land for each dimension.
 */
const { encodePng } = require('../../../engine/view')
const { ReceivedView } = require('../../../engine/view/received')
const { droppedItem } = require('../live/snapshots')

/** @typedef {import('./live_bot').LiveBot} LiveBot */
/** @typedef {import('prismarine-block').Block} Block */
/** @typedef {import('prismarine-entity').Entity & { eyeHeight?: number, objectData?: number }} Entity */
/** @typedef {import('../../../engine/view/received').SentEntity} SentEntity */
/** @typedef {import('../../../engine/view/index').PictureRequest} PictureRequest */

const DEGREES = 180 / Math.PI
const EYES = 1.62
/** Longest file in characters of base64: a host's lines are bounded (`lines.js`). */
const MAX_FILE = 1_000_000
/** Bit of an entity's flags for invisibility. */
const INVISIBLE = 0x20
const SPECTATOR = 3
/** Place of a player's armour in its inventory, by the place in mineflayer's list of an entity's equipment. */
const WORN = Object.freeze([[5, 5], [6, 4], [7, 3], [8, 2]])

/** Pictures of one host's bots. */
class BotPictures {
  /** Views by dimension. @type {Map<string, ReceivedView>} */
  #views = new Map()
  /** Bots whose chunks are followed. @type {WeakSet<LiveBot>} */
  #followed = new WeakSet()

  /**
   * Return what a bot sees now, or its surroundings from above, as a PNG file in base64.
   * @param {LiveBot} bot that stands in the world
   * @param {PictureRequest} request
   * @returns {string}
   * @throws {RangeError} for a request that is not legal
   */
  take (bot, request) {
    const view = this.#viewOf(bot)
    this.#follow(bot)
    const self = sentEntity(bot, bot.entity)
    const others = Object.values(bot.entities)
      .filter((each) => each !== bot.entity && each.position && each.isValid !== false)
      .map((each) => sentEntity(bot, each))
    const columnAt = /** @type {import('../../../engine/view/received').Client['columnAt']} */ (
      /** @type {unknown} */ (bot.world.getColumn.bind(bot.world)))
    const picture = view.fromClient({ columnAt, timeOfDay: bot.time.timeOfDay, raining: Boolean(bot.isRaining), self,
      entities: [...others, self] }, request)
    const file = encodePng(picture).toString('base64')
    if (file.length <= MAX_FILE) return file
    throw new RangeError(`a picture of ${request.width} x ${request.height} pixels is a file of ` +
      `${file.length * 3 >> 12} KB here, more than ${MAX_FILE * 3 >> 12}: ask for fewer pixels`)
  }

  /** @param {LiveBot} bot */
  #viewOf (bot) {
    const { dimension } = bot.game
    const known = this.#views.get(dimension) ?? new ReceivedView(bot.version, dimension)
    this.#views.set(dimension, known)
    return known
  }

  /** Follow a bot's chunks from its first picture on. @param {LiveBot} bot */
  #follow (bot) {
    if (this.#followed.has(bot)) return
    this.#followed.add(bot)
    const land = () => this.#views.get(bot.game.dimension)?.received
    bot.on('blockUpdate', (/** @type {unknown} */ _before, /** @type {Block | null} */ after) => {
      if (after) land()?.set(after.position.x, after.position.y, after.position.z, after.stateId ?? 0)
    })
    const forget = (/** @type {{ x: number, z: number }} */ { x, z }) => land()?.forget(x >> 4, z >> 4)
    bot.on('chunkColumnLoad', forget)
    bot.on('chunkColumnUnload', forget)
  }
}

/** @param {LiveBot} bot @param {Entity} entity @returns {SentEntity} */
function sentEntity (bot, entity) {
  const own = entity === bot.entity
  const name = own ? bot.username : entity.username ?? entity.name ?? ''
  const equipment = entity.equipment ?? []
  const slots = []
  for (const [slot, place] of WORN) slots[slot] = (own ? bot.inventory.slots[slot] : equipment[place]) ?? null
  const { x, y, z } = entity.position
  const player = own || entity.type === 'player'
  return { type: player ? 'player' : entity.name ?? '', name, x, y, z, yaw: turned(entity.yaw),
    pitch: -entity.pitch * DEGREES, width: entity.width ?? 0.6, height: entity.height ?? 1.8,
    eyeHeight: entity.eyeHeight ?? EYES, slots, heldItem: (own ? bot.heldItem : equipment[0]) ?? null,
    customName: player ? null : givenName(entity), item: droppedItem(entity), stateId: entity.objectData,
    hidden: (Number(entity.metadata?.[0] ?? 0) & INVISIBLE) !== 0,
    gamemode: bot.players[name]?.gamemode === SPECTATOR ? 'spectator' : undefined }
}

/** Return mineflayer's yaw, counted from north against the clock, as the game's. @param {number} yaw */
function turned (yaw) {
  const degrees = 180 - yaw * DEGREES
  return degrees > 180 ? degrees - 360 : degrees
}

/** Return the name that an entity was given, as text, or null. @param {Entity} entity @returns {string | null} */
function givenName (entity) {
  try {
    return entity.getCustomName?.()?.toString() ?? null
  } catch {
    // A server may send metadata that is no text component.
    return null
  }
}

module.exports = { BotPictures }
