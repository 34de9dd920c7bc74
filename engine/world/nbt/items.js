'use strict'
/** Conversion of stacks and containers to and from saved data. */
const { dataOf } = require('../rules/items/item_data')
const { tags, elements, number } = require('./values')
const { COOK_TICKS } = require('../rules/functional_blocks/campfires')
const { signNbt, loadSign } = require('../rules/functional_blocks/signs')

/** @typedef {import('./values').Tag} Tag */
/** @typedef {import('../types').Item} Item */

/** @param {Item} item @returns {Record<string, Tag>} id, Count and tag */
function itemNbt (item) {
  return { id: tags.string(`minecraft:${item.name}`), Count: tags.byte(item.count),
    ...(item.nbt ? { tag: tags.compound(dataOf(item)) } : {}) }
}

/**
 * Return the stack of saved data, or null for an unknown item.
 * @param {import('../world').World} world
 * @param {Record<string, Tag>} value
 * @returns {Item | null}
 */
function itemFromNbt (world, value) {
  const name = String(value?.id?.value ?? '').replace(/^minecraft:/, '')
  const count = Math.min(127, Math.floor(number(value?.Count, 0)))
  if (!Object.hasOwn(world.registry.itemsByName, name) || count < 1) return null
  return world.stacks.make(name, count, value.tag ?? null)
}

/**
 * Set a container's contents from a block's NBT.
 * @param {import('../world').World} world
 * @param {import('../rules/blocks/block_entities').BlockEntity} entity
 * @param {Tag} tag
 */
function loadContainer (world, entity, tag) {
  const { Items, CustomName } = tag.value
  if (entity.sign) loadSign(entity.sign, tag)
  if (tag.value.Command && entity.command !== null) entity.command = String(tag.value.Command.value)
  if (CustomName) entity.customName = String(CustomName.value)
  if (!Items) return
  entity.store.empty()
  entity.cooking.fill(0)
  for (const { value } of elements(Items)) {
    const slot = number(value?.Slot, -1)
    if (slot >= 0 && slot < entity.store.size) entity.store.set(slot, itemFromNbt(world, value))
  }
}

/**
 * Replace a container's data; fields that are left out are cleared.
 * @param {import('../world').World} world
 * @param {import('../rules/blocks/block_entities').BlockEntity} entity
 * @param {Tag} tag
 */
function replaceContainer (world, entity, tag) {
  if (!tag.value.Items) entity.store.empty()
  if (!tag.value.CustomName) entity.customName = null
  loadContainer(world, entity, tag)
  const { BurnTime, CookTime, CookTimeTotal } = tag.value
  const { burning } = entity
  if (burning) {
    burning.left = number(BurnTime, 0)
    burning.full = Math.max(burning.full, burning.left)
    burning.progress = number(CookTime, 0)
    burning.total = number(CookTimeTotal, burning.total)
  }
  if (entity.sign) world.signs.announceSign(entity.pos)
}

/** Return the kind of a block's block entity. @param {string} name of the block */
function kindOf (name) {
  if (name.endsWith('_sign')) return /hanging/.test(name) ? 'hanging_sign' : 'sign'
  if (name.endsWith('command_block')) return 'command_block'
  return name.endsWith('shulker_box') ? 'shulker_box' : name
}

/**
 * Return a container block as /data get block shows it.
 * @param {import('../rules/blocks/block_entities').BlockEntity} entity
 * @returns {Tag}
 */
function containerNbt (entity) {
  const { pos, store, name } = entity
  const items = store.slots.flatMap((item, i) =>
    (item ? [tags.compound({ Slot: tags.byte(i), ...itemNbt(item) })] : []))
  const { burning } = entity
  return tags.compound({
    x: tags.int(pos.x), y: tags.int(pos.y), z: tags.int(pos.z), id: tags.string(`minecraft:${kindOf(name)}`),
    ...(store.size > 0 ? { Items: tags.list(items) } : {}),
    ...(entity.sign ? signNbt(entity.sign) : {}),
    ...(entity.command === null ? {} : { Command: tags.string(entity.command) }),
    ...(entity.customName ? { CustomName: tags.string(entity.customName) } : {}),
    ...(entity.cooking.length > 0
      ? { CookingTimes: { type: 'intArray', value: [...entity.cooking] },
      CookingTotalTimes: { type: 'intArray', value: entity.cooking.map(() => COOK_TICKS) } } : {}),
    ...(burning ? { BurnTime: tags.short(burning.left), CookTime: tags.short(burning.progress),
      CookTimeTotal: tags.short(burning.total) } : {})
  })
}

module.exports = { itemNbt, itemFromNbt, loadContainer, replaceContainer, containerNbt }
