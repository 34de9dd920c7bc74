// Routines of explorers, by the primitives alone: each is a function that a small program calls with plain numbers
// (voyager_agents/piano/rule_based/progression/routine_programs.py). The mock world calls them without an isolate (bridge/mock/routines.js).
// @ts-nocheck
/* global GoalBlock, GoalNear, Movements */

const SIDES = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1]]
const FILLING = ['dirt', 'cobblestone', 'cobbled_deepslate', 'gravel', 'andesite', 'diorite', 'granite', 'tuff', 'netherrack', 'sand']
const LOOSE = ['dirt', 'gravel', 'sand', 'grass_block', 'coarse_dirt', 'clay']
const OPEN = /^(air|cave_air|short_grass|tall_grass|fern|snow)$/
const QUIET = ['NoTool', 'BlockNotFound', 'NoPath', 'NotReached', 'InventoryFull', 'NoRecipe', 'NotCrafted', 'NotPlaced', 'NotSmelted', 'ItemNotInInventory', 'BlockGone', 'NotBroken', 'OutOfReach', 'TimedOut', 'MobNotFound', 'NotKilled', 'NotUsed', 'EntityGone', 'NotCaught', 'NotEquipped', 'BadArgument', 'ItemNotInChest', 'ChestNotFound', 'LimitExceeded']

// What is not to be done is told to nobody: the inventory shows what came of it.
async function attempt (deed) {
  try {
    return await deed()
  } catch (error) {
    if (!QUIET.includes(error.name)) throw error
    return null
  }
}

function held (bot, name) { return bot.inventory.count(mcData.itemsByName[name].id) }

function seconds (bot) { return readClock(bot).seconds }

function seen (bot, names, distance = 32) {
  return names.length === 0 ? null : bot.findBlock({ matching: names.map((name) => mcData.blocksByName[name].id), maxDistance: distance })
}

function under (bot) {
  const feet = bot.entity.position.floored()
  for (let up = 2; up < 30; up++) {
    const block = bot.blockAt(feet.offset(0, up, 0))
    if (block && block.boundingBox === 'block' && !/leaves|log/.test(block.name)) return true
  }
  return false
}

// A table or furnace to work at: one that stands near, or one that is carried, put down beside the feet.
async function station (bot, name) {
  const near = seen(bot, [name], held(bot, name) > 0 ? 5 : 32)
  if (near) return near.position
  if (held(bot, name) === 0) return null
  const feet = bot.entity.position.floored()
  for (const [x, z] of SIDES) {
    for (const y of [0, 1]) {
      const place = feet.offset(x, y, z)
      const [there, below] = [bot.blockAt(place), bot.blockAt(place.offset(0, -1, 0))]
      if (!there || below?.boundingBox !== 'block') continue
      if (!OPEN.test(there.name)) {
        if (y !== 1 || there.boundingBox !== 'block' || !await attempt(() => bot.dig(there, true).then(() => true))) continue
      }
      if (await attempt(() => placeItem(bot, name, place).then(() => true))) return place
    }
  }
  return null
}

async function takeBack (bot, name, place) {
  if (!place || bot.blockAt(place)?.name !== name) return
  await attempt(() => mineBlock(bot, name, 1))
}

async function craftAll (bot, steps) {
  let table = null
  for (const [name, times, atTable] of steps) {
    if (atTable && !table) table = await station(bot, 'crafting_table')
    await attempt(() => craftItem(bot, name, times))
  }
  await takeBack(bot, 'crafting_table', table)
}

async function smeltAll (bot, steps) {
  const place = await station(bot, 'furnace')
  if (!place) return
  for (const [name, fuel, count] of steps) await attempt(() => smeltItem(bot, name, fuel, Math.min(count, held(bot, name))))
  await takeBack(bot, 'furnace', place)
}

// What is wanted and in sight, the nearest first; where nothing is, on in that direction. Only below the ground a way is
// dug: to look for one that digs is dear.
async function forage (bot, wants, way, time, most, urgent = [], enough = Infinity) {
  const end = seconds(bot) + time
  const left = { ...wants }
  const lost = new Set()
  let got = 0
  while (seconds(bot) < end && got < most) {
    const names = Object.keys(left).filter((name) => left[name] > 0)
    if (names.length === 0) return
    if (way.y !== null || under(bot)) bot.pathfinder.setMovements(digging(bot))
    // Who wants out of the ground makes no detours through the stone.
    const block = choose(bot, names, lost, urgent, way.y === null && under(bot))
    if (!block) {
      if (!await onward(bot, way, names, lost, end, urgent)) return
      continue
    }
    const taken = await attempt(() => take(bot, block, left[block.name]))
    if (!taken) {
      lost.add(String(block.position))
      // Who gets nowhere by walking digs its way from here on.
      if (lost.size % 3 === 0) bot.pathfinder.setMovements(digging(bot))
      if (lost.size % 3 === 0 && !await onward(bot, way, [], lost, end, [])) return
      continue
    }
    left[block.name] -= taken
    got += taken
    if (urgent.includes(block.name)) enough -= taken
    if (enough <= 0) return
  }
}

// What the next tool waits for comes first, as far as it is in sight; all else only where it lies near meanwhile.
function choose (bot, names, lost, urgent, closed = false) {
  const first = names.filter((name) => urgent.includes(name))
  const others = names.filter((name) => !urgent.includes(name))
  return nearest(bot, first, lost, closed ? 6 : 32) ?? nearest(bot, others, lost, closed ? 6 : first.length > 0 ? 8 : 24)
}

function nearest (bot, names, lost, distance, below = 1) {
  if (names.length === 0) return null
  const eye = Math.floor(bot.entity.position.y)
  const near = bot.findBlocks({ matching: names.map((name) => mcData.blocksByName[name].id), maxDistance: distance, count: 24 })
  // Nobody digs the ground away from under its feet.
  const feet = bot.entity.position.floored()
  const place = near.find((each) => !lost.has(String(each)) && !drowned(bot, each) && each.y >= eye - below && each.y <= eye + 6 && (each.x !== feet.x || each.z !== feet.z || each.y > eye))
  return place ? bot.blockAt(place) : null
}

// What lies under two blocks of water is left there: one drowns over it.
function drowned (bot, place) { return [1, 2].every((up) => /water|kelp|seagrass/.test(bot.blockAt(place.offset(0, up, 0))?.name ?? '')) }

// One block, and those of its kind that a hand reaches from there; then what has fallen.
async function take (bot, block, most) {
  await bot.tool.equipForBlock(block, { requireHarvest: true })
  const at = block.position
  if (bot.entity.position.distanceTo(at) > 3.5) await bot.pathfinder.goto(new GoalNear(at.x, at.y, at.z, 3))
  await bot.dig(block, true)
  let taken = 1
  const others = most > 1 ? bot.findBlocks({ matching: mcData.blocksByName[block.name].id, maxDistance: 4, count: most - 1 }) : []
  const low = Math.floor(bot.entity.position.y)
  for (const place of others) {
    if (place.y < low) continue
    const next = bot.blockAt(place)
    if (next && next.name === block.name && await attempt(() => bot.dig(next, true).then(() => true))) taken++
  }
  await bot.waitForTicks(3)
  await attempt(() => collectDrops(bot, 6))
  return taken
}

async function onward (bot, way, names, lost, end, urgent) {
  const came = await travel(bot, way, names, lost, end, urgent)
  if (came) return true
  bot.pathfinder.setMovements(digging(bot))
  return travel(bot, way, names, lost, end, urgent)
}

// On in that direction; out at sea one turns round, and goes along the shore the next time.
async function stroll (bot, way, time, look) {
  let wet = 0
  const swims = () => { wet = bot.blockAt(bot.entity.position.floored())?.name === 'water' ? wet + 1 : 0; return wet > 3 }
  await attempt(() => exploreUntil(bot, new Vec3(way.x, 0, way.z), time, () => look() || swims()))
  if (wet <= 3) return
  [way.x, way.z] = way.turned ? [-way.z, way.x] : [-way.x, -way.z]
  way.turned = true
}

async function travel (bot, way, names, lost, end, urgent) {
  const time = Math.max(1, Math.min(25, end - seconds(bot)))
  const look = () => choose(bot, names, lost, urgent, way.y === null && under(bot))
  const from = bot.entity.position
  if (way.y !== null && from.y - way.y > 4) await sink(bot, way, seconds(bot) + time, look)
  else if (way.y !== null && way.y - from.y > 4) await rise(bot, seconds(bot) + time, () => look() || bot.entity.position.y > way.y)
  else if (way.y === null && under(bot)) await rise(bot, end, look)
  else await stroll(bot, way, time, look)
  return bot.entity.position.distanceTo(from) > 2 || look()
}

// How ways are dug: with anything at hand that a step can be made of.
function digging (bot) {
  return Object.assign(new Movements(bot, mcData), { scafoldingBlocks: FILLING.map((name) => mcData.itemsByName[name].id) })
}

// On foot a search is cheap, and most of all one that finds nothing.
function walking () { return Object.assign(new Movements(), { canDig: false, allow1by1towers: false }) }

function filling (bot) { return FILLING.reduce((sum, name) => sum + held(bot, name), 0) }

// Out of the ground, straight up through whatever is there: on a pillar of what is carried, else by steps cut into the stone.
async function rise (bot, end, look) {
  const lost = new Set()
  for (let bad = 0; seconds(bot) < end && bad < 4 && (under(bot) || walled(bot)) && !look();) {
    await fillUp(bot, end, lost)
    if (await step(bot)) continue
    bad++
    // In the open there is no wall to cut steps into, and below water no way: somewhere else, through the rock if no other way leads on.
    const from = bot.entity.position
    for (const moves of [walking(), digging(bot)]) {
      bot.pathfinder.setMovements(moves)
      await attempt(() => exploreUntil(bot, new Vec3(SIDES[bad % 4][0], 0, SIDES[bad % 4][1]), 6, () => filling(bot) === 0 && steps(bot).length > 0))
      if (bot.entity.position.distanceTo(from) > 2) break
    }
  }
}

async function step (bot) {
  bot.pathfinder.setMovements(digging(bot))
  const feet = bot.entity.position.floored()
  if (filling(bot) > 0 && await cut(bot, feet, [0, 0])) return true
  for (const side of steps(bot)) if (await cut(bot, feet, side)) return true
  return false
}

// Sides with something to step on to.
function steps (bot) {
  const feet = bot.entity.position.floored()
  return SIDES.slice(0, 4).filter(([x, z]) => bot.blockAt(feet.offset(x, 0, z))?.boundingBox === 'block')
}

// Whether walls stand higher than one jumps, on all sides but that from which one came.
function walled (bot) {
  const feet = bot.entity.position.floored()
  return SIDES.slice(0, 4).filter(([x, z]) => bot.blockAt(feet.offset(x, 1, z))?.boundingBox === 'block').length > 2
}

// Loose ground that one can walk to makes a pillar, and is dug by hand in a moment.
async function fillUp (bot, end, lost) {
  if (filling(bot) > 0 || lost.size > 2) return
  bot.pathfinder.setMovements(walking())
  for (let n = 0; n < 12 && filling(bot) < 24 && lost.size <= 2 && seconds(bot) < end; n++) {
    const block = nearest(bot, LOOSE, lost, 20, 6)
    if (!block || !await attempt(() => take(bot, block, 6))) lost.add(block ? String(block.position) : n)
  }
}

// Down by steps cut into the ground, until that height is reached or something is seen; where no step can be cut, a little further on.
async function sink (bot, way, end, look) {
  for (let turn = way.x !== 0 ? 1 - way.x : 2 - way.z, bad = 0; seconds(bot) < end && bad < 12 && bot.entity.position.y > way.y + 1 && !look();) {
    bot.pathfinder.setMovements(digging(bot))
    if (await cut(bot, bot.entity.position.floored(), SIDES[turn], -1)) { bad = 0; continue }
    [bad, turn] = [bad + 1, (turn + 1) % 4]
    if (bad % 4 !== 0) continue
    bot.pathfinder.setMovements(walking())
    await attempt(() => exploreUntil(bot, new Vec3(SIDES[turn][0], 0, SIDES[turn][1]), 3))
  }
  bot.pathfinder.setMovements(digging(bot))
}

// One step up or down on that side (straight up on none): its cells are dug free; where something flows nobody digs.
async function cut (bot, feet, [x, z], up = 1) {
  const straight = x === 0 && z === 0
  const cells = straight ? [[0, 2, 0]] : up > 0 ? [[0, 2, 0], [x, 1, z], [x, 2, z]] : [[x, 1, z], [x, 0, z], [x, -1, z]]
  if (up < 0 && ![-2, -3, -4].some((y) => bot.blockAt(feet.offset(x, y, z))?.boundingBox === 'block')) return false
  for (const cell of cells) if (!await free(bot, feet.offset(...cell))) return false
  await attempt(() => bot.pathfinder.goto(new GoalBlock(feet.x + x, feet.y + up, feet.z + z)))
  for (let n = 0; n < 10 && !bot.entity.onGround; n++) await bot.waitForTicks(1)
  return (bot.entity.position.y - feet.y) * up > 0.5
}

async function free (bot, place) {
  const beside = [[0, 0, 0], [0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]]
  if (beside.some((by) => /lava|water/.test(bot.blockAt(place.offset(...by))?.name ?? ''))) return false
  for (let n = 0; n < 8 && bot.blockAt(place)?.boundingBox === 'block'; n++) {
    await attempt(() => bot.tool.equipForBlock(bot.blockAt(place), {}))
    if (!await attempt(() => bot.dig(bot.blockAt(place), true).then(() => true))) return false
    await bot.waitForTicks(2)
  }
  return true
}

async function hunt (bot, mob, count, time) {
  for (let n = 0; n < count; n++) if (!await attempt(() => killMob(bot, mob, time))) return
}

async function shear (bot) { await attempt(() => shearSheep(bot)) }

async function milk (bot) { await attempt(() => milkCow(bot)) }

async function angle (bot) { await attempt(() => fish(bot, 4)) }

async function scoop (bot, liquid, vessel) {
  const block = seen(bot, [liquid])
  if (!block) return
  await attempt(() => bot.pathfinder.goto(new GoalNear(block.position.x, block.position.y + 1, block.position.z, 2)))
  await attempt(() => equipItem(bot, vessel))
  await attempt(() => bot.lookAt(block.position.offset(0.5, 0.9, 0.5), true))
  await attempt(() => bot.activateItem())
  await bot.waitForTicks(5)
}

async function rest (bot, bed) {
  const feet = bot.entity.position.floored()
  for (const [x, z] of SIDES) {
    if (await attempt(() => placeItem(bot, bed, feet.offset(x, 0, z)).then(() => true))) break
  }
  await attempt(() => sleepInBed(bot))
  await attempt(() => mineBlock(bot, bed, 1))
}

// What chests of villages and dungeons hold, as far as it was never held or is of use; the nearest chests first.
async function loot (bot, had, useful) {
  const places = bot.findBlocks({ matching: mcData.blocksByName.chest.id, maxDistance: 32, count: 4 })
  for (const place of places) {
    const inside = await attempt(() => checkItemInsideChest(bot, place))
    const wants = Object.entries(inside ?? {}).filter(([name]) => !had.includes(name) || useful.includes(name))
    for (const [name, count] of wants) await attempt(() => getItemFromChest(bot, place, { [name]: Math.min(count, had.includes(name) ? 16 : 2) }))
  }
}

// With the nearest villagers: what they buy for emeralds, of what is left over, then what they sell that was never held.
async function bargain (bot, had, spare) {
  const met = new Set()
  for (let n = 0; n < 3; n++) {
    const villager = bot.nearestEntity((each) => each.name === 'villager' && !met.has(each.id) && each.position.distanceTo(bot.entity.position) < 32)
    if (!villager) return
    met.add(villager.id)
    await attempt(() => bot.pathfinder.goto(new GoalNear(villager.position.x, villager.position.y, villager.position.z, 2)))
    const window = await attempt(() => bot.openVillager(villager))
    if (!window) continue
    for (const selling of [true, false]) await dealAll(bot, window, selling, had, spare)
    window.close()
  }
}

async function dealAll (bot, window, selling, had, spare) {
  for (const [index, trade] of window.trades.entries()) {
    const [asked, got] = [trade.inputItem1.name, trade.outputItem.name]
    const fits = selling ? got === 'emerald' && spare.includes(asked) : asked === 'emerald' && !had.includes(got)
    if (fits && !trade.tradeDisabled) await attempt(() => bot.trade(window, index, 1))
  }
}

// A log is put down, its bark cut off, and it is taken up again.
async function strip (bot, log, axe) {
  const place = await putDown(bot, log)
  if (!place) return
  await attempt(() => equipItem(bot, axe))
  await attempt(() => bot.activateBlock(bot.blockAt(place)))
  await bot.waitForTicks(2)
  await attempt(() => mineBlock(bot, bot.blockAt(place).name, 1))
}

async function putDown (bot, name) {
  const feet = bot.entity.position.floored()
  for (const [x, z] of SIDES) {
    const place = feet.offset(x, 0, z)
    const [there, below] = [bot.blockAt(place), bot.blockAt(place.offset(0, -1, 0))]
    if (!there || !OPEN.test(there.name) || below?.boundingBox !== 'block') continue
    if (await attempt(() => placeItem(bot, name, place).then(() => true))) return place
  }
  return null
}

// A small field, grown at once by bone meal as far as there is any.
async function farm (bot, crop) {
  await attempt(() => tillSoil(bot, 2))
  await attempt(() => plantCrop(bot, crop, 2))
  await attempt(() => boneMealCrop(bot, crop, Math.min(16, held(bot, 'bone_meal'))))
  await attempt(() => harvestCrop(bot, crop, 2, false))
}

// A full pack takes nothing new: what is of the least use is left behind, and one goes away from it, if need be through rock.
async function tidy (bot, names, way) {
  await bot.lookAt(bot.entity.position.offset(-4 * way.x, 1, -4 * way.z), true)
  for (const name of names) await attempt(() => bot.toss(mcData.itemsByName[name].id, null, held(bot, name)))
  bot.pathfinder.setMovements(digging(bot))
  await attempt(() => exploreUntil(bot, new Vec3(way.x, 0, way.z), 4))
}
