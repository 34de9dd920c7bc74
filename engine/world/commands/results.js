'use strict'
/** Targets of `execute store`. */
const { change } = require('../nbt/edit')
const { tags } = require('../nbt/values')
const { holders, objectiveOf } = require('./handlers/scoreboard')
const { subjectOf } = require('./subjects')
const { CommandError } = require('./reader')
const { nameTable } = require('../../name_table')

/** @typedef {import('./source').Source} Source */
/** @typedef {(ok: boolean, value: number) => void} Keeper stores the end of one command */
/** @typedef {{ next: () => any }} Steps */

/**
 * Conversions to number types: fractions are cut as by Java's casts; bytes and shorts wrap.
 * @type {Record<string, (value: number) => import('../nbt/values').Tag>}
 */
const NUMBERS = nameTable({
  byte: (value) => tags.byte(Math.trunc(value) << 24 >> 24),
  short: (value) => tags.short(Math.trunc(value) << 16 >> 16), int: (value) => tags.int(clamped(value)),
  long: (value) => tags.long(Math.trunc(value)), float: (value) => tags.float(Math.fround(value)),
  double: (value) => tags.double(value)
})
const INT = 2147483647

/** @param {number} value */
function clamped (value) { return Math.max(-INT - 1, Math.min(INT, Math.trunc(value))) }

/** @param {Steps} take after `result` or `success` @param {Source} source @returns {(value: number) => void} */
function placeOf (take, source) {
  const where = take.next()
  if (where === 'score') {
    const names = holders(source, take.next())
    const objective = objectiveOf(source, take.next())
    return (value) => { for (const name of names) source.world.scoreboard.set(objective, name, value) }
  }
  if (where === 'bossbar') {
    const id = take.next()
    const bar = source.world.commands.bars.get(id)
    if (!bar) throw source.error('commands.bossbar.unknown', id)
    const field = /** @type {'value' | 'max'} */ (take.next())
    return (value) => {
      bar[field] = field === 'max' ? Math.max(1, value) : Math.max(0, Math.min(bar.max, value))
      bar.announceChange('health')
    }
  }
  const subject = subjectOf(source, where, take.next())
  const path = take.next()
  const make = NUMBERS[take.next()]
  const scale = take.next()
  return (value) => {
    try {
      const tag = change(subject.read(), path.steps, { leaf: () => make(value * scale), create: true })
      if (tag) subject.write(tag)
    } catch (error) {
      // Vanilla ignores what cannot be stored, such as a player's data.
      if (!(error instanceof CommandError)) throw error
    }
  }
}

/** Return a function that stores a command's result. @param {Steps} take @param {Source} source @returns {Keeper} */
function keeperOf (take, source) {
  const success = take.next() === 'success'
  const put = placeOf(take, source)
  return (ok, value) => put(success ? Number(ok) : value)
}

module.exports = { keeperOf }
