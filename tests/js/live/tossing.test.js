'use strict'
/**
 * Dropping and equipping on a line that brings one answer at a time, while another hand gives: nothing stays on the
 * cursor.
 */
const assert = require('node:assert/strict')
const { after, before, beforeEach, describe, test } = require('node:test')
const registry = require('prismarine-registry')('1.20.4')
const { startStage, until } = require('./support')
const { throwOut } = require('../../../bridge/host/live/planning')

/** @param {string} name */
const id = (name) => registry.itemsByName[name].id

test('whole stacks are dropped by one click, parts of one item by item, of the slots in their order', () => {
  const slots = [
    null, { type: 5, count: 2, stackSize: 64 }, { type: 7, count: 9, stackSize: 64 },
    { type: 5, count: 6, stackSize: 64 }
  ]
  const out = (/** @type {number} */ count) => throwOut(slots, { item: 5, count, from: [0, 4] })
    .map(({ slot, button, mode }) => [slot, button, mode])
  assert.deepEqual(out(4), [[1, 1, 4], [3, 0, 4], [3, 0, 4]])
  assert.deepEqual(out(99), [[1, 1, 4], [3, 1, 4]])
  assert.deepEqual(throwOut(slots, { item: 9, count: 1, from: [0, 4] }), [])
})

describe('on a line that brings one answer at a time', () => {
  /** @type {import('./support').Stage} */
  let stage
  /** @type {import('./support').Player} */
  let gizmo
  /** @type {any} the server's own player */
  let player

  before(async () => {
    stage = await startStage(['Gizmo'])
    gizmo = stage.players[0]
    player = stage.bench.world.players.get('Gizmo')
    const client = gizmo.raw._client
    const emit = client.emit.bind(client)
    /** @type {any[][]} */
    const line = []
    const bring = () => {
      emit(...line[0])
      line.shift()
      if (line.length > 0) setImmediate(bring)
    }
    client.emit = (/** @type {string} */ name, /** @type {any[]} */ ...args) => {
      if (!['window_items', 'set_slot'].includes(name)) return emit(name, ...args)
      if (line.push([name, ...args]) === 1) setImmediate(bring)
      return true
    }
  })
  after(() => stage.close())
  beforeEach(async () => {
    stage.tidy('clear Gizmo')
    stage.tidy('kill @e[type=item]')
    await until(() => gizmo.raw.inventory.items().length === 0, 'an empty inventory')
    await stage.set(['item replace entity Gizmo inventory.4 with dirt 20'], () => gizmo.has('dirt') === 20)
  })

  /** @returns {{ held: number, cursor: string | null }} as the server has it */
  const truth = () => ({
    held: player.slots.reduce(
      (/** @type {number} */ sum, /** @type {any} */ item) => sum + (item?.name === 'dirt' ? item.count : 0), 0
    ),
    cursor: player.screens.carried?.name ?? null
  })

  test('a part of a stack is dropped, and the rest stays where it was', async () => {
    stage.run('give Gizmo stone 1')
    assert.equal(await gizmo.bot.toss(id('dirt'), null, 3), 3)
    assert.deepEqual(truth(), { held: 17, cursor: null })
    assert.equal(gizmo.has('dirt'), 17)
  })

  test('an item taken into the hand is in the hand', async () => {
    stage.run('give Gizmo stone 1')
    const [dirt] = gizmo.bot.inventory.items().filter((/** @type {any} */ item) => item.name === 'dirt')
    await gizmo.bot.equip(dirt, 'hand')
    assert.deepEqual([gizmo.bot.heldItem?.name, player.heldItem?.name], ['dirt', 'dirt'])
    assert.deepEqual(truth(), { held: 20, cursor: null })
  })
})
