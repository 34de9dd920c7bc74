'use strict'
/** Lists of many things for a policy are cut off at the end and never refused. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { createMockWorld } = require('../../../skills_js/mock')
const { CAPS } = require('../../../skills_js/bot_facade/host_api')
const { fitting } = require('../../../skills_js/bot_facade/fitting')

test('a list that is too long for an answer keeps its first entries, as many as there is room for', () => {
  const entry = 'x'.repeat(300)
  const kept = fitting(Array.from({ length: 256 }, (_, i) => `${i}${entry}`))
  assert.ok(kept.length > 200 && kept.length < 256)
  assert.ok(kept[0].startsWith('0x'))
  assert.ok(JSON.stringify(kept).length <= CAPS.resultChars)
  const few = Array.from({ length: 150 }, () => entry)
  assert.deepEqual(fitting(few), few)
})

test('a bot in a heap of things with long names sees the nearest of them', () => {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (let i = 0; i < 256; i++) {
    world.command(`summon armor_stand ${3 + i / 9.7} -60 ${1 / 3} {CustomName:'"${'n'.repeat(200)}"',NoGravity:1b}`)
  }
  const seen = Object.values(bot.entities)
  assert.ok(seen.length > 100 && seen.length < 256, `sees ${seen.length}`)
  assert.equal(bot.nearestEntity().name, 'armor_stand')
  assert.ok(bot.nearestEntity().position.x < 4)
})
