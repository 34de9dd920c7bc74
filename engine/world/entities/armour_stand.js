'use strict'
/** Armour stands (minecraft.wiki, "Armor Stand"): they hold equipment, and break after two quick blows. */
const { LivingEntity } = require('./living')
const { armourSlot } = require('../windows/view')

/** @typedef {import('../types').Item} Item */
/** @typedef {import('../player').Player} Player */
/** @typedef {'hand' | 'head' | 'chest' | 'legs' | 'feet'} Place */

/** Ticks within which a second blow breaks the stand. */
const QUICK = 5
/** Heights on the stand at which each piece can be taken. @type {[Place, number, number][]} */
const HEIGHTS = [['feet', 0.1, 0.55], ['chest', 0.9, 1.6], ['legs', 0.4, 1.2], ['head', 1.6, 2]]
/** @type {Record<number, Place>} */
const BY_SLOT = { 5: 'head', 6: 'chest', 7: 'legs', 8: 'feet' }

/** An armour stand. */
class ArmourStand extends LivingEntity {
  /** @param {import('../world').World} world @param {{ x: number, y: number, z: number }} at @param {number} [yaw] */
  constructor (world, at, yaw = 0) {
    super(world, 'armor_stand', at)
    this.yaw = this.headYaw = yaw
    /** @type {Partial<Record<Place, Item>>} */
    this.worn = {}
    this.struck = -QUICK - 1
  }

  /** Equipment in the order of a player's: hands, feet to head. */
  get equipment () {
    return [this.worn.hand, undefined, this.worn.feet, this.worn.legs, this.worn.chest, this.worn.head]
  }

  /**
   * Take damage: only blows, blasts and the console break a stand.
   * @param {number} amount
   * @param {import('./living').DamageSource} source
   */
  hurt (amount, source) {
    if (this.removed || !(amount > 0)) return false
    const player = this.world.players.get(/** @type {any} */ (source.attacker)?.name)
    if (player && player === source.attacker) return this.strike(player)
    this.fallApart(!source.absolute)
    return true
  }

  /** @param {Player} player */
  strike (player) {
    const quick = this.age - this.struck <= QUICK
    if (player.gamemode === 'adventure') return false
    if (player.gamemode !== 'creative' && !quick) {
      this.struck = this.age
      this.world.emit('entityStatus', { entity: this, status: 32 })
      return true
    }
    this.fallApart(player.gamemode !== 'creative')
    return true
  }

  /** @param {boolean} itself whether the stand drops too */
  fallApart (itself) {
    const { world } = this
    const pos = { x: Math.floor(this.x), y: Math.floor(this.y), z: Math.floor(this.z) }
    if (itself && world.rules.doEntityDrops) world.popItem(world.stacks.make('armor_stand'), pos)
    for (const item of Object.values(this.worn)) if (item) world.popItem(item, { ...pos, y: pos.y + 1 })
    this.worn = {}
    world.emit('sound', { name: 'entity.armor_stand.break', x: this.x, y: this.y, z: this.z })
    this.remove()
  }

  knockBack () {}

  /**
   * Put the hand's item on the stand, or take the piece at the clicked height.
   * @param {Player} player
   * @param {{ y: number } | undefined} at where on the stand, from its feet
   * @param {0 | 1} hand
   * @returns {import('../types').Verdict}
   */
  use (player, at, hand) {
    const item = player.inHand(hand)
    const slot = item ? armourSlot(item.name) : -1
    const place = item ? BY_SLOT[slot] ?? null : this.reached(at?.y ?? 1.2)
    if (!place || item?.name === 'name_tag') return { ok: false, reason: 'a stand wears armour only' }
    const before = this.worn[place] ?? null
    if (!item && !before) return { ok: false, reason: 'nothing hangs there' }
    this.worn[place] = item ? /** @type {Item} */ (this.world.stacks.withCount(item, 1)) : undefined
    if (item) player.consume(hand, before)
    else if (before) player.store.set(player.handSlot(hand), before)
    this.world.emit('equipment', { player: /** @type {any} */ (this) })
    return { ok: true }
  }

  /** @param {number} y @returns {Place | null} */
  reached (y) {
    return HEIGHTS.find(([place, low, high]) => this.worn[place] && y >= low && y < high)?.[0] ??
      /** @type {Place[]} */ (['chest', 'head', 'legs', 'feet', 'hand']).find((place) => this.worn[place]) ?? null
  }

  tick () {
    this.age++
    if (this.onGround && this.age % 20 !== 0) return
    const before = this.y
    this.vy -= 0.08
    this.slide()
    this.vy *= 0.98
    if (this.y !== before) this.world.emit('entityMove', { entity: this })
    if (this.y < this.world.minY - 64) this.remove()
  }

  nbt () {
    const { list, compound } = this.world.nbt
    const shown = (/** @type {Item | undefined} */ item) => compound(item ? this.world.itemNbt(item) : {})
    const { hand, feet, legs, chest, head } = this.worn
    return { ...super.nbt(), ArmorItems: list([feet, legs, chest, head].map(shown)),
      HandItems: list([shown(hand), shown(undefined)]) }
  }
}

module.exports = { ArmourStand }
