'use strict'
/** Block entities: blocks with contents such as chests, barrels and furnaces. */
const { Store } = require('../../windows/store')
const { isSign, blankSign } = require('../functional_blocks/signs')
const { isCommandBlock } = require('../functional_blocks/command_blocks')
const { isCampfire, PLACES } = require('../functional_blocks/campfires')
const { nameTable } = require('../../../name_table')

/**
 * Slots, menu and title of a container's window, by block name.
 *
 * @type {Record<string, { size: number, menu: string, title: string }>}
 */
const CONTAINERS = nameTable({
  chest: { size: 27, menu: 'generic_9x3', title: 'container.chest' },
  trapped_chest: { size: 27, menu: 'generic_9x3', title: 'container.chest' },
  barrel: { size: 27, menu: 'generic_9x3', title: 'container.barrel' },
  dispenser: { size: 9, menu: 'generic_3x3', title: 'container.dispenser' },
  dropper: { size: 9, menu: 'generic_3x3', title: 'container.dropper' },
  hopper: { size: 5, menu: 'hopper', title: 'container.hopper' },
  brewing_stand: { size: 5, menu: 'brewing_stand', title: 'container.brewing' },
  furnace: { size: 3, menu: 'furnace', title: 'container.furnace' },
  smoker: { size: 3, menu: 'smoker', title: 'container.smoker' },
  blast_furnace: { size: 3, menu: 'blast_furnace', title: 'container.blast_furnace' }
})

/** Number of slots of blocks that hold items but have no window of slots. @type {Record<string, number>} */
const HOLDERS = nameTable({ lectern: 1, jukebox: 1 })

/** @param {string} name */
function containerOf (name) {
  return CONTAINERS[name] ??
    (name.endsWith('shulker_box') ? { size: 27, menu: 'shulker_box', title: 'container.shulkerBox' } : null)
}

/** Return the number of slots of a block. @param {string} name @returns {number} */
function sizeOf (name) { return isCampfire(name) ? PLACES : containerOf(name)?.size ?? HOLDERS[name] ?? 0 }

/** Answers of `hasEntity` by name of a block. @type {Map<string, boolean>} */
const withEntity = new Map()

/** Return true if blocks of a name have contents, text or a command. @param {string} name */
function hasEntity (name) {
  let has = withEntity.get(name)
  if (has === undefined) withEntity.set(name, has = sizeOf(name) > 0 || isSign(name) || isCommandBlock(name))
  return has
}

/** Contents and state of one block. */
class BlockEntity {
  /** @param {string} name block name @param {{ x: number, y: number, z: number }} pos @param {number} size */
  constructor (name, pos, size) {
    this.name = name
    this.pos = { x: pos.x, y: pos.y, z: pos.z }
    this.store = new Store(size)
    /** @type {Set<import('../../player').Player>} */
    this.viewers = new Set()
    /** JSON text component. @type {string | null} */
    this.customName = null
    /** State of a furnace (rules/workshops/smelting.js). @type {import('../workshops/smelting').Burning | null} */
    this.burning = null
    /** Text of a sign (rules/functional_blocks/signs.js). @type {import('../functional_blocks/signs').Sign | null} */
    this.sign = isSign(name) ? blankSign() : null
    /** Command of a command block. @type {string | null} */
    this.command = isCommandBlock(name) ? '' : null
    /**
     * State of a brewing stand (rules/brewing/stand.js).
     *
     * @type {{ fuel: number, until: number, with: string, seen: number } | null}
     */
    this.brew = null
    /** Ticks for which each item on a campfire has cooked. */
    this.cooking = isCampfire(name) ? new Array(size).fill(0) : []
    /** Open page of a lectern's book, and world age until which a jukebox plays. */
    this.page = this.playsUntil = 0
    /** True while a command block is powered. */
    this.powered = false
    this.removed = false
  }

  /** True if hands, hoppers and commands reach its slots. */
  get container () { return this.store.size > 0 && this.cooking.length === 0 }
}

/** All block entities of one world. */
class BlockEntities {
  /**
   * @param {Pick<import('../../world').World, 'hoppers' | 'redstone' | 'smelting' | 'stacks' | 'stateAt' | 'terrain'>}
   *   world
   */
  constructor (world) {
    this.world = world
    /** @type {Map<string, BlockEntity>} */
    this.byPos = new Map()
    /** Furnaces, in the order in which they were placed. @type {Set<BlockEntity>} */
    this.furnaces = new Set()
    /** Brewing stands. @type {Set<BlockEntity>} */
    this.stands = new Set()
    /** @type {Set<BlockEntity>} */
    this.campfires = new Set()
  }

  /** @param {{ x: number, y: number, z: number }} pos @returns {BlockEntity | null} */
  at (pos) { return this.byPos.get(`${pos.x},${pos.y},${pos.z}`) ?? this.discoverContainer(pos) }

  /**
   * Return the block entity of a generated container that nobody has opened yet, and fill it with its loot.
   *
   * @param {{ x: number, y: number, z: number }} pos
   * @returns {BlockEntity | null}
   */
  discoverContainer (pos) {
    const { terrain, stacks } = this.world
    if (!terrain.generated) return null
    const { name } = this.world.stateAt(pos.x, pos.y, pos.z)
    if (sizeOf(name) === 0) return null
    this.changed(pos, 'air', name)
    const made = /** @type {BlockEntity} */ (this.byPos.get(`${pos.x},${pos.y},${pos.z}`))
    if (/^(chest|barrel)$/.test(name)) terrain.generator.fill(pos, stacks, made.store)
    return made
  }

  /**
   * Replace the block entity of a changed block, unless the kind of block is the same.
   * @param {{ x: number, y: number, z: number }} pos
   * @param {string} before block name
   * @param {string} after block name
   */
  changed (pos, before, after) {
    if (before === after || !(hasEntity(before) || hasEntity(after))) return
    const old = this.byPos.get(`${pos.x},${pos.y},${pos.z}`)
    if (old) {
      old.removed = true
      this.byPos.delete(`${pos.x},${pos.y},${pos.z}`)
      this.furnaces.delete(old)
      this.stands.delete(old)
      this.campfires.delete(old)
      this.world.hoppers.forget(old)
    }
    if (!hasEntity(after)) return
    const size = sizeOf(after)
    const made = new BlockEntity(after, pos, size)
    if (/furnace|smoker/.test(after)) {
      made.burning = this.world.smelting.start()
      this.furnaces.add(made)
    }
    if (after === 'brewing_stand') this.stands.add(made)
    if (isCampfire(after)) this.campfires.add(made)
    if (size > 0) made.store.onChange = () => this.world.redstone.updateComparators(made.pos)
    if (after === 'hopper') this.world.hoppers.add(made)
    this.byPos.set(`${pos.x},${pos.y},${pos.z}`, made)
  }

  /**
   * Return the stores of a container block: two for a double chest, the right-hand half first.
   * @param {{ x: number, y: number, z: number }} pos
   * @returns {BlockEntity[]}
   */
  parts (pos) {
    const entity = this.at(pos)
    if (!entity) return []
    const state = this.world.stateAt(pos.x, pos.y, pos.z)
    const other = otherHalf(state, pos)
    const partner = other && this.at(other)
    if (!partner || partner.name !== entity.name) return [entity]
    return state.props.type === 'right' ? [entity, partner] : [partner, entity]
  }
}

/** Clockwise neighbour of each facing. @type {Record<string, string>} */
const CLOCKWISE = { north: 'east', east: 'south', south: 'west', west: 'north' }
/** @type {Record<string, [number, number]>} */
const STEP = { north: [0, -1], south: [0, 1], west: [-1, 0], east: [1, 0] }

/**
 * Return the position of the other half of a double chest, or null.
 *
 * @param {import('../../data').BlockState} state
 * @param {{ x: number, y: number, z: number }} pos
 */
function otherHalf (state, pos) {
  const { type, facing } = state.props
  if (type !== 'left' && type !== 'right') return null
  const side = type === 'left' ? CLOCKWISE[facing] : CLOCKWISE[CLOCKWISE[CLOCKWISE[facing]]]
  return { x: pos.x + STEP[side][0], y: pos.y, z: pos.z + STEP[side][1] }
}

module.exports = { BlockEntities, BlockEntity, containerOf, otherHalf, CLOCKWISE, STEP }
