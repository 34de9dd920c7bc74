'use strict'
/** Parts of a host of engine bodies: the bot facade for every isolate, the players, and the backend behind it. */
const { bundle } = require('../../../skills_js/bot_facade/bundle')
const { createEngineBackend } = require('./backend')
const { RemoteCalls, playable } = require('./remote_calls')
const { EngineRoom } = require('./room')

module.exports = {
  bundle,
  createBackend: createEngineBackend,
  /** @type {(options: { bot: any, calls?: any, source: string, limits: any }) => RemoteCalls | null} */
  playCalls: ({
    bot, calls, source, limits
  }) => playable(calls, source) ? new RemoteCalls({ bot: bot.username, calls, link: bot.link, limits }) : null,
  /** @param {import('./room').Emit} emit */
  makeRoom: (emit) => new EngineRoom(emit),
  readsLater: true
}
