'use strict'
/** Parts that a host takes from elsewhere: the bot facade for every isolate, and the live backend behind it. */
require('./bots/lean_packages')
const { bundle } = require('../../skills_js/bot_facade/bundle')
const { createLiveBackend } = require('./live')

module.exports = { bundle, createBackend: createLiveBackend }
