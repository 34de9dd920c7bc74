'use strict'
/** Reports of a player's client: itself, what is around it, signs, its items, an open window and the chat. */
const { watchChat } = require('../telemetry/telemetry')

/** Distance up to which bodies are reported, in blocks. */
const SIGHT = 96
const MAX_BODIES = 200
/** Interval between two reports of others, and between two of changed columns, in ticks. */
const OTHERS_TICKS = 2
const COLUMNS_TICKS = 3
/** Interval between two looks for changed signs, in ticks, and the most signs that are reported, the nearest. */
const SIGNS_TICKS = 10
const MAX_SIGNS = 100
/** Titles of windows whose kind does not say what they are. @type {Readonly<Record<string, string>>} */
const TITLES = Object.freeze({ generic_9x3: 'Chest', generic_9x6: 'Large chest', crafting: 'Crafting table' })
const round = (/** @type {number} */ value) => Math.round(value * 100) / 100

/** @typedef {(report: object) => void} Tell */
/** A sign with words: place and lines. @typedef {[number, number, number, string[]]} Sign */
/** @typedef {import('prismarine-entity').Entity} Entity */
/** @typedef {import('prismarine-windows').Window} Window */

/** Reporter of one player's client. */
class Reporter {
  /**
   * @param {import('../bots/live_bot').LiveBot} bot
   * @param {import('./controls').Controls} controls
   * @param {() => Sign[]} signs that the client has loaded
   * @param {Tell} tell
   */
  constructor (bot, controls, signs, tell) {
    this.bot = bot
    this.controls = controls
    this.signs = signs
    this.tell = tell
    this.ticks = 0
    /** True if signs may have changed. */
    this.signsDue = true
    /** Last report of each kind, as text: only news are told. @type {Map<string, string>} */
    this.last = new Map()
    /** Columns that have changed, as x,z. @type {Set<string>} */
    this.changed = new Set()
    this.windows()
    this.land()
    watchChat(bot, (from, text, to) => tell({ kind: 'chat', from, text, to }))
    bot.on('physicsTick', () => this.tick())
    bot.on('death', () => tell({ kind: 'chat', from: null, text: 'You have died, and start again.' }))
  }

  tick () {
    if (!this.bot.entity) return
    this.ticks++
    this.news('self', this.self())
    if (this.ticks % OTHERS_TICKS === 0) this.news('others', this.others())
    this.news('items', this.own())
    if (this.signsDue && this.ticks % SIGNS_TICKS === 0) {
      this.signsDue = false
      this.news('signs', { signs: this.near(this.signs()) })
    }
    if (this.ticks % COLUMNS_TICKS !== 0 || this.changed.size === 0) return
    const columns = [...this.changed].map((key) => key.split(',').map(Number))
    this.changed.clear()
    this.tell({ kind: 'changed', columns })
  }

  /** @param {string} kind @param {object} report */
  news (kind, report) {
    const text = JSON.stringify(report)
    if (this.last.get(kind) === text) return
    this.last.set(kind, text)
    this.tell({ kind, ...report })
  }

  /** Return the nearest signs. @param {Sign[]} signs */
  near (signs) {
    const { x, y, z } = this.bot.entity.position
    const far = (/** @type {Sign} */ [sx, sy, sz]) => (sx - x) ** 2 + (sy - y) ** 2 + (sz - z) ** 2
    return signs.sort((one, other) => far(one) - far(other)).slice(0, MAX_SIGNS)
  }

  self () {
    const { entity, health, food, game, quickBarSlot, controlState, time } = this.bot
    const { x, y, z } = entity.position
    const block = this.controls.blockAtCross()
    const met = this.controls.entityAtCross()
    return { at: [x, y, z].map(round), health: round(health ?? 20), food: food ?? 20, mode: game.gameMode,
      slot: quickBarSlot, sneaks: controlState.sneak === true, rains: this.bot.isRaining === true,
      time: Math.floor((time.timeOfDay ?? 0) / 20) * 20,
      cross: met ? { name: met.username ?? met.name, at: null }
        : block ? { name: block.name, at: [block.position.x, block.position.y, block.position.z] } : null,
      digs: this.bot.targetDigBlock !== null }
  }

  others () {
    const { bot } = this
    const mine = bot.entity.position
    const near = Object.values(bot.entities)
      .filter((each) => each !== bot.entity && mine.distanceTo(each.position) < SIGHT)
      .sort((one, other) =>
        mine.distanceSquared(one.position) - mine.distanceSquared(other.position)).slice(0, MAX_BODIES)
    const place = (/** @type {Entity} */ { position: { x, y, z } }) => [x, y, z].map(round)
    const heading = (/** @type {Entity} */ { yaw }) => Math.round(180 - yaw * 180 / Math.PI)
    return {
      players: near.filter((each) => each.type === 'player')
        .map((each) => [each.username, ...place(each), heading(each), each.heldItem?.name ?? '']),
      drops: near.filter((each) => each.name === 'item')
        .map((each) => [each.id, ...place(each), each.getDroppedItem?.()?.name ?? '']),
      mobs: near.filter((each) => each.type !== 'player' && each.height > 0 && !['orb', 'other'].includes(each.type) &&
        each.name !== 'item').map((each) => [each.id, each.name, ...place(each)])
    }
  }

  /** Return what the player carries: while a window is open, only the window is kept up to date. */
  own () {
    const { currentWindow, inventory } = this.bot
    if (!currentWindow) return this.items(inventory)
    const { slots } = this.items(currentWindow)
    const first = currentWindow.inventoryStart
    return { held: null, slots: slots.filter(([slot]) => slot >= first)
      .map(([slot, ...item]) => [slot - first + inventory.inventoryStart, ...item]) }
  }

  /**
   * @param {Window} window
   * @returns {{ slots: [slot: number, name: string, count: number][], held: ReturnType<typeof heldBy> }}
   */
  items (window) {
    return { slots: window.slots.flatMap((item, slot) =>
      item ? [[slot, item.name, item.count]] : []), held: heldBy(window) }
  }

  windows () {
    const { bot } = this
    const show = () => {
      const window = bot.currentWindow
      this.news('window', window ? { open: { id: window.id, type: String(window.type), title: titleOf(window),
        size: window.slots.length, own: window.inventoryStart, ...this.items(window) } } : { open: null })
    }
    bot.on('windowOpen', (window) => {
      window.on('updateSlot', () => setImmediate(show))
      show()
    })
    bot.on('windowClose', () => setImmediate(show))
    this.showWindow = show
  }

  land () {
    const { bot } = this
    const mark = (/** @type {number} */ x, /** @type {number} */ z) => {
      this.changed.add(`${x >> 4},${z >> 4}`)
      this.signsDue = true
    }
    bot._client.on('tile_entity_data', () => { this.signsDue = true })
    bot.on('chunkColumnLoad', (corner) => mark(corner.x, corner.z))
    bot.on('blockUpdate', (before, now) => {
      const at = (now ?? before)?.position
      if (at && before?.stateId !== now?.stateId) mark(at.x, at.z)
    })
  }
}

/** Return what the pointer carries in a window, as name and count; null for nothing. @param {Window} window */
function heldBy ({ selectedItem }) {
  return selectedItem ? [selectedItem.name, selectedItem.count] : null
}

/** @param {Window} window @returns {string} */
function titleOf (window) {
  const kind = String(window.type).replace('minecraft:', '')
  return TITLES[kind] ?? kind.replaceAll('_', ' ')
}

module.exports = { Reporter }
