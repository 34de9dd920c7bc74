'use strict'
/**
 * A person at a Minecraft client, played by mineflayer. Told what to do on standard input, one JSON line each; tells
 * what it reads and has on standard output.
 *
 * usage: person.js PORT NAME
 */
const readline = require('node:readline')
const mineflayer = require('mineflayer')

const [port, name] = process.argv.slice(2)
/** @type {any} */
let bot = null

/** @param {object} line */
function tell (line) { process.stdout.write(JSON.stringify(line) + '\n') }

/** @param {any} item @returns {string[]} what stands in a written book */
function pages (item) {
  return (item?.nbt?.value.pages?.value.value ?? []).map((/** @type {string} */ page) => JSON.parse(page).text)
}

/** @type {Record<string, (given: any) => unknown>} */
const ACTS = {
  join () {
    bot = mineflayer.createBot({ host: '127.0.0.1', port: Number(port), username: name, version: '1.20.4',
      auth: 'offline' })
    bot.once('spawn', () => tell({ here: true }))
    bot.on('messagestr', (/** @type {string} */ text) => tell({ read: text }))
    bot.once('end', () => tell({ here: false }))
    bot.on('error', (/** @type {Error} */ error) => tell({ error: error.message }))
  },
  say: (text) => bot.chat(text),
  leave: () => bot.quit(),
  look () {
    tell({ mode: bot.game.gameMode, hand: pages(bot.heldItem), other: pages(bot.inventory.slots[45]),
      items: bot.inventory.items().map((/** @type {any} */ each) => each.name) })
  },
  async toss (item) {
    await bot.toss(bot.registry.itemsByName[item].id, null, 1)
    tell({ tossed: item })
  },
  end () {
    bot?.quit()
    process.exit(0)
  }
}

readline.createInterface({ input: process.stdin }).on('line', async (line) => {
  const [what, given] = JSON.parse(line)
  try {
    await ACTS[what](given)
  } catch (error) {
    tell({ error: `${what}: ${/** @type {Error} */ (error).message}` })
  }
}).on('close', () => process.exit(0))
