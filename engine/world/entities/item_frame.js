'use strict'
/** Item frames (minecraft.wiki, "Item Frame"): they hang on a block's face and show one item in eight rotations. */
const { Entity } = require('./entity')
const { FACES } = require('../geometry')
const { itemFromNbt } = require('../nbt/items')
const { number } = require('../nbt/values')

/** @typedef {import('../player').Player} Player */

const TURNS = 8
/** Ticks between two checks of the supporting block. */
const LOOK_EVERY = 100
/** Distance of a frame's centre from its cell's centre: half of the frame's depth off the block's face. */
const DEPTH = 0.46875

/** An item frame. */
class ItemFrame extends Entity {
  /**
   * @param {import('../world').World} world
   * @param {'item_frame' | 'glow_item_frame'} type
   * @param {{ x: number, y: number, z: number }} cell the cell that it hangs in
   * @param {number} face of the block behind it
   */
  constructor (world, type, cell, face) {
    const step = FACES[face]
    super(world, type, { x: cell.x + 0.5 - step.x * DEPTH, y: cell.y + 0.5 - step.y * DEPTH,
      z: cell.z + 0.5 - step.z * DEPTH })
    this.cell = cell
    this.face = face
    this.objectData = face
    /** @type {import('../types').Item | undefined} */
    this.item = undefined
    this.rotation = 0
    this.yaw = this.headYaw = face > 1 ? Math.atan2(-step.x, step.z) * 180 / Math.PI : 0
    this.pitch = face === 1 ? -90 : face === 0 ? 90 : 0
  }

  /** Return true if a block supports the frame. */
  isSupported () {
    const step = FACES[this.face]
    const wall = this.world.stateAt(this.cell.x - step.x, this.cell.y - step.y, this.cell.z - step.z)
    return wall.shapes.length > 0 && this.world.stateAt(this.cell.x, this.cell.y, this.cell.z).shapes.length === 0
  }

  tick () {
    super.tick()
    if (this.age % LOOK_EVERY === 0 && !this.isSupported()) this.comeDown(true)
  }

  /** @param {boolean} drop */
  comeDown (drop) {
    if (drop && this.world.rules.doEntityDrops) {
      if (this.item) this.world.popItem(this.item, this.cell)
      this.world.popItem(this.world.stacks.make(this.type), this.cell)
    }
    this.item = undefined
    this.world.redstone.updateComparators(this.cell)
    this.remove()
  }

  /** Knock out the item first, then the frame. @param {Player} player */
  strike (player) {
    const drop = player.gamemode !== 'creative'
    if (!this.item) {
      this.comeDown(drop)
      return { ok: true }
    }
    if (drop && this.world.rules.doEntityDrops) this.world.popItem(this.item, this.cell)
    this.show(undefined, 0)
    return { ok: true }
  }

  /** @param {import('../types').Item | undefined} item @param {number} rotation */
  show (item, rotation) {
    this.item = item
    this.rotation = rotation
    this.world.redstone.updateComparators(this.cell)
    this.world.emit('entityMeta', { entity: this })
  }

  /**
   * Put in the hand's item, or rotate the present one.
   * @param {Player} player
   * @param {unknown} _at
   * @param {0 | 1} hand
   * @returns {import('../types').Verdict}
   */
  use (player, _at, hand) {
    const item = player.inHand(hand)
    if (this.item) {
      this.show(this.item, (this.rotation + 1) % TURNS)
      return { ok: true }
    }
    if (!item) return { ok: false, reason: 'the frame and the hand are empty' }
    this.show(/** @type {import('../types').Item} */ (this.world.stacks.withCount(item, 1)), 0)
    player.consume(hand)
    return { ok: true }
  }

  /** @param {Record<string, import('../nbt/values').Tag>} value */
  loadNbt (value) {
    if (value.Item) this.item = itemFromNbt(this.world, value.Item.value) ?? undefined
    this.rotation = (number(value.ItemRotation, this.rotation) % TURNS + TURNS) % TURNS
  }

  nbt () {
    const { byte, int, compound } = this.world.nbt
    return {
      ...super.nbt(), Facing: byte(this.face), ItemRotation: byte(this.rotation), TileX: int(this.cell.x),
      TileY: int(this.cell.y), TileZ: int(this.cell.z),
      ...(this.item ? { Item: compound(this.world.itemNbt(this.item)) } : {})
    }
  }
}

module.exports = { ItemFrame }
