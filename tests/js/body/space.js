'use strict'
/** Small world for tests of bodies: stone below y = 0, and blocks that a test adds. */
const fc = require('fast-check')
const loadRegistry = require('prismarine-registry')
const { blockTable } = require('../../../engine/body/blocks')

const registry = loadRegistry('1.20.4')
const table = blockTable(registry)

/**
 * @param {Record<string, string | [string, object]>} [blocks] "x,y,z" -> block name, or name and properties
 * @returns {import('../../../engine/body/physics').Space & {put: (x: number, y: number, z: number, name: string,
 *   properties?: object) => void}}
 */
function flatSpace (blocks = {}) {
  const stone = registry.blocksByName.stone.defaultState
  /** @type {Map<string, number>} */
  const states = new Map()
  const put = (
    /** @type {number} */ x,
    /** @type {number} */ y,
    /** @type {number} */ z,
    /** @type {string} */ name,
    properties = {}
  ) => {
    const { defaultState, id } = registry.blocksByName[name]
    const full = { ...table.Block.fromStateId(defaultState, 0).getProperties(), ...properties }
    const state = Object.keys(properties).length === 0 ? defaultState : table.Block.fromProperties(id, full, 0).stateId
    states.set(`${x},${y},${z}`, state)
  }
  for (const [at, block] of Object.entries(blocks)) {
    const [x, y, z] = at.split(',').map(Number)
    if (Array.isArray(block)) put(x, y, z, block[0], block[1])
    else put(x, y, z, block)
  }
  return { table, put, stateAt: (x, y, z) => states.get(`${x},${y},${z}`) ?? (y < 0 ? stone : 0) }
}

/** Doors, gates and trapdoors in any state. @type {fc.Arbitrary<[string, object]>} */
const opening = fc.tuple(fc.constantFrom('oak_door', 'oak_door', 'iron_door', 'cherry_fence_gate', 'oak_trapdoor'),
  fc.constantFrom('north', 'south', 'east', 'west'), fc.boolean(), fc.boolean(), fc.boolean())
  .map(([name, facing, open, top, right]) => {
    const half = name.endsWith('_trapdoor') ? (top ? 'top' : 'bottom') : top ? 'upper' : 'lower'
    const parts = name.endsWith('gate')
      ? {}
      : name.endsWith('trapdoor') ? { half } : { half, hinge: right ? 'right' : 'left' }
    return [name, { facing, open, ...parts }]
  })

module.exports = { flatSpace, opening, registry, table }
