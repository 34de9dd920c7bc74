/** Events documented by mineflayer and its plugins: how they are heard here, or what to do instead. */
'use strict'
const { named } = require('./errors')
const { EVENTS } = require('./host_api')
const { nearestNames } = require('./nearest_names')

/**
 * @typedef {object} Known
 * @property {string} [host] the host's event by which it is told
 * @property {(args: any[]) => any[]} [args] what its listeners are given
 * @property {boolean} [arrival] its listeners run at once: it was before the program began
 * @property {string} [hint] goes to the log when somebody listens
 */

/**
 * Return a chat message with the members that programs use.
 * @param {string} text
 */
const message = (text) => ({
  text: String(text), toString: () => String(text), toAnsi: () => String(text), json: { text: String(text) }
})

/** @type {Readonly<Record<string, Known>>} */
const OTHERS = Object.freeze({
  spawn: { host: 'spawn', arrival: true },
  login: { arrival: true },
  inject_allowed: { arrival: true },
  physicTick: { host: 'physicsTick' },
  respawn: { host: 'spawn' },
  message: { host: 'messagestr', args: ([text]) => [message(text), 'chat'] },
  // mineflayer-pvp's, told by bot.pvp.
  startedAttacking: {},
  stoppedAttacking: {},
  attackedTarget: {},
  // What every program listens to, and what does not happen to a bot here: its run is ended instead.
  error: {},
  kicked: {},
  end: {},
  game: {},
  title: {},
  actionBar: {},
  resourcePack: {},
  unmatchedMessage: {},
  spawnReset: {},
  forcedMove: {},
  chunkColumnLoad: {},
  chunkColumnUnload: {},
  path_update: { hint: 'not told here; await bot.pathfinder.goto(goal): it throws NoPath or NotReached' },
  goal_updated: { hint: 'not told here; bot.pathfinder.goal is the goal of now' },
  path_reset: { hint: 'not told here; await bot.pathfinder.goto(goal): it throws when it cannot go on' }
})

/** Documented events that do not occur, by families. @type {readonly [RegExp, string][]} */
const NOT_TOLD = Object.freeze([
  [/^(experience)$/, 'read bot.experience, e.g. in physicsTick'],
  [/^playerUpdated$/, 'use playerJoined and playerLeft, or read bot.players'],
  [/^blockUpdate:/, 'use blockUpdate and compare the block\'s position'],
  [/^entity(Effect|EffectEnd|Attributes)$/, 'read bot.entity.effects'],
  [
    /^entity(Equip|SwingArm|Crouch|Uncrouch|Update|Eat|HandSwap|Sleep|Wake)$/,
    'read the entity, e.g. entity.equipment or entity.heldItem, in physicsTick'
  ],
  [/^entity(Attach|Detach)$/, 'use mount and dismount'],
  [/^entity|^usedFirework$/, 'use entitySpawn, entityMoved, entityHurt, entityDead or entityGone'],
  [/^(scoreboard|score|team|bossBar)/, 'no scores, teams and boss bars are shown to programs'],
  [
    /^(blockEntityData|signOpen|chestLidMove|pistonMove|noteHeard|blockBreakProgress)/,
    'use blockUpdate, or read the block with bot.blockAt'
  ],
  [/^(soundEffectHeard|hardcodedSoundEffectHeard|particle)$/, 'look at bot.entities and bot.blockAt instead'],
  [/^autoeat/i, 'eat with eatFood(bot), e.g. when bot.food < 14']
])

/**
 * @param {string} name
 * @returns {Known}
 * @throws {NotSupported}
 */
function eventOf (name) {
  const text = String(name)
  if (Object.hasOwn(OTHERS, text)) return OTHERS[text]
  if (Object.hasOwn(EVENTS, text)) return { host: text }
  const instead = NOT_TOLD.find(([pattern]) => pattern.test(text))
  if (instead !== undefined) {
    throw named('NotSupported', `bot.on(${JSON.stringify(text.slice(0, 40))}) is never told here; ${instead[1]}`)
  }
  const near = nearestNames(text.slice(0, 40), [...Object.keys(EVENTS), ...Object.keys(OTHERS)])
  throw named(
    'NotSupported',
    `there is no event ${JSON.stringify(text.slice(0, 40))}; nearest: ${near.join(', ')}; ` +
      `all: ${Object.keys(EVENTS).join(', ')}`
  )
}

module.exports = { eventOf }
