'use strict'
/** Teams (minecraft.wiki, "Commands/team"): members, and the rules among team-mates. */

/** Colours in the order of their numbers in the protocol. */
const COLORS = Object.freeze(['black', 'dark_blue', 'dark_green', 'dark_aqua', 'dark_red', 'dark_purple', 'gold',
  'gray', 'dark_gray', 'blue', 'green', 'aqua', 'red', 'light_purple', 'yellow', 'white'])
const RESET = 21

/** One team. */
class Team {
  /** @param {string} name @param {unknown} displayName text component */
  constructor (name, displayName) {
    this.name = name
    this.displayName = displayName
    this.color = 'reset'
    this.friendlyFire = true
    this.seeFriendlyInvisibles = true
    this.nametagVisibility = 'always'
    this.deathMessageVisibility = 'always'
    this.collisionRule = 'always'
    /** Text component. @type {unknown} */
    this.prefix = ''
    /** Text component. @type {unknown} */
    this.suffix = ''
    /** @type {Set<string>} */
    this.members = new Set()
  }

  get colorNumber () { return this.color === 'reset' ? RESET : COLORS.indexOf(this.color) }
}

/** Teams of one world. */
class Teams {
  /** @param {Pick<import('../../world').World, 'emit'>} world */
  constructor (world) {
    this.world = world
    /** @type {Map<string, Team>} */
    this.byName = new Map()
    /** Team by member. @type {Map<string, Team>} */
    this.byMember = new Map()
  }

  /** @param {string} name @param {unknown} displayName */
  add (name, displayName) {
    const team = new Team(name, displayName)
    this.byName.set(name, team)
    this.world.emit('team', { team, change: 'add' })
    return team
  }

  /** @param {Team} team */
  remove (team) {
    this.byName.delete(team.name)
    for (const name of team.members) this.byMember.delete(name)
    this.world.emit('team', { team, change: 'remove' })
  }

  /** Announce changed options of a team. @param {Team} team */
  changed (team) { this.world.emit('team', { team, change: 'change' }) }

  /** @param {Team} team @param {string[]} names */
  join (team, names) {
    this.leave(names)
    for (const name of names) {
      team.members.add(name)
      this.byMember.set(name, team)
    }
    this.world.emit('team', { team, change: 'join', names })
  }

  /** Remove members from their teams. @param {string[]} names @returns {number} number of removed members */
  leave (names) {
    let left = 0
    for (const name of names) {
      const team = this.byMember.get(name)
      if (!team) continue
      left++
      team.members.delete(name)
      this.byMember.delete(name)
      this.world.emit('team', { team, change: 'leave', names: [name] })
    }
    return left
  }

  /**
   * Return true if attacks between two players have no effect.
   *
   * @param {string} one
   * @param {string} other
   * @returns {boolean}
   */
  preventsDamage (one, other) {
    const team = this.byMember.get(one)
    return team !== undefined && !team.friendlyFire && team === this.byMember.get(other)
  }
}

module.exports = { Teams, Team, COLORS }
