'use strict'
/**
 * A stage for policies: stand-ins for the primitives over a chest and piles of ore. Reads JSON on standard input
 * ({policies, chest, ores}), writes JSON ({items, mined, chest, chat, errors}). Every call takes a turn, so that the
 * policies interleave the same way each time.
 */
const fs = require('node:fs')
const vm = require('node:vm')

const { policies, chest, ores } = JSON.parse(fs.readFileSync(0, 'utf8'))
const players = Object.keys(policies)
const items = Object.fromEntries(players.map((name) => [name, {}]))
const mined = Object.fromEntries(players.map((name) => [name, {}]))
const chat = []
const errors = {}
const running = new Set(players)
const signals = Object.fromEntries(players.map((name) => [name, []]))

class Vec3 { constructor (x, y, z) { Object.assign(this, { x, y, z }) } }

const named = (name, message) => Object.assign(new Error(message), { name })
const turn = (count = 1) => count <= 0
  ? Promise.resolve()
  : new Promise((resolve) => setImmediate(() => resolve(turn(count - 1))))

/** Return the globals of a player's policy. */
function scope (me) {
  const move = (from, to, wanted) => {
    const moved = {}
    for (const [name, count] of Object.entries(wanted)) {
      moved[name] = Math.min(from[name] ?? 0, count)
      from[name] = (from[name] ?? 0) - moved[name]
      to[name] = (to[name] ?? 0) + moved[name]
    }
    return moved
  }
  const harvests = (block) => ores[block].tools.some((tool) => (items[me][tool] ?? 0) > 0)
  return {
    Vec3,
    async getItemFromChest (bot, position, wanted) {
      if (!(position instanceof Vec3)) throw named('BadArgument', 'position')
      await turn(3)
      const got = move(chest, items[me], wanted)
      if (Object.values(got).every((count) => count === 0)) throw named('ItemNotInChest', 'nothing')
      return got
    },
    async depositItemIntoChest (bot, position, given) {
      await turn(3)
      const put = move(items[me], chest, given)
      if (Object.values(put).every((count) => count === 0)) throw named('ItemNotInInventory', 'nothing')
      return put
    },
    async mineBlock (bot, block, count) {
      if (!(block in ores)) throw named('UnknownName', block)
      if (!harvests(block)) throw named('NoTool', block)
      let done = 0
      for (; done < count; done++) {
        await turn(2)
        if (ores[block].count === 0) break
        ores[block].count--
        mined[me][block] = (mined[me][block] ?? 0) + 1
        items[me][ores[block].item] = (items[me][ores[block].item] ?? 0) + 1
      }
      if (done === 0) throw named('BlockNotFound', block)
      return { mined: done, obtained: { [ores[block].item]: done } }
    },
    async sendSignal (bot, to, name) {
      if (!(to in signals)) throw named('UnknownPlayer', to)
      signals[to].push({ from: me, name })
    },
    async waitSignal (bot, name) {
      for (;;) {
        const index = signals[me].findIndex((signal) => signal.name === name || signal.from === name)
        if (index >= 0) return signals[me].splice(index, 1)[0]
        if (running.size < 2) throw named('SenderEnded', name)
        await turn()
      }
    },
    async say (bot, text) { chat.push([me, text]) }
  }
}

async function play (me) {
  const context = vm.createContext(scope(me))
  const main = vm.runInContext(`'use strict';(${policies[me].replace(/^\/\/.*\n/, '').trim()})`, context)
  try {
    await main({ waitForTicks: (ticks) => turn(ticks) })
  } catch (error) {
    errors[me] = `${error.name}: ${error.message}`
  } finally {
    running.delete(me)
  }
}

const nonzero = (counts) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
Promise.all(players.map(play)).then(() => {
  const held = Object.fromEntries(players.map((name) => [name, nonzero(items[name])]))
  process.stdout.write(JSON.stringify({ items: held, mined, chest: nonzero(chest), chat, errors }))
})
