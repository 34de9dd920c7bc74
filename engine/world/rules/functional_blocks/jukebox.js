'use strict'
/**
 * Jukeboxes (minecraft.wiki, "Jukebox", "Music Disc"): a playing disc gives full power, and comparators read the disc's
 * number.
 */
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../data').BlockState} BlockState */
/** @typedef {import('../../world').World} World */
/** @typedef {import('../blocks/block_entities').BlockEntity} BlockEntity */

/**
 * Discs in the order of their numbers, with their lengths in seconds.
 *
 * @type {Record<string, readonly [number, number]>}
 */
const DISCS = nameTable({
  13: [1, 178], cat: [2, 185], blocks: [3, 345], chirp: [4, 185], far: [5, 174],
  mall: [6, 197], mellohi: [7, 96], stal: [8, 150], strad: [9, 188],
  ward: [10, 251], 11: [11, 71], wait: [12, 238], pigstep: [13, 149], otherside: [14, 195], relic: [14, 218],
  5: [15, 178]
})

/** @param {Item | null} item */
function discOf (item) { return DISCS[/^music_disc_(\w+)$/.exec(item?.name ?? '')?.[1] ?? ''] ?? null }

/** Return true while a disc plays. @param {World} world @param {Pos} pos @returns {boolean} */
function playing (world, pos) {
  const box = world.blockEntities.at(pos)
  return Boolean(box && box.playsUntil > world.age && box.store.get(0))
}

/** Return a comparator's reading. @param {World} world @param {Pos} pos */
function read (world, pos) { return discOf(world.blockEntities.at(pos)?.store.get(0) ?? null)?.[0] ?? 0 }

/** Handle a change of the disc in a jukebox. @param {World} world @param {BlockEntity} box */
function changed (world, box) {
  const { x, y, z } = box.pos
  const disc = discOf(box.store.get(0))
  box.playsUntil = disc ? world.age + disc[1] * 20 : 0
  if (!box.removed) world.setBlock(x, y, z, world.data.withProps(world.blockAt(x, y, z), { has_record: disc !== null }))
  world.redstone.wake(box.pos)
  const due = box.playsUntil
  if (disc) world.later(disc[1] * 20, () => { if (box.playsUntil === due) world.redstone.wake(box.pos) })
}

/**
 * Put a disc into a jukebox, or take it out.
 *
 * @param {World} world
 * @param {Player} player
 * @param {Pos} pos
 * @param {BlockState} _state
 * @param {0 | 1} hand
 * @returns {boolean} true if the click was for the jukebox
 */
function useJukebox (world, player, pos, _state, hand) {
  const box = world.blockEntities.at(pos)
  if (!box) return false
  const inside = box.store.get(0)
  const held = player.inHand(hand)
  if (!inside && (!held || !discOf(held))) return false
  box.store.set(0, inside ? null : world.stacks.withCount(/** @type {Item} */ (held), 1))
  changed(world, box)
  if (inside) world.popItem(inside, { x: pos.x, y: pos.y + 1, z: pos.z })
  else player.consume(hand)
  return true
}

module.exports = { useJukebox, playing, read, changed, discOf }
