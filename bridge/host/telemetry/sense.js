'use strict'
/** Sensing of a bot on a server: what it is, has and sees around it, as far as the server has told. */
const { NearbyRows, blockRows, facing, isHostile, kindOf, statesOf } = require('../../../skills_js/nearby')
const { findBlocks } = require('../live/find_blocks')
const { droppedItem } = require('../live/snapshots')
const { observationOf } = require('./telemetry')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

/** @typedef {import('../../../skills_js/nearby').Senses} Senses */

/**
 * @param {LiveBot} bot mineflayer's, spawned
 * @param {number|null} tick
 * @param {Senses} senses
 * @returns {object} `Sensed` of bridge/types.py
 */
function sensedBy (bot, tick, senses) {
  const { position, yaw, pitch } = bot.entity
  const around = new NearbyRows(position, senses)
  for (const entity of Object.values(bot.entities)) {
    if (entity !== bot.entity && entity.position && entity.isValid !== false) add(around, bot.registry, entity)
  }
  return { ...observationOf(bot, tick), ...facing(yaw, pitch), ...around.near(), blocks: blocksAround(bot, senses) }
}

/** @param {NearbyRows} around @param {any} registry @param {any} entity */
function add (around, registry, entity) {
  const kind = kindOf(registry, entity.name)
  if (kind === 'players') around.add(kind, entity.id, entity.username, entity.position, entity.heldItem?.name ?? null)
  else if (kind === 'mobs') around.add(kind, entity.id, entity.name, entity.position, isHostile(registry, entity.name))
  else if (kind === 'drops') {
    // What it is comes a moment after the thing itself.
    const item = droppedItem(entity)
    if (item !== null) around.add(kind, entity.id, item.name, entity.position, item.count)
  }
}

/** @param {LiveBot} bot @param {Senses} senses */
function blocksAround (bot, { radius, most, blocks }) {
  const states = statesOf(bot.registry, blocks)
  if (states.size === 0) return []
  const from = bot.entity.position
  const { found: places } = findBlocks(bot, { from, maxDistance: radius, count: most, states: new Set(states.keys()) })
  return blockRows(from, places, (x, y, z) =>
    /** @type {string} */ (states.get(bot.world.getBlockStateId(from.offset(x - from.x, y - from.y, z - from.z)))))
}

module.exports = { sensedBy }
