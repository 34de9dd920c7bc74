'use strict'
const { named } = require('../bot_facade/errors')
const { show } = require('./support/check')
const { heldItem, mobsOf, useOnMob } = require('./support/farming')

/** @type {Readonly<Record<string, string[]>>} */
const BAIT = Object.freeze({ wolf: ['bone'], cat: ['cod', 'salmon'] })
const EVENTS = 20

/**
 * Offer bones to the nearest wolf, or raw fish to the nearest cat, until it is tame or nothing is left. A tame wolf
 * follows and fights for its owner; it sits at first: use an empty hand on it.
 * @param {Bot} bot
 * @param {string} animal - wolf or cat
 * @returns {Promise<number>} pieces that were given until it took no more, which is when it is tame
 * @throws {BadArgument} another animal
 * @throws {ItemNotInInventory} no bone or raw fish, or the last one was given in vain
 * @throws {MobNotFound} none within 32 blocks
 * @throws {NotUsed} it did not take the first piece: it is somebody's already, or angry
 * @example await tameAnimal(bot, "wolf")
 */
async function tameAnimal (bot, animal) {
  if (typeof animal !== 'string' || !Object.hasOwn(BAIT, animal)) {
    throw named('BadArgument', `animal is ${show(animal)}; give wolf or cat`)
  }
  const name = BAIT[animal].find((each) => bot.inventory.findInventoryItem(each) !== null) ?? BAIT[animal][0]
  const [mob] = mobsOf(bot, animal)
  for (let given = 0; given < EVENTS; given++) {
    const item = heldItem(bot, name)
    const before = bot.inventory.count(name)
    await useOnMob(bot, mob, item)
    if (bot.inventory.count(name) < before) continue
    if (given === 0) throw named('NotUsed', `the ${animal} at ${mob.position.floored()} did not take ${name}`)
    return given
  }
  throw named('NotUsed', `the ${animal} was not tame after ${EVENTS} ${name}`)
}

module.exports = { tameAnimal }
