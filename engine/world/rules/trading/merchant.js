'use strict'
/** Trading window: two slots for payment, one for the result, and a list of offers that the client receives. */
const { Work } = require('../workshops/workshop')
const { price } = require('./business')

/** @typedef {import('./business').Offer} Offer */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../entities/villagers').Villager} Villager */

const KEEP_OPEN = 8
/** Ticks after the window was closed until a villager rises a level. */
const RISE_AFTER = 40
const RISE_EXPERIENCE = 5

/**
 * Return true if two stacks pay for an offer.
 *
 * @param {import('../../stacks').Stacks} stacks
 * @param {Offer} offer
 * @param {Item | null} a
 * @param {Item | null} b
 * @returns {boolean}
 */
function paid (stacks, offer, a, b) {
  const pays = (/** @type {Item | null} */ item, /** @type {Item} */ asked, /** @type {number} */ count) =>
    Boolean(item) && item?.type === asked.type && item.count >= count && (!asked.nbt || stacks.same(item, asked))
  return pays(a, offer.wants, price(offer)) && (offer.also ? pays(b, offer.also, offer.also.count) : !b)
}

/**
 * Return the offer that the stacks in the window pay for, and whether they are swapped.
 *
 * @param {Work} work
 * @returns {{ offer: Offer, swapped: boolean } | null}
 */
function dealOf (work) {
  const { stacks } = work.world
  const { offers } = work.state.business
  const hint = work.state.hint ?? 0
  for (const swapped of [false, true]) {
    const [a, b] = swapped ? [work.get(1), work.get(0)] : [work.get(0), work.get(1)]
    const chosen = hint > 0 && offers[hint] ? [offers[hint]] : offers
    const offer = a && chosen.find((/** @type {Offer} */ each) => paid(stacks, each, a, b))
    if (offer && offer.uses < offer.most) return { offer, swapped }
  }
  return null
}

/** Fill a slot with an item from the inventory. @param {Work} work @param {number} slot @param {Item} asked */
function pay (work, slot, asked) {
  const { store } = work.player
  for (let i = 9; i < 45; i++) {
    const mine = store.get(i)
    const there = work.get(slot)
    if (!mine || mine.type !== asked.type || (there && !work.world.stacks.same(there, mine))) continue
    const n = Math.min(mine.count, mine.stackSize - (there?.count ?? 0))
    if (n <= 0) break
    work.store.set(slot, work.world.stacks.withCount(mine, (there?.count ?? 0) + n))
    store.set(i, work.world.stacks.withCount(mine, mine.count - n))
  }
}

/** @param {Work} work @param {number} index */
function select (work, index) {
  const offer = work.state.business.offers[index]
  if (!offer) return false
  work.state.hint = index
  for (const slot of [0, 1]) {
    const item = work.get(slot)
    const rest = item && work.player.store.insert(work.world.stacks, item, Array.from({ length: 36 }, (_, i) => 9 + i))
    work.store.set(slot, rest)
  }
  if (!work.get(0) && !work.get(1)) {
    pay(work, 0, offer.wants)
    if (offer.also) pay(work, 1, offer.also)
  }
  work.refresh()
  return true
}

/** Complete a trade. @param {Work} work */
function take (work) {
  const { deal, business, villager } = work.state
  const { offer, swapped } = deal
  work.use(swapped ? 1 : 0, price(offer))
  if (offer.also) work.use(swapped ? 0 : 1, offer.also.count)
  business.traded(offer)
  work.world.stats.add(work.player, 'custom', 'traded_with_villager')
  const points = 3 + business.random.int(0, 3)
  work.world.popExperience(points, { x: villager.x, y: villager.y + 0.5, z: villager.z })
}

/** @type {import('../workshops/workshop').Shop} */
const MERCHANT = {
  menu: 'merchant',
  title: 'entity.minecraft.villager',
  accepts: [() => true, () => true],
  gives: true,
  refresh: (work) => {
    work.state.deal = dealOf(work)
    work.give(work.state.deal?.offer.gives ?? null)
  },
  mayTake: ({ state }) => state.deal !== null,
  take,
  select
}

/**
 * Return the trades of a player's open window as a client receives them.
 *
 * @param {Player} player
 * @returns {import('../../types').TradeList | null}
 */
function tradesOf (player) {
  const work = player.screens.container?.work
  if (!work || work.shop.menu !== 'merchant') return null
  const { business } = work.state
  return {
    windowId: work.view.id, level: business.level, experience: business.experience,
    trades: business.offers.map((/** @type {Offer} */ offer) =>
      ({ ...offer, price: price(offer), disabled: offer.uses >= offer.most }))
  }
}

/**
 * Open a villager's trades.
 *
 * @param {Player} player
 * @param {Villager} villager
 * @param {import('./business').Business} business
 */
function openTrades (player, villager, business) {
  const { world } = player
  const title = business.profession === 'none' ? MERCHANT.title : `${MERCHANT.title}.${business.profession}`
  const work = new Work(world, player, { ...MERCHANT, title }, { x: villager.x, y: villager.y, z: villager.z })
  Object.assign(work.state, { villager, business, deal: null })
  work.view.valid = () => !player.dead && !villager.dead && !villager.removed &&
    villager.distanceTo(player) <= KEEP_OPEN
  villager.customer = player
  work.view.closers.push(() => {
    villager.customer = null
    world.later(RISE_AFTER, () => {
      if (!villager.removed && business.rise()) {
        world.popExperience(RISE_EXPERIENCE, { x: villager.x, y: villager.y + 0.5, z: villager.z })
      }
    })
  })
  player.screens.open(work.view)
  world.emit('trades', { player })
  world.stats.add(player, 'custom', 'talked_to_villager')
}

module.exports = { openTrades, tradesOf }
