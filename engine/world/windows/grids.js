'use strict'
/** Crafting grids in windows: the result slot shows the grid's product; taking it uses up the grid. */
const { PLAYER, range } = require('./store')

/** @typedef {import('./store').Store} Store */
/** @typedef {import('../player').Player} Player */

const TABLE_GRID = Object.freeze(range(1, 10))

/** The grids of all players of one world. */
class CraftingGrids {
  /** @param {Pick<import('../world').World, 'crafting' | 'stacks' | 'stats'>} world */
  constructor (world) { this.world = world }

  /**
   * Return the grid that a window shows, or null.
   * @param {Player} player
   * @param {import('./view').View} view
   * @returns {{ store: Store, slots: readonly number[], width: number } | null}
   */
  gridOf (player, view) {
    if (view.kind === 'inventory') return { store: player.store, slots: PLAYER.GRID, width: 2 }
    if (view.kind === 'crafting') return { store: view.slots[0].store, slots: TABLE_GRID, width: 3 }
    return null
  }

  /** Show the grid's product in its result slot. @param {Player} player @param {import('./view').View} view */
  refresh (player, view) {
    const grid = this.gridOf(player, view)
    if (grid) this.show(grid.store, grid.slots, grid.width)
  }

  /** @param {Store} store @param {readonly number[]} slots @param {number} width */
  show (store, slots, width) {
    const result = this.world.crafting.result(slots.map((i) => store.get(i)), width)
    if (!this.world.stacks.equal(result, store.get(0))) store.set(0, result)
  }

  /**
   * Use up the grid after its result was taken.
   * @param {Player} player
   * @param {Store} store
   * @param {readonly number[]} slots
   * @param {number} width
   */
  consumeGrid (player, store, slots, width) {
    const result = this.world.crafting.result(slots.map((i) => store.get(i)), width)
    if (result) this.world.stats.add(player, 'crafted', result.name, result.count)
    this.world.crafting.consume(store, slots, (item) => { player.giveOrDrop(item) })
    this.show(store, slots, width)
  }
}

module.exports = { CraftingGrids, TABLE_GRID }
