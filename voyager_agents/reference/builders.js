// Work of a builder: it builds its part of the plan from the shared chest, answers questions about it, and helps.
/* global PLAN, GoalBlock */

const PASSING = [
  'ItemNotInChest', 'ItemNotInInventory', 'InventoryFull', 'NoPath', 'NotReached', 'OutOfReach', 'TimedOut', 'NotPlaced',
  'NotBroken', 'NoTool', 'BlockGone', 'WindowClosed', 'WindowNotOpened', 'ChatRefused', 'LimitExceeded'
]
const QUESTION = 'What is missing of your part?'
// A line of chat has at most 256 characters, and five are said at once.
const CELLS_A_LINE = 10
const LINES = 4
// Passes over the missing blocks, one a second at most, after which nobody else will lay what they stand on.
const PATIENCE = 90
// Questions without a new answer, one in five seconds, after which nothing is left to do.
const QUESTIONS = 12

const chest = new Vec3(...PLAN.chest)
const [[west, ground, north], [east, , south]] = PLAN.site
const chestSide = PLAN.chest[2] < north ? north - 2 : south + 2
const isNorth = (z) => 2 * z < north + south

const at = ([x, y, z]) => new Vec3(x, y, z)
const nameAt = (bot, spot) => bot.blockAt(spot)?.name ?? 'air'
const has = (bot, name) => bot.inventory.count(mcData.itemsByName[name].id)
const missing = (bot, cells) => cells.filter((cell) => nameAt(bot, at(cell)) !== cell[3])

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

// The place north or south of the site that is nearest to a cell.
const outside = ([x, , z]) => [x, isNorth(z) ? north - 2 : south + 2]

// Walk around the site, not through it: among blocks a body gets stuck at corners, and walls itself in.
async function go (bot, [x, z]) {
  const here = bot.entity.position.floored()
  if (isNorth(here.z) !== isNorth(z)) {
    const beside = here.x + x < west + east ? west - 2 : east + 2
    for (const end of [isNorth(here.z) ? north - 2 : south + 2, isNorth(z) ? north - 2 : south + 2]) {
      await bot.pathfinder.goto(new GoalBlock(beside, ground, end))
    }
  }
  await bot.pathfinder.goto(new GoalBlock(x, ground, z))
}

function supported (bot, [x, y, z]) {
  const beside = [[1, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [0, 0, 1], [0, 0, -1]]
  return beside.some(([i, j, k]) => nameAt(bot, new Vec3(x + i, y + j, z + k)) !== 'air')
}

// Take what the cells need and the hands lack, a block at a time, since others share the chest.
async function fetch (bot, cells) {
  for (const name of new Set(cells.map((cell) => cell[3]))) {
    const lacks = cells.filter((cell) => cell[3] === name).length - has(bot, name)
    if (lacks <= 0) continue
    await patiently(bot, async () => {
      await go(bot, [chest.x, chestSide])
      await getItemFromChest(bot, chest, { [name]: lacks })
    })
  }
}

async function lay (bot, cell) {
  const spot = at(cell)
  if (has(bot, cell[3]) === 0 || !supported(bot, cell)) return false
  if (nameAt(bot, spot) !== 'air') {
    await patiently(bot, () => bot.dig(bot.blockAt(spot)))
    if (nameAt(bot, spot) !== 'air') return false
  }
  return await patiently(bot, async () => {
    await go(bot, outside(cell))
    await placeItem(bot, cell[3], spot)
    return true
  }) ?? false
}

// Build these cells from the ground up; what stands on another's part waits for it.
async function build (bot, cells, patience) {
  for (let idle = 0; idle < patience;) {
    const left = missing(bot, cells)
    if (left.length === 0) return
    await fetch(bot, left)
    let laid = 0
    // The cells of one side first: the way around the site is long.
    const near = isNorth(bot.entity.position.z)
    left.sort((one, other) => Number(isNorth(other[2]) === near) - Number(isNorth(one[2]) === near))
    for (const cell of left) laid += await lay(bot, cell) ? 1 : 0
    idle = laid > 0 ? 0 : idle + 1
    if (laid === 0) {
      await patiently(bot, () => go(bot, outside(left[0])))
      await bot.waitForTicks(20)
    }
  }
}

async function buildOwn (bot) {
  await build(bot, PLAN.part, PATIENCE)
  await patiently(bot, () => go(bot, [chest.x, chestSide]))
}

// Say what is missing of the own part, as "block x y z, x y z; block x y z".
async function answer (bot) {
  const left = missing(bot, PLAN.part).slice(0, CELLS_A_LINE * LINES)
  for (let start = 0; start < left.length; start += CELLS_A_LINE) {
    const cells = left.slice(start, start + CELLS_A_LINE)
    const told = [...new Set(cells.map((cell) => cell[3]))].map((name) => {
      const places = cells.filter((cell) => cell[3] === name).map((cell) => cell.slice(0, 3).join(' '))
      return `${name} ${places.join(', ')}`
    })
    await patiently(bot, () => say(bot, `Missing: ${told.join('; ')}`))
  }
}

const heard = new Map()

// Words of others are taken for blocks of the chest in cells of the site, or for nothing.
function hear (text) {
  const [low, high] = PLAN.site
  for (const group of text.slice('Missing: '.length).split('; ')) {
    const [, name, places] = /^([a-z_]+) (.+)$/.exec(group) ?? []
    if (!PLAN.blocks.includes(name)) continue
    for (const place of places.split(', ')) {
      const cell = place.split(' ').map(Number)
      const inside = cell.length === 3 && cell.every((part, axis) =>
        Number.isInteger(part) && part >= low[axis] && part <= high[axis])
      const mine = PLAN.part.some((own) => own.slice(0, 3).join(' ') === cell.join(' '))
      if (inside && !mine) heard.set(cell.join(' '), [...cell, name])
    }
  }
}

function answerQuestions (bot) {
  bot.on('chat', (name, text) => {
    if (!PLAN.others.includes(name)) return
    if (text === QUESTION) answer(bot).catch(() => {})
    else if (text.startsWith('Missing: ')) hear(text)
  })
}

async function tell (bot) {
  for (;;) await bot.waitForTicks(20)
}

async function help (bot) {
  for (let asked = 0; asked < QUESTIONS; asked++) {
    const cells = [...PLAN.part, ...heard.values()].sort((one, other) => one[1] - other[1])
    if (missing(bot, cells).length > 0) {
      // What another's part carries may never come: ask for that part soon.
      await build(bot, cells, 3)
      asked = 0
    }
    await patiently(bot, () => say(bot, QUESTION))
    await bot.waitForTicks(100)
  }
}
