'use strict'
/**
 * Vanilla's permission levels of commands (minecraft.wiki, "Permission level"). Players have level 0, operators and the
 * console 4; commands that are not listed here need level 2.
 */

/** Commands by the level that they need. @type {Record<number, string[]>} */
const BY_LEVEL = {
  0: ['help', 'list', 'me', 'msg', 'random', 'teammsg', 'tell', 'tm', 'trigger', 'w'],
  3: ['ban', 'ban-ip', 'banlist', 'debug', 'deop', 'kick', 'op', 'pardon', 'pardon-ip', 'tick', 'whitelist'],
  4: ['jfr', 'perf', 'publish', 'save-all', 'save-off', 'save-on', 'stop']
}
/** Level of operators and of the console (op-permission-level is 4 by default). */
const OPERATOR = 4
/** Level of functions and command blocks. */
const GAME_MASTER = 2

/** @type {Map<string, number>} */
const LEVELS = new Map(Object.entries(BY_LEVEL)
  .flatMap(([level, names]) => names.map((name) => /** @type {[string, number]} */ ([name, Number(level)]))))

/** @param {string} command @returns {number} 0 to 4 */
function levelOf (command) { return LEVELS.get(command) ?? GAME_MASTER }

/** Commands that are not announced to other operators: they only query or talk. @type {ReadonlySet<string>} */
const PRIVATE = new Set(['help', 'list', 'me', 'msg', 'random', 'say', 'seed', 'tell', 'tellraw', 'teammsg', 'tm',
  'trigger', 'w', 'locate', 'spectate'])
const ASKING = new Set(['get', 'query', 'list'])

/** Return true if vanilla announces a successful command to other operators. @param {import('./tree').Step[]} steps */
function isTold (steps) {
  const words = steps.filter((step) => step.literal).map((step) => step.name)
  const done = steps[0].name === 'execute' ? words.slice(words.indexOf('run') + 1) : words
  if (steps[0].name === 'execute' && !words.includes('run')) return false
  if (done[0] === 'gamerule' && steps[steps.length - 1].literal) return false
  return !PRIVATE.has(done[0]) && !done.some((word) => ASKING.has(word))
}

module.exports = { levelOf, isTold, OPERATOR, GAME_MASTER }
