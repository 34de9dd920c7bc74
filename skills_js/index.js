/** Entry point of skills_js for Node: what goes into an isolate, what crosses its border, and the signals. */
'use strict'
const { Backend } = require('./bot_facade/backend')
const { bundle } = require('./bot_facade/bundle')
const { CAPS, EVENTS, METHODS } = require('./bot_facade/host_api')
const { MAX_KEPT, MAX_NAME, SignalHub } = require('./signals')

module.exports = { Backend, CAPS, EVENTS, METHODS, MAX_KEPT, MAX_NAME, SignalHub, bundle }
