'use strict'
/** Items used in the air: eating (32 ticks), drawing bows, wearing armour, filling and emptying buckets, throwing. */
const { rayBox, viewVector } = require('../../geometry')
const { armourSlot } = require('../../windows/view')
const { Projectile } = require('../../entities/projectiles')
const { useInAir } = require('./use_handlers')
const { drink } = require('../brewing/potions')

/** @typedef {import('../../types').Verdict} Verdict */
/** @typedef {import('../../types').Item} Item */

const EAT_TICKS = 32
const QUICK_FOOD = { dried_kelp: 16, honey_bottle: 40 }
const BUCKET_REACH = 5
/** Draw in ticks after which an arrow flies with full force, and below which it does not fly. */
const FULL_DRAW = 20
const MIN_FORCE = 0.1
const THROWN = new Set(['snowball', 'egg', 'ender_pearl', 'splash_potion'])

/** Use of an item by one player. */
class Using {
  /** @param {import('../../player').Player} player */
  constructor (player) {
    this.player = player
    /** @type {{ hand: 0 | 1, item: Item, ticks: number, need: number } | null} */
    this.now = null
  }

  get active () { return this.now !== null }

  /** @param {0 | 1} hand @returns {Verdict} */
  start (hand) {
    const { player } = this
    if (hand !== 0 && hand !== 1) return { ok: false, reason: `hand ${hand} is not legal: use 0 or 1` }
    const item = player.inHand(hand)
    if (player.dead || player.gamemode === 'spectator' || !item) {
      return { ok: false, reason: 'there is nothing in that hand to use' }
    }
    if (player.cooldowns.has(item.name)) {
      return { ok: false, reason: `${item.name} cannot be used again yet: wait some ticks` }
    }
    if (player.hunger.edible(item.name)) {
      return this.begin(hand, item, /** @type {Record<string, number>} */ (QUICK_FOOD)[item.name] ?? EAT_TICKS)
    }
    if (item.name === 'potion') return this.begin(hand, item, EAT_TICKS)
    if (item.name === 'bow') {
      return this.arrow() || player.gamemode === 'creative' ? this.begin(hand, item, Infinity)
        : { ok: false, reason: 'there is no arrow' }
    }
    if (item.name === 'shield' || item.name === 'spyglass') return this.begin(hand, item, Infinity)
    if (armourSlot(item.name) >= 0 && !/_head$|_skull$|pumpkin$/.test(item.name)) return this.wear(hand, item)
    if (/bucket$/.test(item.name)) return this.bucket(hand, item)
    if (THROWN.has(item.name)) return this.throwIt(hand, item)
    return useInAir(player, hand, item) ?? { ok: false, reason: `${item.name} has no use in the air` }
  }

  /** @param {0 | 1} hand @param {Item} item @param {number} need @returns {Verdict} */
  begin (hand, item, need) {
    this.now = { hand, item, ticks: 0, need }
    this.player.world.emit('entityMeta', { entity: this.player })
    return { ok: true }
  }

  stop () {
    if (!this.now) return
    this.now = null
    this.player.world.emit('entityMeta', { entity: this.player })
  }

  tick () {
    const { now, player } = this
    if (!now) return
    if (player.inHand(now.hand) !== now.item) return this.stop()
    if (++now.ticks < now.need) return
    this.stop()
    const leftover = now.item.name === 'potion' ? drink(player, now.item) : player.hunger.eat(now.item)
    player.cooldowns.used(now.item.name)
    player.world.stats.add(player, 'used', now.item.name)
    player.world.emit('entityStatus', { entity: player, status: 9 })
    player.consume(now.hand, leftover)
  }

  /** @returns {Verdict} */
  release () {
    const { now } = this
    this.stop()
    if (!now) return { ok: false, reason: 'nothing is being used' }
    return now.item.name === 'bow' ? this.shoot(now) : { ok: true }
  }

  /** Return the arrows to shoot with their slot, or null. */
  arrow () {
    const { slots } = this.player
    const order = [45, this.player.handSlot(0), ...slots.keys()].filter((i) => i >= 9)
    const slot = order.find((i) => /^(arrow|spectral_arrow|tipped_arrow)$/.test(slots[i]?.name ?? ''))
    return slot === undefined ? null : { slot, item: /** @type {Item} */ (slots[slot]) }
  }

  /** @param {{ hand: 0 | 1, item: Item, ticks: number }} drawn @returns {Verdict} */
  shoot ({ hand, item, ticks }) {
    const { player } = this
    const { world } = player
    const arrow = this.arrow()
    const t = ticks / FULL_DRAW
    const force = Math.min(1, (t * t + t * 2) / 3)
    if (force < MIN_FORCE || (!arrow && player.gamemode !== 'creative')) {
      return { ok: false, reason: 'the bow was not drawn' }
    }
    const endless = player.gamemode === 'creative' || world.stacks.enchantment(item, 'infinity') > 0
    if (arrow && !endless) player.store.set(arrow.slot, world.stacks.withCount(arrow.item, arrow.item.count - 1))
    const shot = new Projectile(world, 'arrow', player, force * 3, 1)
    shot.critical = force === 1
    const power = world.stacks.enchantment(item, 'power')
    shot.damage = 2 + (power ? power * 0.5 + 0.5 : 0)
    shot.pickable = !endless
    world.enter(shot)
    world.stats.add(player, 'used', 'bow')
    player.wearSlot(player.handSlot(hand), 1)
    return { ok: true }
  }

  /** @param {0 | 1} hand @param {Item} item @returns {Verdict} */
  throwIt (hand, item) {
    const { player } = this
    const bottle = item.name === 'splash_potion'
    const thrown = new Projectile(player.world, bottle ? 'potion' : item.name, player, bottle ? 0.5 : 1.5, 1)
    if (bottle) thrown.bottle = item
    player.world.enter(thrown)
    player.cooldowns.used(item.name)
    player.world.stats.add(player, 'used', item.name)
    player.consume(hand)
    return { ok: true }
  }

  /** Put on armour; the worn piece goes into the hand. @param {0 | 1} hand @param {Item} item @returns {Verdict} */
  wear (hand, item) {
    const { player } = this
    const slot = armourSlot(item.name)
    const worn = player.store.get(slot)
    if (worn && player.world.stacks.enchantment(worn, 'binding_curse')) {
      return { ok: false, reason: 'what is worn cannot be taken off' }
    }
    player.store.set(slot, item)
    player.store.set(player.handSlot(hand), worn)
    return { ok: true }
  }

  /** @param {0 | 1} hand @param {Item} item @returns {Verdict} */
  bucket (hand, item) {
    const { player } = this
    const { world } = player
    const empty = item.name === 'bucket'
    const hit = this.look(empty)
    if (!hit || player.gamemode === 'adventure') return { ok: false, reason: 'there is nothing in reach' }
    if (empty) {
      const state = world.stateAt(hit.pos.x, hit.pos.y, hit.pos.z)
      if (!/^(water|lava)$/.test(state.name) || state.props.level !== '0') {
        return { ok: false, reason: 'that is no source' }
      }
      world.setBlock(hit.pos.x, hit.pos.y, hit.pos.z, 0)
      player.consume(hand, world.stacks.make(`${state.name}_bucket`))
    } else {
      const liquid = /^(water|lava)_bucket$/.exec(item.name)?.[1]
      if (!liquid) return { ok: false, reason: `${item.name} is not poured out` }
      const there = world.stateAt(hit.before.x, hit.before.y, hit.before.z)
      if (!there.replaceable || !world.terrain.inside(hit.before.x, hit.before.y, hit.before.z)) {
        return { ok: false, reason: 'there is no room' }
      }
      world.setBlock(hit.before.x, hit.before.y, hit.before.z, world.data.stateId(liquid))
      player.consume(hand, world.stacks.make('bucket'))
    }
    world.stats.add(player, 'used', item.name)
    return { ok: true }
  }

  /**
   * Return the point on a block or on still water that the player looks at, or null.
   *
   * @returns {{ x: number, y: number, z: number } | null}
   */
  lookPoint () {
    const { player } = this
    const view = viewVector(player.yaw, player.pitch)
    const from = [player.eyes.x, player.eyes.y, player.eyes.z]
    const to = [from[0] + view.x * BUCKET_REACH, from[1] + view.y * BUCKET_REACH, from[2] + view.z * BUCKET_REACH]
    const hit = this.look(true)
    if (!hit) return null
    const { pos } = hit
    const state = player.world.stateAt(pos.x, pos.y, pos.z)
    const boxes = state.liquid ? [[0, 0, 0, 1, 8 / 9, 1]] : state.shapes
    const parts = boxes.map((s) =>
      rayBox(from, to, [pos.x + s[0], pos.y + s[1], pos.z + s[2], pos.x + s[3], pos.y + s[4], pos.z + s[5]]))
      .filter((t) => t !== null)
    const part = Math.min(...parts)
    return Number.isFinite(part)
      ? { x: from[0] + (to[0] - from[0]) * part, y: from[1] + (to[1] - from[1]) * part,
      z: from[2] + (to[2] - from[2]) * part } : null
  }

  /**
   * Return the block that the player looks at, and the free one before it.
   *
   * @param {boolean} liquids true if liquid sources count
   */
  look (liquids) {
    const { player } = this
    const view = viewVector(player.yaw, player.pitch)
    const from = [player.eyes.x, player.eyes.y, player.eyes.z]
    const to = [from[0] + view.x * BUCKET_REACH, from[1] + view.y * BUCKET_REACH, from[2] + view.z * BUCKET_REACH]
    let before = { x: Math.floor(from[0]), y: Math.floor(from[1]), z: Math.floor(from[2]) }
    for (let i = 0; i <= 100; i++) {
      const pos = { x: Math.floor(from[0] + (to[0] - from[0]) * i / 100),
        y: Math.floor(from[1] + (to[1] - from[1]) * i / 100), z: Math.floor(from[2] + (to[2] - from[2]) * i / 100) }
      const state = player.world.stateAt(pos.x, pos.y, pos.z)
      const solid = state.shapes.some((s) =>
        rayBox(from, to, [pos.x + s[0], pos.y + s[1], pos.z + s[2], pos.x + s[3], pos.y + s[4], pos.z + s[5]]) !== null)
      if (solid || (liquids && state.liquid && state.props.level === '0')) return { pos, before }
      if (state.air || state.replaceable) before = pos
    }
    return null
  }
}

module.exports = { Using }
