/** The front door of skills_js for Node: what goes into an isolate, what crosses its border, and the signals. */
'use strict'
const { Backend } = require('./lookalike/backend')
const { bundle } = require('./lookalike/bundle')
const { CAPS, EVENTS, METHODS } = require('./lookalike/host_api')
const { MOST_KEPT, MOST_NAME, SignalHub } = require('./signals')

module.exports = { Backend, CAPS, EVENTS, METHODS, MOST_KEPT, MOST_NAME, SignalHub, bundle }
