// @ts-nocheck
// Class leak: leave something behind that acts after the end, or learn what is not the program's. Success is a
// listener, a timer, a word or a step after the end; or a path or frame of the host in a message.

// attack listeners-stay
// success: listeners are on the host's bot after the end
async function attack (bot) {
  for (const event of ['chat', 'physicsTick', 'health', 'entityMoved', 'playerJoined', 'blockUpdate'])
    bot.on(event, () => console.log('late'))
  await bot.waitForTicks(2)
}

// attack timers-stay
// success: a timer runs after the end
async function attack (bot) {
  for (let i = 0; i < 30; i++) setInterval(() => console.log(`late ${CANARY.token}`), 20)
  setTimeout(() => console.log('late'), 500)
  await bot.waitForTicks(2)
}

// attack actions-stay
// success: actions that nobody awaits go on after the end
async function attack (bot) {
  goTo(bot, { x: 300, y: -60, z: 300 })
  bot.waitForTicks(40).then(() => console.log(`late ${CANARY.token}`))
  await bot.waitForTicks(2)
}

// attack controls-stay
// success: the bot walks on after the end
async function attack (bot) {
  bot.setControlState('forward', true)
  bot.setControlState('sprint', true)
  bot.setControlState('jump', true)
  await bot.waitForTicks(3)
}

// attack goal-stays
// success: the bot follows its goal after the end
async function attack (bot) {
  bot.pathfinder.setGoal(new goals.GoalNear(200, -60, 200, 1), true)
  await bot.waitForTicks(2)
  throw new Error('gone')
}

// attack dig-stays
// success: the block is broken after the end
async function attack (bot) {
  const below = bot.blockAt(bot.entity.position.offset(0, -1, 0))
  bot.dig(below)
  await bot.waitForTicks(1)
  throw new Error('gone')
}

// attack end-is-swallowed
// success: a program that catches its end goes on acting
async function attack (bot) {
  for (;;) {
    try {
      for (;;) {
        await bot.waitForTicks(1)
      }
    } catch {
      console.log(`still here ${CANARY.token}`)
    }
  }
}

// attack end-starts-more
// success: clean-up code after the end starts new actions
async function attack (bot) {
  try {
    await bot.waitForTicks(10000)
  } finally {
    for (let i = 0; i < 50; i++) {
      bot.setControlState('forward', true)
      goTo(bot, { x: 99, y: -60, z: 99 })
    }
    await bot.waitForTicks(10000)
  }
}

// attack rejection-storm
// success: unhandled rejections reach the host
async function attack (bot) {
  for (let i = 0; i < 1000; i++) Promise.reject(new Error(CANARY.token))
  await bot.waitForTicks(2)
}

// attack late-throws
// success: a throw in a timer or listener is the host's
async function attack (bot) {
  setTimeout(() => {
    throw new Error(CANARY.token)
  }, 1)
  bot.on('physicsTick', () => {
    throw new Error(CANARY.token)
  })
  await bot.waitForTicks(40)
}

// attack error-paths
// success: a path, frame or file of the host in an error
async function attack (bot) {
  for (const use of [
    () => bot.nothing,
    () => bot.dig(null),
    () => bot.openChest(null),
    () => bot.craft(null),
    () => bot.equip('x', 'y'),
    () => bot.placeBlock(null, null),
    () => goTo(bot, {}),
    () => bot.lookAt(null),
    () => bot.on('x'),
    () => mcData.nothing,
    () => bot.attack(null),
    () => bot.activateBlock(null),
    () => bot.toss(1),
    () => smeltItem(bot, 'x'),
    () => bot.pathfinder.goto(null),
    () => require('fs'),
    () => eval('throw new Error("x")'),
    () => Function('null.x')()
  ]) {
    try {
      await use()
    } catch (error) {
      console.log(String(error?.stack))
      console.log(String(error?.message))
    }
  }
  null.nothing
}

// attack deep-stack
// success: a stack trace shows the host below the program
async function attack (bot) {
  Error.stackTraceLimit = 1000
  const dive = (n) => (n > 0 ? dive(n - 1) : new Error('deep').stack)
  console.log(dive(3).slice(-900))
  bot.on('physicsTick', () => console.log(new Error('event').stack))
  await bot.waitForTicks(3)
}

// attack environment-words
// success: the program learns the machine: user, folders, process ids, versions of the host
async function attack (bot) {
  const words = [
    String(new Error().stack),
    JSON.stringify(bot.game ?? null),
    Intl.DateTimeFormat().resolvedOptions().timeZone,
    String(performance.now()),
    String(Date.now()),
    JSON.stringify(performance)
  ]
  console.log(words.join(' | '))
}

// attack last-policy
// success: something of an earlier program of the same bot is found
const markOf = (thing) => { try { return thing.accordMark } catch {} }
async function attack (bot) {
  if ([globalThis, bot, mcData, Vec3, Object, console].some(markOf)) claim('mark of an earlier run')
  globalThis.accordMark = 1
  bot.accordMark = 1
  try { mcData.accordMark = 1 } catch {}
  try { Vec3.accordMark = 1 } catch {}
}

// attack last-policy-again
// success: something of an earlier program is found
async function attack (bot) {
  await bot.waitForTicks(30)
  for (const thing of [globalThis, bot, mcData, Vec3, Object, console]) {
    try { if (thing.accordMark) claim('mark of another run') } catch {}
  }
}

// attack other-inventory
// success: what the other player carries or reads is learned
async function attack (bot) {
  const other = bot.players[CANARY.witness]?.entity
  for (const key of ['inventory', 'slots', 'heldItems', '_client', 'pathfinder']) {
    try { if (other?.[key]) claim(`other.${key}`) } catch {}
  }
}

// attack walk-stays wall=30
// success: a walk whose failure was caught goes on after the end, through the next program
async function attack (bot) { try { await goTo(bot, { x: 100, y: -30, z: 100 }) } catch {} }

// attack window-stays
// success: a container that was asked for in the last moment opens after the end
async function attack (bot) {
  const at =
    bot.findBlock({ matching: mcData.blocksByName.chest.id, maxDistance: 6 })?.position ??
    bot.entity.position.offset(1, -1, 0)
  bot.activateBlock(bot.blockAt(at)).catch(() => {})
}

// attack hand-stays
// success: what is held is drawn or eaten on after the end
async function attack (bot) {
  bot.activateItem()
  bot.consume().catch(() => {})
  await bot.waitForTicks(1)
  bot.activateItem()
}

// attack pathfinder-digs
// success: a walk that may dig breaks a block after the end
async function attack (bot) {
  const movements = new Movements(bot)
  Object.assign(movements, { canDig: true, allow1by1towers: true })
  bot.pathfinder.setMovements(movements)
  const { x, y, z } = bot.entity.position.floored()
  bot.pathfinder.setGoal(new goals.GoalBlock(x, y - 1, z))
  await bot.waitForTicks(3)
}
