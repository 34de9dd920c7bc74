'use strict'
/**
 * Execution of commands: the version's own command tree parses them, handlers run them, replies are vanilla's texts.
 */
const { Reader, CommandError } = require('./reader')
const { walkCommand, Arguments } = require('./tree')
const { Source } = require('./source')
const { Line, translated, nameLine, styled } = require('./lines')
const { Functions } = require('./functions')
const { suggest } = require('./suggestions')
const { levelOf, isTold, OPERATOR, GAME_MASTER } = require('./permissions')
const { nameTable } = require('../../name_table')

/**
 * @typedef {(args: Arguments, source: Source) => number} Handler does the command, says what it has to say, gives
 *   vanilla's result
 */

/** @type {Record<string, Handler>} */
const HANDLERS = Object.assign(Object.create(null), require('./handlers/blocks'), require('./handlers/items'),
  require('./handlers/players'), require('./handlers/world_state'), require('./handlers/scoreboard'),
  require('./handlers/data'), require('./handlers/talk'), require('./handlers/server'), require('./handlers/summon'),
  require('./handlers/bars'), require('./handlers/teams'), require('./handlers/shown'), require('./handlers/border'),
  require('./handlers/functions'), require('./handlers/attributes'), require('./handlers/ticks'),
  require('./handlers/progress'), require('./handlers/spread'), require('./handlers/loot'), require('./handlers/land'))

/** The commands of one world. */
class Commands {
  /** @param {import('../world').World} world */
  constructor (world) {
    this.world = world
    /** @type {any} */
    this.tree = /** @type {any} */ (require('minecraft-data')(world.version)).commands.root
    /** The command tree for each permission level. @type {any[]} */
    this.roots = Array.from({ length: OPERATOR + 1 },
      (_, level) => ({ ...this.tree,
      children: this.tree.children.filter((/** @type {any} */ child) => levelOf(child.name) <= level) }))
    /** Names of operators, absent players included. @type {Set<string>} */
    this.ops = new Set()
    /** Names that can never become operators: the bodies of agents. @type {Set<string>} */
    this.neverOps = new Set()
    /** @type {{ on: boolean, names: Set<string> }} */
    this.whitelist = { on: false, names: new Set() }
    /** Columns marked by /forceload. @type {Set<string>} */
    this.forced = new Set()
    this.saving = true
    this.maxPlayers = 500
    /** Data kept by /data ... storage. @type {Map<string, import('../nbt/values').Tag>} */
    this.storage = new Map()
    /** Boss bars by id. @type {Map<string, import('../rules/operators/boss_bars').BossBar>} */
    this.bars = new Map()
    this.functions = new Functions(this)
    this.execute = require('./handlers/execute').makeExecute(this)
    this.say = world.data.text.bind(world.data)
  }

  /** Names of all commands that can be run, for help and tests. */
  get names () { return [...Object.keys(HANDLERS), 'execute'].sort() }

  /**
   * @param {string} text without the slash
   * @param {import('../player').Player | null} player null for the console
   * @returns {import('../types').CommandReply}
   */
  run (text, player) {
    const source = new Source(this.world, { entity: player, console: !player, level: this.levelOf(player) })
    const command = String(text).replace(/^\//, '').trim()
    try {
      const steps = this.parse(command, source.level)
      const value = this.dispatch(steps, source)
      if (isTold(steps)) this.tellOperators(source, player)
      return this.answer(source, player, true, value)
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      for (const line of source.out) this.sendLine(player, line)
      for (const line of error.lines()) this.sendLine(player, styled(line, { color: 'red' }))
      return { ok: false, reply: [...source.out, error.reply(this.say('command.context.here'))].join('\n'), value: 0 }
    }
  }

  /**
   * Run a command for an object in the world, such as a command block; nobody sees the reply.
   * @param {string} text
   * @param {import('../types').Pos} pos
   * @param {number} level
   * @returns {boolean} true if it was done
   */
  runAt (text, pos, level) {
    const source = new Source(this.world, { pos, level })
    try {
      this.dispatch(this.parse(String(text).replace(/^\//, '').trim(), level), source)
      return true
    } catch (error) {
      if (!(error instanceof CommandError)) throw error
      return false
    }
  }

  /** Return a source without a caller, with the console's permissions. @returns {Source} */
  console () { return new Source(this.world, {}) }

  /**
   * @param {import('../player').Player | null} player null for the console
   * @returns {number} permission level, 0 to 4
   */
  levelOf (player) { return !player || player.op ? OPERATOR : 0 }

  /**
   * @param {Source} source
   * @param {import('../player').Player | null} player
   * @param {boolean} ok
   * @param {number} value
   */
  answer (source, player, ok, value) {
    if (this.world.rules.sendCommandFeedback) for (const line of source.out) this.sendLine(player, line)
    return { ok, reply: source.out.join('\n'), value }
  }

  /** Return one of the game's texts. @param {string} key @param {...(string | number | Line)} args */
  line (key, ...args) { return translated(this.world.data, key, ...args) }

  /**
   * Return completions of a partly typed command.
   * @param {string} text as typed, with or without a slash
   * @param {import('../player').Player | null} player
   */
  suggest (text, player) { return suggest(this.world, text, this.levelOf(player)) }

  /** @param {import('../player').Player | null} player @param {string | Line} line */
  sendLine (player, line) {
    if (!player) return
    const component = line instanceof Line ? { component: JSON.stringify(line.component) } : {}
    this.world.emit('system', { player, text: String(line), overlay: false, ...component })
  }

  /**
   * Tell the other operators about a command of `source`.
   * @param {Source} source
   * @param {import('../player').Player | null} player who did it
   */
  tellOperators (source, player) {
    if (!this.world.rules.sendCommandFeedback) return
    const others = [...this.world.players.values()].filter((other) => other.op && other !== player)
    if (others.length === 0) return
    const who = player ? nameLine(player) : new Line(source.name, source.name)
    for (const said of source.out) {
      const line = said instanceof Line ? said : new Line(said, said)
      const told = styled(translated(this.world.data, 'chat.type.admin', who, line), { color: 'gray', italic: true })
      for (const other of others) this.sendLine(other, told)
    }
  }

  /**
   * @param {string} text
   * @param {number} level of who asks
   * @returns {import('./tree').Step[]}
   * @throws {CommandError}
   */
  parse (text, level) {
    return walkCommand(new Reader(text, this.say, level >= GAME_MASTER), this.roots[level], this.world.data)
  }

  /** @param {import('./tree').Step[]} steps @param {Source} source @returns {number} */
  dispatch (steps, source) {
    const name = steps[0].name
    if (name === 'execute') return this.execute(steps, source)
    const handler = HANDLERS[ALIASES[name] ?? name]
    if (!handler) throw new CommandError(`This world has no /${name}: ${REFUSED[name]}`)
    return handler(new Arguments(steps), source)
  }
}

const NO_BANS = 'keep players out by /whitelist, and send them away by /kick'
const NO_PROFILER = 'what it costs is told by `accord doctor`'

/** Minecraft commands that mean nothing here, with the alternative. @type {Record<string, string>} */
const REFUSED = nameTable({
  ban: NO_BANS, 'ban-ip': NO_BANS, banlist: NO_BANS, pardon: NO_BANS, 'pardon-ip': NO_BANS,
  datapack: 'functions are read when it starts, from the folder that the setting "functions" names',
  reload: 'functions are read when it starts, from the folder that the setting "functions" names',
  debug: NO_PROFILER, jfr: NO_PROFILER, perf: NO_PROFILER, publish: 'a server has its port from the start',
  setidletimeout: 'nobody is sent away for being idle'
})

/** @type {Record<string, string>} */
const ALIASES = nameTable({ tp: 'teleport', xp: 'experience', tell: 'msg', w: 'msg',
  tm: 'teammsg' })

Object.assign(HANDLERS, require('./handlers/locate'))

module.exports = { Commands, REFUSED }
