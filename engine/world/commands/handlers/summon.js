'use strict'
/** Handler of summon. */
const { CommandError } = require('../reader')
const { NEVER } = require('../../rules/mobs/summoning')

/** @typedef {import('../commands').Handler} Handler */

/**
 * Create a body at a place, or throw the reason for the refusal.
 * @param {import('../source').Source} source
 * @param {string} type
 * @param {import('../../types').Pos} at
 * @param {import('../../nbt/values').Tag | null} [tag]
 */
function summonAt (source, type, at, tag = null) {
  if (NEVER.has(type)) throw source.error('entity.not_summonable', `minecraft:${type}`)
  if (!(Math.abs(at.x) < 3e7 && Math.abs(at.z) < 3e7 && Math.abs(at.y) < 2e7)) {
    throw source.error('commands.summon.invalidPosition')
  }
  if (type === 'item' && !tag?.value.Item) {
    throw new CommandError(
      'An item is summoned with what it is: summon item ~ ~ ~ {Item:{id:"minecraft:stone",Count:1b}}')
  }
  const entity = source.world.summon(type, at, tag)
  if (!entity) throw source.error(tag?.value.UUID ? 'commands.summon.failed.uuid' : 'commands.summon.failed')
  return entity
}

/** @type {Handler} */
function summon (args, source) {
  const at = args.has('pos') ? source.resolve(args.get('pos')) : source.pos
  const entity = summonAt(source, args.get('entity'), at, args.get('nbt', null))
  source.say('commands.summon.success', entity.displayName)
  return 1
}

module.exports = { summon }
Object.defineProperty(module.exports, 'summonAt', { value: summonAt, enumerable: false })
