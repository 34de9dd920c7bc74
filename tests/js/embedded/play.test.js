'use strict'
/** Players' actions, done by mineflayer over the wire and checked in the engine. */
const { test, describe, before, after, beforeEach } = require('node:test')
const assert = require('node:assert/strict')
const { once } = require('node:events')
const { Vec3 } = require('vec3')
const { GroundWatch } = require('../../../bridge/host/telemetry/ground_watch')
const { DropWatch } = require('../../../bridge/host/telemetry/drop_watch')
const { WeatherWatch } = require('../../../bridge/host/telemetry/weather_watch')
const { blockText } = require('../../../skills_js/block_text')
const { startBench, until, carries, pause } = require('./support')

/** @type {any} */
let bench
/** @type {any} */
let gizmo
/** @type {any} */
let glitch

before(async () => {
  bench = await startBench({ players: ['Gizmo', 'Glitch'] })
  ;[gizmo, glitch] = await Promise.all([bench.join('Gizmo'), bench.join('Glitch')])
})

after(() => bench.close())

beforeEach(async () => {
  // The first three fail where there is nothing to remove, which is as good.
  for (const text of ['fill -12 -60 -12 12 -50 12 air', 'kill @e[type=item]', 'clear @a']) bench.world.command(text)
  // Where they were put, not only where they are: a late position packet would turn a head in mid-test.
  const put = [gizmo, glitch].map((bot) => once(bot, 'forcedMove'))
  bench.run('tp Gizmo 0.5 -60 0.5')
  bench.run('tp Glitch 3.5 -60 0.5')
  await Promise.all(put)
})

/**
 * @param {any} bot
 * @param {number[]} at
 * @param {string} name
 */
function shows (bot, at, name) {
  return until(() => bot.blockAt(new Vec3(at[0], at[1], at[2]))?.name === name, `${name} at ${at}`)
}

describe('moving', () => {
  test('both are in both player lists and see each other', () => {
    for (const bot of [gizmo, glitch]) assert.deepEqual(Object.keys(bot.players).sort(), ['Gizmo', 'Glitch'])
    assert.equal(gizmo.players.Glitch.entity.username, 'Glitch')
    assert.equal(gizmo.players.Glitch.entity.name, 'player')
  })

  test('others see who is moved in a frozen world, at whatever age it stands still', async () => {
    bench.run('tick freeze')
    for (const x of [5.5, 7.5]) {
      bench.run(`tp Glitch ${x} -60 0.5`)
      await until(() => gizmo.players.Glitch.entity.position.x === x, `Glitch at ${x}`)
      bench.run('tick step 1')
      await until(() => bench.world.steps === 0, 'the step')
    }
    bench.run('tick unfreeze')
  })

  test('a walk is seen where it ends', async () => {
    await gizmo.look(0, 0, true)
    gizmo.setControlState('forward', true)
    await until(() => gizmo.entity.position.z < -3, 'three blocks to the north')
    gizmo.setControlState('forward', false)
    await until(() => gizmo.entity.velocity.x === 0 && Math.abs(gizmo.entity.velocity.z) < 0.001, 'a stand')
    await until(
      () => glitch.players.Gizmo.entity.position.distanceTo(gizmo.entity.position) < 0.01, 'the same place for Glitch'
    )
    const player = bench.world.players.get('Gizmo')
    assert.ok(new Vec3(player.x, player.y, player.z).distanceTo(gizmo.entity.position) < 0.01)
  })

  test('a far teleport brings its own ground', async () => {
    bench.run('tp Gizmo 5000.5 -60 -5000.5')
    await until(() => gizmo.entity.position.x > 4999 && gizmo.blockAt(new Vec3(5000, -61, -5001)), 'ground there')
    await pause(300)
    assert.ok(Math.abs(gizmo.entity.position.y + 60) < 0.01, `did not fall: ${gizmo.entity.position}`)
    await until(() => !glitch.players.Gizmo.entity, 'Gizmo out of sight')
    bench.run('tp Gizmo 0.5 -60 0.5')
    await until(() => glitch.players.Gizmo.entity, 'Gizmo in sight again')
  })
})

describe('blocks', () => {
  test('digging with the right tool drops what the other can pick up', async () => {
    bench.run('setblock 0 -60 2 stone')
    bench.run('give Gizmo iron_pickaxe')
    await shows(gizmo, [0, -60, 2], 'stone')
    await until(() => carries(gizmo, 'iron_pickaxe') === 1, 'the pickaxe')
    await gizmo.equip(gizmo.inventory.items()[0], 'hand')
    await gizmo.dig(gizmo.blockAt(new Vec3(0, -60, 2)))
    await shows(glitch, [0, -60, 2], 'air')
    const drop = await until(() => Object.values(glitch.entities).find((e) => e.name === 'item'), 'the drop')
    assert.equal(drop.getDroppedItem().name, 'cobblestone')
    bench.run('tp Glitch 0.5 -60 2.5')
    await until(() => carries(glitch, 'cobblestone') === 1, 'the pick-up')
    await until(() => !Object.values(gizmo.entities).some((e) => e.name === 'item'), 'no item left')
  })

  test('digging by hand what needs a tool drops nothing', async () => {
    bench.run('setblock 0 -60 2 coal_ore')
    await shows(gizmo, [0, -60, 2], 'coal_ore')
    bench.run('effect give Gizmo haste 60 100')
    await until(() => Object.keys(gizmo.entity.effects).length > 0, 'haste')
    await gizmo.dig(gizmo.blockAt(new Vec3(0, -60, 2)))
    await until(() => bench.world.blockAt(0, -60, 2) === 0, 'the broken block')
    bench.run('effect clear Gizmo')
    assert.deepEqual([...bench.world.entities.values()].filter((e) => e.type === 'item'), [])
  })

  test('instant digs break nothing: vanilla goes on with one of them, and any other block comes back', async () => {
    const places = /** @type {const} */ ([[0, -60, 2], [1, -60, 2]])
    for (const place of places) {
      bench.run(`setblock ${place.join(' ')} obsidian`)
      const {
        position
      } = await shows(gizmo, [...place], 'obsidian').then(() => gizmo.blockAt(new Vec3(place[0], place[1], place[2])))
      gizmo._client.write('block_dig', { status: 0, location: position, face: 1, sequence: 1 })
      gizmo._client.write('block_dig', { status: 2, location: position, face: 1, sequence: 2 })
      gizmo._updateBlockState(position, 0)
    }
    await shows(gizmo, [...places[1]], 'obsidian')
    for (const [x, y, z] of places) assert.equal(bench.world.stateAt(x, y, z).name, 'obsidian')
    for (const place of places) bench.run(`setblock ${place.join(' ')} air`)
  })

  test('a placed block is there for everyone and gone from the hand', async () => {
    bench.run('give Gizmo dirt 2')
    await until(() => carries(gizmo, 'dirt') === 2, 'dirt')
    await gizmo.equip(gizmo.inventory.items()[0], 'hand')
    await gizmo.placeBlock(gizmo.blockAt(new Vec3(0, -61, 2)), new Vec3(0, 1, 0))
    await shows(glitch, [0, -60, 2], 'dirt')
    await until(() => carries(gizmo, 'dirt') === 1, 'one dirt less')
  })

  test('bots tell how a placed block stands, as the engine has it, and the weather', async () => {
    /** @type {any[]} */
    const told = []
    const ground = new GroundWatch(() => gizmo, (sample) => told.push(...sample.states ?? []))
    ground.watch(gizmo, 'Gizmo')
    bench.run('give Gizmo oak_stairs')
    await until(() => carries(gizmo, 'oak_stairs') === 1, 'stairs')
    await gizmo.equip(gizmo.inventory.items()[0], 'hand')
    await gizmo.placeBlock(gizmo.blockAt(new Vec3(2, -61, 0)), new Vec3(0, 1, 0))
    const { info, stateId } = bench.world.stateAt(2, -60, 0)
    assert.equal(info.name, 'oak_stairs')
    assert.notEqual(stateId, info.defaultState, 'the player looks aside')
    await until(() => { ground.tell(); return told.length }, 'the stairs')
    assert.equal(told[0][3], blockText(info, stateId))
    const other = 'oak_stairs[facing=south,half=top]'
    bench.run(`setblock 2 -60 0 ${other}`)
    await until(() => { ground.tell(); return told.at(-1)[3] === other }, 'the other stairs')
    /** @type {string[]} */
    const skies = []
    new WeatherWatch(({ weather }) => skies.push(weather)).watch(gizmo)
    for (const weather of ['thunder', 'clear']) {
      bench.run(`weather ${weather}`)
      await until(() => skies.at(-1) === weather, weather)
    }
    assert.ok(skies.every((sky, place) => sky !== skies[place - 1]))
  })

  test('bots tell what lies on the ground, as the engine has it, and once for all of them', async () => {
    /** @type {any[]} */
    const told = []
    const watch = new DropWatch(() => [gizmo, glitch], (sample) => told.push(sample))
    bench.run('summon item 3.5 -60 -3.5 {Item:{id:"minecraft:stick",Count:2b},PickupDelay:32767}')
    const drop = [...bench.world.loose].find(({ item }) => item?.name === 'stick')
    const rows = () => told.flatMap(({ at }) => at[drop.id] ? [at[drop.id]] : [])
    await until(() => { watch.look(); return rows().length }, 'the sticks')
    assert.deepEqual(rows(), [['stick', 2, [3.5, -60, -3.5]]])
    bench.run('kill @e[type=item]')
    await until(() => { watch.look(); return told.at(-1).gone.includes(String(drop.id)) }, 'their end')
  })

  test('pillaring up works', async () => {
    bench.run('give Gizmo dirt 8')
    await until(() => carries(gizmo, 'dirt') === 8, 'dirt')
    await gizmo.equip(gizmo.inventory.items()[0], 'hand')
    await gizmo.look(0, -Math.PI / 2, true)
    for (let floor = -60; floor < -57; floor++) {
      gizmo.setControlState('jump', true)
      while (gizmo.blockAt(new Vec3(0, floor, 0)).name !== 'dirt') {
        await once(gizmo, 'physicsTick')
        // A busy process does several ticks at once: it may be on its way down again, and jumps once more.
        if (gizmo.entity.position.y < floor + 1) continue
        await gizmo.placeBlock(gizmo.blockAt(new Vec3(0, floor - 1, 0)), new Vec3(0, 1, 0)).catch(() => {})
      }
      gizmo.setControlState('jump', false)
    }
    await until(
      () => gizmo.entity.onGround && Math.abs(gizmo.entity.position.y + 57) < 0.01, 'the stand on three blocks'
    )
    await until(() => bench.world.players.get('Gizmo').count('dirt') === 5, 'three blocks used')
    assert.equal(carries(gizmo, 'dirt'), 5)
  })

  test('a filled cube reaches every bot, as records or as whole columns', async () => {
    bench.run('fill -4 -60 -4 3 -57 3 gold_block')
    for (const bot of [gizmo, glitch]) {
      await shows(bot, [-4, -60, -4], 'gold_block')
      await shows(bot, [3, -57, 3], 'gold_block')
    }
    bench.run('fill -12 -60 -12 12 -50 12 air')
    for (const bot of [gizmo, glitch]) await shows(bot, [3, -57, 3], 'air')
  })
})

describe('chests', () => {
  /** @param {any} bot */
  async function open (bot) {
    await shows(bot, [2, -60, 2], 'chest')
    return bot.openContainer(bot.blockAt(new Vec3(2, -60, 2)))
  }

  /** @param {any} bot */
  async function sync (bot) {
    const window = bot.currentWindow
    const told = once(bot._client, 'window_items')
    bot._client.write('window_click', {
      windowId: window.id, stateId: -1, slot: -999, mouseButton: 0, mode: 0, changedSlots: [],
      cursorItem: { present: false }
    })
    await told
  }

  test('items put in by one player are seen and taken by the other', async () => {
    bench.run('setblock 2 -60 2 chest')
    bench.run('give Gizmo iron_ingot 10')
    const [mine, theirs] = [await open(gizmo), await open(glitch)]
    const iron = gizmo.registry.itemsByName.iron_ingot.id
    await until(
      () => mine.items().some((/** @type {any} */ i) => i.name === 'iron_ingot') || carries(gizmo, 'iron_ingot') === 10,
      'iron'
    )
    await mine.deposit(iron, null, 10)
    await until(() => theirs.containerItems()[0]?.count === 10, 'the iron in the other window')
    await theirs.withdraw(iron, null, 4)
    await until(
      () => mine.containerItems().reduce((/** @type {number} */ n, /** @type {any} */ i) => n + i.count, 0) === 6,
      'six left'
    )
    mine.close()
    theirs.close()
    await until(() => carries(glitch, 'iron_ingot') === 4, 'four for Glitch')
    assert.equal(bench.world.players.get('Glitch').count('iron_ingot'), 4)
  })

  test('two hands after one diamond get one diamond', async () => {
    bench.run('setblock 2 -60 2 chest{Items:[{Slot:0b,id:"minecraft:diamond",Count:1b}]}')
    const windows = [await open(gizmo), await open(glitch)]
    const diamond = gizmo.registry.itemsByName.diamond.id
    await Promise.allSettled(windows.map((window) => window.withdraw(diamond, null, 1)))
    await Promise.all([sync(gizmo), sync(glitch)])
    windows.forEach((window) => window.close())
    await until(() => carries(gizmo, 'diamond') + carries(glitch, 'diamond') === 1, 'one diamond in all')
    const players = ['Gizmo', 'Glitch'].map((name) => bench.world.players.get(name).count('diamond'))
    assert.equal(players[0] + players[1], 1)
  })

  test('items given while a chest is open stay after it closes', async () => {
    bench.run('setblock 2 -60 2 chest')
    const window = await open(gizmo)
    bench.run('give Gizmo emerald 3')
    await until(
      () => window.items().some((/** @type {any} */ i) => i.name === 'emerald'), 'emeralds in the open window'
    )
    window.close()
    await until(() => carries(gizmo, 'emerald') === 3, 'emeralds in the inventory')
  })
})

describe('crafting', () => {
  test('planks from a log in the own grid', async () => {
    bench.run('give Gizmo oak_log 2')
    await until(() => carries(gizmo, 'oak_log') === 2, 'logs')
    const planks = gizmo.registry.itemsByName.oak_planks.id
    await gizmo.craft(gizmo.recipesFor(planks, null, 1, null)[0], 2, null)
    await until(() => carries(gizmo, 'oak_planks') === 8, 'planks')
    assert.equal(bench.world.players.get('Gizmo').count('oak_planks'), 8)
    assert.equal(bench.world.players.get('Gizmo').count('oak_log'), 0)
  })
})

describe('life', () => {
  test('death, respawn, and sight of each other again', async () => {
    const again = once(gizmo, 'respawn')
    const died = once(gizmo, 'death')
    bench.run('kill Gizmo')
    await died
    await again
    await until(() => gizmo.isAlive && gizmo.health === 20, 'a new life')
    await until(() => gizmo.blockAt(gizmo.entity.position.offset(0, -1, 0)), 'ground after respawn')
    bench.run('tp Gizmo 0.5 -60 0.5')
    await until(
      () => glitch.players.Gizmo.entity?.position.distanceTo(new Vec3(0.5, -60, 0.5)) < 0.1, 'Gizmo for Glitch'
    )
  })

  test('a game mode is told', async () => {
    bench.run('gamemode creative Gizmo')
    await until(() => gizmo.game.gameMode === 'creative', 'creative')
    bench.run('gamemode spectator Gizmo')
    await until(() => !glitch.players.Gizmo.entity, 'out of sight')
    bench.run('gamemode survival Gizmo')
    await until(() => glitch.players.Gizmo.entity && gizmo.game.gameMode === 'survival', 'in sight')
  })
})

describe('chat', () => {
  test('a line said by one player is heard by the other under its name', async () => {
    const heard = once(glitch, 'chat')
    gizmo.chat('half each?')
    assert.deepEqual((await heard).slice(0, 2), ['Gizmo', 'half each?'])
  })

  test('a whisper is heard by its recipient only', async () => {
    const heard = once(glitch, 'whisper')
    const told = once(gizmo, 'messagestr')
    gizmo.whisper('Glitch', 'east @a is mine')
    assert.deepEqual((await heard).slice(0, 2), ['Gizmo', 'east @a is mine'])
    assert.equal((await told)[0], 'You whisper to Glitch: east @a is mine')
  })

  test('a whisper goes to a name, not to whom a selector finds', async () => {
    const answered = once(gizmo, 'message')
    gizmo._client.write('chat_command', {
      command: 'tell @a all of you', timestamp: 0n, salt: 0n, argumentSignatures: [], signedPreview: false,
      messageCount: 0, acknowledged: Buffer.alloc(3)
    })
    assert.equal((await answered)[0].toString(), 'Selector not allowed')
  })

  test('a player who is no operator runs no command, and is told so as vanilla tells it', async () => {
    /** @type {string[]} */
    const told = []
    const listen = (/** @type {any} */ message) => told.push(message.toString())
    gizmo.on('message', listen)
    gizmo.chat('/give Gizmo diamond 64')
    await until(() => told.length === 2, 'the refusal')
    assert.deepEqual(told, ['Unknown or incomplete command, see below for error', 'give Gizmo diamond 64<--[HERE]'])
    gizmo.off('message', listen)
    gizmo._client.write(
      'chat_message',
      { message: '/op Gizmo', timestamp: 0n, salt: 0n, signature: undefined, offset: 0, acknowledged: Buffer.alloc(3) }
    )
    assert.match((await once(gizmo, 'message'))[0].toString(), /Unknown or incomplete command/)
    assert.equal(bench.world.players.get('Gizmo').count('diamond'), 0)
    assert.equal(bench.world.players.get('Gizmo').op, false)
  })

  test('tellraw and titles reach the player they are for', async () => {
    const heard = once(gizmo, 'message')
    bench.run('tellraw Gizmo {"text":"round two","color":"gold"}')
    assert.equal((await heard)[0].toString(), 'round two')
  })
})

describe('furniture', () => {
  test('a sign is written and read by real clients', async () => {
    bench.run('setblock 0 -60 4 oak_sign[rotation=8]')
    bench.run('tp Gizmo 0.5 -60 2')
    bench.world.command('clear Gizmo')
    await until(() => gizmo.blockAt(new Vec3(0, -60, 4))?.name === 'oak_sign' &&
      gizmo.entity.position.distanceTo(new Vec3(0.5, -60, 2.5)) < 1, 'the sign')
    const asked = once(gizmo._client, 'open_sign_entity')
    gizmo.activateBlock(gizmo.blockAt(new Vec3(0, -60, 4)))
    await asked
    gizmo.updateSign(gizmo.blockAt(new Vec3(0, -60, 4)), 'half\neach')
    await until(() => glitch.blockAt(new Vec3(0, -60, 4))?.signText?.includes('half'), 'the text, at the other')
    bench.run('setblock 0 -60 4 air')
  })
})

describe('leaving', () => {
  test('a player who leaves is gone from the list, and may come back', async () => {
    glitch.quit()
    await until(() => !gizmo.players.Glitch, 'the shorter list')
    glitch = await bench.join('Glitch')
    await until(() => gizmo.players.Glitch?.entity, 'Glitch again')
  })

  test('a name that plays is refused to another', async () => {
    const [reason] = await once(await attempt('Gizmo'), 'kicked')
    assert.match(JSON.stringify(reason), /already playing/)
    assert.equal(bench.world.players.has('Gizmo'), true)
  })

  /** @param {string} name */
  async function attempt (name) {
    const bot = require('mineflayer').createBot({
      host: '127.0.0.1', port: bench.port, username: name, version: '1.20.4', auth: 'offline', hideErrors: true
    })
    bench.bots.push(bot)
    return bot
  }
})
