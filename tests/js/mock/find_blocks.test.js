'use strict'
/** Remembered places of blocks are never used in a world in which the blocks are elsewhere. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { World } = require('../../../engine/world')
const { States, findBlocks } = require('../../../skills_js/mock/backend/find_blocks')
const { MAX_KINDS } = require('../../../skills_js/mock/backend/known_places')

const world = new World({ seed: 1 })
const { iron_ore: ORE, gold_ore: GOLD, air: AIR } = Object.fromEntries(
  ['iron_ore', 'gold_ore', 'air'].map((name) => [name, world.registry.blocksByName[name].defaultState])
)
/** Places of blocks: over the corner of four columns, and over the height at which two sections meet. */
const [LOW, HIGH] = [-6, 6]
const BASE = -32

/** @param {any} from @param {number} maxDistance @param {number} state @param {number} count */
const search = (from, maxDistance, state, count) =>
  findBlocks(world, { from, maxDistance, count, key: String(state), states: () => new States(world.registry, [state]) })

/**
 * @param {any} from
 * @param {number} maxDistance
 * @param {number} state
 * @returns {number[]} distances of all, as every place tells
 */
function everywhere (from, maxDistance, state) {
  const found = []
  for (let x = LOW; x <= HIGH; x++) {
    for (let y = LOW; y <= HIGH; y++) {
      for (let z = LOW; z <= HIGH; z++) {
        const distance = Math.sqrt((x + 0.5 - from.x) ** 2 + (BASE + y + 0.5 - from.y) ** 2 + (z + 0.5 - from.z) ** 2)
        if (distance <= maxDistance && world.blockAt(x, BASE + y, z) === state) found.push(distance)
      }
    }
  }
  return found.sort((a, b) => a - b)
}

const place = fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: LOW, max: HIGH })))
const change = fc.record({ at: place, state: fc.constantFrom(ORE, GOLD, AIR) })
const look = fc.record({
  from: place,
  maxDistance: fc.integer({ min: 1, max: 14 }),
  state: fc.constantFrom(ORE, GOLD),
  count: fc.integer({ min: 1, max: 9 })
})

test('whatever is put and taken between two looks, each finds the nearest that are there then', () => {
  fc.assert(fc.property(fc.array(
    fc.record({ changes: fc.array(change, { maxLength: 12 }), look }), { minLength: 1, maxLength: 8 }
  ), (steps) => {
    for (const { changes, look: { from: [x, y, z], maxDistance, state, count } } of steps) {
      for (const { at, state: put } of changes) world.setBlock(at[0], BASE + at[1], at[2], put)
      const from = { x: x + 0.3, y: BASE + y + 0.6, z: z + 0.1 }
      const { found, looked } = search(from, maxDistance, state, count)
      const all = everywhere(from, maxDistance, state)
      assert.deepEqual(found.map((at) => Math.sqrt(
        at.reduce((sum, value, axis) => sum + (value + 0.5 - [from.x, from.y, from.z][axis]) ** 2, 0)
      )), all.slice(0, count))
      assert.ok(found.every(([bx, by, bz]) => world.blockAt(bx, by, bz) === state))
      assert.ok(looked.matches >= found.length)
    }
  }), { seed: 7, numRuns: 60 })
})

test('a look costs its bot the same whether its answer was remembered or not', () => {
  world.setBlock(3, BASE, 3, ORE)
  const from = { x: 0, y: BASE, z: 0 }
  const first = findBlocks(
    world, { from, maxDistance: 40, count: 9, key: 'cost', states: () => new States(world.registry, [ORE]) }
  )
  assert.deepEqual(findBlocks(
    world, { from, maxDistance: 40, count: 9, key: 'cost', states: () => new States(world.registry, [ORE]) }
  ), first)
  assert.ok(first.looked.cells > 0 && first.looked.sections > 0)
})

test('with more kinds of looks than are remembered each still finds its own', () => {
  world.setBlock(3, BASE, 3, GOLD)
  for (let kind = 0; kind < 2 * MAX_KINDS + 2; kind++) {
    const { found } = findBlocks(world, {
      from: { x: 3, y: BASE, z: 3 },
      maxDistance: 2,
      count: 1,
      key: `kind ${kind % (MAX_KINDS + 1)}`,
      states: () => new States(world.registry, [kind % (MAX_KINDS + 1) === 0 ? GOLD : -1])
    })
    assert.equal(found.length, kind % (MAX_KINDS + 1) === 0 ? 1 : 0)
  }
})
