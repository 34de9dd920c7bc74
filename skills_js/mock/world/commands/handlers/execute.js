'use strict'
/** execute: runs a command as, at, if ... Each word changes the sources; the command after `run` is done once per source. */
const { CommandError } = require('../reader')
const { isBlock } = require('./blocks')
const { holders, objectiveOf } = require('./scoreboard')
const { viewTo, lookPoint } = require('./players')
const { follow } = require('../../nbt/path')
const { containerNbt } = require('../../nbt/items')

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
  in: (take, source) => { take.next(); return [source] },
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

/** @type {Record<string, (take: Steps, source: Source) => number>} how many: 0 is false */
const CONDITIONS = {
  __proto__: /** @type {any} */ (null),
  block: (take, source) => { const pos = source.block(take.next()); return Number(isBlock(source.world, pos, take.next())) },
  entity: (take, source) => take.next().find(source).length,
  loaded: (take, source) => { source.block(take.next()); return 1 },
  dimension: (take) => Number(take.next() === 'minecraft:overworld'),
  score: (take, source) => {
    const [holder] = holders(source, take.next())
    const score = objectiveOf(source, take.next()).scores.get(holder)
    const sign = take.next()
    if (sign === 'matches') {
      const range = take.next()
      return Number(score !== undefined && score >= range.min && score <= range.max)
    }
    const [otherHolder] = holders(source, take.next())
    const other = objectiveOf(source, take.next()).scores.get(otherHolder)
    if (score === undefined || other === undefined) return 0
    return Number({ '<': score < other, '<=': score <= other, '=': score === other, '>=': score >= other, '>': score > other }[/** @type {'<'} */ (sign)])
  },
  data: (take, source) => {
    const kind = take.next()
    const what = take.next()
    const path = take.next()
    return follow(dataOf(kind, what, source), path.steps).length
  }
}

/** @param {string} kind @param {any} what @param {Source} source */
function dataOf (kind, what, source) {
  if (kind === 'entity') return source.world.nbt.compound(what.one(source).nbt())
  if (kind === 'storage') return source.world.commands.storage.get(what) ?? source.world.nbt.compound({})
  const entity = source.world.blockEntities.at(source.block(what))
  if (!entity) throw source.error('commands.data.block.invalid')
  return containerNbt(entity)
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
    let last = /** @type {{ count: number, unless: boolean } | null} */ (null)
    while (!take.done && take.word !== 'run') {
      const word = take.next()
      last = null
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
        let count = 0
        each((source) => {
          const n = CONDITIONS[take.word] ? CONDITIONS[take.next()](take, source) : unknown(take.word)
          count += n
          return (n > 0) === (word === 'if') ? [source] : []
        })
        last = { count, unless: word === 'unless' }
      } else each((source) => CHANGES[word](take, source))
    }
    const result = take.done ? tested(origin, sources, last) : runAll(commands, steps.slice(take.at + 1), sources)
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

/** The end without `run`: the last condition answers. @param {Source} origin @param {Source[]} sources @param {{ count: number, unless: boolean } | null} last @returns {Result} */
function tested (origin, sources, last) {
  if (!last || sources.length === 0) return { ok: false, value: 0, error: last?.unless && last.count > 0 ? origin.error('commands.execute.conditional.fail_count', last.count) : origin.error('commands.execute.conditional.fail') }
  if (last.unless || last.count === 1) origin.say('commands.execute.conditional.pass')
  else origin.say('commands.execute.conditional.pass_count', last.count)
  return { ok: true, value: last.unless ? 1 : last.count }
}

/** @param {import('../commands').Commands} commands @param {Step[]} steps @param {Source[]} sources @returns {Result} */
function runAll (commands, steps, sources) {
  let value = 0
  /** @type {Error | undefined} */
  let error
  let done = 0
  for (const source of sources) {
    try {
      value = commands.dispatch(steps, source)
      done++
    } catch (failure) {
      if (!(failure instanceof CommandError)) throw failure
      error = failure
      if (sources.length > 1) source.out.push(failure.message)
    }
  }
  return { ok: done > 0, value: done > 0 ? value : 0, error: done === 0 && sources.length === 1 ? error : undefined }
}

module.exports = { makeExecute }
