'use strict'
/**
 * One mock world with its players and their programs, as requests and answers. Time stands still but for `advance`.
 */
const { Simulation } = require('../../skills_js/mock/simulation')
const { Stage } = require('../../skills_js/mock/stage')
const { Recorder, observationOf } = require('../../skills_js/mock/recorder')
const { bundle } = require('../../skills_js/lookalike/bundle')
const { named } = require('../../skills_js/lookalike/errors')
const { RunGroup } = require('./run_group')

/** Real time after which a long advance listens for requests, in ms. */
const LISTEN_MS = 20
/** Real time after which a long advance is answered as far as it has come, in ms: silence would mean that we hang. */
const ANSWER_MS = 2000

/**
 * @typedef {{ seed: number, threaded: boolean }} WorldSettings
 * @typedef {(event: import('../../skills_js/mock/recorder').Told) => void} Tell
 * @typedef {(run: number, results: Record<string, object>) => void} TellEnd a run is over
 */

/** The world of one host process. */
class WorldHost {
  #simulation
  #stage
  #recorder
  #threaded
  #tell
  #tellEnd
  /** Runs that go on, by their numbers. @type {Map<number, RunGroup>} */
  #runs = new Map()
  /** Requests that have come and wait for their turn. */
  #waiting = 0
  /** @type {Promise<any>} */
  #turn = Promise.resolve()
  #nextRun = 1

  /**
   * @param {WorldSettings} settings
   * @param {Tell} tell
   * @param {TellEnd} tellEnd
   */
  constructor ({ seed, threaded }, tell, tellEnd) {
    this.#threaded = threaded
    this.#tell = tell
    this.#tellEnd = tellEnd
    ;({ simulation: this.#simulation, stage: this.#stage, recorder: this.#recorder } = opened(seed, tell))
  }

  /**
   * Answer one request; one after the other, in the order in which they came.
   *
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
    command: ({ text }) => {
      const reply = this.#simulation.world.command(text, null)
      this.#recorder.flush()
      return { ok: reply.ok, reply: reply.reply }
    },
    connect: ({ bot, observer }) => {
      if (this.#simulation.clients.has(bot)) return
      this.#recorder.joined(this.#simulation.join(bot, observer ? { gamemode: 'spectator' } : {}))
    },
    disconnect: async ({ bot }) => {
      this.#simulation.leave(bot)
      for (const group of this.#runs.values()) await group.look()
      this.#concludeRuns()
    },
    observe: ({ bot }) => observationOf(this.#simulation.client(bot)),
    now: () => this.#simulation.age,
    start: (request) => this.#start(request),
    cancel: ({ bots }) => this.#cancel(bots),
    renew: async ({ seed }) => {
      await this.#cancel(null)
      ;({ simulation: this.#simulation, stage: this.#stage, recorder: this.#recorder } = opened(seed, this.#tell))
      this.#nextRun = 1
    },
    advance: (request) => this.#advance(request)
  }

  /** @param {{ policies: { bot: string, source: string }[], limits: import('./run_group').RunLimits }} request */
  async #start ({ policies, limits }) {
    for (const { bot } of policies) {
      const client = this.#simulation.clients.get(bot)
      if (client === undefined) throw named('BotLost', `${bot} is not in the world`)
      if ([...this.#runs.values()].some((group) => group.bots.includes(bot))) throw named('BotBusy', `${bot} is running a policy already`)
    }
    const run = this.#nextRun++
    const group = new RunGroup({
      simulation: this.#simulation, stage: this.#stage, recorder: this.#recorder, bundle: bundle(), threaded: this.#threaded, run
    }, policies, limits)
    this.#runs.set(run, group)
    await group.start()
    this.#concludeRuns()
    return run
  }

  /** @param {string[]|null} bots */
  async #cancel (bots) {
    for (const group of this.#runs.values()) await group.cancel(bots)
    this.#concludeRuns()
  }

  /**
   * Let time pass: until that tick, or (null) as long as programs run; less when a run ends, a request comes, or it takes long.
   *
   * @param {{ until: number|null }} request
   * @returns {Promise<number>} the world's age
   */
  async #advance ({ until }) {
    const began = performance.now()
    let heard = began
    const running = this.#runs.size
    while (until === null ? this.#runs.size > 0 : this.#simulation.age < until) {
      await this.#stage.tick()
      for (const group of this.#runs.values()) await group.look()
      this.#concludeRuns()
      if (this.#runs.size < running) break
      if (performance.now() - heard < LISTEN_MS) continue
      await new Promise((resolve) => setImmediate(resolve))
      if (this.#waiting > 0 || performance.now() - began > ANSWER_MS) break
      heard = performance.now()
    }
    return this.#simulation.age
  }

  /** Tell of what has changed and of the runs that are over. */
  #concludeRuns () {
    this.#recorder.flush()
    for (const [run, group] of this.#runs) {
      if (!group.over) continue
      this.#runs.delete(run)
      this.#tellEnd(run, group.results)
    }
  }
}

/** @param {number} seed @param {Tell} tell a world as new, and who runs its programs and tells of it */
function opened (seed, tell) {
  const simulation = new Simulation({ seed })
  const recorder = new Recorder(simulation, tell)
  simulation.world.on('leave', ({ player }) => recorder.left(player.name, 'left'))
  return { simulation, stage: new Stage(simulation), recorder }
}

module.exports = { WorldHost }
