'use strict'
/**
 * A player's controls: held keys, the direction of the look, mouse buttons and clicks in windows. The page's server has
 * checked every order (`accord/viewer/seat_inputs.py`); here the game's own limits apply, such as reach.
 */
const { Vec3 } = require('vec3')
const { iterators: { RaycastIterator } } = require('prismarine-world')

/** Reach of a hand in blocks, as in the game. */
const REACH = 4.5
const ENTITY_REACH = 3
/** Interval between two uses while the button is held, in ticks: four in the game. */
const USE_TICKS = 4
/** @type {readonly import('mineflayer').ControlState[]} */
const KEYS = Object.freeze(['forward', 'back', 'left', 'right', 'jump', 'sneak', 'sprint'])
/** Status of the packet that drops one of the held items. */
const DROP_ONE = 4
const NOWHERE = new Vec3(0, 0, 0)

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */
/** @typedef {import('prismarine-entity').Entity & { eyeHeight: number }} Body */
/** @typedef {import('prismarine-block').Block & { face: number, intersect: Vec3 }} MetBlock */

/** Controls of one player. */
class Controls {
  /** @param {LiveBot} bot */
  constructor (bot) {
    this.bot = bot
    this.digging = false
    this.using = false
    /** Strokes and uses that are due: a short press is one, even if it ends within a tick. */
    this.due = { strike: false, use: false }
    /** Ticks until the next use while the button is held. */
    this.rest = 0
    this.struck = false
    /** Number of block interactions, which servers acknowledge. */
    this.sequence = 0
    bot.on('physicsTick', () => this.tick())
  }

  /** Let go of everything, as when the page is left. */
  release () {
    this.bot.clearControlStates()
    this.setDigging(false)
    this.setUsing(false)
  }

  /** @param {readonly string[]} keys those that are held */
  hold (keys) {
    for (const key of KEYS) this.bot.setControlState(key, keys.includes(key))
  }

  /** @param {number} yaw degrees, as the game counts them @param {number} pitch degrees, positive to the ground */
  look (yaw, pitch) {
    // Forced: the head turns at once, and the next tick tells the server.
    this.bot.look(Math.PI - yaw * Math.PI / 180, -pitch * Math.PI / 180, true)
  }

  /** @param {boolean} on */
  setDigging (on) {
    if (on) this.struck = false
    this.due.strike ||= on
    this.digging = on
  }

  /** @param {boolean} on */
  setUsing (on) {
    if (!on && this.using && this.bot.usingHeldItem) this.bot.deactivateItem()
    this.due.use ||= on
    this.using = on
  }

  tick () {
    const { bot, due } = this
    if (!bot.entity || bot.currentWindow) return
    if (this.digging || due.strike) this.strike()
    else if (bot.targetDigBlock) bot.stopDigging()
    if (due.use || (this.using && --this.rest <= 0)) {
      this.use()
      this.rest = USE_TICKS
    }
    due.strike = due.use = false
  }

  /** Hit what is under the cross: an entity once a press, a block until it breaks. */
  strike () {
    const { bot } = this
    const entity = this.entityAtCross()
    if (entity) {
      if (!this.struck) bot.attack(entity)
      this.struck = true
      return
    }
    const block = this.blockAtCross()
    const current = bot.targetDigBlock
    if (current && (!block || !current.position.equals(block.position))) bot.stopDigging()
    if (!block || bot.targetDigBlock || bot.game.gameMode === 'adventure' || !block.diggable) return
    if (!Number.isFinite(bot.digTime(block))) return
    this.struck = true
    bot.dig(block, 'ignore').catch(() => {
      // A stroke that was broken off: the button was released, or the look went elsewhere.
    })
  }

  /** Use what is under the cross, or the held item. */
  use () {
    const { bot } = this
    const entity = this.entityAtCross()
    if (entity) return bot.useOn(entity)
    const block = this.blockAtCross()
    if (block) this.click(block)
    const item = bot.heldItem
    const placed = block && item && bot.registry.blocksByName[item.name]
    if (item && !placed && !bot.usingHeldItem) bot.activateItem()
  }

  /**
   * Click a block's face with the main hand: servers open it, or place the held block against it.
   * @param {MetBlock} block
   */
  click ({ position, face, intersect }) {
    const at = intersect.minus(position)
    this.bot.swingArm('right')
    this.bot._client.write('block_place', { location: position, direction: face, hand: 0, cursorX: at.x, cursorY: at.y,
      cursorZ: at.z, insideBlock: false, sequence: ++this.sequence })
  }

  /** Drop one of the held items. */
  drop () {
    this.bot._client.write('block_dig', { status: DROP_ONE, location: NOWHERE, face: 0, sequence: 0 })
  }

  /** @param {number} slot 0 to 8 */
  select (slot) {
    if (this.bot.quickBarSlot !== slot) this.bot.setQuickBarSlot(slot)
  }

  /** Click in the open window, or in the inventory. @param {number} slot @param {number} button @param {number} mode */
  async clickSlot (slot, button, mode) {
    const window = this.bot.currentWindow ?? this.bot.inventory
    if (slot >= window.slots.length) return
    await this.bot.clickWindow(slot, button, mode)
  }

  /** Close the open window, or the inventory: servers take back what the pointer carries. */
  closeWindow () {
    const { currentWindow, inventory } = this.bot
    if (currentWindow) {
      this.bot.closeWindow(currentWindow)
      return
    }
    this.bot._client.write('close_window', { windowId: inventory.id })
    inventory.selectedItem = null
  }

  /** Return where the eyes are and where they look. */
  ray () {
    const { position, yaw, pitch, eyeHeight } = /** @type {Body} */ (this.bot.entity)
    const flat = Math.cos(pitch)
    return { eye: position.offset(0, eyeHeight, 0),
      along: new Vec3(-Math.sin(yaw) * flat, Math.sin(pitch), -Math.cos(yaw) * flat) }
  }

  /** Return the block under the cross within reach, with the face that is met. @returns {MetBlock | null} */
  blockAtCross () {
    const { eye, along } = this.ray()
    return /** @type {MetBlock | null} */ (this.bot.world.raycast(eye, along, REACH))
  }

  /** Return the nearest entity under the cross that no block hides, or null. */
  entityAtCross () {
    const { eye, along } = this.ray()
    const hidden = this.bot.world.raycast(eye, along, ENTITY_REACH)
    let near = hidden ? eye.distanceTo(hidden.intersect) : ENTITY_REACH
    let found = null
    for (const entity of Object.values(this.bot.entities)) {
      if (entity === this.bot.entity || !entity.height || entity.name === 'item') continue
      if (entity.position.distanceTo(eye) > ENTITY_REACH + 3) continue
      const wide = (entity.width ?? 0.6) / 2
      const met = new RaycastIterator(eye, along, ENTITY_REACH)
        .intersect([[-wide, 0, -wide, wide, entity.height, wide]], entity.position)
      const far = met ? eye.distanceTo(met.pos) : Infinity
      if (far < near) [near, found] = [far, entity]
    }
    return found
  }
}

module.exports = { Controls, KEYS }
