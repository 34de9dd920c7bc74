'use strict'
/** Clicks on blocks: the block is used (chest, door, lever), or the item in the hand is used on it or placed. */
const { FACES, overlap, bodyBox } = require('../../geometry')
const { REACH } = require('./digging')
const { stateToPlace } = require('./orientation')
const { canStay } = require('./support')
const { toggled, isOpenable } = require('./interactions')
const { useTool } = require('../items/tools')
const { pick } = require('../growing/crops')
const { useByHand, placed } = require('../items/use_handlers')
const { placeEntity } = require('../items/placing_entities')
const { isScaffolding, placeOf } = require('./scaffolding')
const { dataOf } = require('../items/item_data')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../types').Verdict} Verdict */
/** @typedef {import('../../player').Player} Player */
/**
 * @typedef {object} Target
 * @property {Pos} pos the clicked block
 * @property {number} face
 * @property {Pos} cursor
 * @property {0 | 1} hand
 */

/**
 * Height, in blocks, that the feet may be below the new block's top. A client sends the placing of a block under its
 * feet one tick before the step that makes it legal (measured: a lower value makes pillars fail, a higher one gets
 * bodies stuck).
 */
const FEET_TOLERANCE = 0.74
const CENTRE = Object.freeze({ x: 0.5, y: 0.5, z: 0.5 })

/** Placing of blocks in one world. */
class Placing {
  /** @param {import('../../world').World} world */
  constructor (world) { this.world = world }

  /**
   * @param {Player} player
   * @param {import('../../types').PlaceRequest} request
   * @returns {Verdict}
   */
  place (player, request) {
    const { pos, face, cursor = CENTRE, hand = 0 } = request ?? {}
    const reason = this.objection(player, pos, face, cursor, hand)
    if (reason) return this.refuse(player, pos, face, reason)
    const target = { pos: { x: pos.x, y: pos.y, z: pos.z }, face, cursor, hand }
    const busyHands = player.sneaking && (player.heldItem || player.inHand(1))
    if (player.gamemode === 'spectator') {
      return this.world.opener.open(player, target.pos) ? { ok: true } : { ok: false, reason: 'spectators only look' }
    }
    if (!busyHands && this.useBlock(player, target)) return { ok: true }
    const item = player.inHand(hand)
    if (!item) return { ok: false, reason: 'the hand is empty' }
    if (player.gamemode === 'adventure') return this.refuse(player, pos, face, 'nothing is placed in adventure mode')
    const used = useTool(this.world, player, target, item)
    if (used) return used
    const entity = placeEntity(this.world, player, target, item)
    if (entity) return entity.ok ? entity : this.refuse(player, pos, face, String(entity.reason))
    return this.placeItem(player, target, item)
  }

  /** @param {Player} player @param {Pos} pos @param {number} face @param {Pos} cursor @param {number} hand */
  objection (player, pos, face, cursor, hand) {
    if (player.dead) return 'the dead place nothing'
    if (!pos || !this.world.terrain.inside(pos.x, pos.y, pos.z)) return 'that block is outside the world'
    if (!FACES[face] || (hand !== 0 && hand !== 1)) return 'there is no such face or hand'
    if (![cursor.x, cursor.y, cursor.z].every((v) => Number.isFinite(v) && Math.abs(v) <= 2)) {
      return 'that is no place on a block'
    }
    if (!player.within(pos, REACH)) return 'that block is out of reach'
    if (!this.world.border.contains(pos)) return 'that block is beyond the world border'
    return ''
  }

  /**
   * Send the real blocks and hand to a player after a refusal.
   *
   * @param {Player} player
   * @param {Pos} pos
   * @param {number} face
   * @param {string} reason
   * @returns {Verdict}
   */
  refuse (player, pos, face, reason) {
    if (pos && this.world.terrain.inside(pos.x, pos.y, pos.z)) {
      this.world.showBlock(pos, player)
      const step = FACES[face]
      if (step) this.world.showBlock({ x: pos.x + step.x, y: pos.y + step.y, z: pos.z + step.z }, player)
    }
    player.screens.resend()
    return { ok: false, reason }
  }

  /**
   * Use the clicked block.
   *
   * @param {Player} player
   * @param {Target} target
   * @returns {boolean} true if the block was used
   */
  useBlock (player, { pos, hand }) {
    const state = this.world.stateAt(pos.x, pos.y, pos.z)
    if (this.world.opener.open(player, pos)) return true
    if (this.picked(player, pos, state)) return true
    if (useByHand(this.world, player, pos, state, hand)) return true
    if (!isOpenable(state)) return false
    toggled(this.world, pos, state)
    return true
  }

  /**
   * Pick berries by hand. Bone meal in the hand is used on the bush first.
   *
   * @param {Player} player
   * @param {Pos} pos
   * @param {import('../../data').BlockState} state
   */
  picked (player, pos, state) {
    if (player.heldItem?.name === 'bone_meal' && state.props.age !== '3') return false
    const item = pick(this.world, pos, state)
    if (item) this.world.popItem(item, pos)
    return item !== null
  }

  /** @param {Player} player @param {Target} target @param {import('../../types').Item} item @returns {Verdict} */
  placeItem (player, target, item) {
    const { world } = this
    const clicked = world.stateAt(target.pos.x, target.pos.y, target.pos.z)
    const step = FACES[target.face]
    const inPlace = clicked.replaceable || stacksOn(clicked, item.name, target.face)
    const usual = inPlace ? target.pos
      : { x: target.pos.x + step.x, y: target.pos.y + step.y, z: target.pos.z + step.z }
    const at = isScaffolding(item.name) ? placeOf(world, player, target, usual) : usual
    if (!at) return this.refuse(player, target.pos, target.face, 'scaffolding does not hold there')
    if (!world.terrain.inside(at.x, at.y, at.z)) {
      return this.refuse(player, target.pos, target.face, 'that place is outside the world')
    }
    const there = world.stateAt(at.x, at.y, at.z)
    const parts = stateToPlace(world, player, item, at, target, there)
    if (!parts) return this.refuse(player, target.pos, target.face, `${item.name} is not placed`)
    for (const part of parts) {
      const reason = this.fits(player, part)
      if (reason) return this.refuse(player, target.pos, target.face, reason)
    }
    for (const part of parts) world.setBlock(part.pos.x, part.pos.y, part.pos.z, part.stateId)
    this.loadContents(item, at)
    placed(world, player, at)
    world.emit('worked', { player, places: parts.map(({ pos }) => pos) })
    world.stats.add(player, 'used', item.name)
    player.consume(target.hand)
    world.emit('sound', { name: 'block.place', x: at.x + 0.5, y: at.y + 0.5, z: at.z + 0.5, player })
    return { ok: true }
  }

  /**
   * Return the reason why a block cannot be placed, or "".
   *
   * @param {Player} player
   * @param {{ pos: Pos, stateId: number, over?: boolean, parts?: boolean }} part
   */
  fits (player, { pos, stateId, over, parts }) {
    const { world } = this
    const there = world.stateAt(pos.x, pos.y, pos.z)
    const state = world.data.state(stateId)
    if (!world.terrain.inside(pos.x, pos.y, pos.z)) return 'that place is outside the world'
    if (!there.replaceable && !over) return 'another block is there'
    if (!parts && !canStay(world, pos, state)) return 'it needs something to hold it there'
    if (this.bodyIn(player, pos, state)) return 'somebody stands there'
    return ''
  }

  /** @param {Player} player @param {Pos} pos @param {import('../../data').BlockState} state */
  bodyIn (player, pos, state) {
    const boxes = state.shapes.map((s) =>
      [pos.x + s[0], pos.y + s[1], pos.z + s[2], pos.x + s[3], pos.y + s[4], pos.z + s[5]])
    if (boxes.length === 0) return false
    for (const entity of this.world.bodiesNear(pos, 4)) {
      if (Math.abs(entity.y - pos.y) > 4) continue
      const self = entity === player && player.y - pos.y >= FEET_TOLERANCE
      if (self) continue
      const box = bodyBox(entity, entity.width, entity.height)
      if (boxes.some((b) => overlap(b, box))) return true
    }
    return false
  }

  /**
   * Load the contents that came with an item (shulker boxes), and its custom name.
   *
   * @param {import('../../types').Item} item
   * @param {Pos} at
   */
  loadContents (item, at) {
    const entity = this.world.blockEntities.at(at)
    const nbt = dataOf(item)
    if (!entity || !nbt) return
    if (nbt.display?.value?.Name) entity.customName = nbt.display.value.Name.value
    if (nbt.BlockEntityTag) this.world.loadBlockEntity(at, nbt.BlockEntityTag)
  }
}

/**
 * Return true if an item adds to the block: a slab to a slab, snow to snow, a candle to candles.
 *
 * @param {import('../../data').BlockState} state
 * @param {string} name
 * @param {number} face
 * @returns {boolean}
 */
function stacksOn (state, name, face) {
  if (state.name !== name) return false
  if (name.endsWith('_slab')) {
    return (state.props.type === 'bottom' && face === 1) || (state.props.type === 'top' && face === 0)
  }
  if (name === 'snow') return face === 1 && Number(state.props.layers) < 8
  return (name.endsWith('candle') && Number(state.props.candles) < 4) ||
    (name === 'sea_pickle' && Number(state.props.pickles) < 4)
}

module.exports = { Placing, stacksOn }
