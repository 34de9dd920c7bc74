'use strict'
/**
 * A player: the body that a front steers. Every verb checks its arguments and never throws on bad numbers; a refusal
 * gives a reason, and the client is sent the true state again.
 */
const { LivingEntity } = require('./entities/living')
const { PlayerStore, PLAYER, Store } = require('./windows/store')
const { armourSlot } = require('./windows/view')
const { Screens } = require('./windows/screens')
const { Digging } = require('./rules/blocks/digging')
const { Movement } = require('./rules/players/movement')
const { Equipment } = require('./rules/items/equipment')
const { Hunger } = require('./rules/players/hunger')
const { Using } = require('./rules/items/using')
const { scaled } = require('./rules/damage/difficulty')
const { isShielded, takeBlow } = require('./rules/damage/shields')
const { useTotem } = require('./rules/damage/totems')
const { Cooldowns } = require('./rules/items/cooldowns')
const { Posture } = require('./rules/players/poses')
const { playerNbt } = require('./nbt/players')
const { grow, overlap } = require('./geometry')
const { ARMOUR } = require('./rules/damage/armour')
const { editBook } = require('./rules/items/books')
const { setCommand } = require('./rules/functional_blocks/command_blocks')
const { tradesOf } = require('./rules/trading/merchant')
const { respawn } = require('./rules/players/respawning')
const { toss } = require('./rules/players/tossing')
const { mirrorScores } = require('./rules/operators/mirrored_scores')
const { dimensionAt } = require('./dimensions')
const { glide } = require('./rules/players/gliding')
const { addPoints, addLevels, levelCost } = require('./rules/players/experience')

/** @typedef {import('./types').Verdict} Verdict */
/** @typedef {import('./types').Item} Item */
/** @typedef {import('./types').Gamemode} Gamemode */
/** @typedef {import('./types').Pos} Pos */
/** @typedef {import('./entities/living').DamageSource} DamageSource */

/** @type {Verdict} */
const OK = Object.freeze({ ok: true })
/** @param {string} reason @returns {Verdict} */
const no = (reason) => ({ ok: false, reason })
const CHAT_LIMIT = 256
/** Distance along an axis beyond which no drop is in reach, in blocks. */
const PICK_UP_REACH = 3

/** One player of a world. */
class Player extends LivingEntity {
  /**
   * @param {import('./world').World} world
   * @param {string} name
   * @param {{ uuid?: string, gamemode?: Gamemode, op?: boolean }} options
   */
  constructor (world, name, { uuid, gamemode, op }) {
    super(world, 'player', world.spawn)
    this.name = name
    if (uuid) this.uuid = uuid
    /** @type {Gamemode} */
    this.gamemode = gamemode ?? world.defaultGamemode
    this.op = op ?? false
    this.heldSlot = 0
    this.store = new PlayerStore()
    this.enderChest = new Store(27)
    this.screens = new Screens(this)
    this.digging = new Digging(this)
    this.movement = new Movement(this)
    this.hunger = new Hunger(this)
    this.using = new Using(this)
    this.cooldowns = new Cooldowns(this)
    this.posture = new Posture(this)
    this.experience = { level: 0, progress: 0, total: 0 }
    this.sprinting = false
    this.swimming = false
    this.gliding = false
    this.orbDelay = 0
    /**
     * Place of the next respawn; null for the world's spawn.
     * @type {(Pos & { angle: number, bed?: Pos }) | null}
     */
    this.spawnPoint = null
    /** @type {import('./entities/entity').Entity | null} */
    this.camera = null
    /** True while the player stands in the portal that it came out of, which must not send it back. */
    this.cameThrough = false
    this.outfit = new Equipment(this)
    /** @type {number | null} */
    this.enchantmentSeed = null
    this.attackTicks = 100
    /** Names of advancements and recipes granted by commands. @type {Set<string>} */
    this.advancements = new Set()
    /** @type {Set<string>} */
    this.recipes = new Set()
    /** The cast line: its `biting` says when to draw it in. @type {import('./entities/bobber').Bobber | null} */
    this.fishing = null
    /** True if the client moves the vehicle itself. */
    this.selfMoving = false
    this.yaw = this.headYaw = world.spawn.angle
  }

  get displayName () { return this.name }
  get dimension () { return dimensionAt(this.x) }
  get food () { return this.hunger.food }
  get saturation () { return this.hunger.saturation }
  get slots () { return this.store.slots }
  get heldItem () { return this.store.get(PLAYER.HOTBAR + this.heldSlot) }
  get pose () { return this.posture.pose }
  get eyeHeight () { return this.posture.eyes }
  get openWindow () {
    const w = this.screens.container
    return w && { id: w.id, type: w.type, typeId: w.typeId, title: w.title }
  }
  /** True if piglins leave the player alone. */
  get wearsGold () {
    return [PLAYER.HEAD, PLAYER.CHEST, PLAYER.LEGS,
      PLAYER.FEET].some((slot) => /^golden_/.test(this.slots[slot]?.name ?? ''))
  }
  get trades () { return tradesOf(this) }
  get usingItem () { return this.using.active }
  /** Return the item in a hand. @param {0 | 1} hand */
  inHand (hand) { return hand === 1 ? this.store.get(PLAYER.OFFHAND) : this.heldItem }
  /** @param {0 | 1} hand */
  handSlot (hand) { return hand === 1 ? PLAYER.OFFHAND : PLAYER.HOTBAR + this.heldSlot }
  /** @returns {[number, number]} */
  get armour () {
    let points = 0
    let toughness = 0
    for (const i of [PLAYER.HEAD, PLAYER.CHEST, PLAYER.LEGS, PLAYER.FEET]) {
      const [p, t] = ARMOUR[this.slots[i]?.name ?? ''] ?? [0, 0]
      points += p
      toughness += t
    }
    return [points, toughness]
  }

  // --- verbs of the front ---

  /** @param {Partial<Pos> & { yaw?: number, pitch?: number, onGround?: boolean }} to @returns {Verdict} */
  moveTo (to) { return this.movement.moveTo(to) }
  /** @param {Pos} pos @param {number} face @returns {Verdict} */
  startDig (pos, face) { return this.digging.start(pos, face) }
  abortDig () { this.digging.stop() }
  /** @param {Pos} pos @returns {Verdict} */
  finishDig (pos) { return this.digging.finish(pos) }
  /** @param {import('./types').PlaceRequest} request @returns {Verdict} */
  place (request) { return this.world.placing.place(this, request) }
  /** @param {0 | 1} [hand] @returns {Verdict} */
  useItem (hand = 0) { return this.using.start(hand) }
  /**
   * Write into the book and quill in a slot (0 to 8, or 40 for the off-hand), or sign it.
   * @param {number} slot
   * @param {string[]} pages
   * @param {string} [title]
   * @returns {Verdict}
   */
  editBook (slot, pages, title) { return editBook(this, slot, pages, title) }
  /** @param {Pos} pos @param {boolean} front @param {string[]} lines four @returns {Verdict} */
  editSign (pos, front, lines) { return this.world.signs.write(this, pos, front, lines) }
  /** @param {Pos} pos @param {string} command @returns {Verdict} */
  editCommandBlock (pos, command) { return setCommand(this, pos, command) }
  /** Leave the bed. */
  wake () { this.world.beds.wake(this) }
  get sleeping () { return this.world.beds.bedOf(this) }

  // --- vehicles ---

  /** @param {import('./entities/entity').Entity} vehicle */
  mount (vehicle) {
    this.selfMoving = false
    super.mount(vehicle)
  }

  /** @param {import('./entities/entity').Entity} vehicle */
  leaveSeat (vehicle) {
    if (!this.dead && !this.removed) this.teleport({ x: vehicle.x, y: vehicle.y + vehicle.height, z: vehicle.z })
  }

  /** Follow the vehicle. @param {Pos} to */
  carriedTo (to) {
    this.x = to.x
    this.y = to.y
    this.z = to.z
    this.fallDistance = 0
    this.movement.reset()
    this.world.emit('entityMove', { entity: this })
  }

  /** @param {number} forward @param {number} left 1, 0 or -1 each */
  steer (forward, left) { if (this.vehicle?.passengers[0] === this) this.vehicle.steer?.({ forward, left }) }

  /**
   * Accept the vehicle's position from the client that steers it.
   * @param {Pos & { yaw: number }} to
   * @returns {Verdict}
   */
  moveVehicle (to) {
    if (!this.vehicle) return no('the player sits in no vehicle')
    if (!this.vehicle.steer) return no(`a ${this.vehicle.type} is not moved by its passenger`)
    this.selfMoving = true
    return this.vehicle.moveTo(this, to)
  }

  /** Spread the wings of an elytra. @returns {Verdict} */
  glide () { return glide(this) }
  releaseItem () { return this.using.release() }
  /**
   * @param {number} id
   * @param {'attack' | 'interact' | 'interact_at'} how
   * @param {{ at?: Pos, hand?: 0 | 1 }} [where]
   * @returns {Verdict}
   */
  useEntity (id, how, where) { return this.world.combat.use(this, id, how, where) }
  /** @param {import('./types').Click} click @returns {Verdict} */
  click (click) { return this.screens.click(click) }
  /**
   * Press a button of a workshop's window: an enchantment, a stonecutter's recipe.
   * @param {number} windowId
   * @param {number} button
   * @returns {Verdict}
   */
  pressButton (windowId, button) { return this.screens.actInWorkshop('button', button, windowId) }
  /** Name the item in the open anvil. @param {string} name @returns {Verdict} */
  renameItem (name) { return this.screens.actInWorkshop('rename', name) }
  /** @param {number} index of the trade in the villager's list @returns {Verdict} */
  selectTrade (index) { return this.screens.actInWorkshop('select', index) }
  /** @param {number} windowId */
  windowView (windowId) { return this.screens.contents(windowId) }

  /** @param {number} id */
  closeWindow (id) { if (this.screens.current.id === id) this.screens.close(false) }

  /** @param {number} slot @param {Item | null} item @returns {Verdict} */
  creativeSlot (slot, item) {
    if (this.gamemode !== 'creative' || !(slot === -1 || (slot >= 1 && slot < PLAYER.SIZE)) ||
      (item && (item.count < 1 || item.count > 64))) {
      this.screens.resend()
      return no('only creative players set slots, 1 to 45, with 1 to 64 items')
    }
    if (slot === -1) {
      if (item) this.toss(item)
    } else this.store.set(slot, item)
    return OK
  }

  /** @param {number} slot @returns {Verdict} */
  holdSlot (slot) {
    if (!Number.isInteger(slot) || slot < 0 || slot > 8) {
      this.world.emit('heldSlot', { player: this })
      return no(`hot bar slot ${slot} is not legal: use 0 to 8`)
    }
    if (slot !== this.heldSlot) this.using.stop()
    this.heldSlot = slot
    return OK
  }

  /** @param {boolean} all @returns {Verdict} */
  dropHeld (all) {
    const item = this.heldItem
    if (this.dead || this.gamemode === 'spectator' || !item) return no('the hand is empty')
    const n = all ? item.count : 1
    this.store.set(PLAYER.HOTBAR + this.heldSlot, this.world.stacks.withCount(item, item.count - n))
    this.toss(/** @type {Item} */ (this.world.stacks.withCount(item, n)))
    return OK
  }

  /** @returns {Verdict} */
  swapHands () {
    if (this.dead || this.gamemode === 'spectator') return no('the dead and spectators cannot swap hands')
    const held = this.heldItem
    this.store.set(PLAYER.HOTBAR + this.heldSlot, this.store.get(PLAYER.OFFHAND))
    this.store.set(PLAYER.OFFHAND, held)
    this.using.stop()
    return OK
  }

  /** Say a line, or run it as a command if it begins with "/". @param {string} text @returns {Verdict} */
  chat (text) {
    const line = typeof text === 'string' ? text.trim().replace(/\s+/g, ' ') : ''
    if (!line || line.length > CHAT_LIMIT || /[\u0000-\u001f\u007f§]/.test(line)) {
      return no(`chat takes 1 to ${CHAT_LIMIT} printable characters`)
    }
    if (line.startsWith('/')) {
      const { ok, reply } = this.world.command(line.slice(1), this)
      return ok ? OK : no(reply)
    }
    this.world.emit('chat', { from: this.name, text: line })
    return OK
  }

  /** @returns {Verdict} */
  respawn () { return this.dead ? respawn(this) : no('only the dead respawn') }

  /** @param {boolean} on */
  setSneaking (on) { this.setPose('sneaking', on) }
  /** @param {boolean} on */
  setSprinting (on) { this.setPose('sprinting', on && this.food > 6) }
  /** @param {'sneaking' | 'sprinting'} pose @param {boolean} on */
  setPose (pose, on) {
    if (this[pose] === on) return
    this[pose] = on
    this.posture.update(true)
  }

  // --- effects of the rules ---

  /** Return true if a block's centre is within `reach` of the eyes. @param {Pos} pos @param {number} reach */
  within (pos, reach) {
    const e = this.eyes
    return Math.hypot(pos.x + 0.5 - e.x, pos.y + 0.5 - e.y, pos.z + 0.5 - e.z) <= reach
  }

  /** Move the player without checking for blocks. @param {Pos & { yaw?: number, pitch?: number }} to */
  place3d (to) {
    this.x = to.x
    this.y = to.y
    this.z = to.z
    this.yaw = to.yaw ?? this.yaw
    this.headYaw = this.yaw
    this.pitch = to.pitch ?? this.pitch
    this.vx = this.vy = this.vz = this.fallDistance = 0
    this.movement.reset()
    this.digging.stop()
    this.world.portals.put(this)
  }

  /** @param {Pos & { yaw?: number, pitch?: number }} to */
  teleport (to) {
    if (this.vehicle) this.dismount()
    if (this.sleeping) this.wake()
    this.place3d(to)
    this.world.emit('teleport', { player: this })
    this.world.emit('entityMove', { entity: this })
  }

  /** Put a stack into the inventory. @param {Item} item @returns {Item | null} the items that did not fit */
  give (item) {
    if (this.gamemode === 'spectator') return item
    return this.store.add(this.world.stacks, item, this.heldSlot)
  }

  /** @param {Item} item */
  giveOrDrop (item) {
    const lost = this.dead && !this.world.rules.keepInventory
    const rest = lost ? item : this.store.add(this.world.stacks, item, this.heldSlot)
    if (rest) this.toss(rest, false)
  }

  /**
   * Throw a stack ahead.
   * @param {Item} item
   * @param {boolean} [counted] true if the statistics count it as dropped by the player
   */
  toss (item, counted = true) { toss(this, item, counted) }

  /** Wear the item in a slot of window 0. @param {number} slot @param {number} amount */
  wearSlot (slot, amount) {
    const item = this.store.get(slot)
    if (!item || this.gamemode === 'creative') return
    const worn = this.world.stacks.worn(item, amount, this.world.random.stream('wear'))
    if (worn === item) return
    this.store.set(slot, worn)
    if (!worn) this.world.stats.add(this, 'broken', item.name)
  }

  /** Use up one item of a hand. @param {0 | 1} hand @param {Item | null} [leftover] */
  consume (hand, leftover = null) {
    const item = this.inHand(hand)
    if (!item || this.gamemode === 'creative') return
    const rest = this.world.stacks.withCount(item, item.count - 1)
    this.store.set(this.handSlot(hand), rest ?? leftover)
    if (rest && leftover) this.giveOrDrop(leftover)
  }

  /** @param {number} amount */
  exhaust (amount) {
    if (this.gamemode === 'survival' || this.gamemode === 'adventure') {
      this.hunger.exhaustion = Math.min(40, this.hunger.exhaustion + amount)
    }
  }

  addExperience (/** @type {number} */ points) { addPoints(this, points) }
  /** @param {number} levels less than 0 to take some */
  addLevels (levels) { addLevels(this, levels) }

  /** @param {Gamemode} gamemode */
  setGamemode (gamemode) {
    if (this.gamemode === gamemode) return false
    this.gamemode = gamemode
    this.digging.stop()
    this.using.stop()
    if (gamemode === 'spectator' && this.screens.container) this.screens.close(true)
    if (gamemode !== 'spectator') this.camera = null
    this.fallDistance = 0
    this.world.portals.moved(this)
    this.world.emit('gamemode', { player: this })
    this.world.emit('entityMeta', { entity: this })
    return true
  }

  healthChanged () { this.world.emit('health', { player: this }) }

  /** @param {number} health */
  setHealth (health) {
    const before = this.health
    super.setHealth(health)
    if (this.health !== before) this.healthChanged()
  }

  /** @param {import('./types').Effect} effect @param {boolean} removed */
  effectChanged (effect, removed) { this.world.emit('effect', { player: this, effect, removed }) }

  /** @param {DamageSource} source */
  immune (source) {
    return super.immune(source) ||
      (!source.absolute && (this.gamemode === 'creative' || this.gamemode === 'spectator')) ||
      (source.attacker instanceof Player && source.attacker !== this &&
        (!this.world.pvp || this.world.teams.preventsDamage(this.name, source.attacker.name)))
  }

  /** @param {number} amount @param {DamageSource} source */
  scaleDamage (amount, source) { return scaled(amount, source, this.world.difficulty) }
  /** @param {DamageSource} source */
  isShielded (source) { return isShielded(this, source) }
  /** @param {number} amount @param {DamageSource} source */
  onShielded (amount, source) { takeBlow(this, amount, source) }
  /** @param {DamageSource} source */
  preventsDeath (source) { return useTotem(this, source) }

  /** @param {DamageSource} source */
  onHurt (source) {
    if (this.sleeping) this.wake()
    this.exhaust(0.1)
    if (!source.piercing) {
      for (let i = PLAYER.HEAD; i <= PLAYER.FEET; i++) {
        if (armourSlot(this.slots[i]?.name ?? '') === i) this.wearSlot(i, 1)
      }
    }
  }

  /** @param {DamageSource} source */
  die (source) {
    super.die(source)
    this.dismount()
    this.wake()
    this.world.deaths.ofPlayer(this, source)
  }

  /** Count the player's items, cursor and crafting grid included. @param {string} [name] */
  count (name) {
    const counts = [...this.slots.slice(1), this.screens.carried]
    const table = this.screens.container
    if (table?.kind === 'crafting') counts.push(...table.slots[1].store.slots.slice(1))
    return counts.reduce((sum, item) => sum + (item && (!name || item.name === name) ? item.count : 0), 0)
  }

  tick () {
    super.tick()
    this.attackTicks++
    this.posture.tick()
    this.movement.tick()
    if (this.orbDelay > 0) this.orbDelay--
    if (!this.dead) {
      this.digging.tick()
      this.using.tick()
      if (this.gamemode === 'survival' || this.gamemode === 'adventure') this.hunger.tick()
      if (this.gamemode !== 'spectator') this.pickUp()
      mirrorScores(this)
    }
    this.show()
  }

  show () {
    if (this.screens.inventory.get(PLAYER.RESULT) || this.store.get(1) || this.store.get(2) || this.store.get(3) ||
      this.store.get(4)) {
      this.world.craftingGrids.refresh(this, this.screens.inventory)
    }
    this.screens.sync()
    this.outfit.tick()
  }

  pickUp () {
    if (this.world.loose.size === 0) return
    const reach = grow(this.box, 1, 0.5, 1)
    for (const drop of this.world.dropGrid.near(this)) {
      if (Math.abs(drop.x - this.x) < PICK_UP_REACH && Math.abs(drop.z - this.z) < PICK_UP_REACH &&
        overlap(reach, drop.box) &&
        !drop.removed) {
        drop.pickUp(this)
      }
    }
  }

  nbt () { return { ...super.nbt(), ...playerNbt(this) } }
}

module.exports = { Player, levelCost }
