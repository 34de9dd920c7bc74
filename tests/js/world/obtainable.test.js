'use strict'
/**
 * At least 700 items are obtainable without commands on survival terrain; the test prints them all, each with a way to
 * it.
 */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const { Walk } = require('./obtainable')
const { FILE, table, text } = require('./items_table')

const walk = new Walk(1)

test('at least 700 items are obtainable without commands', (t) => {
  const items = walk.run()
  for (const [name, way] of [...items].sort(([a], [b]) => (a < b ? -1 : 1))) t.diagnostic(`${name}: ${way}`)
  t.diagnostic(`${items.size} items`)
  assert.ok(items.size >= 700, `${items.size} items`)
  // The climb to a diamond pickaxe, and the products of farms, flocks and mines.
  for (const name of ['oak_planks', 'stone_pickaxe', 'iron_pickaxe', 'diamond_pickaxe', 'golden_apple', 'bread',
    'white_wool', 'lava_bucket', 'bookshelf', 'cake', 'redstone_torch', 'terracotta', 'emerald', 'bamboo', 'melon',
    'pumpkin_pie', 'cocoa_beans', 'kelp']) {
    assert.ok(items.has(name), name)
  }
  // Items of other dimensions, or of rules that the engine does not have, are not listed.
  for (const name of ['netherite_ingot', 'blaze_rod', 'end_stone', 'chorus_fruit', 'potion', 'saddle', 'quartz_block',
    'enchanted_book', 'ender_eye', 'ghast_tear', 'brewing_stand']) {
    assert.ok(items.has(name), name)
  }
  for (const name of ['nether_star', 'elytra', 'shulker_shell', 'netherite_sword', 'bedrock', 'command_block',
    'dragon_egg', 'barrier', 'spawner']) {
    assert.ok(!items.has(name), name)
  }
})

test('the explorers\' table of items equals the engine\'s', () => {
  assert.equal(fs.readFileSync(FILE, 'utf8'), text(table(walk)), 'run node tests/js/world/items_table.js')
})
