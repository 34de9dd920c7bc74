'use strict'
const { test } = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { makeWorld, must, ticks, record, hold, census } = require('./helpers')

const CHEST = { x: 2, y: -60, z: 0 }
const OUTSIDE = -999

/** @param {any} player @param {number} slot @param {number} [button] @param {number} [mode] @param {object} [more] */
function click (player, slot, button = 0, mode = 0, more = {}) {
  return player.click({ windowId: player.openWindow?.id ?? 0, slot, button, mode, ...more })
}

/** Format a slot as "12 stone" or "". @param {any} item */
const text = (item) => (item ? `${item.count} ${item.name}` : '')

/** Return a player with given slots of window 0. @param {Record<number, [string, number]>} slots */
function bag (slots) {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  for (const [slot, [name, count]] of Object.entries(slots)) {
    player.store.set(Number(slot), world.stacks.make(name, count))
  }
  return { world, player, at: (/** @type {number} */ slot) => text(player.slots[slot]),
    cursor: () => text(player.screens.carried) }
}

/**
 * Clicks as [slot, button, mode], then the expected contents.
 * @type {[string, Record<number, [string, number]>, [number, number, number][], Record<string | number, string>][]}
 */
const CLICKS = [
  ['left takes all', { 9: ['dirt', 10] }, [[9, 0, 0]], { 9: '', cursor: '10 dirt' }],
  ['right takes the larger half', { 9: ['dirt', 11] }, [[9, 1, 0]], { 9: '5 dirt', cursor: '6 dirt' }],
  ['right puts one', { 9: ['dirt', 10] }, [[9, 0, 0], [10, 1, 0], [10, 1, 0]], { 10: '2 dirt', cursor: '8 dirt' }],
  ['a full stack takes no more', { 9: ['dirt', 60], 10: ['dirt', 10] }, [[10, 0, 0], [9, 0, 0]],
  { 9: '64 dirt', cursor: '6 dirt' }],
  ['unlike stacks are swapped', { 9: ['dirt', 3], 10: ['stone', 4] }, [[9, 0, 0], [10, 0, 0]],
    { 10: '3 dirt', cursor: '4 stone' }],
    ['shift moves to the hot bar', { 9: ['dirt', 3] }, [[9, 0, 1]], { 9: '', 36: '3 dirt' }],
  ['shift moves from the hot bar', { 36: ['dirt', 3] }, [[36, 0, 1]], { 9: '3 dirt', 36: '' }],
  ['shift merges first', { 9: ['dirt', 3], 40: ['dirt', 62] }, [[9, 0, 1]], { 40: '64 dirt', 36: '1 dirt' }],
  ['shift puts armour on', { 9: ['iron_helmet', 1] }, [[9, 0, 1]], { 5: '1 iron_helmet' }],
  ['a number key swaps', { 9: ['dirt', 3], 38: ['stone', 4] }, [[9, 2, 2]], { 9: '4 stone', 38: '3 dirt' }],
  ['F swaps with the off-hand', { 9: ['dirt', 3] }, [[9, 40, 2]], { 9: '', 45: '3 dirt' }],
  ['the middle button does nothing in survival', { 9: ['dirt', 3] }, [[9, 2, 3]], { 9: '3 dirt', cursor: '' }],
  ['a left drag shares evenly', { 9: ['dirt', 10] },
  [[9, 0, 0], [OUTSIDE, 0, 5], [10, 1, 5], [11, 1, 5], [12, 1, 5], [OUTSIDE, 2, 5]],
  { 10: '3 dirt', 11: '3 dirt', 12: '3 dirt', cursor: '1 dirt' }],
  ['a right drag puts one each', { 9: ['dirt', 10] },
    [[9, 0, 0], [OUTSIDE, 4, 5], [10, 5, 5], [11, 5, 5], [OUTSIDE, 6, 5]],
    { 10: '1 dirt', 11: '1 dirt', cursor: '8 dirt' }],
    ['a drag over one slot is a click', { 9: ['dirt', 10] }, [[9, 0, 0], [OUTSIDE, 0, 5], [10, 1, 5], [OUTSIDE, 2, 5]],
    { 10: '10 dirt', cursor: '' }],
  ['a double click gathers, part stacks first', { 9: ['dirt', 1], 10: ['dirt', 64], 11: ['dirt', 30] },
    [[9, 0, 0], [9, 0, 6]], { 11: '', 10: '31 dirt', cursor: '64 dirt' }],
    ['stones are no helmet', { 9: ['stone', 2] }, [[9, 0, 0], [5, 0, 0]], { 5: '', cursor: '2 stone' }],
  ['nothing goes into a result', { 9: ['stone', 2] }, [[9, 0, 0], [0, 0, 0]], { 0: '', cursor: '2 stone' }],
  ['planks from a log', { 9: ['oak_log', 2] }, [[9, 0, 0], [1, 0, 0], [0, 0, 0]],
  { 1: '1 oak_log', cursor: '4 oak_planks', 0: '4 oak_planks' }],
  ['shift crafts all', { 9: ['oak_log', 3] }, [[9, 0, 0], [1, 0, 0], [0, 0, 1]], { 1: '', 0: '', 44: '12 oak_planks' }],
  ['Q throws one', { 9: ['dirt', 3] }, [[9, 0, 4]], { 9: '2 dirt' }],
  ['Ctrl-Q throws all', { 9: ['dirt', 3] }, [[9, 1, 4]], { 9: '' }],
  ['outside drops the cursor', { 9: ['dirt', 3] }, [[9, 0, 0], [OUTSIDE, 0, 0]], { cursor: '' }]
]
for (const [what, slots, clicks, after] of CLICKS) {
  test(`click: ${what}`, () => {
    const { world, player, at, cursor } = bag(slots)
    const before = Object.values(slots).map(([name]) => [name, census(world, name)])
    for (const [slot, button, mode] of clicks) click(player, slot, button, mode)
    for (const [slot, expected] of Object.entries(after)) {
      assert.equal(slot === 'cursor' ? cursor() : at(Number(slot)), expected, `slot ${slot}`)
    }
    for (const [name, count] of before) if (name !== 'oak_log') assert.equal(census(world, String(name)), count)
  })
}

/** Clicks that no client sends; each must be refused or do nothing. @type {[any, any, any][]} */
const NONSENSE = [[9999, 0, 0], [9, 99, 6], [9, 0, 7], [NaN, 0, 0], [9, NaN, 2], [-5, 0, 1], [9, 9, 2], [OUTSIDE, 3, 5],
  [9, 0.5, 0], ['9', 0, 0], [undefined, undefined, undefined], [9, 5, 1], [9, 2, 4]]
for (const [slot, button, mode] of NONSENSE) {
  test(`a click at ${slot}, button ${button}, mode ${mode} changes nothing`, () => {
    const { world, player } = bag({ 9: ['dirt', 3] })
    click(player, slot, button, mode)
    assert.equal(census(world, 'dirt'), 3)
    assert.equal(text(player.slots[9]), '3 dirt')
  })
}

test('a correctly predicted click is not answered; a difference brings the whole window', () => {
  const { world, player } = bag({ 9: ['dirt', 10] })
  ticks(world, 1)
  const full = record(world, 'windowItems')
  const slots = record(world, 'slot')
  const dirt = world.stacks.make('dirt', 10)
  const stateId = player.windowView(0).stateId
  click(player, 9, 0, 0, { stateId, changed: [{ slot: 9, item: null }], cursor: dirt })
  assert.equal(full.length, 0)
  assert.deepEqual(slots.map((s) => s.slot), [0], 'the result slot is told after each click of a crafting window')
  click(player, 10, 0, 0, { stateId: player.windowView(0).stateId, changed: [{ slot: 10, item: dirt }], cursor: dirt })
  assert.equal(full.length, 1)
  click(player, 10, 0, 0, { stateId: 12345, changed: [{ slot: 10, item: null }], cursor: dirt })
  assert.equal(full.length, 2)
  click(player, OUTSIDE, 0, 4, { stateId: -1, changed: [], cursor: null })
  assert.equal(full.length, 3)
})

/** Return a world with two players at one chest that holds a diamond. */
function twoAtAChest () {
  const world = makeWorld({ players: { A: { x: 0.5, z: 0.5 }, B: { x: 4.5, z: 0.5 } } })
  must(world, 'setblock 2 -60 0 chest{Items:[{Slot:0b,id:"minecraft:diamond",Count:1b}]}')
  const [a, b] = world.players.values()
  for (const player of [a, b]) assert.deepEqual(player.place({ pos: CHEST, face: 1 }), { ok: true })
  return { world, a, b }
}

test('two players take the only diamond: one gets it, the other\'s window is corrected', () => {
  const { world, a, b } = twoAtAChest()
  const diamond = world.stacks.make('diamond')
  const views = [a, b].map((player) => player.windowView(player.openWindow.id).stateId)
  const full = record(world, 'windowItems')
  ;[a, b].forEach((player, i) =>
    click(player, 0, 0, 1, { stateId: views[i], changed: [{ slot: 0, item: null }, { slot: 62, item: diamond }],
    cursor: null }))
  assert.deepEqual(full.map(({ player }) => player.name), ['B'])
  assert.deepEqual([a.count('diamond'), b.count('diamond'), census(world, 'diamond')], [1, 0, 1])
})

test('another viewer sees changes in the numbering of its own window', () => {
  const { world, a, b } = twoAtAChest()
  ticks(world, 1)
  const slots = record(world, 'slot')
  click(a, 0, 0, 0)
  ticks(world, 1)
  const seenByB = slots.filter(({ player }) => player === b)
  assert.deepEqual(seenByB.map(({ windowId, slot, item }) => [windowId, slot, item]), [[b.openWindow.id, 0, null]])
  must(world, 'give B stone 3')
  ticks(world, 1)
  const given = slots.filter(({ player, item }) => player === b && item?.name === 'stone')
  assert.deepEqual(given.map(({ windowId, slot }) => [windowId, slot]), [[b.openWindow.id, 54]])
})

test('a broken chest closes its windows and drops what it held', () => {
  const { world, a } = twoAtAChest()
  const closed = record(world, 'windowClose')
  must(world, 'setblock 2 -60 0 air destroy')
  ticks(world, 1)
  assert.deepEqual(closed.map(({ player }) => player.name).sort(), ['A', 'B'])
  assert.equal(a.openWindow, null)
  assert.equal(census(world, 'diamond'), 1)
})

test('walking away closes the chest, and the cursor\'s stack returns to the inventory', () => {
  const { world, a } = twoAtAChest()
  click(a, 0, 0, 0)
  must(world, 'tp A 40 -60 40')
  ticks(world, 1)
  assert.equal(a.openWindow, null)
  assert.equal(a.count('diamond'), 1)
})

test('closing the crafting table returns the grid\'s items', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  must(world, 'setblock 2 -60 0 crafting_table')
  must(world, 'give Gizmo cobblestone 3')
  must(world, 'give Gizmo stick 2')
  player.place({ pos: CHEST, face: 1 })
  const hotbar = (/** @type {number} */ n) => 37 + n
  click(player, hotbar(0), 0, 0)
  for (const slot of [1, 2, 3]) click(player, slot, 1, 0)
  click(player, hotbar(1), 0, 0)
  for (const slot of [5, 8]) click(player, slot, 1, 0)
  assert.equal(text(player.screens.container.get(0)), '1 stone_pickaxe')
  click(player, 0, 0, 1)
  assert.equal(player.count('stone_pickaxe'), 1)
  assert.equal(player.count('cobblestone') + player.count('stick'), 0)
  must(world, 'give Gizmo stick 2')
  const stick = player.slots.findIndex((/** @type {any} */ item) => item?.name === 'stick')
  click(player, stick < 36 ? stick + 1 : stick + 1, 0, 0)
  click(player, 1, 0, 0)
  player.closeWindow(player.openWindow.id)
  assert.equal(player.count('stick'), 2)
})

test('a double chest has 54 slots, its right half first', () => {
  const world = makeWorld()
  const player = world.players.get('Gizmo')
  for (const x of [2, 3]) {
    hold(world, player, 'chest')
    assert.deepEqual(player.place({ pos: { x, y: -61, z: 0 }, face: 1 }), { ok: true })
  }
  const opened = record(world, 'window')
  player.place({ pos: CHEST, face: 1 })
  assert.equal(opened[0].window.type, 'minecraft:generic_9x6')
  click(player, 0, 0, 0)
  const types = [2, 3].map((x) => world.stateAt(x, -60, 0).props.type)
  assert.deepEqual(types.slice().sort(), ['left', 'right'])
  must(world, `item replace block ${2 + types.indexOf('right')} -60 0 container.0 with diamond`)
  assert.equal(text(player.windowView(player.openWindow.id).items[0]), '1 diamond')
})

test('nothing is lost or made by any clicks of four players at one chest', () => {
  const one = fc.record({
    who: fc.integer({ min: 0, max: 3 }), slot: fc.oneof(fc.integer({ min: 0, max: 62 }), fc.constant(OUTSIDE)),
    button: fc.oneof(fc.integer({ min: 0, max: 10 }), fc.constant(40)),
    mode: fc.integer({ min: 0, max: 6 }),
    what: fc.constantFrom('click', 'click', 'click', 'click', 'click', 'click', 'click', 'click', 'open', 'close',
    'tick', 'drop', 'swap')
  })
  fc.assert(fc.property(fc.array(one, { minLength: 100, maxLength: 250 }), (steps) => {
    const world = makeWorld({
      players: { A: { x: 0.5, z: 0.5 }, B: { x: 4.5, z: 0.5 }, C: { x: 2.5, z: 2.5 }, D: { x: 2.5, z: -1.5 } } })
    must(world,
      'setblock 2 -60 0 chest{Items:[{Slot:0b,id:"minecraft:diamond",Count:40b},' +
      '{Slot:5b,id:"minecraft:iron_ingot",Count:33b},{Slot:6b,id:"minecraft:iron_pickaxe",Count:1b}]}')
    must(world, 'give @a iron_ingot 21')
    must(world, 'give @a snowball 20')
    must(world, 'give @a diamond_helmet 1')
    const players = [...world.players.values()]
    const kinds = ['diamond', 'iron_ingot', 'iron_pickaxe', 'snowball', 'diamond_helmet']
    const before = kinds.map((kind) => census(world, kind))
    // Crafting is excluded, so the grid's result stays untouched.
    for (const { who, slot, button, mode, what } of steps) {
      const player = players[who]
      if (what === 'open') player.place({ pos: CHEST, face: 1 })
      else if (what === 'close') player.closeWindow(player.openWindow?.id ?? 0)
      else if (what === 'tick') ticks(world, 3)
      else if (what === 'drop') player.dropHeld(button > 4)
      else if (what === 'swap') player.swapHands()
      else if (slot !== 0 || player.openWindow) click(player, slot, button, mode)
      assert.deepEqual(kinds.map((kind) => census(world, kind)), before)
    }
  }), { numRuns: 60, seed: 7 })
})
