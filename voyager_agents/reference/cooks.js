// Work of a cook, in jobs that it does in turn; its plan says which jobs are its own and where goods change hands.
/* global PLAN */

const PASSING = [
  'ItemNotInChest', 'ItemNotInInventory', 'ChestFull', 'InventoryFull', 'NoPath', 'NotReached', 'OutOfReach', 'TimedOut',
  'NoRecipe', 'NotCrafted', 'WindowClosed', 'NotUsed', 'NotOpened'
]
// A smoker cooks food twice as fast as a furnace.
const COOKING_TICKS = { furnace: 200, smoker: 100 }

const has = (bot, name) => bot.inventory.count(mcData.itemsByName[name].id)
const spot = ([x, y, z]) => new Vec3(x, y, z)

// Others take what one was about to take, or stand in the way: then there is something else to do.
async function patiently (bot, job) {
  try {
    return await job()
  } catch (error) {
    if (!PASSING.includes(error.name)) throw error
    await bot.waitForTicks(5)
    return null
  }
}

const times = (names, count) => Object.fromEntries(names.map((name) => [name, count]))
const fewest = (bot, names) => Math.min(...names.map((name) => has(bot, name)))

async function take (bot, from, wanted) {
  const missing = Object.fromEntries(Object.entries(wanted).filter(([, count]) => count > 0))
  if (Object.keys(missing).length > 0) await patiently(bot, () => getItemFromChest(bot, spot(from), missing))
}

// Of what others leave at that shelf for this cook, take enough for a batch of everything: walking there costs most.
async function collect (bot, at) {
  if (at === null) return
  const names = PLAN.takes.filter((goods) => String(PLAN.at[goods]) === String(at)).flatMap((goods) => PLAN.goods[goods])
  await take(bot, at, Object.fromEntries(names.map((name) => [name, PLAN.batch - has(bot, name)])))
}

// Leave at that shelf all that is for others; goods stay with a cook that does the next job itself.
async function pass (bot, at) {
  if (at === null) return
  const names = PLAN.gives.filter((goods) => String(PLAN.at[goods]) === String(at)).flatMap((goods) => PLAN.goods[goods])
  const held = names.filter((name) => has(bot, name) > 0)
  if (held.length === 0) return
  const items = Object.fromEntries(held.map((name) => [name, has(bot, name)]))
  await patiently(bot, () => depositItemIntoChest(bot, spot(at), items))
}

// How many are ready for whoever does the next job.
async function ready (bot, at, name) {
  if (at === null) return has(bot, name)
  const inside = await patiently(bot, () => checkItemInsideChest(bot, spot(at)))
  return inside === null ? Infinity : inside[name] ?? 0
}

async function fetch (bot) {
  if (await ready(bot, PLAN.at.raw, PLAN.raw[0]) >= PLAN.batch) return false
  const wanted = times([...PLAN.raw, ...PLAN.adds], PLAN.batch)
  await take(bot, PLAN.pantry, { ...wanted, [PLAN.fuel]: PLAN.batch - has(bot, PLAN.fuel) })
  const got = fewest(bot, PLAN.raw) > 0
  await pass(bot, PLAN.at.raw)
  await pass(bot, PLAN.at.adds)
  return got
}

const due = PLAN.stoves.map(() => 0)
const loaded = PLAN.stoves.map(() => false)

async function cook (bot) {
  const isDue = (number) => bot.time.age >= due[number]
  const kind = (number) => PLAN.raw[number % PLAN.raw.length]
  // The next load is in hand before the stoves are done, unless they are done now.
  const busy = PLAN.stoves.some((_, number) => isDue(number) && loaded[number])
  if (!busy && fewest(bot, PLAN.raw) < PLAN.batch) await collect(bot, PLAN.at.raw)
  let worked = false
  for (const [number, stove] of PLAN.stoves.entries()) {
    if (!isDue(number) || (!loaded[number] && has(bot, kind(number)) === 0)) continue
    worked = await patiently(bot, () => tend(bot, spot(stove), number, kind(number))) ?? worked
  }
  if (worked) await pass(bot, PLAN.at.cooked)
  return worked
}

// Take out what is done, and put in what is next.
async function tend (bot, stove, number, raw) {
  await bot.pathfinder.goto(new goals.GoalNear(stove.x, stove.y, stove.z, 2))
  const furnace = await bot.openFurnace(bot.blockAt(stove))
  try {
    if (furnace.outputItem() !== null) await furnace.takeOutput()
    let cooking = furnace.inputItem()?.count ?? 0
    const count = Math.min(has(bot, raw), PLAN.load)
    if (cooking === 0 && count > 0) {
      await furnace.putInput(mcData.itemsByName[raw].id, null, count)
      cooking = count
    }
    if (cooking > 0 && furnace.fuelItem() === null && has(bot, PLAN.fuel) > 0) {
      await furnace.putFuel(mcData.itemsByName[PLAN.fuel].id, null, 1)
    }
    loaded[number] = cooking > 0
    due[number] = bot.time.age + (cooking * COOKING_TICKS[bot.blockAt(stove).name])
  } finally {
    await furnace.close()
  }
  return true
}

async function craft (bot) {
  const parts = [...PLAN.cooked, ...PLAN.adds]
  if (fewest(bot, parts) === 0) {
    if (fewest(bot, PLAN.cooked) === 0) await collect(bot, PLAN.at.cooked)
    if (fewest(bot, PLAN.cooked) > 0 && fewest(bot, PLAN.adds) === 0) await collect(bot, PLAN.at.adds)
  }
  const count = fewest(bot, parts)
  if (count === 0) return false
  await patiently(bot, () => craftItem(bot, PLAN.dish, count))
  await pass(bot, PLAN.at.dish)
  return true
}

async function water (bot) {
  if (await ready(bot, PLAN.at.drink, PLAN.drink) >= PLAN.batch) return false
  if (has(bot, PLAN.vessel) === 0) await take(bot, PLAN.vessels, { [PLAN.vessel]: PLAN.batch })
  const before = has(bot, PLAN.drink)
  for (let tries = 0; has(bot, PLAN.vessel) > 0 && tries < 3 * PLAN.batch; tries++) await fill(bot)
  const filled = has(bot, PLAN.drink) - before
  await pass(bot, PLAN.at.drink)
  return filled > 0
}

async function fill (bot) {
  const full = PLAN.well.map(spot).find((at) => bot.blockAt(at)?.name === 'water' && bot.blockAt(at)?.metadata === 0)
  if (full === undefined) return bot.waitForTicks(5)
  await patiently(bot, async () => {
    if (bot.entity.position.distanceTo(full) > 3) {
      await bot.pathfinder.goto(new goals.GoalNear(full.x, full.y + 1, full.z, 2))
    }
    await equipItem(bot, PLAN.vessel)
    await bot.lookAt(full.offset(0.5, 0.9, 0.5), true)
    await bot.activateItem()
    await bot.waitForTicks(3)
  })
}

async function serve (bot) {
  if (has(bot, PLAN.dish) === 0) await collect(bot, PLAN.at.dish)
  if (has(bot, PLAN.dish) > has(bot, PLAN.drink)) await collect(bot, PLAN.at.drink)
  const count = fewest(bot, [PLAN.dish, PLAN.drink])
  if (count === 0) return false
  await patiently(bot, () => depositItemIntoChest(bot, spot(PLAN.counter), times([PLAN.dish, PLAN.drink], count)))
  return true
}

const JOBS = { fetch, cook, craft, water, serve }

async function service (bot) {
  for (;;) {
    let worked = false
    for (const job of PLAN.jobs) worked = await JOBS[job](bot) || worked
    if (!worked) await bot.waitForTicks(10)
  }
}
