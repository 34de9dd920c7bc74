'use strict'
/**
 * Brewing stands (minecraft.wiki, "Brewing Stand"): a blaze powder fuels 20 brews, and a brew takes 400 ticks. A stand
 * is updated only in a tick after its contents have changed, and when a brew ends.
 */
const { View } = require('../../windows/view')
const { PLAYER, range } = require('../../windows/store')
const { brewed, isIngredient, potionOf } = require('./recipes')

/** @typedef {import('../blocks/block_entities').BlockEntity} BlockEntity */
/** @typedef {import('../../types').Item} Item */

const BREW_TICKS = 400
const FUEL = 20
const INGREDIENT = 3
const POWDER = 4
const KEEP_OPEN = 8

/**
 * Return true if a brew would change any bottle.
 *
 * @param {import('../../world').World} world
 * @param {BlockEntity} stand
 * @returns {boolean}
 */
function canBrew (world, stand) {
  const ingredient = stand.store.get(INGREDIENT)
  return ingredient !== null && [0, 1, 2].some((i) => {
    const bottle = stand.store.get(i)
    return bottle !== null && brewed(world.stacks, bottle, ingredient) !== null
  })
}

/** Advance a brewing stand by one tick. @param {import('../../world').World} world @param {BlockEntity} stand */
function tickStand (world, stand) { if ((stand.brew?.seen ?? 0) !== stand.store.version) look(world, stand) }

/**
 * Update a stand whose contents have changed or whose brew has ended.
 *
 * @param {import('../../world').World} world
 * @param {BlockEntity} stand
 */
function look (world, stand) {
  const state = stand.brew ??= { fuel: 0, until: -1, with: '', seen: 0 }
  if (stand.removed) return
  const powder = stand.store.get(POWDER)
  if (state.fuel === 0 && powder?.name === 'blaze_powder') {
    state.fuel = FUEL
    stand.store.set(POWDER, world.stacks.withCount(powder, powder.count - 1))
  }
  const name = stand.store.get(INGREDIENT)?.name ?? ''
  const able = canBrew(world, stand)
  if (state.until >= 0 && (!able || name !== state.with)) state.until = -1
  if (state.until < 0 && able && state.fuel > 0) {
    state.fuel--
    state.until = world.age + BREW_TICKS
    state.with = name
    const due = state.until
    world.later(BREW_TICKS, () => { if (state.until === due) finish(world, stand) })
  }
  state.seen = stand.store.version
  bottles(world, stand)
  tell(world, stand)
}

/** @param {import('../../world').World} world @param {BlockEntity} stand */
function finish (world, stand) {
  const state = /** @type {NonNullable<BlockEntity['brew']>} */ (stand.brew)
  state.until = -1
  const ingredient = stand.store.get(INGREDIENT)
  if (stand.removed || !ingredient || !canBrew(world, stand)) return
  for (const i of [0, 1, 2]) {
    const bottle = stand.store.get(i)
    const made = bottle && brewed(world.stacks, bottle, ingredient)
    if (made) stand.store.set(i, made)
  }
  const left = ingredient.name === 'dragon_breath' && ingredient.count === 1 ? world.stacks.make('glass_bottle')
    : world.stacks.withCount(ingredient, ingredient.count - 1)
  stand.store.set(INGREDIENT, left)
  look(world, stand)
}

/** Show the bottles on the block. @param {import('../../world').World} world @param {BlockEntity} stand */
function bottles (world, stand) {
  const { x, y, z } = stand.pos
  const has = Object.fromEntries([0, 1, 2].map((i) => [`has_bottle_${i}`, stand.store.get(i) !== null]))
  world.setBlock(x, y, z, world.data.withProps(world.blockAt(x, y, z), has))
}

/** @param {import('../../world').World} world @param {BlockEntity} stand */
function tell (world, stand) {
  const state = stand.brew
  for (const player of stand.viewers) {
    const windowId = player.screens.container?.id
    if (windowId === undefined || !state) continue
    world.emit('windowProperty',
      { player, windowId, property: 0, value: state.until < 0 ? 0 : state.until - world.age })
    world.emit('windowProperty', { player, windowId, property: 1, value: state.fuel })
  }
}

/**
 * Open a brewing stand.
 * @param {import('../../player').Player} player
 * @param {BlockEntity} stand
 */
function openStand (player, stand) {
  const { world } = player
  const takes = [...[0, 1,
    2].map(() => (/** @type {Item} */ item) => potionOf(item) !== '' || item.name === 'glass_bottle'),
    (/** @type {Item} */ item) => isIngredient(item.name), (/** @type {Item} */ item) => item.name === 'blaze_powder']
  /** @type {import('../../windows/view').ViewSlot[]} */
  const slots = takes.map((accepts, index) => ({ store: stand.store, index, limit: index < 3 ? 1 : 64, accepts }))
  slots.push(...range(PLAYER.MAIN, PLAYER.OFFHAND)
    .map((index) => ({ store: player.store, index, limit: 64, accepts: () => true })))
  const view = new View(world.opener.info(player, 'brewing_stand', 'container.brewing', 'brewing_stand',
    stand.customName), slots, (index, item) => {
    if (index < 5) return [range(5, 41)]
    const fuel = item.name === 'blaze_powder' && (stand.store.get(POWDER)?.count ?? 0) < 64
    return [fuel ? [POWDER] : range(0, 5).filter((i) => slots[i].accepts(item)),
      index < 32 ? range(32, 41) : range(5, 32)]
  })
  view.valid = () => !player.dead && !stand.removed && player.within(stand.pos, KEEP_OPEN)
  view.work = /** @type {any} */ ({ view, inputs: -1, shop: {}, refresh: () => look(world, stand) })
  stand.viewers.add(player)
  view.closers.push(() => stand.viewers.delete(player))
  player.screens.open(view)
  look(world, stand)
  world.stats.add(player, 'custom', 'interact_with_brewingstand')
  return true
}

module.exports = { openStand, tickStand, BREW_TICKS, FUEL }
