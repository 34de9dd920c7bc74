'use strict'
/** Owners of NBT that commands read and write: blocks, entities and storages. */
const { containerNbt, replaceContainer } = require('../nbt/items')
const { loadEntityNbt } = require('../entities/entity_nbt')

/** @typedef {import('./source').Source} Source */
/** @typedef {import('../nbt/values').Tag} Tag */
/** @typedef {'block' | 'entity' | 'storage'} Kind */
/**
 * @typedef {{ kind: Kind, names: (string | number)[], read: () => Tag, write: (tag: Tag) => void }} Subject `names`: as
 *   vanilla's replies name it
 */

/** @type {Record<Kind, (source: Source, value: any) => Subject>} */
const SUBJECTS = {
  block: (source, place) => {
    const { world } = source
    const pos = source.block(place)
    const entity = world.blockEntities.at(pos)
    if (!entity) throw source.error('commands.data.block.invalid')
    return { kind: 'block', names: [pos.x, pos.y, pos.z], read: () => containerNbt(entity),
      write: (tag) => replaceContainer(world, entity, tag) }
  },
  entity: (source, selector) => {
    const { world } = source
    const entity = selector.one(source)
    const write = (/** @type {Tag} */ tag) => {
      if (world.players.get(entity.name) === entity) throw source.error('commands.data.entity.invalid')
      loadEntityNbt(entity, tag)
    }
    return { kind: 'entity', names: [entity.displayName], read: () => world.nbt.compound(entity.nbt()), write }
  },
  storage: (source, name) => {
    const { storage } = source.world.commands
    return { kind: 'storage', names: [name], read: () => storage.get(name) ?? source.world.nbt.compound({}),
      write: (tag) => {
      storage.set(name, tag)
    } }
  }
}

/**
 * Return the block, entity or storage that a command names.
 * @param {Source} source
 * @param {Kind} kind
 * @param {unknown} value of the argument: a place, a selector, or a storage's name
 * @returns {Subject}
 */
function subjectOf (source, kind, value) { return SUBJECTS[kind](source, value) }

module.exports = { subjectOf }
