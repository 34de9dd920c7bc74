'use strict'
/** Smithing tables (minecraft.wiki, "Smithing Table"): netherite upgrades and armour trims. */
const { dataOf } = require('../items/item_data')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../../types').Item} Item */

const UPGRADE = 'netherite_upgrade_smithing_template'
/** Materials of trims by item. @type {Record<string, string>} */
const MATERIALS = nameTable({ iron_ingot: 'iron', copper_ingot: 'copper',
  gold_ingot: 'gold', lapis_lazuli: 'lapis', emerald: 'emerald', diamond: 'diamond', netherite_ingot: 'netherite',
  redstone: 'redstone', amethyst_shard: 'amethyst', quartz: 'quartz' })
const DIAMOND = /^diamond_(sword|pickaxe|axe|shovel|hoe|helmet|chestplate|leggings|boots)$/
const ARMOUR = /_(helmet|chestplate|leggings|boots)$/
const TRIM = /^(.*)_armor_trim_smithing_template$/

/**
 * Return the result of a smithing table, or null.
 * @param {import('../../world').World} world
 * @param {Item | null} template
 * @param {Item | null} base
 * @param {Item | null} addition
 * @returns {Item | null}
 */
function smith (world, template, base, addition) {
  if (!template || !base || !addition) return null
  if (template.name === UPGRADE) {
    if (!DIAMOND.test(base.name) || addition.name !== 'netherite_ingot') return null
    return world.stacks.make(base.name.replace('diamond', 'netherite'), 1, { value: dataOf(base) })
  }
  const pattern = TRIM.exec(template.name)?.[1]
  const material = MATERIALS[addition.name]
  if (!pattern || !material || !ARMOUR.test(base.name)) return null
  const trim = { pattern: { type: 'string', value: `minecraft:${pattern}` },
    material: { type: 'string', value: `minecraft:${material}` } }
  const before = dataOf(base).Trim?.value
  if (before?.pattern?.value === trim.pattern.value && before?.material?.value === trim.material.value) return null
  return world.stacks.make(base.name, 1,
    { type: 'compound', name: '',
    value: { ...dataOf(base), Trim: { type: 'compound', value: trim } } })
}

/** @type {import('./workshop').Shop} */
const SMITHING = {
  menu: 'smithing',
  title: 'container.upgrade',
  accepts: [(item) => item.name === UPGRADE || TRIM.test(item.name),
    (item) => DIAMOND.test(item.name) || ARMOUR.test(item.name), (item) => Boolean(MATERIALS[item.name])],
  gives: true,
  refresh: (work) => work.give(smith(work.world, work.get(0), work.get(1), work.get(2))),
  take: (work, taken) => {
    work.world.stats.add(work.player, 'crafted', taken.name, taken.count)
    for (let i = 0; i < 3; i++) work.use(i)
  }
}

module.exports = { SMITHING, smith, UPGRADE, DIAMOND }
