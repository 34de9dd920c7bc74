'use strict'
/**
 * Stand-in for the itzg/minecraft-server image in tests without a registry: the same environment, the same observable
 * behaviour, with the embedded server where Paper would be. It shows nothing of Paper itself (docs/paper.md).
 *
 * STANDIN_DELAY_MS delays readiness; STANDIN_MODE is one of normal, never-ready, crash-after-ready and
 * unhealthy-after-ready (both at SIGUSR2), slow-stop (takes longer to end than any grace).
 */
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const net = require('node:net')
const path = require('node:path')
const { createInterface } = require('node:readline')

const MAIN = path.join(__dirname, '../../../bridge/servers/embedded/main.js')
const DATA = '/data'
const UID = 1000
const GAME_PORT = 25565
const INNER_RCON_PORT = 25576
const MODE = process.env.STANDIN_MODE ?? 'normal'

/** @param {string} text */
function print (text) {
  const time = new Date().toISOString().slice(11, 19)
  fs.writeSync(1, `[${time} INFO]: ${text}\n`)
}

/**
 * @param {string} text
 * @returns {never}
 */
function refuse (text) {
  fs.writeSync(1, `[init] [ERROR] ${text}\n`)
  process.exit(1)
}

/** @returns {string} */
function rconPassword () {
  const file = process.env.RCON_PASSWORD_FILE
  return file ? fs.readFileSync(file, 'utf8').trim() : process.env.RCON_PASSWORD ?? ''
}

/** A Minecraft server reads one packet per TCP read; whoever pipelines is disconnected. */
function listenStrictly () {
  const server = net.createServer((outer) => {
    const inner = net.connect(INNER_RCON_PORT, '127.0.0.1')
    for (const [socket, other] of [[outer, inner], [inner, outer]]) {
      socket.on('error', () => other.destroy())
      socket.on('close', () => other.destroy())
    }
    outer.on('data', (chunk) => {
      const whole = chunk.length >= 14 && chunk.length <= 1460 && chunk.readInt32LE(0) === chunk.length - 4
      if (whole) inner.write(chunk)
      else outer.destroy()
    })
    inner.pipe(outer)
  })
  server.listen(Number(process.env.RCON_PORT ?? 25575), '0.0.0.0')
}

/** @returns {Record<string, unknown>} */
function settings () {
  return {
    seed: process.env.SEED ?? '0',
    host: '0.0.0.0',
    port: GAME_PORT,
    rconPort: INNER_RCON_PORT,
    rconPassword: rconPassword(),
    maxPlayers: Number(process.env.MAX_PLAYERS ?? 20),
    viewDistance: Number(process.env.VIEW_DISTANCE ?? 4),
    players: null,
    whitelist: /^true$/i.test(process.env.ENABLE_WHITELIST ?? '')
  }
}

/** @param {import('node:child_process').ChildProcess} child */
function onReady (child) {
  listenStrictly()
  print('Done (1.234s)! For help, type "help"')
  fs.writeFileSync('/tmp/ready', MODE)
  process.on('SIGUSR2', () => {
    if (MODE === 'crash-after-ready') child.kill('SIGKILL')
    if (MODE === 'unhealthy-after-ready') fs.rmSync('/tmp/ready')
  })
}

function start () {
  const child = spawn(process.execPath, [MAIN], { env: { HOME: '/tmp' }, stdio: ['pipe', 'pipe', 'inherit'] })
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.includes('"ready":true')) onReady(child)
    else print(line)
  })
  child.on('exit', (code) => process.exit(code ?? 1))
  child.stdin.write(`${JSON.stringify(settings())}\n`)
  process.removeAllListeners('SIGTERM').on('SIGTERM', () => {
    print('Stopping server')
    if (MODE !== 'slow-stop') child.stdin.end()
  })
}

function main () {
  if (!/^(true|yes|on|1)$/i.test(process.env.EULA ?? '')) refuse('Please accept the Minecraft EULA: set EULA to TRUE')
  if (process.env.VERSION !== '1.20.4') refuse(`the stand-in speaks 1.20.4 only, not ${process.env.VERSION}`)
  fs.chownSync(DATA, UID, UID)
  process.setgid?.(UID)
  process.setuid?.(UID)
  fs.writeFileSync(path.join(DATA, 'environment.json'), JSON.stringify(process.env, Object.keys(process.env).sort(), 1))
  // The first process of a container ignores every signal that it does not handle.
  process.once('SIGTERM', () => process.exit(0))
  if (MODE === 'never-ready') setInterval(() => print('Preparing spawn area: 0%'), 1000)
  else setTimeout(start, Number(process.env.STANDIN_DELAY_MS ?? 0))
}

main()
