'use strict'
/** The stand-in's health check: a status reply with room for players, as the real image asks for. */
const fs = require('node:fs')
// As in the server, so that the image holds what both load.
require('../../../engine/lean_protodef').leanProtoDef()
const { ping } = require('minecraft-protocol')

if (!fs.existsSync('/tmp/ready')) process.exit(1)
ping({ host: '127.0.0.1', port: 25565, version: '1.20.4', closeTimeout: 3000 }, (error, answer) => {
  const room = !error && 'players' in answer && answer.players.max > 0
  process.exit(room ? 0 : 1)
})
