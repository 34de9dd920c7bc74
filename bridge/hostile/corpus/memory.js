// @ts-nocheck
// Class memory: more memory than a program may have, in every way that V8 counts differently. Success is a dead host,
// or a program that holds it and goes on.

// attack one-gigabyte-of-strings
// success: 1 GB of text is held
async function attack (bot) {
  const all = []
  for (let i = 0; i < 1024; i++) {
    all.push(('x'.repeat(1 << 20) + i).split('').reverse().join(''))
  }
  claim('1 GB of strings')
}

// attack doubled-string
// success: the longest text that there is
async function attack (bot) {
  let s = 'x'
  for (let i = 0; i < 29; i++) {
    s += s
    s.charCodeAt(s.length >> 1)
  }
  if (new Set([s + 1, s + 2]).size === 2 && s.length > 5e8) claim('512 MB of text')
}

// attack arrays
// success: 300 MB of arrays are held
async function attack (bot) {
  const all = []
  for (let i = 0; i < 300; i++) {
    all.push(new Array(131072).fill(i + 0.5))
  }
  claim('300 MB of arrays')
}

// attack arrays-with-pauses
// success: the same, slowly
async function attack (bot) {
  const all = []
  for (let i = 0; i < 20; i++) {
    for (let j = 0; j < 15; j++) all.push(new Array(131072).fill(i + j + 0.5))
    await bot.waitForTicks(1)
  }
  claim('300 MB of arrays')
}

// attack buffers
// success: 512 MB outside of the heap are held
async function attack (bot) {
  const all = []
  for (let i = 0; i < 64; i++) all.push(new Uint8Array(8 << 20).fill(1))
  claim('512 MB of buffers')
}

// attack one-big-buffer
// success: 2 GB in one piece
async function attack (bot) {
  const one = new ArrayBuffer(2 ** 31)
  new Uint8Array(one).fill(1)
  claim('2 GB in one buffer')
}

// attack growing-buffer
// success: a buffer that grows past the bound
async function attack (bot) {
  const one = new ArrayBuffer(8, { maxByteLength: 2 ** 31 })
  one.resize(2 ** 30)
  new Uint8Array(one).fill(1)
  claim('1 GB in a growing buffer')
}

// attack maps
// success: the host dies of a Map that grows
async function attack (bot) {
  const m = new Map()
  for (let i = 0; i < 2e7; i++) m.set(i, { i })
  claim('20 million entries')
}

// attack sparse-and-split
// success: the host dies of one allocation that V8 cannot refuse
async function attack (bot) { const parts = 'x,'.repeat(3e7).split(','); claim(`${parts.length} parts`) }

// attack regex-matches
// success: the host dies of one allocation that V8 cannot refuse
async function attack (bot) { const found = 'x'.repeat(4e7).match(/x/g); claim(`${found.length} matches`) }

// attack object-keys
// success: the host dies of one allocation that V8 cannot refuse
async function attack (bot) {
  const o = {}
  for (let i = 0; i < 1.5e7; i++) o['k' + i] = i
  claim(`${Object.keys(o).length} keys`)
}

// attack closures-and-promises
// success: promises that nobody settles are held without a bound
async function attack (bot) {
  const all = []
  for (let i = 0; i < 5e6; i++) all.push(new Promise(() => {}).then(() => i))
  claim('5 million promises')
}

// attack webassembly-memory
// success: memory that no bound of the isolate counts
async function attack (bot) {
  const all = []
  for (let i = 0; i < 8; i++) {
    all.push(new WebAssembly.Memory({ initial: 2000, maximum: 4000 }))
    new Uint8Array(all[i].buffer).fill(1)
  }
  claim('1 GB of WebAssembly memory')
}

// attack big-source
// success: compiling text made at run time kills the host
async function attack (bot) { const made = eval('[' + '1,'.repeat(2e7) + ']'); claim(`${made.length} literals`) }

// attack big-arguments
// success: the host takes megabytes of arguments
async function attack (bot) {
  const big = 'x'.repeat(1 << 20)
  await refused('1 MB as the name of a signal', () => sendSignal(bot, CANARY.witness, big))
  await refused('1 MB as a goal', () => bot.pathfinder.setGoal({ x: big, y: 1, z: 1 }))
  await refused('1 MB as movements', () => {
    const moves = new Movements(bot)
    moves.blocksToAvoid = new Set([big])
    moves.note = big
    bot.pathfinder.setMovements(moves)
    return goTo(bot, { x: NaN, y: 0, z: 0 })
  })
  await refused('1 MB of kinds to look for', () =>
    bot.findBlocks({ matching: new Array(300000).fill(1), maxDistance: 4 })
  )
}

// attack big-result
// success: a result of megabytes reaches Python
async function attack (bot) { return { big: 'x'.repeat(8 << 20), again: Array(100000).fill('y') } }

// attack big-error
// success: an error of megabytes reaches Python
async function attack (bot) {
  const error = new Error('x'.repeat(16 << 20))
  error.name = 'n'.repeat(1 << 20)
  throw error
}

// attack log-flood
// success: a program fills the record
async function attack (bot) {
  for (let i = 0; i < 20000; i++) {
    console.log('y'.repeat(5000))
    if (i % 1000 === 0) await bot.waitForTicks(1)
  }
}

// attack action-flood
// success: reports of actions fill the record
async function attack (bot) {
  for (let i = 0; i < 4000; i++) {
    mineBlock(bot, 'z'.repeat(100)).catch(() => {})
    if (i % 40 === 0) await bot.waitForTicks(1)
  }
}
