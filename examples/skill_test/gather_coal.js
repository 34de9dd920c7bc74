'use strict'
/**
 * A skill as a policy would write it: fetch a pickaxe from a chest, mine coal, put it into the chest.
 *
 * In a policy `mineBlock` and the others are simply there; a test in Node hands them in.
 *
 * @param {any} bot
 * @param {any} skills
 * @param {{chest: any, count: number}} what
 * @returns {Promise<number>} how much coal went into the chest
 */
async function gatherCoal (bot, skills, { chest, count }) {
  if (skills.countItem(bot, 'stone_pickaxe') === 0) await skills.getItemFromChest(bot, chest, { stone_pickaxe: 1 })
  await skills.mineBlock(bot, 'coal_ore', count)
  const coal = skills.countItem(bot, 'coal')
  if (coal === 0) return 0
  return (await skills.depositItemIntoChest(bot, chest, { coal })).coal
}

module.exports = { gatherCoal }
