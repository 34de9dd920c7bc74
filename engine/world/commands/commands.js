'use strict'
/** Runs commands: grammar by the version's own tree, doing by the handlers, answers in vanilla's words. */
const { Reader, CommandError } = require('./reader')
const { walkCommand, Arguments } = require('./tree')
const { Source } = require('./source')

/** @typedef {(args: Arguments, source: Source) => number} Handler does the command, says what it has to say, gives vanilla's result */

/** What everyone may run; all else is for the console and operators. */
const FOR_ALL = new Set(['list', 'help', 'me', 'msg', 'tell', 'w', 'random', 'trigger'])

/** @type {Record<string, Handler>} */
const HANDLERS = Object.assign(Object.create(null), require('./handlers/blocks'), require('./handlers/items'), require('./handlers/players'), require('./handlers/world_state'), require('./handlers/scoreboard'), require('./handlers/data'), require('./handlers/talk'), require('./handlers/server'), require('./handlers/summon'))

/** Commands of one world. */
class Commands {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** @type {any} */
    this.tree = /** @type {any} */ (require('minecraft-data')(world.version)).commands.root
    this.forAll = this.tree.children.filter((/** @type {any} */ child) => FOR_ALL.has(child.name))
    /** Names of operators, also absent ones. @type {Set<string>} */
    this.ops = new Set()
    /** @type {{ on: boolean, names: Set<string> }} */
    this.whitelist = { on: false, names: new Set() }
    /** Columns marked by /forceload. @type {Set<string>} */
    this.forced = new Set()
    this.saving = true
    this.maxPlayers = 500
    /** Data kept by /data ... storage. @type {Map<string, import('../nbt/values').Tag>} */
    this.storage = new Map()
    this.border = { x: 0, z: 0, size: 59999968 }
    this.execute = require('./handlers/execute').makeExecute(this)
    this.say = world.data.text.bind(world.data)
  }

  /** Names of what can be run, for help and tests. */
  get names () { return [...Object.keys(HANDLERS), 'execute'].sort() }

  /**
   * @param {string} text without the slash
   * @param {import('../player').Player | null} player null for the console
   * @returns {import('../types').CommandReply}
   */
  run (text, player) {
    const source = new Source(this.world, { entity: player, console: !player })
    try {
      const value = this.perform(String(text).replace(/^\//, ''), source, Boolean(player && !player.op))
      return this.answer(source, player, true, value)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      source.out.push(error.reply(this.say('command.context.here')))
      return this.answer(source, player, false, 0)
    }
  }

  /** @param {Source} source @param {import('../player').Player | null} player @param {boolean} ok @param {number} value */
  answer (source, player, ok, value) {
    if (player && (!ok || this.world.rules.sendCommandFeedback)) for (const line of source.out) this.world.emit('system', { player, text: line, overlay: false })
    return { ok, reply: source.out.join('\n'), value }
  }

  /** @param {string} text @param {Source} source @param {boolean} limited @returns {number} */
  perform (text, source, limited) {
    const reader = new Reader(text.trim(), this.say)
    const steps = walkCommand(reader, this.tree, this.world.data, limited ? { root: this.forAll } : undefined)
    return this.dispatch(steps, source)
  }

  /** @param {import('./tree').Step[]} steps @param {Source} source @returns {number} */
  dispatch (steps, source) {
    const name = steps[0].name
    if (name === 'execute') return this.execute(steps, source)
    const handler = HANDLERS[ALIASES[name] ?? name]
    if (!handler) throw new CommandError(`The command /${name} is legal in Minecraft ${this.world.version}, but this world engine does not run it`)
    return handler(new Arguments(steps), source)
  }
}

/** @type {Record<string, string>} */
const ALIASES = { __proto__: /** @type {any} */ (null), tp: 'teleport', xp: 'experience', tell: 'msg', w: 'msg', tm: 'teammsg' }

Object.assign(HANDLERS, require('./handlers/locate'))

module.exports = { Commands }
