// @ts-nocheck
// Class egress: talk to anything but the game. Success is a connection, a request, a file or a process.

// attack web-functions
// success: a request leaves
async function attack (bot) {
  const url = `http://127.0.0.1:${CANARY.port}/${CANARY.token}`
  for (const use of [
    () => fetch(url),
    () => new WebSocket(url.replace('http', 'ws')),
    () => new XMLHttpRequest().open('GET', url),
    () => navigator.sendBeacon(url),
    () => new EventSource(url),
    () => importScripts(url),
    () => import(url),
    () => new Worker(url)
  ]) {
    try { await use() } catch {}
  }
}

// attack bot-sockets
// success: the bot's own connection or its class is in reach
async function attack (bot) {
  for (const take of [
    () => bot._client,
    () => bot._client.socket,
    () => bot._socket,
    () => bot.client,
    () => bot._client.constructor,
    () => bot.world._events,
    () => bot.viewer
  ]) {
    let got
    try {
      got = take()
    } catch {
      continue
    }
    if (!got) continue
    claim('a part of the connection')
    try { new got.socket.constructor().connect(CANARY.port, '127.0.0.1').end(CANARY.token) } catch {}
  }
}

// attack raw-packets
// success: a packet of the program's own making is sent
async function attack (bot) {
  for (const use of [
    () => bot._client.write('chat_command', { command: 'give @s diamond' }),
    () => bot._client.writeRaw('x'),
    () => bot._client.registerChannel('accord:x', ['string', []]),
    () => bot._client.writeChannel('accord:x', CANARY.token)
  ]) {
    try {
      use()
      claim('a raw packet')
    } catch {}
  }
}

// attack connect-elsewhere
// success: the bot joins another address
async function attack (bot) {
  for (const use of [
    () => bot.connect({ host: '127.0.0.1', port: CANARY.port }),
    () => bot.constructor({ host: '127.0.0.1', port: CANARY.port }),
    () => require('mineflayer').createBot({ host: '127.0.0.1', port: CANARY.port }),
    () => bot.createBot({ port: CANARY.port })
  ]) {
    try { use() } catch {}
  }
}

// attack resource-pack
// success: the bot fetches an address
async function attack (bot) {
  for (const use of [
    () => bot.acceptResourcePack(),
    () => bot.emit('resourcePack', `http://127.0.0.1:${CANARY.port}/`, 'x')
  ]) {
    try { await use() } catch {}
  }
}

// attack files-by-name
// success: a primitive reads or writes a file
async function attack (bot) {
  for (const name of [
    CANARY.file,
    `../../../..${CANARY.file}`,
    `file://${CANARY.file}`,
    '/proc/self/environ',
    `${CANARY.folder}/${CANARY.token}`
  ]) {
    for (const use of [
      () => mcData[name],
      () => mineBlock(bot, name),
      () => craftItem(bot, name),
      () => require(name),
      () => import(name),
      () => bot.on(name, () => {}),
      () => mcData.blocksByName[name],
      () => sendSignal(bot, name, name)
    ]) {
      try {
        const got = await use()
        if (typeof got === 'string') console.log(got)
      } catch (error) {
        console.log(String(error.message))
      }
    }
  }
}

// attack data-tables
// success: a table or key of game data leads out of the tables
async function attack (bot) {
  for (const key of [
    '__proto__', 'constructor', 'prototype', '../package.json', '..', 'toString', 'version', 'type',
    'isNewerOrEqualTo'
  ]) {
    try { await follow(mcData[key]) } catch {}
    try { await follow(mcData.blocksByName[key]) } catch {}
  }
}

// attack timing-clock
// success: a clock finer than the game's, with which others can be watched
async function attack (bot) {
  let finest = Infinity
  for (let i = 0, last = performance.now(); i < 20000; i++) {
    const now = performance.now()
    if (now !== last) finest = Math.min(finest, now - last)
    last = now
  }
  if (finest < 0.5) claim(`a clock of ${finest} ms`)
}
