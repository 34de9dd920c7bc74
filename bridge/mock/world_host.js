'use strict'
/** One mock world with its players and their programs, as requests and answers. Time passes only in `advance`. */
const { Simulation } = require('../../skills_js/mock/simulation')
const { Stage } = require('../../skills_js/mock/stage')
const { Recorder, observationOf } = require('../../skills_js/mock/recorder')
const { bundle } = require('../../skills_js/bot_facade/bundle')
const { named } = require('../../skills_js/bot_facade/errors')
const { Sensing } = require('../../skills_js/mock/sensing')
const { speak } = require('../../skills_js/mock/speak')
const { gameData } = require('../../engine/world')
const { compiled } = require('../host/isolates/policy_context')
const { CallBodies } = require('./call_bodies')
const { IsolatePool } = require('./isolate_pool')
const { RunGroup } = require('./run_group')

/** Real time after which a long advance listens for requests, in ms. */
const LISTEN_MS = 20
/** Real time after which a long advance shows a sign of life, in ms: silence would mean a hang. */
const ALIVE_MS = 2000

/**
 * @typedef {import('../../skills_js/mock/recorder').Region} Region
 * @typedef {{ seed: number, threaded: boolean, terrain?: string, region?: Region }} WorldSettings
 * @typedef {(event: import('../../skills_js/mock/recorder').Told) => void} Tell
 * @typedef {(run: number, results: Record<string, object>) => void} TellEnd a run is over
 * @typedef {() => void} TellAlive the work at a request goes on
 */

/** World of one host process. */
class WorldHost {
  #simulation
  #stage
  #recorder
  #threaded
  #terrain
  #region
  #tell
  #tellEnd
  #tellAlive
  /** Active runs, by number. @type {Map<RunGroup, number>} */
  #runs = new Map()
  /** Bot -> its last run. @type {Map<string, RunGroup>} */
  #playing = new Map()
  /** Runs that need a check, in the order in which they began. @type {Map<RunGroup, number>} */
  #stirred = new Map()
  #begun = 0
  /** Isolates of the bots in the world. */
  #pool = new IsolatePool()
  /** Bots for calls of primitives. */
  #bodies = new CallBodies()
  /** Senses last reported to players. */
  #sensing = new Sensing()
  /** Runs that ended in the current advance. @type {string[]} */
  #ended = []
  /** Number of requests that wait for their turn. */
  #waiting = 0
  /** @type {Promise<any>} */
  #turn = Promise.resolve()
  /** Pictures of the world, from the first request on. @type {import('../../engine/view').View | null} */
  #view = null
  /** Its land as data, from the first request on. @type {import('../../engine/view/survey').Survey | null} */
  #survey = null
  /** True if an isolate could not be freed: its thread and memory stay for as long as this process lives. */
  #worn = false

  /**
   * @param {WorldSettings} settings
   * @param {Tell} tell
   * @param {TellEnd} tellEnd
   * @param {TellAlive} [tellAlive]
   */
  constructor ({ seed, threaded, terrain, region }, tell, tellEnd, tellAlive = () => {}) {
    this.#threaded = threaded
    this.#terrain = terrain
    this.#region = region
    this.#tell = tell
    this.#tellEnd = tellEnd
    this.#tellAlive = tellAlive
    ;({
      simulation: this.#simulation, stage: this.#stage, recorder: this.#recorder
    } = opened(seed, terrain, tell, region))
  }

  /** Load what the first world and its first program would wait for: the game's data, and the compiled bundle. */
  static prepare () {
    gameData()
    compiled(bundle())
  }

  /**
   * Answer one request; requests are answered one after the other, in order.
   * @param {string} verb
   * @param {any} request
   * @returns {Promise<any>}
   */
  handle (verb, request) {
    const work = this.#verbs[verb]
    if (work === undefined) return Promise.reject(named('BadArgument', `no request ${JSON.stringify(verb)}`))
    this.#waiting++
    const answer = this.#turn.then(() => {
      this.#waiting--
      return work(request)
    })
    this.#turn = answer.catch(() => {})
    return answer
  }

  /** @type {Record<string, (request: any) => any>} */
  #verbs = {
    commands: ({ texts }) => texts.map((/** @type {string} */ text) => {
      const { reply } = this.#simulation.world.command(text, null)
      this.#recorder.flush()
      return reply
    }),
    connect: ({ bots }) => {
      for (const bot of bots) {
        if (!this.#simulation.clients.has(bot)) this.#recorder.joined(this.#simulation.join(bot))
      }
      // Each attempt at an episode begins so, and its record tells all that lies around.
      this.#recorder.repeatDrops()
    },
    disconnect: async ({ bots }) => {
      for (const bot of bots) this.#simulation.leave(bot)
      for (const group of this.#runs.keys()) await group.look()
      for (const bot of bots) {
        this.#pool.forget(bot)
        this.#bodies.forget(bot)
      }
      this.#concludeRuns()
    },
    observe: ({ bot }) => observationOf(this.#simulation.client(bot)),
    sense: ({ bots, senses, ...known }) => this.#sensing.look(this.#simulation, bots, senses, known),
    hearing: ({ reach }) => { this.#simulation.hearing = reach },
    speak: ({ lines }) => speak(this.#simulation, lines),
    now: () => this.#simulation.age,
    picture: (request) => this.#picture(request),
    survey: (request) => this.#answerSurvey(request),
    start: (request) => this.#start(request),
    cancel: ({ bots, run }) => this.#cancel(bots, run),
    renew: async ({ seed, threaded = this.#threaded, terrain = this.#terrain, region = this.#region }) => {
      await this.#cancel(null, null)
      this.#threaded = threaded
      this.#terrain = terrain
      this.#region = region
      this.#pool.clear()
      this.#bodies.clear()
      this.#sensing = new Sensing()
      this.#view = null
      this.#survey = null
      ;({
        simulation: this.#simulation, stage: this.#stage, recorder: this.#recorder
      } = opened(seed, terrain, this.#tell, region))
      return { worn: this.#worn }
    },
    advance: (request) => this.#advance(request)
  }

  /**
   * @param {{ run: number, policies: import('./run_group').Program[], limits: import('./run_group').RunLimits }}
   *   request
   */
  async #start ({ run, policies, limits }) {
    for (const { bot } of policies) {
      const client = this.#simulation.clients.get(bot)
      if (client === undefined) throw named('BotLost', `${bot} is not in the world`)
      if (this.#playing.get(bot)?.playing(bot)) throw named('BotBusy', `${bot} is running a policy already`)
    }
    const order = this.#begun++
    const group = new RunGroup({
      simulation: this.#simulation, stage: this.#stage, recorder: this.#recorder, bundle: bundle(),
      threaded: this.#threaded, pool: this.#pool, bodies: this.#bodies,
      onLostThread: () => { this.#worn = true },
      onStir: (stirred) => { this.#stirred.set(stirred, order) }
    }, policies, limits)
    this.#runs.set(group, run)
    this.#stirred.set(group, order)
    for (const { bot } of policies) this.#playing.set(bot, group)
    await group.start()
    this.#concludeRuns()
  }

  /**
   * Return a picture as a PNG file in base64.
   * @param {{ player: string } & import('../../engine/view').PictureRequest} request
   */
  #picture ({ player, ...request }) {
    // Loaded at the first request: most worlds are never looked at.
    const { View, encodePng } = require('../../engine/view')
    this.#view ??= new View(this.#simulation.world)
    try {
      return encodePng(this.#view.fromPlayer(player, request)).toString('base64')
    } catch (error) {
      throw error instanceof RangeError ? named('BadArgument', error.message) : error
    }
  }

  /**
   * Return a part of the world as data for a viewer (`engine/view/survey.js`).
   * @param {{ part: string, columns: [number, number][], look: number, texture: number, names: string[],
   *   players: string[], items: string[] }} request `part` names it; the rest depends on it
   */
  #answerSurvey ({ part, columns, look, texture, names, players, items }) {
    const { Survey } = require('../../engine/view/survey')
    const survey = this.#survey ??= new Survey(this.#simulation.world)
    try {
      switch (part) {
        case 'facts': return { ...survey.facts(), signs: survey.signs() }
        case 'columns': return survey.columns(columns).toString('base64')
        case 'news': return survey.news(look, texture)
        case 'named': return survey.named(names)
        case 'bodies': return survey.bodies(players, items)
        case 'skies': return survey.skies()
      }
    } catch (error) {
      throw error instanceof RangeError ? named('BadArgument', error.message) : error
    }
    throw named('BadArgument', `no part ${JSON.stringify(part)} of a survey`)
  }

  /** @param {string[]|null} bots end these programs, or all @param {number|null} run of that run only, or of all */
  async #cancel (bots, run) {
    for (const [group, number] of this.#runs) if (run === null || run === number) await group.cancel(bots)
    this.#concludeRuns()
  }

  /**
   * Let time pass until that tick, or (null) as long as programs run; less when a run ends or a request comes, unless
   * it runs ahead of those who hear of it.
   * @param {{ until: number|null, ahead?: boolean, look?: any, questions?: string[] }} request `look`: a request to
   *   `sense`, and `questions`: commands that change nothing; both are coming when that tick is reached
   * @returns {Promise<number | { age: number, held: Record<string, object>, look: object | null, replies: string[] }>}
   *   the world's age; and what is asked next, where that is known: whoever's run is over is observed, whoever waited
   *   for the tick looks and asks
   */
  async #advance ({ until, ahead = false, look, questions = [] }) {
    this.#ended = []
    let heard = performance.now()
    let spoke = heard
    const running = this.#runs.size
    while (until === null ? this.#runs.size > 0 : this.#simulation.age < until) {
      await this.#stage.tick()
      if (this.#stirred.size > 0) await this.#lookAround()
      this.#concludeRuns()
      if (!ahead && this.#runs.size < running) break
      if (performance.now() - heard < LISTEN_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      if (!ahead && this.#waiting > 0) break
      heard = performance.now()
      if (heard - spoke < ALIVE_MS) continue
      this.#tellAlive()
      spoke = heard
    }
    const { age, clients } = this.#simulation
    const looks = look !== undefined && age === until
    const replies = age === until ? this.#verbs.commands({ texts: questions }) : []
    if (!looks && replies.length === 0 && this.#ended.length === 0) return age
    const there = this.#ended.filter((bot) => clients.has(bot))
    return {
      age,
      held: Object.fromEntries(there.map((bot) => [bot, observationOf(this.#simulation.client(bot))])),
      look: looks ? this.#verbs.sense(look) : null,
      replies
    }
  }

  /** Check each run that stirs, in the order in which they began; a check may make others stir. */
  async #lookAround () {
    let looked = -1
    for (;;) {
      const next = [...this.#stirred].filter(([group, order]) => order > looked && group.stirs)
        .sort(([, a], [, b]) => a - b)[0]
      if (next === undefined) return
      looked = next[1]
      await next[0].look()
    }
  }

  /** Report what has changed, and the runs that are over. */
  #concludeRuns () {
    this.#recorder.flush()
    if (this.#stirred.size === 0) return
    for (const [group] of this.#stirred) if (!group.stirs && !group.over) this.#stirred.delete(group)
    for (const [group] of [...this.#stirred].sort(([, a], [, b]) => a - b)) if (group.over) this.#tellOver(group)
  }

  /** @param {RunGroup} group */
  #tellOver (group) {
    this.#stirred.delete(group)
    this.#ended.push(...Object.keys(group.results))
    for (const bot of Object.keys(group.results)) if (this.#playing.get(bot) === group) this.#playing.delete(bot)
    const run = /** @type {number} */ (this.#runs.get(group))
    this.#runs.delete(group)
    this.#tellEnd(run, group.results)
  }
}

/**
 * @param {number} seed
 * @param {string | undefined} terrain
 * @param {Tell} tell a world as new, and who runs its programs and tells of it
 * @param {Region | undefined} region
 */
function opened (seed, terrain, tell, region) {
  const simulation = new Simulation({ seed, terrain })
  const recorder = new Recorder(simulation, tell, undefined, region)
  simulation.world.on('leave', ({ player }) => recorder.left(player.name, 'left'))
  return { simulation, stage: new Stage(simulation), recorder }
}

module.exports = { WorldHost }
