'use strict'
/**
 * Cartography tables: a map is copied (with an empty one) or enlarged (with paper, scale 0 to 4). Maps show nothing in
 * this engine.
 */
const { dataOf } = require('../items/item_data')

/** @type {import('./workshop').Shop} */
const CARTOGRAPHY = {
  menu: 'cartography',
  title: 'container.cartography_table',
  accepts: [(item) => item.name === 'filled_map', (item) => /^(map|paper|glass_pane)$/.test(item.name)],
  gives: true,
  refresh: (work) => {
    const [map, addition] = [work.get(0), work.get(1)]
    const { stacks } = work.world
    if (!map || !addition) return work.give(null)
    if (addition.name === 'map') return work.give(stacks.withCount(map, 2))
    const value = { ...dataOf(map) }
    if (value.locked || (addition.name === 'paper' && (value.scale?.value ?? 0) >= 4)) return work.give(null)
    if (addition.name === 'paper') value.scale = { type: 'byte', value: (value.scale?.value ?? 0) + 1 }
    else value.locked = { type: 'byte', value: 1 }
    work.give(stacks.make('filled_map', 1, { type: 'compound', name: '', value }))
  },
  take: (work) => {
    work.use(0)
    work.use(1)
  }
}

module.exports = { CARTOGRAPHY }
