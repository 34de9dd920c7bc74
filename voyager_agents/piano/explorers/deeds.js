// What explorers do, by the primitives alone: each deed is a function that a small program calls with plain numbers.
/* global GoalNear, Movements */

const SIDES = [[1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1]]
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
  const near = seen(bot, [name], 5)
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
async function forage (bot, wants, way, time, most) {
  const end = seconds(bot) + time
  const left = { ...wants }
  const lost = new Set()
  let got = 0
  while (seconds(bot) < end && got < most) {
    const names = Object.keys(left).filter((name) => left[name] > 0)
    if (names.length === 0) return
    if (way.y !== null || under(bot)) bot.pathfinder.setMovements(new Movements(bot, mcData))
    const block = choose(bot, names, lost)
    if (!block) {
      if (!await onward(bot, way, names, lost, end)) return
      continue
    }
    const taken = await attempt(() => take(bot, block, left[block.name]))
    if (!taken) {
      lost.add(String(block.position))
      // Who gets nowhere by walking digs its way from here on.
      if (lost.size % 3 === 0) bot.pathfinder.setMovements(new Movements(bot, mcData))
      if (lost.size % 3 === 0 && !await onward(bot, way, [], lost, end)) return
      continue
    }
    left[block.name] -= taken
    got += taken
  }
}

function choose (bot, names, lost) {
  if (names.length === 0) return null
  const eye = Math.floor(bot.entity.position.y)
  const near = bot.findBlocks({ matching: names.map((name) => mcData.blocksByName[name].id), maxDistance: 24, count: 24 })
  // Nobody digs the ground away from under its feet.
  const feet = bot.entity.position.floored()
  const place = near.find((each) => !lost.has(String(each)) && each.y >= eye - 1 && each.y <= eye + 6 && (each.x !== feet.x || each.z !== feet.z || each.y > eye))
  return place ? bot.blockAt(place) : null
}

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

async function onward (bot, way, names, lost, end) {
  const came = await travel(bot, way, names, lost, end)
  if (came) return true
  bot.pathfinder.setMovements(new Movements(bot, mcData))
  return travel(bot, way, names, lost, end)
}

async function travel (bot, way, names, lost, end) {
  const time = Math.max(1, Math.min(25, end - seconds(bot)))
  const look = () => choose(bot, names, lost)
  const from = bot.entity.position
  if (way.y !== null && Math.abs(from.y - way.y) > 4) await attempt(() => exploreUntil(bot, new Vec3(0, Math.sign(way.y - from.y), 0), time, () => look() || Math.abs(bot.entity.position.y - way.y) <= 4))
  else if (way.y === null && under(bot)) await attempt(() => exploreUntil(bot, new Vec3(0, 1, 0), time, () => look() || !under(bot)))
  else await attempt(() => exploreUntil(bot, new Vec3(way.x, 0, way.z), time, look))
  return bot.entity.position.distanceTo(from) > 2 || look()
}

async function hunt (bot, mob, count) {
  for (let n = 0; n < count; n++) if (!await attempt(() => killMob(bot, mob, 25))) return
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

// A full pack takes nothing new: what is of the least use is left behind.
async function tidy (bot, names, way) {
  for (const name of names) await attempt(() => bot.toss(mcData.itemsByName[name].id, null, held(bot, name)))
  await attempt(() => exploreUntil(bot, new Vec3(way.x, 0, way.z), 4))
}
