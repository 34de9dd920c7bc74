'use strict'
/**
 * Making and trading in windows: mineflayer's openAnvil, openEnchantmentTable, openVillager and trade on the mock bot.
 */
const test = require('node:test')
const assert = require('node:assert/strict')
const { createMockWorld } = require('../../../skills_js/mock')
const { Vec3 } = require('../../../skills_js/bot_facade/vec3')

/** @param {string[]} commands */
function bench (commands) {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const command of commands) world.command(command)
  return { world, bot }
}

test('an anvil joins a sword and a book for 5 levels, and renames for one', async () => {
  const { world, bot } = bench([
    'setblock 2 -60 0 anvil', 'xp set Gizmo 30 levels', 'give Gizmo diamond_sword',
    'give Gizmo enchanted_book{StoredEnchantments:[{id:"minecraft:sharpness",lvl:5s}]}'
  ])
  await world.run(async () => {
    const anvil = await bot.openAnvil(bot.blockAt(new Vec3(2, -60, 0)))
    const [sword, book] = [anvil.findInventoryItem('diamond_sword'), anvil.findInventoryItem('enchanted_book')]
    await anvil.combine(sword, book)
    assert.deepEqual(anvil.findInventoryItem('diamond_sword').enchants, [{ name: 'sharpness', lvl: 5 }])
    assert.equal(bot.experience.level, 25)
    await anvil.rename(anvil.findInventoryItem('diamond_sword'), 'Edge')
    assert.equal(bot.experience.level, 23) // 1 for the name, 1 for the work before
    await assert.rejects(() => anvil.combine(anvil.findInventoryItem('diamond_sword'), null), { name: 'BadArgument' })
    anvil.close()
  })
})

test('an enchanting table takes levels and lapis for what it offered', async () => {
  const { world, bot } = bench([
    'setblock 2 -60 0 enchanting_table', 'fill 4 -60 -2 4 -59 2 bookshelf', 'fill 0 -60 -2 2 -59 -2 bookshelf',
    'xp set Gizmo 30 levels', 'give Gizmo diamond_pickaxe', 'give Gizmo lapis_lazuli 5'
  ])
  await world.run(async () => {
    const table = await bot.openEnchantmentTable(bot.blockAt(new Vec3(2, -60, 0)))
    await assert.rejects(() => table.enchant(2), { name: 'NotUsed' })
    await table.putLapis(table.findInventoryItem('lapis_lazuli'))
    await table.putTargetItem(table.findInventoryItem('diamond_pickaxe'))
    assert.equal(table.enchantments[2].level, 30)
    const made = await table.enchant(2)
    assert.ok(made.enchants.length >= 1)
    assert.equal(bot.experience.level, 27)
    assert.equal((await table.takeTargetItem()).name, 'diamond_pickaxe')
    table.close()
  })
  assert.equal(world.items('Gizmo').lapis_lazuli, 2)
})

test('a librarian buys paper and sells a bookshelf; what it does not want any more it refuses', async () => {
  const {
    world, bot
  } = bench([
    'summon villager 2 -60 0 ' +
      '{NoAI:1,VillagerData:{profession:"minecraft:librarian",level:1},Offers:{Recipes:[{buy:{id:"minecraft:paper",' +
      'Count:24},sell:{id:"minecraft:emerald",Count:1},maxUses:3},{buy:{id:"minecraft:emerald",Count:2},' +
      'buyB:{id:"minecraft:book",Count:1},sell:{id:"minecraft:bookshelf",Count:1},maxUses:3}]}}',
    'give Gizmo paper 60', 'give Gizmo book 2'
  ])
  await world.run(async () => {
    const villager = await bot.openVillager(bot.nearestEntity((/** @type {any} */ each) => each.name === 'villager'))
    assert.deepEqual(villager.trades.map((/** @type {any} */ trade) => [
      trade.inputItem1.name, trade.realPrice, trade.outputItem.name, trade.hasItem2
    ]), [['paper', 24, 'emerald', false], ['emerald', 2, 'bookshelf', true]])
    await assert.rejects(() => bot.trade(villager, 1, 1), { name: 'ItemNotInInventory' })
    await bot.trade(villager, 0, 2)
    await bot.trade(villager, 1, 1)
    await assert.rejects(() => bot.trade(villager, 0, 2), { name: 'NotUsed' })
    villager.close()
  })
  assert.deepEqual(world.items('Gizmo'), { paper: 12, book: 1, bookshelf: 1 })
})

test('a stonecutter is worked by its buttons', async () => {
  const { world, bot } = bench(['setblock 2 -60 0 stonecutter', 'give Gizmo stone 3'])
  await world.run(async () => {
    const cutter = await bot.openBlock(bot.blockAt(new Vec3(2, -60, 0)))
    await cutter.deposit(bot.registry.itemsByName.stone.id, null, 3)
    assert.equal(cutter.slots[1], null)
    cutter.close()
  })
  assert.deepEqual(world.items('Gizmo'), { stone: 3 })
})
