'use strict'
/** Events of a bot's world: items, chat, death and life, as plain data. */
const { MAX_TEXT } = require('./chat_merger')
const { real } = require('../frozen_clock')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** First slot of a player's own window that holds items to keep; below are the crafting grid and its result. */
const FIRST_KEPT = 5

/**
 * Return a player's items by name, over the whole inventory including armour, off-hand and cursor.
 *
 * While a container is open, the player's part of its window is the truth: the game sends changes in its numbering.
 * @param {LiveBot} bot
 * @returns {Record<string, number>}
 */
function itemsOf (bot) {
  /** @type {Record<string, number>} */
  const counts = {}
  const add = (/** @type {any} */ item) => {
    if (item) counts[item.name] = (counts[item.name] ?? 0) + item.count
  }
  const open = bot.currentWindow
  const own = bot.inventory.slots
  if (open) {
    open.slots.slice(open.inventoryStart, open.inventoryEnd).forEach(add)
    own.slice(FIRST_KEPT, bot.inventory.inventoryStart).forEach(add)
    own.slice(bot.inventory.inventoryEnd).forEach(add)
    add(open.selectedItem)
  } else {
    own.slice(FIRST_KEPT).forEach(add)
    add(bot.inventory.selectedItem)
  }
  return Object.fromEntries(Object.entries(counts).sort(([a], [b]) => a < b ? -1 : 1))
}

/**
 * Return a player as its bot sees itself (`Observation` of bridge/types.py).
 * @param {LiveBot} bot
 * @param {number|null} tick
 */
function observationOf (bot, tick) {
  const { x, y, z } = bot.entity.position
  return {
    name: bot.username,
    position: [x, y, z],
    health: bot.health ?? 0,
    food: bot.food ?? 0,
    items: itemsOf(bot),
    held: bot.heldItem?.name ?? null,
    gamemode: bot.game?.gameMode ?? 'survival',
    tick: tick ?? 0
  }
}

/**
 * Call `report(items, held)` whenever the inventory or the held item has changed, at most once a tick.
 * @param {LiveBot} bot
 * @param {(items: Record<string, number>, held: string|null) => void} report
 */
function watchInventory (bot, report) {
  let said = ''
  let planned = false
  const look = () => {
    planned = false
    const items = itemsOf(bot)
    const held = bot.heldItem?.name ?? null
    const now = JSON.stringify([items, held])
    if (now === said) return
    said = now
    report(items, held)
  }
  const plan = () => {
    if (planned) return
    planned = true
    real.setTimeout(look, 50)
  }
  bot.inventory.on('updateSlot', plan)
  bot.on('heldItemChanged', plan)
  bot.on('windowOpen', (/** @type {any} */ window) => window.on('updateSlot', plan))
  bot.on('windowClose', plan)
  plan()
}

/** Component of the game's messages about arrivals and departures; in what players say, the quotes are escaped. */
const ARRIVAL = /"translate":"multiplayer\.player\.(joined|left)"/

/** Form of a whisper on servers without signed chat: only its recipient sees it. */
const WHISPERED = /^(\w{1,16}) whispers to you: ([\s\S]*)$/
const WHISPER = 'msg_command_incoming'

/**
 * @param {LiveBot} bot
 * @param {any} type of a line of chat, as protocols write it
 * @returns {boolean}
 */
function isWhisper (bot, type) {
  return bot.registry.chatFormattingById?.[type?.chatType ?? type]?.name?.replace('minecraft:', '') === WHISPER
}

/**
 * Call `report(from, text, to)` for every message in the bot's chat; `from` is null when the game itself speaks, `to`
 * is the bot's name for what was whispered to it, else undefined.
 * @param {LiveBot} bot
 * @param {(from: string|null, text: string, to?: string) => void} report
 */
function watchChat (bot, report) {
  const ChatMessage = /** @type {any} */ (require('prismarine-chat'))(bot.registry)
  const plain = (/** @type {any} */ json) => {
    try {
      return ChatMessage.fromNotch(json).toString()
    } catch {
      return String(json)
    }
  }
  bot._client.on('playerChat', (/** @type {any} */ data) => {
    const text = data.plainMessage ?? plain(data.formattedMessage)
    const from = data.senderName ? plain(data.senderName) : nameOf(bot, data.sender)
    report(from, String(text).slice(0, MAX_TEXT), isWhisper(bot, data.type) ? bot.username : undefined)
  })
  bot._client.on('systemChat', (/** @type {any} */ data) => {
    if (data.positionId === 2) return // the action bar is no chat
    // Who comes and goes is told as a `bot` event.
    if (ARRIVAL.test(String(data.formattedMessage))) return
    const shown = plain(data.formattedMessage).slice(0, MAX_TEXT)
    const whispered = WHISPERED.exec(shown)
    if (whispered) report(whispered[1], whispered[2], bot.username)
    else report(null, shown)
  })
}

/**
 * @param {LiveBot} bot
 * @param {string} uuid
 * @returns {string|null}
 */
function nameOf (bot, uuid) {
  const player = Object.values(bot.players).find((/** @type {any} */ each) => each.uuid === uuid)
  return /** @type {any} */ (player)?.username ?? null
}

/**
 * Return a server's reason for a kick as plain text, whatever form it came in.
 * @param {any} reason JSON text, a chat component or NBT
 * @returns {string}
 */
function reasonText (reason) {
  /** @type {string[]} */
  const words = []
  const collect = (/** @type {any} */ part) => {
    if (typeof part === 'string') words.push(part)
    else if (Array.isArray(part)) part.forEach(collect)
    else if (part && typeof part === 'object') {
      if (typeof part.type === 'string' && 'value' in part) return collect(part.value)
      for (const key of ['text', 'translate', 'extra', 'with', 'value']) if (key in part) collect(part[key])
    }
  }
  let parsed = reason
  if (typeof reason === 'string') {
    try { parsed = JSON.parse(reason) } catch { parsed = reason }
  }
  collect(parsed)
  return words.filter(Boolean).join(' ').slice(0, 300) || 'no reason given'
}

module.exports = { itemsOf, observationOf, reasonText, watchChat, watchInventory }
