'use strict'
/** Command blocks keep the command that an operator in creative mode writes into them; nothing triggers them, as there is no redstone. */

/** @typedef {import('../player').Player} Player */
/** @typedef {import('../types').Pos} Pos */
/** @typedef {import('../types').Verdict} Verdict */

const LONGEST = 32500

/** @param {string} name block name */
function isCommandBlock (name) { return name === 'command_block' || name === 'chain_command_block' || name === 'repeating_command_block' }

/**
 * @param {Player} player
 * @param {Pos} pos
 * @param {string} command
 * @returns {Verdict}
 */
function setCommand (player, pos, command) {
  const { world } = player
  if (!player.op || player.gamemode !== 'creative') {
    world.commands.hear(player, world.commands.line('advMode.notAllowed'))
    return { ok: false, reason: 'only operators in creative mode write commands into blocks' }
  }
  const entity = world.blockEntities.at(pos)
  if (!entity || entity.command === null || command.length > LONGEST) return { ok: false, reason: 'there is no command block' }
  entity.command = command
  world.commands.hear(player, world.commands.line('advMode.setCommand.success', command))
  return { ok: true }
}

module.exports = { isCommandBlock, setCommand }
