'use strict'
/** Summoning of entities by type, with their saved data and their passengers. */
const { ArmourStand } = require('../../entities/armour_stand')
const { EndCrystal } = require('../../entities/end_crystal')
const { Boat, WOODS } = require('../../entities/boat')
const { ItemFrame } = require('../../entities/item_frame')
const { FallingBlock, PrimedTnt } = require('../../entities/falling')
const { ItemEntity, ExperienceOrb } = require('../../entities/drops')
const { Minecart, CARTS } = require('../../entities/minecart')
const { Projectile } = require('../../entities/projectiles')
const { MissileEntity, MISSILES } = require('../../entities/missiles')
const { LightningBolt } = require('../../entities/lightning')
const { Thing, Interaction, Painting, THINGS } = require('../../entities/things')
const { makeMob } = require('../../entities/making')
const { loadEntityNbt } = require('../../entities/entity_nbt')
const { itemFromNbt } = require('../../nbt/items')
const { elements, number } = require('../../nbt/values')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../world').World} World */
/** @typedef {import('../../entities/entity').Entity} Entity */
/** @typedef {{ x: number, y: number, z: number }} At */
/** @typedef {Record<string, import('../../nbt/values').Tag>} Data */

/** Entities that no command summons. */
const NEVER = new Set(['player', 'fishing_bobber'])
/** Entities that fly after being thrown. */
const THROWN = ['arrow', 'spectral_arrow', 'trident', 'snowball', 'egg', 'ender_pearl', 'experience_bottle', 'potion',
  'llama_spit']
/** Maximum number of nested passengers of one command. */
const MAX_PASSENGERS = 32

/** @param {World} world @param {string} type @param {At} at */
const thrown = (world, type, at) =>
  new Projectile(world, type, { eyes: { x: at.x, y: at.y + 0.1, z: at.z }, yaw: 0, pitch: 0 }, 0, 0)
/** @param {World} world @param {string} type @param {At} at @param {Data} data */
const boat = (world, type, at, data) =>
  new Boat(world, at, { wood: WOODS.includes(String(data.Type?.value)) ? String(data.Type.value) : 'oak',
  chest: type === 'chest_boat', yaw: 0 })
/** @param {World} world @param {string} type @param {At} at @param {Data} data */
const frame = (world, type, at, data) =>
  new ItemFrame(world, /** @type {'item_frame'} */ (type),
  { x: Math.floor(at.x), y: Math.floor(at.y), z: Math.floor(at.z) }, Math.max(0, Math.min(5, number(data.Facing, 0))))

/** @type {Record<string, (world: World, type: string, at: At, data: Data) => Entity | null>} */
const MAKERS = nameTable({
  armor_stand: (world, _type, at) => new ArmourStand(world, at),
  end_crystal: (world, _type, at) => new EndCrystal(world, at), boat, chest_boat: boat, item_frame: frame,
  glow_item_frame: frame,
  experience_orb: (world, _type, at, data) => new ExperienceOrb(world, Math.max(1, number(data.Value, 1)), at),
  item: (world, _type, at, data) => {
    const stack = data.Item && itemFromNbt(world, data.Item.value)
    return stack ? Object.assign(new ItemEntity(world, stack, at), { pickupDelay: 0 }) : null
  },
  falling_block: (world, _type, at) => new FallingBlock(world, at, world.data.stateId('sand')),
  tnt: (world, _type, at) => new PrimedTnt(world, at),
  lightning_bolt: (world, _type, at) => new LightningBolt(world, at),
  interaction: (world, _type, at) => new Interaction(world, at),
  painting: (world, _type, at) => new Painting(world, at),
  ...Object.fromEntries(THROWN.map((type) => [type, thrown])),
  ...Object.fromEntries(Object.keys(MISSILES)
  .map((type) => [type, (/** @type {World} */ world, /** @type {string} */ name, /** @type {At} */ at) =>
  new MissileEntity(world, name, at)])),
  ...Object.fromEntries(Object.keys(THINGS)
    .map((type) => [type, (/** @type {World} */ world, /** @type {string} */ name, /** @type {At} */ at) =>
    new Thing(world, name, at)])),
  ...Object.fromEntries(Object.keys(CARTS)
    .map((type) => [type, (/** @type {World} */ world, /** @type {string} */ name, /** @type {At} */ at) =>
    new Minecart(world, name, at)]))
})

/**
 * Summon an entity.
 * @param {World} world
 * @param {string} type without namespace
 * @param {At} at
 * @param {import('../../nbt/values').Tag | null} [tag] saved data
 * @param {number} [depth] number of entities below it
 * @returns {Entity | null} null if this engine does not have the type
 */
function summon (world, type, at, tag = null, depth = 0) {
  const data = tag?.value ?? {}
  const entity = MAKERS[type] ? MAKERS[type](world, type, at, data) : makeMob(world, type, at)
  if (!entity) return null
  if (data.UUID) entity.uuid = uuidOf(data.UUID) ?? entity.uuid
  if (data.UUID && [...world.entities.values()].some((other) => other.uuid === entity.uuid)) return null
  // The first message to clients already includes the entity's data.
  if (tag) loadEntityNbt(entity, { type: 'compound', value: { ...data, Pos: undefined } })
  world.enter(entity)
  if (depth < MAX_PASSENGERS) {
    for (const rider of elements(data.Passengers)) {
      summon(world, String(rider.value.id?.value ?? '').replace(/^minecraft:/, ''), at, rider, depth + 1)?.mount(entity)
    }
  }
  return entity
}

/** @param {import('../../nbt/values').Tag} tag four integers @returns {string | null} */
function uuidOf (tag) {
  const parts = elements(tag).map((part) => (number(part, 0) >>> 0).toString(16).padStart(8, '0'))
  if (parts.length !== 4) return null
  return parts.join('').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

module.exports = { summon, NEVER }
