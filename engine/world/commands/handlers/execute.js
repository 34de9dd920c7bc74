'use strict'
/**
 * Handler of execute: runs a command as, at, if ... Each word changes the sources; the command after `run` runs once
 * per source.
 */
const { across } = require('../../dimensions')
const { CommandError } = require('../reader')
const { summonAt } = require('./summon')
const { keeperOf } = require('../results')
const { surfaceAt } = require('../heights')
const { viewTo, lookPoint } = require('./players')
const { CONDITIONS, answer } = require('../conditions')
const { nameTable } = require('../../../name_table')

/** @typedef {import('../source').Source} Source */
/** @typedef {import('../tree').Step} Step */

/** A cursor over the steps of the command. */
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

/** Entities by their relation to another entity. @type {Record<string, (entity: any) => any[]>} */
const RELATIONS = nameTable({
  attacker: (entity) => [entity.recentAttacker],
  controller: ({ passengers }) => [passengers[0]?.living ? passengers[0] : null],
  // Leads do not exist in this world.
  leasher: () => [],
  origin: (entity) => [entity.shooter ?? entity.lighter],
  owner: (entity) => [entity.master],
  passengers: ({ passengers }) => passengers,
  target: (entity) => [entity.target],
  vehicle: (entity) => [entity.vehicle]
})

/** @type {Record<string, (take: Steps, source: Source) => Source[]>} */
const CHANGES = nameTable({
  as: (take, source) => take.next().find(source).map((/** @type {any} */ entity) => source.with({ entity })),
  at: (take, source) => take.next().find(source)
    .map((/** @type {any} */ e) => source.with({ pos: { x: e.x, y: e.y, z: e.z }, yaw: e.yaw, pitch: e.pitch })),
  anchored: (take, source) => [source.with({ anchor: take.next() })],
  in: (take, source) => [source.with(
    { pos: across(source.pos, /** @type {any} */ (String(take.next()).replace(/^minecraft:/, ''))) })],
  positioned: (take, source) => {
    const first = take.next()
    if (first === 'as') {
      return take.next().find(source).map((/** @type {any} */ e) => source.with({ pos: { x: e.x, y: e.y, z: e.z } }))
    }
    if (first === 'over') {
      const { x, z } = source.pos
      return [source.with({ pos: { x, y: surfaceAt(source.world, Math.floor(x), Math.floor(z), take.next()), z } })]
    }
    return [source.with({ pos: source.resolve(first), anchor: 'feet' })]
  },
  rotated: (take, source) => {
    const first = take.next()
    if (first === 'as') {
      return take.next().find(source).map((/** @type {any} */ e) => source.with({ yaw: e.yaw, pitch: e.pitch }))
    }
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
    return (source.entity ? RELATIONS[relation](source.entity)
      : []).filter((other) => other && !other.removed).map((entity) => source.with({ entity }))
  },
  store: (take, source) => [source.with({ keepers: [...source.keepers, keeperOf(take, source)] })],
  summon: (take, source) => [source.with({ entity: summonAt(source, take.next(), source.pos) })]
})

/**
 * Return the handler of execute.
 * @param {import('../commands').Commands} commands
 * @returns {(steps: Step[], source: Source) => number}
 */
function makeExecute (commands) {
  return (steps, origin) => {
    const take = new Steps(steps)
    let sources = [origin]
    /** @type {import('../conditions').Tested[]} */
    let last = []
    while (!take.done && take.word !== 'run') {
      const word = take.next()
      last = []
      const from = take.at
      let end = skip(steps, word, from)
      sources = sources.flatMap((source) => {
        take.at = from
        const made = word === 'if' || word === 'unless' ? test(word, take, source, last) : CHANGES[word](take, source)
        end = take.at
        return made
      })
      take.at = end
    }
    const rest = steps.slice(take.at + 1)
    const branches = take.done
      ? last.map((tested) => ({ source: tested.source, end: () => answer(tested) }))
      : sources.map((source) => ({ source, end: () => commands.dispatch(rest, source) }))
    return runAll(branches, take.done)
  }
}

/**
 * Apply a condition: keep the source if the condition holds.
 * @param {string} word if or unless
 * @param {Steps} take
 * @param {Source} source
 * @param {import('../conditions').Tested[]} last what was tested
 * @returns {Source[]}
 */
function test (word, take, source, last) {
  const kind = take.next()
  const found = CONDITIONS[kind](take, source)
  last.push({ source, kind, found, unless: word === 'unless' })
  return (found !== false && found !== 0) === (word === 'if') ? [source] : []
}

const STARTERS = new Set([...Object.keys(CHANGES), 'if', 'unless', 'run'])

/**
 * Return the index of the next word of execute when no source is left to evaluate this word's arguments.
 * @param {Step[]} steps
 * @param {string} word
 * @param {number} from
 */
function skip (steps, word, from) {
  let at = from
  while (at < steps.length &&
    !(steps[at].literal && STARTERS.has(steps[at].name) &&
    !(steps[at].name === 'as' && at === from && word !== 'as'))) {
    at++
  }
  return at
}

/**
 * End every branch: run its command or answer its last condition, then store the results.
 * @param {{ source: Source, end: () => number }[]} branches
 * @param {boolean} quiet a refusal of one branch among several is not told
 * @returns {number} of the last branch that went well
 * @throws {CommandError} the refusal of a branch that is alone and whose result nothing stores
 */
function runAll (branches, quiet) {
  let result = 0
  for (const { source, end } of branches) {
    try {
      result = end()
      for (const keep of source.keepers) keep(true, result)
    } catch (failure) {
      if (!(failure instanceof CommandError)) throw failure
      if (branches.length === 1 && source.keepers.length === 0) throw failure
      for (const keep of source.keepers) keep(false, 0)
      if (!quiet) source.out.push(failure.line)
    }
  }
  return result
}

module.exports = { makeExecute }
