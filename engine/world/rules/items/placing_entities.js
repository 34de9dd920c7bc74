'use strict'
/** Items that become entities: armour stands, item frames, end crystals on blocks, and boats. */
const { FACES, bodyBox, blocked } = require('../../geometry')
const { ArmourStand } = require('../../entities/armour_stand')
const { ItemFrame } = require('../../entities/item_frame')
const { EndCrystal } = require('../../entities/end_crystal')
const { CARTS, cartOn } = require('../../entities/minecart')
const { Boat, boatKind, crowded } = require('../../entities/boat')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../types').Verdict} Verdict */
/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../world').World} World */
/** @typedef {import('../blocks/placing').Target} Target */
/** @typedef {{ world: World, player: Player, target: Target, item: Item, at: Pos }} Use */

/** @type {Verdict} */
const OK = Object.freeze({ ok: true })
/** Step in degrees by which armour stands are turned. */
const STAND_TURN = 45

/** @param {Use} use @param {import('../../entities/entity').Entity} made @returns {Verdict} */
function enter ({ world, player, target, item }, made) {
  world.enter(made)
  world.stats.add(player, 'used', item.name)
  player.consume(target.hand)
  return OK
}

/** @param {Use} use @returns {Verdict} */
function stand (use) {
  const { world, player, target, at } = use
  if (target.face === 0) return { ok: false, reason: 'a stand hangs from nothing' }
  const middle = { x: at.x + 0.5, y: at.y, z: at.z + 0.5 }
  const yaw = Math.floor((wrapped(player.yaw - 180) + STAND_TURN / 2) / STAND_TURN) * STAND_TURN
  const made = new ArmourStand(world, middle, yaw)
  if (blocked(world, made.box) || crowdedByOthers(world, made.box, player)) {
    return { ok: false, reason: 'there is no room for a stand' }
  }
  return enter(use, made)
}

/** @param {number} degrees */
function wrapped (degrees) { return ((degrees + 180) % 360 + 360) % 360 - 180 }

/**
 * Return true if an entity other than a player occupies a box. Players do not prevent placing a stand.
 *
 * @param {World} world
 * @param {number[]} box
 * @param {Player} _player
 * @returns {boolean}
 */
function crowdedByOthers (world, box, _player) {
  return [...world.entities.values()].some((entity) =>
    entity.type !== 'player' && entity.living && !entity.removed && overlapping(entity.box, box))
}

/** @param {number[]} a @param {number[]} b */
function overlapping (a, b) {
  return a[0] < b[3] && a[3] > b[0] && a[1] < b[4] && a[4] > b[1] && a[2] < b[5] && a[5] > b[2]
}

/** @param {Use} use @returns {Verdict} */
function frame (use) {
  const made = new ItemFrame(use.world, /** @type {'item_frame'} */ (use.item.name), use.at, use.target.face)
  const taken = [...use.world.entities.values()].some((entity) =>
    entity instanceof ItemFrame && entity.face === made.face && entity.cell.x === use.at.x &&
    entity.cell.y === use.at.y && entity.cell.z === use.at.z)
  return made.isSupported() && !taken ? enter(use, made) : { ok: false, reason: 'a frame does not hang there' }
}

/** @param {Use} use @returns {Verdict} */
function crystal (use) {
  const { world, target: { pos } } = use
  const base = world.stateAt(pos.x, pos.y, pos.z).name
  const [x, y, z] = [pos.x, pos.y + 1, pos.z]
  if (!/^(obsidian|bedrock)$/.test(base) || !world.stateAt(x, y, z).air || !world.stateAt(x, y + 1, z).air ||
    crowded(world, [x, y, z, x + 1, y + 2, z + 1])) {
    return { ok: false, reason: 'a crystal wants room on obsidian or bedrock' }
  }
  return enter(use, new EndCrystal(world, { x: x + 0.5, y, z: z + 0.5 }))
}

/** @param {Use} use @returns {Verdict} */
function cart (use) {
  const made = cartOn(use.world, use.item.name, use.target.pos)
  return made ? enter(use, made) : { ok: false, reason: 'a minecart is set on a rail' }
}

/** @type {Record<string, (use: Use) => Verdict>} */
const MAKERS = nameTable({ armor_stand: stand, item_frame: frame, glow_item_frame: frame,
  end_crystal: crystal, ...Object.fromEntries(Object.keys(CARTS).map((kind) => [kind, cart])) })

/**
 * Use an item on a block.
 * @param {World} world
 * @param {Player} player
 * @param {Target} target
 * @param {Item} item
 * @returns {Verdict | null} null if the item does not become an entity
 */
function placeEntity (world, player, target, item) {
  const make = MAKERS[item.name]
  if (!make) return null
  const step = FACES[target.face]
  const inPlace = world.stateAt(target.pos.x, target.pos.y, target.pos.z).replaceable
  const at = inPlace ? target.pos : { x: target.pos.x + step.x, y: target.pos.y + step.y, z: target.pos.z + step.z }
  return make({ world, player, target, item, at })
}

/**
 * Place a boat where the player looks, on water or on a block.
 *
 * @param {Player} player
 * @param {0 | 1} hand
 * @param {Item} item
 * @returns {Verdict | null} null if the item is not a boat
 */
function launch (player, hand, item) {
  const kind = boatKind(item.name)
  if (!kind) return null
  const { world } = player
  const spot = player.using.lookPoint()
  if (!spot) return { ok: false, reason: 'there is nothing in reach to set a boat on' }
  const made = new Boat(world, spot, { ...kind, yaw: player.yaw })
  if (blocked(world, bodyBox({ ...spot, y: spot.y + 0.01 }, made.width - 0.1, made.height))) {
    return { ok: false, reason: 'there is no room for a boat' }
  }
  world.enter(made)
  world.stats.add(player, 'used', item.name)
  player.consume(hand)
  return OK
}

module.exports = { placeEntity, launch }
