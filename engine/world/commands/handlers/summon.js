'use strict'
/** summon: items, orbs and the mobs that the engine has. */
const { elements, number } = require('../../nbt/values')
const { itemFromNbt } = require('../../nbt/items')

/** @typedef {import('../commands').Handler} Handler */

/** Sets what an entity's NBT says, as far as the engine has it. @param {any} entity @param {import('../../nbt/values').Tag} tag */
function applyNbt (entity, { value }) {
  const { world } = entity
  const [vx, vy, vz] = elements(value.Motion).map((t) => number(t, 0))
  if (vz !== undefined) Object.assign(entity, { vx, vy, vz })
  const [yaw, pitch] = elements(value.Rotation).map((t) => number(t, 0))
  if (pitch !== undefined) Object.assign(entity, { yaw, pitch, headYaw: yaw })
  for (const t of elements(value.Tags)) entity.tags.add(String(t.value))
  if (value.CustomName) entity.customName = String(value.CustomName.value)
  if (value.Health && entity.living) entity.health = Math.max(0, Math.min(entity.maxHealth, number(value.Health, entity.health)))
  if (value.NoAI && entity.living) entity.noAi = number(value.NoAI, 0) !== 0
  entity.loadNbt?.(value)
  if (value.PickupDelay) entity.pickupDelay = number(value.PickupDelay, 0)
  if (value.Age && entity.item) entity.age = number(value.Age, 0)
  if (value.Value && entity.type === 'experience_orb') entity.amount = Math.max(1, number(value.Value, 1))
  if (value.Item && entity.type === 'item') entity.item = itemFromNbt(world, value.Item.value) ?? entity.item
  world.emit('entityMeta', { entity })
}

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
  if (nbt) applyNbt(entity, nbt)
  source.say('commands.summon.success', entity.displayName)
  return 1
}

module.exports = { summon }
Object.defineProperty(module.exports, 'applyNbt', { value: applyNbt, enumerable: false })
