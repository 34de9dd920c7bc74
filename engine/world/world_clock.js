'use strict'
/** Game time of a world: the age in ticks, work planned for later ticks, and the controls of the `tick` command. */
const { EventEmitter } = require('node:events')

/** @typedef {{ [Name in keyof import('./types').WorldEvents]: [import('./types').WorldEvents[Name]] }} EventMap */

/**
 * The lowest layer of a world: events and time.
 * @extends {EventEmitter<EventMap>}
 */
class WorldClock extends EventEmitter {
  constructor () {
    super()
    this.setMaxListeners(0)
    /** Ticks since the world began. */
    this.age = 0
    /** Set by `tick freeze`: time stands still, players can still walk and look around. */
    this.frozen = false
    /** Ticks that still pass while frozen: in real time by `tick step`, as fast as possible by `tick sprint`. */
    this.steps = this.sprint = 0
    /** Ticks per second that the owner of the world should run, set by `tick rate`. */
    this.tickRate = 20
    /** False for a world whose time passes only while somebody waits for it: frozen, it would never go on. */
    this.freezable = true
    /** Planned work by the age of its tick. @type {Map<number, (() => void)[]>} */
    this.agenda = new Map()
  }

  /** True if no time passes in the next tick. */
  get still () { return this.frozen && this.steps === 0 && this.sprint === 0 }

  /** Run `work` in a later tick. @param {number} ticks at least 1 @param {() => void} work */
  later (ticks, work) {
    const due = this.age + Math.max(1, ticks)
    const list = this.agenda.get(due)
    if (list) list.push(work)
    else this.agenda.set(due, [work])
  }

  /** Count one tick. */
  advanceClock () {
    if (this.steps > 0) this.steps--
    if (this.sprint > 0) this.sprint--
    this.age++
  }

  /** Run the work planned for the present tick. */
  runAgenda () {
    const due = this.agenda.get(this.age)
    this.agenda.delete(this.age)
    for (const work of due ?? []) work()
  }
}

module.exports = { WorldClock }
