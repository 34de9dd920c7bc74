'use strict'
/** Windows of blocks: chests for several viewers at once, barrels, crafting tables, furnaces. */
const { containerView, craftingView, furnaceView } = require('../../windows/view')
const { Store } = require('../../windows/store')
const { TABLE_GRID } = require('../../windows/grids')
const { containerOf } = require('../blocks/block_entities')
const { openWorkshop } = require('../workshops')
const { openStand } = require('../brewing/stand')

/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../player').Player} Player */

/** Distance from a container, in blocks, at which its window closes. */
const KEEP_OPEN = 8

/** Opener of windows in one world. */
class WindowOpener {
  /**
   * @param {Pick<import('../../world').World, 'blockEntities' | 'craftingGrids' | 'emit' | 'redstone' | 'registry' |
   *   'smelting' | 'stateAt' | 'stats'>} world
   */
  constructor (world) {
    this.world = world
    /** @type {Record<string, { type: number }>} */
    this.menus = /** @type {any} */ (require('prismarine-windows'))(world.registry).windows
  }

  /**
   * @param {Player} player
   * @param {string} menu
   * @param {string} title translation key
   * @param {string} kind
   * @param {string | null} [customName]
   */
  info (player, menu, title, kind, customName = null) {
    const type = `minecraft:${menu}`
    return { id: player.screens.nextId(), type, typeId: Number(this.menus[type].type),
      title: customName ?? JSON.stringify({ translate: title }), kind }
  }

  /**
   * Open a block's window, if the block has one.
   * @param {Player} player
   * @param {Pos} pos
   * @returns {boolean}
   */
  open (player, pos) {
    const state = this.world.stateAt(pos.x, pos.y, pos.z)
    if (state.name === 'crafting_table') return this.openTable(player, pos)
    if (state.name === 'ender_chest') return this.openEnderChest(player, pos)
    if (openWorkshop(player, pos)) return true
    const container = containerOf(state.name)
    if (!container || !this.world.blockEntities.at(pos)) return false
    if (state.name === 'brewing_stand') {
      return openStand(player,
        /** @type {import('../blocks/block_entities').BlockEntity} */ (this.world.blockEntities.at(pos)))
    }
    if (/furnace|smoker/.test(state.name)) return this.openFurnace(player, pos, container)
    return this.openContainer(player, pos, container)
  }

  /** @param {Player} player @param {Pos} pos @param {string} name the block that must stay */
  near (player, pos, name) {
    return () => !player.dead && this.world.stateAt(pos.x, pos.y, pos.z).name === name && player.within(pos, KEEP_OPEN)
  }

  /** @param {Player} player @param {Pos} pos @param {{ menu: string, title: string }} container */
  openContainer (player, pos, container) {
    const state = this.world.stateAt(pos.x, pos.y, pos.z)
    const parts = this.world.blockEntities.parts(pos)
    const lidded = /chest$/.test(state.name)
    if (lidded && parts.some((part) => this.lidBlocked(part.pos))) return true
    const double = parts.length === 2
    const info = this.info(player, double ? 'generic_9x6' : container.menu,
      double ? 'container.chestDouble' : container.title, 'container', parts[0].customName)
    const view = containerView(info, parts.map((part) => part.store), player.store)
    const still = this.near(player, pos, state.name)
    view.valid = () => still() && parts.every((part) => !part.removed)
    for (const part of parts) part.viewers.add(player)
    player.screens.open(view)
    if (lidded) this.showLids(parts)
    view.closers.push(() => {
      for (const part of parts) part.viewers.delete(player)
      if (lidded) this.showLids(parts)
    })
    this.world.stats.add(player, 'custom', 'open_chest')
    return true
  }

  /** Return true if a full block above keeps a chest shut. @param {Pos} pos @returns {boolean} */
  lidBlocked (pos) {
    const above = this.world.stateAt(pos.x, pos.y + 1, pos.z)
    return above.fullCube && !above.info.transparent && above.name !== 'chest'
  }

  /** @param {import('../blocks/block_entities').BlockEntity[]} parts */
  showLids (parts) {
    for (const part of parts) {
      if (part.removed) continue
      if (part.name === 'trapped_chest') this.world.redstone.wake(part.pos)
      this.world.emit('blockAction',
        { ...part.pos, action: 1, param: part.viewers.size,
        blockId: this.world.stateAt(part.pos.x, part.pos.y, part.pos.z).id })
    }
  }

  /** @param {Player} player @param {Pos} pos */
  openEnderChest (player, pos) {
    if (this.lidBlocked(pos)) return true
    const view = containerView(this.info(player, 'generic_9x3', 'container.enderchest', 'container'),
      [player.enderChest], player.store)
    view.valid = this.near(player, pos, 'ender_chest')
    player.screens.open(view)
    return true
  }

  /** @param {Player} player @param {Pos} pos */
  openTable (player, pos) {
    const grid = new Store(10)
    const view = craftingView(this.info(player, 'crafting', 'container.crafting', 'crafting'), grid, player.store,
      () => this.world.craftingGrids.consumeGrid(player, grid, TABLE_GRID, 3))
    view.valid = this.near(player, pos, 'crafting_table')
    view.closers.push(() => {
      grid.set(0, null)
      for (const item of grid.empty()) player.giveOrDrop(item)
    })
    player.screens.open(view)
    this.world.stats.add(player, 'custom', 'interact_with_crafting_table')
    return true
  }

  /** @param {Player} player @param {Pos} pos @param {{ menu: string, title: string }} container */
  openFurnace (player, pos, container) {
    const entity = /** @type {import('../blocks/block_entities').BlockEntity} */ (this.world.blockEntities.at(pos))
    const { smelting } = this.world
    const view = furnaceView(this.info(player, container.menu, container.title, 'furnace', entity.customName),
      entity.store, player.store, {
      smelts: (item) => smelting.result(item, entity.name) !== null,
      burns: (item) => smelting.fuel(item) > 0,
      onTake: (item) => smelting.taken(entity, player, item)
    })
    const still = this.near(player, pos, entity.name)
    view.valid = () => still() && !entity.removed
    entity.viewers.add(player)
    view.closers.push(() => entity.viewers.delete(player))
    player.screens.open(view)
    smelting.showAllProgress(entity, player)
    this.world.stats.add(player, 'custom', 'interact_with_furnace')
    return true
  }
}

module.exports = { WindowOpener }
