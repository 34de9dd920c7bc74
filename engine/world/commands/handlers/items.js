'use strict'
/** Handlers of give, clear, item and enchant. */
const { matches } = require('../../nbt/path')
const { dataOf } = require('../../rules/items/item_data')
const { PLAYER } = require('../../windows/store')

/** @typedef {import('../commands').Handler} Handler */
/** @typedef {import('../source').Source} Source */
/** @typedef {import('../things').ItemText} ItemText */
/** @typedef {import('../../types').Item} Item */
/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../windows/store').Store} Store */

/** Maximum stacks of one /give. */
const GIVE_STACKS = 100

/** Return true if a stack is of a wanted kind. @param {Item} item @param {ItemText} wanted */
function isItem (item, wanted) {
  return (!wanted.names || wanted.names.has(item.name)) &&
    (!wanted.nbt || matches(wanted.nbt, { type: 'compound', value: dataOf(item) }))
}

/** @type {Handler} */
function give (args, source) {
  const { stacks } = source.world
  const count = args.get('count', 1)
  const { name, nbt } = args.get('item')
  const sample = stacks.make(name, 1, nbt)
  const most = sample.stackSize * GIVE_STACKS
  if (count > most) throw source.error('commands.give.failed.toomanyitems', most, stacks.label(sample))
  /** @type {Player[]} */
  const players = args.get('targets').some(source)
  for (const player of players) {
    for (let left = count; left > 0; left -= sample.stackSize) {
      player.giveOrDrop(stacks.make(name, Math.min(left, sample.stackSize), nbt))
    }
  }
  for (const player of players) player.screens.sync()
  replyForTargets(source, 'commands.give.success', players, [count, stacks.label(sample)], [])
  return players.length
}

/**
 * Reply with the text for one target or for several.
 * @param {Source} source
 * @param {string} key
 * @param {import('../../entities/entity').Entity[]} list
 * @param {(string | number)[]} before
 * @param {(string | number)[]} after
 */
function replyForTargets (source, key, list, before, after) {
  if (list.length === 1) source.say(`${key}.single`, ...before, list[0].displayName, ...after)
  else source.say(`${key}.multiple`, ...before, list.length, ...after)
}

/** @type {Handler} */
function clear (args, source) {
  /** @type {Player[]} */
  const players = args.has('targets') ? args.get('targets').some(source) : [source.needPlayer()]
  const most = args.get('maxCount', -1)
  /** @type {ItemText | null} */
  const wanted = args.get('item', null)
  const total = players.reduce((sum, player) => sum + clearPlayer(source, player, wanted, most), 0)
  if (total === 0) {
    if (players.length === 1) throw source.error('clear.failed.single', players[0].name)
    throw source.error('clear.failed.multiple', players.length)
  }
  for (const player of players) player.screens.sync()
  replyForTargets(source, most === 0 ? 'commands.clear.test' : 'commands.clear.success', players, [total], [])
  return total
}

/**
 * Take at most `most` items from a player, cursor and crafting grid included.
 * @param {Source} source
 * @param {Player} player
 * @param {ItemText | null} wanted
 * @param {number} most -1 for all, 0 to count only
 */
function clearPlayer ({ world }, player, wanted, most) {
  let count = 0
  const left = () => (most < 0 ? Infinity : most - count)
  const rest = (/** @type {Item | null} */ item) => {
    if (!item || (wanted && !isItem(item, wanted)) || (most > 0 && left() <= 0)) return item
    const n = most === 0 ? item.count : Math.min(item.count, left())
    count += n
    return most === 0 ? item : world.stacks.withCount(item, item.count - n)
  }
  // Vanilla's order: hot bar, main part, armour, off-hand, then the cursor and the crafting grid.
  const order = [...Array.from({ length: 9 }, (_, i) => PLAYER.HOTBAR + i),
    ...Array.from({ length: 27 }, (_, i) => 9 + i), PLAYER.FEET, PLAYER.LEGS, PLAYER.CHEST, PLAYER.HEAD, PLAYER.OFFHAND]
  const sweep = (/** @type {Store} */ store, /** @type {Iterable<number>} */ slots) => {
    for (const i of slots) {
      const item = store.get(i)
      const after = rest(item)
      if (after !== item) store.set(i, after)
    }
  }
  sweep(player.store, order)
  player.screens.carried = rest(player.screens.carried)
  sweep(player.store, PLAYER.GRID)
  const table = player.screens.container
  if (table?.kind === 'crafting') sweep(table.slots[1].store, [1, 2, 3, 4, 5, 6, 7, 8, 9])
  world.craftingGrids.refresh(player, player.screens.current)
  return count
}

/**
 * Return the slot of a player by its name in commands.
 * @param {Player} player
 * @param {string} name
 * @returns {{ store: Store, index: number } | null}
 */
function playerSlot (player, name) {
  /** @type {Record<string, number>} */
  const fixed = { weapon: PLAYER.HOTBAR + player.heldSlot, 'weapon.mainhand': PLAYER.HOTBAR + player.heldSlot,
    'weapon.offhand': PLAYER.OFFHAND, 'armor.head': PLAYER.HEAD, 'armor.chest': PLAYER.CHEST, 'armor.legs': PLAYER.LEGS,
    'armor.feet': PLAYER.FEET }
  if (name in fixed) return { store: player.store, index: fixed[name] }
  const [kind, text] = name.split('.')
  const n = Number(text)
  if ((kind === 'hotbar' && n < 9) || (kind === 'container' && n < 9)) {
    return { store: player.store, index: PLAYER.HOTBAR + n }
  }
  if (kind === 'container' && n < 36) return { store: player.store, index: n }
  if (kind === 'inventory' && n < 27) return { store: player.store, index: PLAYER.MAIN + n }
  if (kind === 'enderchest' && n < 27) return { store: player.enderChest, index: n }
  return null
}

/**
 * Return the slot of a container block.
 * @param {Source} source
 * @param {any} place
 * @param {string} name
 * @param {'target' | 'source'} role
 * @returns {{ store: Store, index: number, pos: import('../../types').Pos }}
 */
function blockSlot (source, place, name, role) {
  const pos = source.block(place)
  const entity = source.world.blockEntities.at(pos)
  if (!entity?.container) throw source.error(`commands.item.${role}.not_a_container`, pos.x, pos.y, pos.z)
  const [kind, text] = name.split('.')
  const index = Number(text)
  if (kind !== 'container' || index >= entity.store.size) throw source.error(`commands.item.${role}.no_such_slot`, name)
  return { store: entity.store, index, pos }
}

/** Handle `item replace block|entity ... with|from ...`. @type {Handler} */
function item (args, source) {
  // No data pack's modifiers are loaded.
  if (args.has('modifier')) throw source.error('item_modifier.unknown', args.get('modifier'))
  const { stacks } = source.world
  const stack = replacement(args, source)
  const label = stack ? stacks.label(stack) : `[${source.world.data.text('block.minecraft.air')}]`
  if (args.has('pos')) {
    const { store, index, pos } = blockSlot(source, args.get('pos'), args.get('slot'), 'target')
    store.set(index, stack)
    source.say('commands.item.block.set.success', pos.x, pos.y, pos.z, label)
    return 1
  }
  /** @type {Player[]} */
  const targets = args.get('targets').some(source)
  const slots = targets.map((target) => ('store' in target ? playerSlot(target, args.get('slot')) : null))
  const done = targets.filter((_, i) => slots[i])
  if (done.length === 0) throw source.error('commands.item.target.no_such_slot', args.get('slot'))
  for (const slot of slots) slot?.store.set(slot.index, stack)
  replyForTargets(source, 'commands.item.entity.set.success', done, [], [label])
  return done.length
}

/**
 * Return the stack to put into the slot.
 * @param {import('../tree').Arguments} args
 * @param {Source} source
 * @returns {Item | null}
 */
function replacement (args, source) {
  if (args.is('with')) {
    const { name, nbt } = args.get('item')
    return name === 'air' ? null : source.world.stacks.make(name, args.get('count', 1), nbt)
  }
  const name = args.get('sourceSlot')
  if (args.has('source') && 'block' in args.get('source')) {
    const { store, index } = blockSlot(source, args.get('source'), name, 'source')
    return store.get(index)
  }
  const from = /** @type {Player} */ (args.get('source').one(source))
  const slot = 'store' in from ? playerSlot(from, name) : null
  if (!slot) throw source.error('commands.item.source.no_such_slot', name)
  return slot.store.get(slot.index)
}

/** @type {Handler} */
function enchant (args, source) {
  const { world } = source
  const name = args.get('enchantment')
  const info = world.registry.enchantmentsByName[name]
  const level = args.get('level', 1)
  const label = world.data.text(`enchantment.minecraft.${name}`)
  if (level > info.maxLevel) throw source.error('commands.enchant.failed.level', level, info.maxLevel)
  /** @type {Player[]} */
  const targets = args.get('targets').some(source)
  const done = targets.filter((player) => {
    const held = 'store' in player ? player.heldItem : null
    if (!held || !world.registry.itemsByName[held.name].enchantCategories?.includes(info.category) ||
      world.stacks.enchantment(held, name)) {
      return false
    }
    const old = dataOf(held)
    const list = [...(old.Enchantments?.value?.value ?? []),
      { id: world.nbt.string(`minecraft:${name}`), lvl: world.nbt.short(level) }]
    player.store.set(PLAYER.HOTBAR + player.heldSlot,
      world.stacks.withNbt(held,
      { value: { ...old, Enchantments: { type: 'list', value: { type: 'compound', value: list } } } }))
    return true
  })
  if (done.length === 0) {
    if (targets.length > 1) throw source.error('commands.enchant.failed')
    const held = 'store' in targets[0] ? targets[0].heldItem : null
    throw held ? source.error('commands.enchant.failed.incompatible', world.stacks.displayName(held))
      : source.error('commands.enchant.failed.itemless', targets[0].displayName)
  }
  replyForTargets(source, 'commands.enchant.success', done,
    [`${label}${info.maxLevel > 1 ? ` ${world.data.text(`enchantment.level.${level}`)}` : ''}`], [])
  return done.length
}

module.exports = { give, clear, item, enchant }
Object.defineProperty(module.exports, 'blockSlot', { value: blockSlot, enumerable: false })
Object.defineProperty(module.exports, 'playerSlot', { value: playerSlot, enumerable: false })
