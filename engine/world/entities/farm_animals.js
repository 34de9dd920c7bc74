'use strict'
/** Sheep, cows, mooshrooms and chickens: wool, milk, stew, eggs. */
const { Animal, OK } = require('./animals')

/** @typedef {import('../types').Verdict} Verdict */
/** @typedef {import('../types').Item} Item */
/** @typedef {import('../player').Player} Player */

const COLOURS = Object.freeze(['white', 'orange', 'magenta', 'light_blue', 'yellow', 'lime', 'pink', 'gray',
  'light_gray', 'cyan', 'purple', 'blue', 'brown', 'green', 'red', 'black'])
/** Average ticks until a sheep begins to eat grass (vanilla tries every second tick): adult, baby. */
const EAT_CHANCE = 2000
const EAT_CHANCE_YOUNG = 100
const EATING_TICKS = 40
/** Vanilla's entity status of a sheep that lowers its head. */
const EATS = 10
const YOUNGER = 60 * 20
const MIN_EGG_TICKS = 6000
const MAX_EGG_TICKS = 12000

/** A sheep: wool by shears, again after it has eaten grass. */
class Sheep extends Animal {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.colour = 'white'
    this.sheared = false
    this.eating = 0
  }

  get loot () {
    const [, meat] = this.kind.drops
    return /** @type {[string, number, number][]} */ (this.sheared ? [meat] : [[`${this.colour}_wool`, 1, 1], meat])
  }

  /**
   * Draw the colour of a natural sheep: 81.8 % white, 5 % each black, gray and light gray, 3 % brown, 0.16 % pink.
   * @param {import('../random').RandomStream} random
   */
  drawColour (random) {
    const drawn = random.next() * 100
    this.colour = drawn < 5 ? 'black'
      : drawn < 10 ? 'gray' : drawn < 15 ? 'light_gray' : drawn < 18 ? 'brown' : drawn < 18.164 ? 'pink' : 'white'
  }

  /** @param {Animal} mother @param {Animal} father */
  inherit (mother, father) { this.colour = /** @type {Sheep} */ (this.random.chance(0.5) ? mother : father).colour }

  get isIdle () { return this.eating === 0 && super.isIdle }

  think () {
    if (this.eating > 0) return this.eat()
    if (!this.graze()) super.think()
  }

  /** @returns {boolean} true if it begins to eat */
  graze () {
    if (this.random.int(1, this.baby ? EAT_CHANCE_YOUNG : EAT_CHANCE) !== 1 || !this.pasture()) return false
    this.eating = EATING_TICKS
    this.goal = null
    this.world.emit('entityStatus', { entity: this, status: EATS })
    return true
  }

  /** A sheep resumes when it begins to eat. @param {number} ticks */
  settleSuspended (ticks) {
    if (this.eating > 0 || !super.settleSuspended(ticks)) return false
    this.graze()
    return true
  }

  /** Return the position of the grass that it stands in or on, or null. @returns {import('../types').Pos | null} */
  pasture () {
    const pos = { x: Math.floor(this.x), y: Math.floor(this.y + 0.1), z: Math.floor(this.z) }
    if (this.world.stateAt(pos.x, pos.y, pos.z).name === 'short_grass') return pos
    return this.world.stateAt(pos.x, pos.y - 1, pos.z).name === 'grass_block' ? { ...pos, y: pos.y - 1 } : null
  }

  /** Eat: at the end the grass is gone, if mobs may change blocks, and the wool grows back. */
  eat () {
    if (--this.eating > 0) return
    const pos = this.pasture()
    if (!pos) return
    if (this.world.rules.mobGriefing) {
      const turf = this.world.stateAt(pos.x, pos.y, pos.z).name === 'grass_block'
      this.world.setBlock(pos.x, pos.y, pos.z, turf ? this.world.data.stateId('dirt') : 0)
    }
    if (this.baby) this.setGrowing(Math.min(0, this.growing + YOUNGER))
    this.setSheared(false)
  }

  /** @param {boolean} sheared */
  setSheared (sheared) {
    if (this.sheared === sheared) return
    this.sheared = sheared
    this.world.emit('entityMeta', { entity: this })
  }

  /** @param {Player} player @param {Item | null} item @returns {Verdict} */
  interact (player, item) {
    if (item?.name === 'shears') return this.shear(player)
    const dye = /^(.+)_dye$/.exec(item?.name ?? '')?.[1]
    if (!dye || !COLOURS.includes(dye) || this.sheared || this.colour === dye) return super.interact(player, item)
    this.colour = dye
    this.world.emit('entityMeta', { entity: this })
    player.consume(0)
    return OK
  }

  /** @param {Player} player @returns {Verdict} */
  shear (player) {
    if (this.sheared || this.baby) {
      return { ok: false, reason: this.baby ? 'a lamb has no wool' : 'the sheep is shorn already' }
    }
    this.setSheared(true)
    const random = this.world.random.stream('mob loot')
    for (let left = random.int(1, 3); left > 0; left--) {
      const wool = this.world.spawnItem(this.world.stacks.make(`${this.colour}_wool`),
        { x: this.x, y: this.y + 1, z: this.z })
      Object.assign(wool, { vx: random.triangle(0, 0.1), vy: random.next() * 0.05, vz: random.triangle(0, 0.1) })
    }
    this.world.emit('sound', { name: 'entity.sheep.shear', x: this.x, y: this.y, z: this.z })
    player.wearSlot(player.handSlot(0), 1)
    return OK
  }

  nbt () {
    const { byte } = this.world.nbt
    return { ...super.nbt(), Color: byte(COLOURS.indexOf(this.colour)), Sheared: byte(this.sheared ? 1 : 0) }
  }

  /** @param {Record<string, any>} value */
  loadNbt (value) {
    super.loadNbt(value)
    if (value.Color) this.colour = COLOURS[Number(value.Color.value)] ?? 'white'
    if (value.Sheared) this.sheared = Number(value.Sheared.value) !== 0
  }
}

/** Cows, goats and mooshrooms: milk into a bucket, a mooshroom's stew into a bowl. */
class Dairy extends Animal {
  /** @param {Player} player @param {Item | null} item @returns {Verdict} */
  interact (player, item) {
    const made = item?.name === 'bucket' ? 'milk_bucket'
      : item?.name === 'bowl' && this.type === 'mooshroom' ? 'mushroom_stew' : null
    if (!made || this.baby) return super.interact(player, item)
    player.consume(0, this.world.stacks.make(made))
    this.world.emit('sound', { name: 'entity.cow.milk', x: this.x, y: this.y, z: this.z })
    return OK
  }
}

/** A chicken: it lays an egg every five to ten minutes, and takes no fall damage. */
class Chicken extends Animal {
  /** @param {import('../world').World} world @param {string} type @param {{ x: number, y: number, z: number }} at */
  constructor (world, type, at) {
    super(world, type, at)
    this.eggIn = this.random.int(MIN_EGG_TICKS, MAX_EGG_TICKS - 1)
  }

  tick () {
    super.tick()
    if (this.dead || this.removed || this.baby || --this.eggIn > 0) return
    this.eggIn = this.random.int(MIN_EGG_TICKS, MAX_EGG_TICKS - 1)
    this.world.spawnItem(this.world.stacks.make('egg'), { x: this.x, y: this.y, z: this.z })
    this.world.emit('sound', { name: 'entity.chicken.egg', x: this.x, y: this.y, z: this.z })
  }

  /** @param {number} ticks */
  catchUp (ticks) {
    if (!this.baby) this.eggIn -= ticks
    super.catchUp(ticks)
  }

  /** A chicken resumes to lay an egg. @param {number} ticks */
  settleSuspended (ticks) {
    const lays = !this.baby
    if ((lays && this.eggIn <= ticks) || !super.settleSuspended(ticks)) return false
    if (lays) this.eggIn -= ticks
    return true
  }

  sink () { if (!this.onGround && this.vy < 0) this.vy *= 0.6 }
  /** @param {import('./living').DamageSource} source */
  immune (source) { return source.type === 'fall' || super.immune(source) }
}

module.exports = { Sheep, Dairy, Chicken, COLOURS }
