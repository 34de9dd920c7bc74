'use strict'
/** Saved data of entities, as given by /summon, /data and spawners. */
const { elements, number } = require('../nbt/values')
const { itemFromNbt } = require('../nbt/items')

/** @typedef {import('../nbt/values').Tag} Tag */

/**
 * Flags of every entity, by their names in saved data.
 * @type {Readonly<Record<string, 'invulnerable' | 'noGravity' | 'silent' | 'glowing' | 'nameShown'>>}
 */
const FLAGS = Object.freeze({ Invulnerable: 'invulnerable', NoGravity: 'noGravity', Silent: 'silent',
  Glowing: 'glowing', CustomNameVisible: 'nameShown' })

/** Set position, motion and rotation. @param {import('./entity').Entity} entity @param {Record<string, Tag>} value */
function loadMotion (entity, value) {
  const [x, y, z] = elements(value.Pos).map((t) => number(t, NaN))
  if (Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z) &&
    (x !== entity.x || y !== entity.y || z !== entity.z)) {
    Object.assign(entity, { x, y, z })
    entity.world.emit('entityMove', { entity })
  }
  const [vx, vy, vz] = elements(value.Motion).map((t) => number(t, 0))
  if (vz !== undefined) Object.assign(entity, { vx, vy, vz })
  const [yaw, pitch] = elements(value.Rotation).map((t) => number(t, 0))
  if (pitch !== undefined) Object.assign(entity, { yaw, pitch, headYaw: yaw })
}

/**
 * Apply all saved data that this engine supports; the rest is ignored, as in vanilla.
 * @param {any} entity
 * @param {Tag} tag
 */
function loadEntityNbt (entity, { value }) {
  const { world } = entity
  entity.resume()
  loadMotion(entity, value)
  if (value.Tags) entity.tags = new Set(elements(value.Tags).map((t) => String(t.value)))
  if (value.CustomName) entity.customName = String(value.CustomName.value) || null
  for (const [name, field] of Object.entries(FLAGS)) if (value[name]) entity[field] = number(value[name], 0) !== 0
  if (entity.living) {
    if (value.Health) entity.health = Math.max(0, Math.min(entity.maxHealth, number(value.Health, entity.health)))
    if (value.NoAI) entity.noAi = number(value.NoAI, 0) !== 0
    if (value.Fire) entity.fireTicks = Math.max(0, number(value.Fire, 0))
    if (value.AbsorptionAmount) entity.absorption = Math.max(0, number(value.AbsorptionAmount, 0))
  }
  entity.loadNbt?.(value)
  if (value.PickupDelay) entity.pickupDelay = number(value.PickupDelay, 0)
  if (value.Age && entity.item) entity.age = number(value.Age, 0)
  if (value.Value && entity.type === 'experience_orb') entity.amount = Math.max(1, number(value.Value, 1))
  if (value.Item && entity.type === 'item') entity.item = itemFromNbt(world, value.Item.value) ?? entity.item
  world.emit('entityMeta', { entity })
}

/** Return the flags that are set, as saved data. @param {any} entity @returns {Record<string, Tag>} */
function flagsNbt (entity) {
  return Object.fromEntries(Object.entries(FLAGS).filter(([, field]) => entity[field])
    .map(([name]) => [name, entity.world.nbt.byte(1)]))
}

/** Return a UUID in the form of saved data: four integers. @param {string} uuid @returns {Tag} */
function uuidNbt (uuid) {
  const digits = uuid.replace(/-/g, '')
  return { type: 'intArray', value: [0, 8, 16, 24].map((at) => Number.parseInt(digits.slice(at, at + 8), 16) | 0) }
}

module.exports = { loadEntityNbt, flagsNbt, uuidNbt }
