'use strict'
/** Scoreboard objectives, and the statistics that feed their criteria. */
const { nameTable } = require('../../../name_table')

const SIMPLE = new Set(['dummy', 'trigger', 'deathCount', 'playerKillCount', 'totalKillCount', 'health', 'food', 'air',
  'armor', 'xp', 'level'])
const READ_ONLY = new Set(['health', 'food', 'air', 'armor', 'xp', 'level'])
/**
 * Statistic types whose subject is a block, an item or an entity.
 *
 * @type {Record<string, 'blocksByName' | 'itemsByName' | 'entitiesByName'>}
 */
const TYPES = nameTable({ mined: 'blocksByName', crafted: 'itemsByName',
  used: 'itemsByName', broken: 'itemsByName', picked_up: 'itemsByName', dropped: 'itemsByName',
  killed: 'entitiesByName', killed_by: 'entitiesByName' })
const CUSTOM = new Set(['deaths', 'mob_kills', 'player_kills', 'jump', 'drop', 'play_time', 'total_world_time',
  'time_since_death', 'time_since_rest', 'sneak_time', 'walk_one_cm', 'sprint_one_cm', 'crouch_one_cm', 'swim_one_cm',
  'fall_one_cm', 'fly_one_cm', 'climb_one_cm',
  'damage_dealt', 'damage_taken', 'open_chest', 'leave_game', 'eat_cake_slice', 'interact_with_furnace',
  'interact_with_crafting_table', 'fish_caught', 'animals_bred', 'sleep_in_bed', 'talked_to_villager',
  'traded_with_villager',
  'walk_on_water_one_cm', 'walk_under_water_one_cm', 'damage_blocked_by_shield', 'interact_with_campfire',
  'interact_with_brewingstand'])

/**
 * `unlocked`: names of players who may /trigger it.
 *
 * @typedef
 *   {{ name: string, criteria: string, displayName: string, renderType: string, scores: Map<string, number>, unlocked:
 *   Set<string> }} Objective
 */

/**
 * Return the full name of a criterion ("minecraft.mined:minecraft.stone"), or null if there is none.
 * @param {import('../../data').GameData} data
 * @param {string} text criterion as in a command
 * @returns {string | null}
 */
function criterion (data, text) {
  if (SIMPLE.has(text) || /^(teamkill|killedByTeam)\.[a-z_]+$/.test(text)) return text
  const found = /^(?:minecraft\.)?([a-z_]+):(?:minecraft\.)?([a-z0-9_]+)$/.exec(text)
  if (!found) return null
  const [, type, name] = found
  const known = type === 'custom' ? CUSTOM.has(name) : TYPES[type] && Object.hasOwn(data.registry[TYPES[type]], name)
  return known ? `minecraft.${type}:minecraft.${name}` : null
}

/** Objectives of one world. */
class Scoreboard {
  /**
   * @param {(event: import('../../types').WorldEvents['scoreboard']) => void} changed receives every change that
   *   displays show
   */
  constructor (changed) {
    this.changed = changed
    /** @type {Map<string, Objective>} */
    this.objectives = new Map()
    /** Objective name by display slot. @type {Map<string, string>} */
    this.displays = new Map()
    /** Objectives by criterion, so that counting costs nothing without objectives. @type {Map<string, Objective[]>} */
    this.byCriteria = new Map()
  }

  /** @param {string} name @param {string} criteria @param {string} displayName */
  add (name, criteria, displayName) {
    const objective = { name, criteria, displayName, renderType: criteria === 'health' ? 'hearts' : 'integer',
      scores: new Map(), unlocked: new Set() }
    this.objectives.set(name, objective)
    this.byCriteria.set(criteria, [...(this.byCriteria.get(criteria) ?? []), objective])
    this.changed({ kind: 'objective', objective: name })
    return objective
  }

  /** @param {Objective} objective */
  remove (objective) {
    this.objectives.delete(objective.name)
    this.byCriteria.set(objective.criteria,
      (this.byCriteria.get(objective.criteria) ?? []).filter((o) => o !== objective))
    for (const [slot, name] of this.displays) if (name === objective.name) this.displays.delete(slot)
    this.changed({ kind: 'objective', objective: objective.name })
  }

  /** @param {Objective} objective @param {string} holder @param {number} value is stored as a 32-bit integer */
  set (objective, holder, value) {
    objective.scores.set(holder, value | 0)
    this.changed({ kind: 'score', objective: objective.name })
  }

  /**
   * Add to every objective that counts a criterion.
   *
   * @param {string} criteria
   * @param {string} holder
   * @param {number} amount
   */
  count (criteria, holder, amount) {
    for (const objective of this.byCriteria.get(criteria) ?? []) {
      this.set(objective, holder, (objective.scores.get(holder) ?? 0) + amount)
    }
  }

  /**
   * Set every objective that mirrors a player's state.
   *
   * @param {string} criteria
   * @param {string} holder
   * @param {number} value
   */
  mirror (criteria, holder, value) {
    for (const objective of this.byCriteria.get(criteria) ?? []) {
      if (objective.scores.get(holder) !== value) this.set(objective, holder, value)
    }
  }

  /** Return every holder of any score, in the order of their first scores. @returns {string[]} */
  holders () {
    return [...new Set([...this.objectives.values()].flatMap((o) => [...o.scores.keys()]))]
  }
}

/** Statistics of players. */
class Statistics {
  /** @param {Scoreboard} scoreboard */
  constructor (scoreboard) {
    this.scoreboard = scoreboard
    /** Counters by player name, then by name such as "mined:stone". @type {Map<string, Map<string, number>>} */
    this.counters = new Map()
  }

  /**
   * Add to a statistic of a player.
   * @param {{ name: string }} player
   * @param {string} type such as "mined", "picked_up" or "custom"
   * @param {string} subject block, item, entity or custom statistic, without namespace
   * @param {number} [amount]
   */
  add (player, type, subject, amount = 1) {
    let mine = this.counters.get(player.name)
    if (!mine) this.counters.set(player.name, mine = new Map())
    const key = `${type}:${subject}`
    mine.set(key, (mine.get(key) ?? 0) + amount)
    if (this.scoreboard.objectives.size > 0) {
      this.scoreboard.count(`minecraft.${type}:minecraft.${subject}`, player.name, amount)
    }
  }

  /**
   * Reset a statistic and the objectives that show it to 0.
   *
   * @param {{ name: string }} player
   * @param {string} type
   * @param {string} subject
   */
  reset (player, type, subject) {
    this.counters.get(player.name)?.delete(`${type}:${subject}`)
    for (const objective of this.scoreboard.byCriteria.get(`minecraft.${type}:minecraft.${subject}`) ?? []) {
      this.scoreboard.set(objective, player.name, 0)
    }
  }

  /** @param {{ name: string }} player @param {string} type @param {string} subject */
  get (player, type, subject) { return this.counters.get(player.name)?.get(`${type}:${subject}`) ?? 0 }
}

module.exports = { Scoreboard, Statistics, criterion, READ_ONLY }
