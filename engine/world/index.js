'use strict'
/** The world engine: `new World({ seed, version, surfaceY })`. */
const { World } = require('./world')
const { gameData } = require('./data')

module.exports = { World, gameData }
