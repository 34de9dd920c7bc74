'use strict'
const test = require('node:test')
const assert = require('node:assert/strict')
const { Cells, MAX_SECTIONS } = require('../../../skills_js/mock/cells')
const { Simulation } = require('../../../skills_js/mock/simulation')

test('a cell is read once, and again when it has changed', () => {
  let state = 7
  let reads = 0
  const cells = new Cells(() => { reads++; return state })
  assert.equal(cells.stateAt(-1, -60, 16), 7)
  state = 9
  assert.equal(cells.stateAt(-1, -60, 16), 7)
  assert.equal(reads, 1)
  cells.forget(-1, -60, 15)
  assert.equal(cells.stateAt(-1, -60, 16), 7)
  cells.forget(-1, -60, 16)
  assert.equal(cells.stateAt(-1, -60, 16), 9)
})

test('cells far from one another are not taken for one another, however many are looked at', () => {
  const number = (/** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z) =>
    Math.abs(x * 31 + y * 7 + z) % 60_000
  const cells = new Cells(number)
  for (let i = 0; i < MAX_SECTIONS * 2; i++) {
    const [x, y, z] = [(i % 64 - 32) * 16 + 3, (i % 5) * 60 - 64, Math.floor(i / 64) * -16 - 1]
    assert.equal(cells.stateAt(x, y, z), number(x, y, z))
    assert.equal(cells.stateAt(3, -60, 3), number(3, -60, 3))
  }
})

test('bodies and paths see every change of the world, and nothing but air outside of it', () => {
  const simulation = new Simulation({ seed: 1 })
  const { space, world } = simulation
  const stone = world.data.stateId('stone')
  for (const x of [0, -17, 40]) {
    assert.equal(space.stateAt(x, -60, 2), 0)
    world.command(`setblock ${x} -60 2 stone`, null)
    assert.equal(space.stateAt(x, -60, 2), stone)
    world.command(`fill ${x} -60 2 ${x} -59 3 air`, null)
    assert.equal(space.stateAt(x, -60, 2), 0)
  }
  assert.equal(space.stateAt(0, -65, 0), 0)
  assert.equal(space.stateAt(0, 320, 0), 0)
})
