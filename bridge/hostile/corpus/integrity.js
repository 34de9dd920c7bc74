// @ts-nocheck
// Class integrity: change what others rely on: built-ins of the host, other bots, the registry, results of primitives.

// attack pollute-object-prototype
// success: a member of Object.prototype appears in the host
async function attack (bot) {
  for (const take of [
    () => Object.prototype,
    () => bot.__proto__,
    () => Object.getPrototypeOf(bot),
    () => JSON.parse('{"__proto__":{}}').__proto__
  ]) {
    try { take().accordPolluted = CANARY.token } catch {}
  }
  try { Object.assign(Object.prototype, { toJSON: () => 'x' }) } catch {}
}

// attack pollute-by-arguments
// success: __proto__ in plain data that crosses is merged by the host
async function attack (bot) {
  const bad = () =>
    JSON.parse(
      `{"__proto__":{"accordPolluted":"${CANARY.token}"},"constructor":{"prototype":{"accordPolluted":1}},` +
        '"x":1,"y":2,"z":3}'
    )
  for (const use of [
    () => bot.pathfinder.setGoal(bad()),
    () => goTo(bot, bad()),
    () => bot.findBlocks(bad()),
    () => bot.lookAt(bad()),
    () => bot.equip(bad(), 'hand')
  ]) {
    try { await use() } catch {}
  }
}

// attack pollute-by-names
// success: a name such as __proto__ is looked up in a table of the host
async function attack (bot) {
  for (const name of ['__proto__', 'constructor', 'prototype', 'hasOwnProperty', '__defineGetter__', 'toString']) {
    for (const use of [
      () => bot.on(name, () => {}),
      () => bot.setControlState(name, true),
      () => sendSignal(bot, name, 'x'),
      () => sendSignal(bot, CANARY.witness, name),
      () => mineBlock(bot, name),
      () => craftItem(bot, name),
      () => bot.equip(1, name),
      () => bot.players[name].entity,
      () => mcData.blocksByName[name].id
    ]) {
      try { await use() } catch {}
    }
  }
}

// attack replace-built-ins
// success: a replaced built-in of the isolate is used by the host, or makes a primitive lie
async function attack (bot) {
  for (const [owner, key] of [
    [JSON, 'stringify'], [JSON, 'parse'], [Array.prototype, 'map'], [Array.prototype, 'push'], [Map.prototype, 'get'],
    [Map.prototype, 'set'], [Promise.prototype, 'then'], [String.prototype, 'slice'], [Object, 'entries'],
    [Math, 'max']
  ]) {
    const before = owner[key]
    try {
      owner[key] = function (...args) {
        return before.apply(this, args)
      }
    } catch {}
    if (owner[key] !== before) claim(`${key} was replaced`)
  }
}

// attack replace-globals
// success: primitives or the bootstrap use a global that the program replaced
async function attack (bot) {
  globalThis.Promise = class {}
  globalThis.JSON = { stringify: () => '[]', parse: () => ({}) }
  globalThis.Error = class {}
  globalThis.Map = null
  await bot.waitForTicks(1)
}

// attack replace-bot-members
// success: the program's own functions stand in for the bot's
async function attack (bot) {
  for (const name of ['chat', 'dig', 'entity', 'inventory', 'pathfinder', 'username', 'registry']) {
    await refused(`bot.${name} replaced`, () => {
      'use strict'
      const before = bot[name]
      bot[name] = () => {}
      if (bot[name] === before) throw new Error('kept')
    })
  }
}

// attack redefine-bot
// success: the bot's proxy can be redefined, frozen or given another prototype
async function attack (bot) {
  await refused('defineProperty', () => Object.defineProperty(bot, 'chat', { value: () => {} }))
  await refused('setPrototypeOf', () => Object.setPrototypeOf(bot, {}))
  try { Object.freeze(bot) } catch {}
}

// attack other-bot-by-player
// success: the other player's bot is reachable from what one sees of it
async function attack (bot) {
  const other = bot.players[CANARY.witness]
  for (const value of [other, other?.entity, bot.nearestEntity(), ...Object.values(bot.entities)]) {
    await follow(value)
    for (const verb of ['chat', 'setControlState', '_client', 'quit', 'end', 'emit']) {
      try { if (value?.[verb]) claim(`other.${verb}`) } catch {}
    }
  }
}

// attack other-bot-username
// success: being called like the other player gives its rights
async function attack (bot) {
  await refused('username', () => {
    'use strict'
    bot.username = CANARY.witness
    if (bot.username !== CANARY.witness) throw new Error('kept')
  })
  try { Object.defineProperty(bot.entity, 'username', { value: CANARY.witness }) } catch {}
  await say(bot, CANARY.token)
}

// attack change-shared-data
// success: what one program writes into data of the world is seen by another
async function attack (bot) {
  try { mcData.blocksByName.stone.hardness = -1 } catch {}
  try { mcData.itemsByName.diamond.name = CANARY.token } catch {}
  try { bot.entity.position.x = 1e9; bot.entity.velocity.y = 1e9 } catch {}
  try { bot.inventory.slots[36] = { type: 1, name: 'diamond', count: 64 } } catch {}
  try { bot.blockAt(bot.entity.position).stateId = 1 } catch {}
  await bot.waitForTicks(10)
}

// attack kick-the-other
// success: the other player loses its connection
async function attack (bot) {
  for (const use of [
    () => bot.quit('x'),
    () => bot.end(),
    () => bot._client.end(),
    () => bot.players[CANARY.witness].entity.quit(),
    () => bot.kick(CANARY.witness)
  ]) {
    try { await use() } catch {}
  }
}

// attack emit-on-the-bot
// success: events can be raised on the host's emitter
async function attack (bot) {
  for (const event of ['error', 'end', 'kicked', 'death', 'spawn', 'physicsTick', 'chat', 'inject_allowed', 'login']) {
    try { bot.emit(event, new Error(CANARY.token)); claim(`emit ${event}`) } catch {}
    try { bot._events[event](); claim(`_events ${event}`) } catch {}
  }
}

// attack remove-host-listeners
// success: removeAllListeners takes away what the host listens to
async function attack (bot) {
  bot.removeAllListeners()
  for (const event of ['physicsTick', 'death', 'end', 'error', 'move', 'windowOpen', 'chat']) {
    try {
      bot.removeAllListeners(event)
      bot.off(event, () => {})
    } catch {}
  }
}

// attack load-plugin
// success: code of the program is called with the host's bot
async function attack (bot) {
  for (const use of [
    () => bot.loadPlugin((real) => follow(real)),
    () => bot.loadPlugins([(real) => follow(real)]),
    () => bot.hasPlugin(() => {})
  ]) {
    try { await use() } catch {}
  }
}

// attack predicates
// success: a predicate is called by the host with the host's objects
async function attack (bot) {
  const seen = []
  const spy = function (...args) {
    seen.push(this, ...args)
    return false
  }
  for (const use of [
    () => bot.findBlocks({ matching: spy, maxDistance: 8 }),
    () => bot.findBlock({ matching: [2], useExtraInfo: spy, maxDistance: 8 }),
    () => bot.nearestEntity(spy),
    () => exploreUntil(bot, new Vec3(1, 0, 0), 1, spy)
  ]) {
    try { await use() } catch {}
  }
  for (const value of seen.slice(0, 20)) await follow(value)
}

// attack movements-and-goals
// success: functions of a goal or of movements run in the host
async function attack (bot) {
  class Mine extends goals.Goal {
    heuristic () {
      follow(arguments.callee.caller)
      return 0
    }
    isEnd () {
      follow(this)
      return true
    }
    hasChanged () {
      return true
    }
  }
  try { await bot.pathfinder.goto(new Mine()) } catch {}
  try {
    const moves = new Movements(bot)
    moves.exclusionAreasStep = [
      (block) => {
        follow(block)
        return 0
      }
    ]
    moves.getNeighbors = () => {
      follow(arguments.callee?.caller)
      return []
    }
    bot.pathfinder.setMovements(moves)
    bot.pathfinder.setGoal(new goals.GoalNear(3, -60, 3, 1))
  } catch {}
}
