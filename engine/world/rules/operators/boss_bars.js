'use strict'
/** Boss bars made by command (minecraft.wiki, "Commands/bossbar"), and the players who see them. */

/** Colours and styles in the order of their numbers in the protocol. */
const COLORS = Object.freeze(['pink', 'blue', 'red', 'green', 'yellow', 'purple', 'white'])
const STYLES = Object.freeze(['progress', 'notched_6', 'notched_10', 'notched_12', 'notched_20'])

/** @typedef {'add' | 'remove' | 'health' | 'title' | 'style'} Change action of the packet */

/** One boss bar. */
class BossBar {
  /** @param {import('../../world').World} world @param {string} id @param {unknown} title text component */
  constructor (world, id, title) {
    this.world = world
    this.id = id
    this.uuid = world.random.stream('uuid').uuid()
    this.title = title
    this.value = 0
    this.max = 100
    this.color = 'white'
    this.style = 'progress'
    this.visible = true
    /** Names of the players who see the bar; players who left stay in it. @type {Set<string>} */
    this.names = new Set()
  }

  get health () { return Math.max(0, Math.min(1, this.value / this.max)) }
  get present () {
    return [...this.names].map((name) => this.world.players.get(name)).filter((player) => player !== undefined)
  }

  /** @param {Change} change */
  announceChange (change) {
    if (this.visible) for (const player of this.present) this.world.emit('bossBar', { player, bar: this, change })
  }

  /** @param {boolean} yes */
  show (yes) {
    if (yes) {
      this.visible = true
      this.announceChange('add')
    } else {
      this.announceChange('remove')
      this.visible = false
    }
  }

  /** @param {Set<string>} names */
  setPlayers (names) {
    const before = this.names
    this.names = new Set([...before].filter((name) => !names.has(name)))
    this.announceChange('remove')
    this.names = new Set([...names].filter((name) => !before.has(name)))
    this.announceChange('add')
    this.names = names
  }
}

module.exports = { BossBar, COLORS, STYLES }
