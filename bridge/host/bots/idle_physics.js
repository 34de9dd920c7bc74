'use strict'

/** @typedef {import('./live_bot').LiveBot} LiveBot */
/**
 * Physics of idle bots. One 20 Hz ticker per host lets them fall to rest and then checks them only now and then, which
 * halves the CPU of an idle bot. A bot with a running policy is never throttled.
 */

const TICK_MS = 50
/** Ticks of rest before physics stops. */
const SETTLED_TICKS = 5
/** Ticks between two checks of a resting bot: the ground may have vanished without a packet to the bot. */
const LOOK_TICKS = 20

/** Switch of `bot.physicsEnabled` for idle bots. */
class IdleTicker {
  /** @type {Map<any, { players: number, rest: number, asleep: number }>} */
  #bots = new Map()
  /** @type {NodeJS.Timeout|null} */
  #timer = null

  /** @param {LiveBot} bot one that has spawned */
  add (bot) {
    const state = { players: 0, rest: 0, asleep: 0 }
    this.#bots.set(bot, state)
    const wake = () => this.#wake(bot, state)
    bot.on('forcedMove', wake)
    bot.on('respawn', wake)
    bot._client.on('entity_velocity', (/** @type {any} */ packet) => { if (packet.entityId === bot.entity?.id) wake() })
    this.#timer ??= setInterval(() => this.tick(), TICK_MS)
  }

  /** @param {LiveBot} bot */
  remove (bot) {
    this.#bots.delete(bot)
    if (this.#bots.size > 0 || !this.#timer) return
    clearInterval(this.#timer)
    this.#timer = null
  }

  /** @param {LiveBot} bot one whose policy starts */
  hold (bot) {
    const state = this.#bots.get(bot)
    if (!state) return
    state.players++
    this.#wake(bot, state)
  }

  /** @param {LiveBot} bot one whose policy has ended */
  release (bot) {
    const state = this.#bots.get(bot)
    if (state) state.players = Math.max(0, state.players - 1)
  }

  /** Advance one game tick. */
  tick () {
    for (const [bot, state] of this.#bots) {
      if (state.players > 0) continue
      if (!bot.physicsEnabled) {
        if (++state.asleep >= LOOK_TICKS) this.#wake(bot, state)
        continue
      }
      const velocity = bot.entity?.velocity
      const still = bot.entity?.onGround && Math.abs(velocity.x) + Math.abs(velocity.z) < 0.003
      state.rest = still ? state.rest + 1 : 0
      if (state.rest < SETTLED_TICKS) continue
      bot.physicsEnabled = false
      state.asleep = 0
    }
  }

  /**
   * @param {LiveBot} bot
   * @param {{ rest: number, asleep: number }} state
   */
  #wake (bot, state) {
    bot.physicsEnabled = true
    // After a look one settled tick is enough to sleep again.
    state.rest = state.asleep >= LOOK_TICKS ? SETTLED_TICKS - 2 : 0
    state.asleep = 0
  }
}

module.exports = { IdleTicker, SETTLED_TICKS, LOOK_TICKS }
