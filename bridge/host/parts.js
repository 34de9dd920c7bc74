'use strict'
/**
 * The two parts from elsewhere that a host is made of: the look-alike that goes into every isolate, and the live backend
 * behind it.
 */
const { bundle } = require('../../skills_js/lookalike/bundle')
const { createLiveBackend } = require('./live')

module.exports = { bundle, createBackend: createLiveBackend }
