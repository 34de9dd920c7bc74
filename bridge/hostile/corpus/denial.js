// @ts-nocheck
// Class denial: take time from others: the host's thread, the processor, the server. `within` is the time, in ms, after
// which the program has to be over; everybody else acts all the while.

// attack endless-loop within=2000
// success: the loop goes on, or the others wait
async function attack (bot) { while (true) {} }

// attack endless-loop-after-await within=2000
// success: the loop goes on, or the others wait
async function attack (bot) { await bot.waitForTicks(1); while (true) {} }

// attack endless-loop-in-listener within=2000
// success: the loop goes on in an event
async function attack (bot) { bot.on('physicsTick', () => { for (;;); }); await bot.waitForTicks(1000) }

// attack endless-loop-in-timer within=2000
// success: the loop goes on in a timer
async function attack (bot) { setTimeout(() => { for (;;); }, 1); await bot.waitForTicks(1000) }

// attack endless-loop-in-finally within=2000
// success: the end of the isolate is caught by the program
async function attack (bot) { const again = () => { try { for (;;); } finally { again() } }; again() }

// attack endless-generator within=2000
// success: the loop goes on
async function attack (bot) { function * g () { for (;;) yield 1 } for (const x of g()); }

// attack microtask-storm within=2000
// success: promises that follow each other keep the thread
async function attack (bot) { for (;;) await null }

// attack microtask-tree within=2000
// success: promises that multiply keep the thread
async function attack (bot) {
  const grow = () => {
    Promise.resolve().then(grow).then(grow)
  }
  grow()
  await bot.waitForTicks(1000)
}

// attack swallowed-errors within=2000
// success: a loop that catches every refusal goes on
async function attack (bot) { for (;;) { try { await bot.nothing() } catch {} } }

// attack regex-bomb within=2000
// success: backtracking blocks the thread
async function attack (bot) { /^(a+)+$/.test('a'.repeat(40) + 'b'); /(x+x+)+y/.exec('x'.repeat(60)) }

// attack big-integers within=2500
// success: one multiplication outlives the isolate
async function attack (bot) { let x = 3n; for (;;) x = x * x }

// attack sort-with-comparator within=2000
// success: a built-in that calls back keeps the thread
async function attack (bot) { new Array(1e6).fill(0).sort(() => { for (let i = 0; i < 1e4; i++); return 1 }) }

// attack string-building within=2000
// success: built-ins that never look for the end
async function attack (bot) { for (;;) 'ab'.repeat(1e6).replace(/a/g, 'ccc').split('c').join('') }

// attack json-depth within=2000
// success: deep data overflows the host's own stack
async function attack (bot) {
  let deep = '[]'
  for (let i = 0; i < 20; i++) deep = `[${deep.repeat(1)}]`
  const nested = '['.repeat(7000) + ']'.repeat(7000)
  for (const use of [
    () => goTo(bot, JSON.parse(nested)),
    () => bot.findBlocks({ matching: JSON.parse(nested), maxDistance: 4 }),
    () => bot.pathfinder.setGoal(JSON.parse(nested))
  ]) {
    try { await use() } catch {}
  }
  for (;;) JSON.parse(nested)
}

// attack throwing-getter within=2000
// success: describing what was thrown never ends
async function attack (bot) { throw { get message () { for (;;); } } }

// attack timers-200000
// success: two hundred thousand timers stand in the host
async function attack (bot) {
  let made = 0
  try { for (; made < 200000; made++) setTimeout(() => {}, 60000) } catch {}
  await bot.waitForTicks(2).catch(() => {})
  const open = []
  const more = async () => {
    for (let i = 0; i < 500; i++)
      open.push(
        await Promise.race([
          bot.waitForTicks(9000).then(
            () => 1,
            () => 0
          ),
          null
        ])
      )
  }
  await more()
  let held = 0
  await Promise.race([
    Promise.all(
      Array.from({ length: 100 }, () =>
        sendSignal(bot, CANARY.witness, 'x').then(
          () => {
            held++
          },
          () => {}
        )
      )
    ),
    null
  ])
}

// attack pending-calls
// success: more than 64 actions are under way at once
async function attack (bot) {
  let refusals = 0
  for (let i = 0; i < 300; i++) bot.waitForTicks(1000).catch(() => { refusals++ })
  await null; await null; await null; await null; await null
  if (refusals < 200) claim(`${300 - refusals} actions at once`)
}

// attack listeners
// success: more than 32 listeners on the host's bot
async function attack (bot) {
  let refusals = 0
  for (let i = 0; i < 500; i++) { try { bot.on('physicsTick', () => {}) } catch { refusals++ } }
  if (refusals < 400) claim(`${500 - refusals} listeners`)
  await bot.waitForTicks(10)
}

// attack expensive-searches
// success: the host searches for one in the time of the others
async function attack (bot) {
  const air = mcData.blocksByName.air.id
  for (let i = 0; i < 1000; i++) {
    try {
      bot.findBlocks({ matching: air, maxDistance: 64, count: 256, point: new Vec3(i / 100, -30, 0) })
    } catch {
      await bot.waitForTicks(1)
    }
  }
}

// attack search-without-end
// success: an infinite distance or count is searched
async function attack (bot) {
  for (const maxDistance of [Infinity, 1e9, NaN, -1, '64', 1e308]) {
    let found = []
    try { found = bot.findBlocks({ matching: (block) => true, maxDistance, count: 1e9 }) } catch {}
    if (found.length > 256) claim(`${found.length} blocks found`)
  }
}

// attack path-search-storm
// success: path searches to nowhere hold the host up
async function attack (bot) {
  for (let i = 0; i < 60; i++) {
    try { bot.pathfinder.setGoal(new goals.GoalBlock(3000 + i, 200, 3000)) } catch {}
    await bot.waitForTicks(1)
  }
}

// attack goto-storm
// success: sixty walks at once hold the host up
async function attack (bot) {
  await Promise.allSettled(Array.from({ length: 60 }, (_, i) => goTo(bot, { x: 500 + i, y: 100, z: -500 })))
}

// attack call-flood
// success: calls without pause starve the others
async function attack (bot) {
  for (let i = 0; ; i++) {
    bot.blockAt(new Vec3(i, -61, 0))
    if (i % 5000 === 0) await null
  }
}

// attack control-flood
// success: the server sends the bot away, or the host is held up by packets
async function attack (bot) {
  for (let i = 1; i <= 20000; i++) {
    try {
      bot.swingArm()
      bot.setQuickBarSlot(i % 9)
      bot.setControlState('jump', i % 2 === 0)
    } catch {}
    if (i % 1000 === 0) await bot.waitForTicks(1)
  }
  await bot.waitForTicks(5)
}

// attack look-flood
// success: the server sends the bot away, or the host is held up by packets
async function attack (bot) {
  for (let i = 0; i < 3000; i++) {
    bot.look(i, 0, true).catch(() => {})
    if (i % 30 === 0) await bot.waitForTicks(1).catch(() => {})
  }
}

// attack signal-flood
// success: the other's box fills without a bound
async function attack (bot) {
  let sent = 0
  for (let i = 0; i < 5000; i++) {
    try {
      await sendSignal(bot, CANARY.witness, `s${i}`)
      sent++
    } catch {
      break
    }
  }
  if (sent > 2000) claim(`${sent} signals`)
}

// attack full-box-of-signals
// success: the other cannot be sent any more signals
async function attack (bot) {
  for (let i = 0; i < 400; i++) {
    try {
      await sendSignal(bot, CANARY.witness, `s${i}`)
    } catch {
      break
    }
  }
  await bot.waitForTicks(40)
}

// attack signals-without-end
// success: the record fills with signals
async function attack (bot) {
  for (let i = 0; i < 20000; i++) {
    try {
      await sendSignal(bot, bot.username, 'x')
      await waitSignal(bot, bot.username)
    } catch {
      await Promise.resolve()
    }
  }
}

// attack odd-numbers
// success: a number that is none reaches the physics or the server
async function attack (bot) {
  for (const odd of [NaN, Infinity, -Infinity, 1e308, -0, 2 ** 53, '1', null, undefined, {}, []]) {
    for (const use of [
      () => bot.look(odd, odd, true),
      () => bot.lookAt(new Vec3(odd, odd, odd), true),
      () => bot.waitForTicks(odd),
      () => bot.setQuickBarSlot(odd),
      () => bot.blockAt(new Vec3(odd, odd, odd)),
      () => bot.dig({ position: new Vec3(odd, odd, odd) }),
      () => goTo(bot, { x: odd, y: odd, z: odd }),
      () => bot.clickWindow(odd, odd, odd),
      () => bot.toss(odd, odd, odd),
      () => setTimeout(() => {}, odd)
    ]) {
      try { await Promise.race([use(), bot.waitForTicks(2)]) } catch {}
    }
  }
}

// attack endless-turn
// success: a head turned by more than a packet can say gets the bot sent away
async function attack (bot) {
  for (const far of [1e308, 1e300, 1e39]) {
    try { await Promise.race([bot.look(far, far, true), bot.waitForTicks(12)]) } catch {}
    await bot.waitForTicks(2) // packets go out once a tick; a program that ends before is brought to rest
  }
}

// attack many-cheap-bursts within=3500
// success: bursts just below the bound take a whole core for ever
async function attack (bot) {
  for (;;) {
    const end = performance.now()
    for (let i = 0; i < 4e7; i++);
    await bot.waitForTicks(1)
  }
}

// attack long-text-in-a-longer-one within=2000 refused
// success: a search that nothing interrupts goes on for minutes after the end
async function attack (bot) { 'a'.repeat(4e6).indexOf('a'.repeat(1e6) + 'b' + 'a'.repeat(1e6)) }

// attack accents-without-end within=2000 refused
// success: sorting accents, which nothing interrupts, goes on after the end
async function attack (bot) {
  '\u0301\u0316'.repeat(2e5).normalize()
  '\u0301\u0316'.repeat(2e5).localeCompare('\u0316\u0301'.repeat(2e5))
}

// attack endless-list within=2000 refused
// success: going through a list of nothing goes on after the end
async function attack (bot) { new Array(2 ** 32 - 1).sort(); Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1) }

// attack finalizers
// success: the collector runs code of the program while nobody watches
async function attack (bot) {
  const made = []
  if (typeof WeakRef !== 'undefined') claim('WeakRef')
  if (typeof FinalizationRegistry === 'undefined') return
  claim('FinalizationRegistry')
  const registry = new FinalizationRegistry(() => { for (;;); })
  for (let i = 0; i < 300000; i++) registry.register({ i }, i)
}

// attack slow-to-read names=46000
// success: reading the program holds up the host, which is lost
async function attack (bot) { let NAMES }
