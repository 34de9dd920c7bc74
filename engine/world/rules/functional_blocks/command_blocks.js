'use strict'
/**
 * Command blocks: an operator in creative mode writes a command into one, and redstone power runs it
 * (rules/redstone/receivers.js).
 */

/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../types').Pos} Pos */
/** @typedef {import('../../types').Verdict} Verdict */

const LONGEST = 32500
const BLOCK_LEVEL = 2

/** @param {string} name block name */
function isCommandBlock (name) {
  return name === 'command_block' || name === 'chain_command_block' || name === 'repeating_command_block'
}

/**
 * @param {Player} player
 * @param {Pos} pos
 * @param {string} command
 * @returns {Verdict}
 */
function setCommand (player, pos, command) {
  const { world } = player
  if (!player.op || player.gamemode !== 'creative') {
    world.commands.sendLine(player, world.commands.line('advMode.notAllowed'))
    return { ok: false, reason: 'only operators in creative mode write commands into blocks' }
  }
  const entity = world.blockEntities.at(pos)
  if (!entity || entity.command === null || command.length > LONGEST) {
    return { ok: false, reason: 'there is no command block' }
  }
  entity.command = command
  world.commands.sendLine(player, world.commands.line('advMode.setCommand.success', command))
  return { ok: true }
}

/**
 * Run the command of a command block, from its middle, at permission level 2 as in vanilla.
 *
 * @param {import('../../world').World} world
 * @param {import('../blocks/block_entities').BlockEntity} entity
 */
function run (world, entity) {
  if (entity.removed || !entity.command) return
  const { x, y, z } = entity.pos
  world.commands.runAt(entity.command, { x: x + 0.5, y: y + 0.5, z: z + 0.5 }, BLOCK_LEVEL)
}

module.exports = { run, isCommandBlock, setCommand }
