'use strict'
/**
 * Digging: speed, permission and timing of breaking blocks. Progress is counted on the server, tick by tick: a client
 * that reports "done" early waits until the block is due. As in vanilla (ServerPlayerGameMode: hasDelayedDestroy), a
 * client may be much too early with one block at a time; the next one is refused, and the client gets the block's real
 * state.
 */

/** @typedef {import('../../player').Player} Player */
/** @typedef {import('../../types').Pos} Pos */

/** Maximum distance from the eyes to the block's middle, in blocks, as vanilla's server allows. */
const REACH = 6
/** Ticks by which a client's clock may run ahead of the server's. */
const JITTER_TICKS = 4
/**
 * Share of the work above which a client is not much too early. Vanilla's server breaks the block at once, this one
 * when it is due.
 */
const EARLY_SHARE = 0.7

/**
 * @typedef {object} Dig
 * @property {Pos} pos
 * @property {number} stateId
 * @property {number} progress 0 to 1
 * @property {number} stage crack stage shown last
 * @property {boolean} awaited the client has reported it done; it breaks when it is due
 * @property {boolean} early it was reported done much too early
 * @property {number} slot hot bar slot whose tool counts once it is awaited
 * @property {import('../../types').Item | null} tool
 */

/** @type {Record<number, number>} */
const FATIGUE = { 0: 1, 1: 0.3, 2: 0.09, 3: 0.0027 }

/**
 * Return the share of a block's work done in one tick, by vanilla's formula.
 * @param {import('../../world').World} world
 * @param {import('../../data').BlockState} state
 * @param
 *   {{ tool: import('../../types').Item | null, onGround: boolean, inWater: boolean, aquaAffinity: boolean, haste:
 *   number, fatigue: number }} how haste and fatigue are levels from 0 (none)
 * @returns {number} 1 or more breaks the block at once; 0 never breaks it
 */
function progressPerTick (world, state, how) {
  if (state.hardness < 0) return 0
  if (state.hardness === 0) return Infinity
  const speeds = world.registry.materials[state.material ?? ''] ?? {}
  let speed = (how.tool && speeds[how.tool.type]) || 1
  const efficiency = world.stacks.enchantment(how.tool, 'efficiency')
  if (speed > 1 && efficiency > 0) speed += efficiency * efficiency + 1
  if (how.haste > 0) speed *= 1 + 0.2 * how.haste
  if (how.fatigue > 0) speed *= FATIGUE[how.fatigue] ?? 8.1e-4
  if (how.inWater && !how.aquaAffinity) speed /= 5
  if (!how.onGround) speed /= 5
  const harvests = !state.harvestTools || (how.tool && state.harvestTools[how.tool.type])
  return speed / state.hardness / (harvests ? 30 : 100)
}

/** Digging of one player. */
class Digging {
  /** @param {Player} player */
  constructor (player) {
    this.player = player
    this.world = player.world
    /** @type {Dig | null} */
    this.current = null
    /** Digs that the client takes for done; they end when they are due. @type {Dig[]} */
    this.awaited = []
  }

  /** Return the reason why the player may not break a block now, or "". @param {Pos} pos */
  objection (pos) {
    const { player, world } = this
    if (player.dead) return 'the dead dig nothing'
    if (!world.terrain.inside(pos.x, pos.y, pos.z)) return 'that block is outside the world'
    if (player.gamemode === 'spectator' || player.gamemode === 'adventure') {
      return `no block is broken in ${player.gamemode} mode`
    }
    if (!player.within(pos, REACH)) return 'that block is out of reach'
    if (!world.border.contains(pos)) return 'that block is beyond the world border'
    const state = world.stateAt(pos.x, pos.y, pos.z)
    if (state.air || state.liquid) return 'there is nothing to dig'
    return ''
  }

  /** @param {Pos} pos @param {string} reason @returns {import('../../types').Verdict} */
  refuse (pos, reason) {
    this.world.showBlock(pos, this.player)
    return { ok: false, reason }
  }

  /** @param {Pos} pos @param {number} _face @returns {import('../../types').Verdict} */
  start (pos, _face) {
    const reason = this.objection(pos)
    if (reason) return this.refuse(pos, reason)
    this.stop()
    const stateId = this.world.blockAt(pos.x, pos.y, pos.z)
    const step = this.speed(stateId, this.player.heldItem)
    if (this.player.gamemode === 'creative' || step >= 1) return this.finishNow(pos)
    if (step === 0) return this.refuse(pos, 'that block cannot be broken')
    this.current = { pos: { x: pos.x, y: pos.y, z: pos.z }, stateId, progress: step, stage: -1, awaited: false,
      early: false, slot: this.player.heldSlot, tool: null }
    return { ok: true }
  }

  /** @param {number} stateId @param {import('../../types').Item | null} tool */
  speed (stateId, tool) {
    const { player, world } = this
    const eye = player.eyes
    return progressPerTick(world, world.data.state(stateId), {
      tool,
      onGround: player.onGround,
      inWater: world.stateAt(Math.floor(eye.x), Math.floor(eye.y), Math.floor(eye.z)).name === 'water',
      aquaAffinity: world.stacks.enchantment(player.slots[5], 'aqua_affinity') > 0,
      haste: Math.max(player.effectLevel('haste'), player.effectLevel('conduit_power')),
      fatigue: player.effectLevel('mining_fatigue')
    })
  }

  /** Abort the current dig. */
  stop () {
    if (this.current) this.show(this.current, -1)
    this.current = null
  }

  /** @param {Pos} pos @returns {import('../../types').Verdict} */
  finish (pos) {
    const dig = this.current
    if (!dig || !samePos(dig.pos, pos)) return this.refuse(pos, 'that block was not being dug')
    const reason = this.objection(pos)
    if (reason) {
      this.stop()
      return this.refuse(pos, reason)
    }
    if (dig.progress >= 1) return this.finishNow(pos)
    const perTick = this.speed(dig.stateId, this.player.heldItem)
    const early = dig.progress < EARLY_SHARE && dig.progress + perTick * JITTER_TICKS < 1
    if (early && this.awaited.some((other) => other.early)) {
      this.stop()
      return this.refuse(pos, 'the block is not dug through yet')
    }
    Object.assign(dig, { awaited: true, early, tool: this.player.heldItem, slot: this.player.heldSlot })
    this.awaited.push(dig)
    this.current = null
    return { ok: true }
  }

  /** @param {Pos} pos @returns {import('../../types').Verdict} */
  finishNow (pos) {
    this.stop()
    this.world.breaking.byPlayer(this.player, pos, this.player.heldItem, this.player.heldSlot)
    return { ok: true }
  }

  /** Advance all digs by one tick. */
  tick () {
    if (this.current) this.work(this.current)
    for (const dig of this.awaited.slice()) this.work(dig)
  }

  /** @param {Dig} dig */
  work (dig) {
    const { world, player } = this
    if (world.blockAt(dig.pos.x, dig.pos.y, dig.pos.z) !== dig.stateId || player.dead ||
      !player.within(dig.pos, REACH + 1)) {
      return this.forget(dig)
    }
    dig.progress += this.speed(dig.stateId, dig.awaited ? dig.tool : player.heldItem)
    if (dig.awaited && dig.progress >= 1) {
      // The client is told the block's end alone, not first that it still stands.
      this.drop(dig)
      world.breaking.byPlayer(player, dig.pos, dig.tool, dig.slot)
      if (world.blockAt(dig.pos.x, dig.pos.y, dig.pos.z) === dig.stateId) world.showBlock(dig.pos, player)
      return
    }
    const stage = Math.min(9, Math.floor(dig.progress * 10))
    if (stage !== dig.stage) this.show(dig, stage)
  }

  /** Give up a dig; a client that takes it for done is shown what stands there. @param {Dig} dig */
  forget (dig) {
    this.drop(dig)
    if (dig.awaited) this.world.showBlock(dig.pos, this.player)
  }

  /** @param {Dig} dig */
  drop (dig) {
    this.show(dig, -1)
    if (dig === this.current) this.current = null
    else this.awaited = this.awaited.filter((other) => other !== dig)
  }

  /** @param {Dig} dig @param {number} stage */
  show (dig, stage) {
    if (dig.stage === stage) return
    dig.stage = stage
    this.world.emit('digProgress', { player: this.player, pos: dig.pos, stage })
  }
}

/** @param {Pos} a @param {Pos} b */
function samePos (a, b) { return a.x === b.x && a.y === b.y && a.z === b.z }

module.exports = { Digging, progressPerTick, samePos, REACH }
