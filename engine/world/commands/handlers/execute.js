'use strict'
/** execute: runs a command as, at, if ... Each word changes the sources; the command after `run` is done once per source. */
const { across } = require('../../dimensions')
const { CommandError } = require('../reader')
const { holders, objectiveOf } = require('./scoreboard')
const { viewTo, lookPoint } = require('./players')
const { CONDITIONS, answer } = require('../conditions')

/** @typedef {import('../source').Source} Source */
/** @typedef {import('../tree').Step} Step */

/** Takes the steps one after the other. */
class Steps {
  /** @param {Step[]} steps */
  constructor (steps) {
    this.steps = steps
    this.at = 1
  }

  get done () { return this.at >= this.steps.length }
  get word () { return this.steps[this.at]?.name }
  /** @returns {any} the next value */
  next () { return this.steps[this.at++].value }
}

/** @type {Record<string, (take: Steps, source: Source) => Source[]>} */
const CHANGES = {
  __proto__: /** @type {any} */ (null),
  as: (take, source) => take.next().find(source).map((/** @type {any} */ entity) => source.with({ entity })),
  at: (take, source) => take.next().find(source).map((/** @type {any} */ e) => source.with({ pos: { x: e.x, y: e.y, z: e.z }, yaw: e.yaw, pitch: e.pitch })),
  anchored: (take, source) => [source.with({ anchor: take.next() })],
  in: (take, source) => [source.with({ pos: across(source.pos, /** @type {any} */ (String(take.next()).replace(/^minecraft:/, ''))) })],
  positioned: (take, source) => {
    const first = take.next()
    if (first === 'as') return take.next().find(source).map((/** @type {any} */ e) => source.with({ pos: { x: e.x, y: e.y, z: e.z } }))
    if (first === 'over') throw new CommandError('execute positioned over is not run by this world engine')
    return [source.with({ pos: source.resolve(first), anchor: 'feet' })]
  },
  rotated: (take, source) => {
    const first = take.next()
    if (first === 'as') return take.next().find(source).map((/** @type {any} */ e) => source.with({ yaw: e.yaw, pitch: e.pitch }))
    return [source.with(source.rotation(first))]
  },
  align: (take, source) => {
    const axes = take.next()
    const pos = { ...source.pos }
    for (const axis of /** @type {('x' | 'y' | 'z')[]} */ ([...axes])) pos[axis] = Math.floor(pos[axis])
    return [source.with({ pos })]
  },
  facing: (take, source) => {
    const first = take.next()
    const from = source.pos
    if (first !== 'entity') return [source.with(viewTo(from, source.resolve(first)))]
    const targets = take.next().find(source)
    const anchor = take.next()
    return targets.map((/** @type {any} */ e) => source.with(viewTo(from, lookPoint(e, anchor))))
  },
  on: (take, source) => {
    const relation = take.next()
    if (relation !== 'attacker') throw new CommandError(`execute on ${relation} is not run by this world engine`)
    const attacker = /** @type {any} */ (source.entity)?.recentAttacker
    return attacker ? [source.with({ entity: attacker })] : []
  },
  summon: (take, source) => {
    const entity = source.world.summon(take.next(), source.pos)
    if (!entity) throw source.error('commands.summon.failed')
    return [source.with({ entity })]
  }
}

/** Where results go: store result|success score ... @typedef {{ success: boolean, names: string[], objective: any }} Keeper */

/** @param {Steps} take @param {Source} source @returns {Keeper} */
function readStore (take, source) {
  const success = take.next() === 'success'
  const where = take.next()
  if (where !== 'score') throw new CommandError(`execute store ... ${where} is not run by this world engine: use score`)
  return { success, names: holders(source, take.next()), objective: objectiveOf(source, take.next()) }
}

/**
 * The handler of execute.
 * @param {import('../commands').Commands} commands
 * @returns {(steps: Step[], source: Source) => number}
 */
function makeExecute (commands) {
  return (steps, origin) => {
    const take = new Steps(steps)
    /** @type {Keeper[]} */
    const keepers = []
    let sources = [origin]
    /** @type {import('../conditions').Tested[]} */
    let last = []
    while (!take.done && take.word !== 'run') {
      const word = take.next()
      last = []
      const from = take.at
      if (word === 'store') {
        keepers.push(readStore(take, sources[0] ?? origin))
        continue
      }
      const each = (/** @type {(source: Source) => Source[]} */ change) => {
        let end = skip(steps, word, from)
        sources = sources.flatMap((source) => {
          take.at = from
          const made = change(source)
          end = take.at
          return made
        })
        take.at = end
      }
      if (word === 'if' || word === 'unless') {
        each((source) => {
          const kind = take.word
          const found = CONDITIONS[kind] ? CONDITIONS[take.next()](take, source) : unknown(kind)
          last.push({ source, kind, found, unless: word === 'unless' })
          return (found !== false && found !== 0) === (word === 'if') ? [source] : []
        })
      } else each((source) => CHANGES[word](take, source))
    }
    const rest = steps.slice(take.at + 1)
    const result = take.done
      ? runAll(last, answer, () => {})
      : runAll(sources, (source) => commands.dispatch(rest, source), (source, failure) => source.out.push(failure.message))
    for (const { success, names, objective } of keepers) for (const name of names) origin.world.scoreboard.set(objective, name, success ? Number(result.ok) : result.value)
    if (result.error && !keepers.length) throw result.error
    return result.value
  }
}

/** @param {string} word @returns {never} */
function unknown (word) { throw new CommandError(`execute if ${word} is not run by this world engine`) }

const STARTERS = new Set([...Object.keys(CHANGES), 'if', 'unless', 'store', 'run'])

/** Where the next word of execute begins, when nobody is left to take this one's values. @param {Step[]} steps @param {string} word @param {number} from */
function skip (steps, word, from) {
  let at = from
  while (at < steps.length && !(steps[at].literal && STARTERS.has(steps[at].name) && !(steps[at].name === 'as' && at === from && word !== 'as'))) at++
  return at
}

/** @typedef {{ ok: boolean, value: number, error?: Error }} Result */

/**
 * The end of each branch: what is done for its source, or what its last condition answers.
 * @template T
 * @param {T[]} branches
 * @param {(branch: T) => number} end
 * @param {(branch: T, failure: CommandError) => void} failed of several: one that is alone fails for all
 * @returns {Result}
 */
function runAll (branches, end, failed) {
  let value = 0
  /** @type {Error | undefined} */
  let error
  let done = 0
  for (const branch of branches) {
    try {
      value = end(branch)
      done++
    } catch (failure) {
      if (!(failure instanceof CommandError)) throw failure
      error = failure
      if (branches.length > 1) failed(branch, failure)
    }
  }
  return { ok: done > 0, value, error: branches.length === 1 ? error : undefined }
}

module.exports = { makeExecute }
