'use strict'
/** /data on blocks, entities and storages. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { makeWorld, must } = require('./helpers')

/** @param {any} world @param {string} text */
const refused = (world, text) => {
  const { ok, reply } = world.command(text)
  assert.equal(ok, false, reply)
  return reply
}
/** @param {any} world @param {string} what @returns {string} its data as text */
const dataOf = (world, what) => must(world, `data get ${what}`).replace(/^.*?(?:contents|data): /, '')

/**
 * Steps in a storage that contains {a:1,l:[1,2,3],c:{x:1},t:"abcdef"}: [command after `data`, the storage afterwards,
 * or null for a refusal, the reply].
 * @type {[string, string | null, string?][]}
 */
const STORAGE = [
  ['modify storage t:s n set value 5b', '{a: 1, l: [1, 2, 3], c: {x: 1}, t: "abcdef", n: 5b}'],
  ['modify storage t:s deep.er.still set value [1L]',
    '{a: 1, l: [1, 2, 3], c: {x: 1}, t: "abcdef", deep: {er: {still: [1L]}}}'],
  ['modify storage t:s a set value 1', null, 'Nothing changed. The specified properties already have these values'],
  ['modify storage t:s l append value 4', '{a: 1, l: [1, 2, 3, 4], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s l prepend value 0', '{a: 1, l: [0, 1, 2, 3], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s l insert 1 value 9', '{a: 1, l: [1, 9, 2, 3], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s l insert -1 value 9', '{a: 1, l: [1, 2, 3, 9], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s l insert 7 value 9', null, 'Invalid list index: 7'],
  ['modify storage t:s l append value "x"', null,
    'Nothing changed. The specified properties already have these values'],
  ['modify storage t:s l append from storage t:s l[]', '{a: 1, l: [1, 2, 3, 1, 2, 3], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s new append value {id:1}', '{a: 1, l: [1, 2, 3], c: {x: 1}, t: "abcdef", new: [{id: 1}]}'],
  ['modify storage t:s a append value 4', null, 'Expected list, got: 1'],
  ['modify storage t:s l[-1] set value 8', '{a: 1, l: [1, 2, 8], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s l[] set value 7', '{a: 1, l: [7, 7, 7], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s l[9] set value 7', null, 'Found no elements matching l[9]'],
  ['modify storage t:s c merge value {y:{z:2}}', '{a: 1, l: [1, 2, 3], c: {x: 1, y: {z: 2}}, t: "abcdef"}'],
  ['modify storage t:s c merge value {x:1}', null,
    'Nothing changed. The specified properties already have these values'],
  ['modify storage t:s a merge value {x:1}', null, 'Expected object, got: 1'],
  ['modify storage t:s c merge value 3', null, 'Expected object, got: 3'],
  ['modify storage t:s a set from storage t:s c', '{a: {x: 1}, l: [1, 2, 3], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s a set from storage t:s nope', null, 'Found no elements matching nope'],
  ['modify storage t:s a set string storage t:s t 1 3', '{a: "bc", l: [1, 2, 3], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s a set string storage t:s t -2', '{a: "ef", l: [1, 2, 3], c: {x: 1}, t: "abcdef"}'],
  ['modify storage t:s a set string storage t:s t 4 99', null, 'Invalid substring indices: 4 to 99'],
  ['modify storage t:s t set string storage t:s a', '{a: 1, l: [1, 2, 3], c: {x: 1}, t: "1"}'],
  ['modify storage t:s a set string storage t:s c', null, 'Expected value, got: {x: 1}'],
  ['modify storage t:s __proto__.x set value 1', '{a: 1, l: [1, 2, 3], c: {x: 1}, t: "abcdef", __proto__: {x: 1}}'],
  ['merge storage t:s {c:{y:2}}', '{a: 1, l: [1, 2, 3], c: {x: 1, y: 2}, t: "abcdef"}'],
  ['remove storage t:s c.x', '{a: 1, l: [1, 2, 3], c: {}, t: "abcdef"}'],
  ['remove storage t:s l[1]', '{a: 1, l: [1, 3], c: {x: 1}, t: "abcdef"}'],
  ['remove storage t:s l[]', '{a: 1, l: [], c: {x: 1}, t: "abcdef"}'],
  ['remove storage t:s nope', null, 'Nothing changed. The specified properties already have these values']
]
for (const [command, after, reply] of STORAGE) {
  test(`data ${command}`, () => {
    const world = makeWorld()
    must(world, 'data merge storage t:s {a:1,l:[1,2,3],c:{x:1},t:"abcdef"}')
    if (after === null) {
      assert.equal(refused(world, `data ${command}`), reply)
      return
    }
    assert.equal(must(world, `data ${command}`), 'Modified storage t:s')
    assert.equal(dataOf(world, 'storage t:s'), after)
  })
}

test('a list element is found by its content, changed, and created if none matches', () => {
  const world = makeWorld()
  must(world, 'data merge storage t:s {l:[{id:"a",n:1},{id:"b",n:1}]}')
  must(world, 'data modify storage t:s l[{id:"b"}].n set value 5')
  must(world, 'data modify storage t:s l[{id:"c"}].n set value 7')
  assert.equal(dataOf(world, 'storage t:s l'), '[{id: "a", n: 1}, {id: "b", n: 5}, {id: "c", n: 7}]')
  must(world, 'data remove storage t:s l[{n:1}]')
  assert.equal(dataOf(world, 'storage t:s l'), '[{id: "b", n: 5}, {id: "c", n: 7}]')
})

test('chests and signs can be written as blocks, and removed data is gone', () => {
  const world = makeWorld()
  must(world, 'setblock 2 -60 2 chest')
  must(world, 'data modify block 2 -60 2 Items append value {Slot:0b,id:"minecraft:diamond",Count:3b}')
  assert.equal(world.blockEntities.at({ x: 2, y: -60, z: 2 }).store.get(0).count, 3)
  must(world, 'data modify block 2 -60 2 Items[0].Count set value 7b')
  assert.equal(world.blockEntities.at({ x: 2, y: -60, z: 2 }).store.get(0).count, 7)
  must(world, 'data remove block 2 -60 2 Items[0]')
  assert.equal(world.blockEntities.at({ x: 2, y: -60, z: 2 }).store.get(0), null)
  must(world, 'setblock 3 -60 2 oak_sign')
  must(world, 'data modify block 3 -60 2 front_text.messages[0] set value \'"hello"\'')
  assert.match(dataOf(world, 'block 3 -60 2 front_text.messages[0]'), /hello/)
  assert.equal(refused(world, 'data modify block 9 -60 9 x set value 1'), 'The target block is not a block entity')
})

test('an entity is written, a player is not', () => {
  const world = makeWorld()
  must(world, 'summon pig 3 -60 3 {Tags:["old"]}')
  const pig = [...world.entities.values()].find((e) => e.type === 'pig')
  must(world, 'data modify entity @e[type=pig,limit=1] Health set value 4f')
  assert.equal(pig.health, 4)
  must(world, 'data modify entity @e[type=pig,limit=1] Tags append value "new"')
  assert.deepEqual([...pig.tags], ['old', 'new'])
  must(world, 'data merge entity @e[type=pig,limit=1] {NoGravity:1b,Invulnerable:1b}')
  assert.equal(dataOf(world, 'entity @e[type=pig,limit=1] NoGravity'), '1b')
  assert.equal(refused(world, 'data modify entity Gizmo Health set value 4f'), 'Unable to modify player data')
  must(world, 'data modify storage t:s copy set from entity Gizmo Pos')
  assert.equal(dataOf(world, 'storage t:s copy'), '[0.5d, -60.0d, 0.5d]')
})
