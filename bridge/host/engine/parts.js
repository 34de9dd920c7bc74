'use strict'
/** What a host of engine bodies is made of: the look-alike that goes into every isolate, the players, the backend behind it. */
const { bundle } = require('../../../skills_js/lookalike/bundle')
const { createEngineBackend } = require('./backend')
const { EngineRoom } = require('./room')

module.exports = {
  bundle,
  createBackend: createEngineBackend,
  /** @param {import('./room').Emit} emit */
  makeRoom: (emit) => new EngineRoom(emit),
  readsLater: true
}
