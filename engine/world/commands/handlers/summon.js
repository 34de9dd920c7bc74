'use strict'
/** summon: items, orbs and the mobs that the engine has. */
const { itemFromNbt } = require('../../nbt/items')
const { loadEntityNbt } = require('../../entities/entity_nbt')

/** @typedef {import('../commands').Handler} Handler */

/** @type {Handler} */
function summon (args, source) {
  const { world } = source
  const type = args.get('entity')
  const at = args.has('pos') ? source.resolve(args.get('pos')) : source.pos
  if (!(Math.abs(at.x) < 3e7 && Math.abs(at.z) < 3e7 && Math.abs(at.y) < 2e7)) throw source.error('commands.summon.invalidPosition')
  const nbt = args.get('nbt')
  const item = type === 'item' && nbt?.value.Item ? itemFromNbt(world, nbt.value.Item.value) : null
  const entity = type === 'item' ? item && world.spawnItem(item, at) : world.summon(type, at)
  if (!entity) throw source.error('commands.summon.failed')
  if (type === 'item') Object.assign(entity, { pickupDelay: 0 })
  if (nbt) loadEntityNbt(entity, nbt)
  source.say('commands.summon.success', entity.displayName)
  return 1
}

module.exports = { summon }
