'use strict'
/**
 * The two parts from elsewhere that a host is made of: the bot facade that goes into every isolate, and the live
 * backend behind it.
 */
const { bundle } = require('../../skills_js/bot_facade/bundle')
const { createLiveBackend } = require('./live')

module.exports = { bundle, createBackend: createLiveBackend }
