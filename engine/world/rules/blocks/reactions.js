'use strict'
/** Reactions of blocks to a change of themselves or of a neighbour. */
const { absorb, dry } = require('./sponges')
const { settleCampfire } = require('../functional_blocks/campfires')
const { settle } = require('./scaffolding')
const { nameTable } = require('../../../name_table')

/**
 * @typedef
 *   {(world: import('../../world').World, pos: import('../../types').Pos, state: import('../../data').BlockState) =>
 *   void} Reaction
 */

/** Reactions by block name. @type {Record<string, Reaction>} */
const REACTIONS = nameTable({ sponge: absorb, wet_sponge: dry, campfire: settleCampfire,
  soul_campfire: settleCampfire, scaffolding: settle })

module.exports = { REACTIONS }
