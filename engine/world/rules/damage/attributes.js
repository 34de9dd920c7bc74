'use strict'
/**
 * Attributes of living bodies (minecraft.wiki, "Attribute"): a base value with modifiers. Maximum health, armour,
 * attack damage and knockback resistance act on the server, a player's speed acts in its client; the others can be set
 * and read.
 */

/** @typedef {import('../../entities/living').LivingEntity} LivingEntity */
/**
 * @typedef {{ name: string, amount: number, operation: 0 | 1 | 2 }} Modifier operation: 0 add, 1 multiply_base, 2
 *   multiply
 */

/**
 * Base values of players that differ from the attribute's default (minecraft.wiki, "Attribute").
 *
 * @type {Record<string, number>}
 */
const OF_PLAYERS = { 'generic.movement_speed': 0.1, 'generic.attack_damage': 1 }
const PLAYERS_HAVE = new Set(['generic.max_health', 'generic.knockback_resistance', 'generic.movement_speed',
  'generic.attack_damage', 'generic.attack_speed', 'generic.armor', 'generic.armor_toughness', 'generic.luck'])
const MOBS_HAVE = new Set([...PLAYERS_HAVE, 'generic.follow_range',
  'generic.attack_knockback'].filter((name) => name !== 'generic.luck' && name !== 'generic.attack_speed'))

/** One attribute of one body. */
class Attribute {
  /** @param {number} base @param {number} low @param {number} high */
  constructor (base, low, high) {
    this.base = base
    this.low = low
    this.high = high
    /** Modifiers by UUID. @type {Map<string, Modifier>} */
    this.modifiers = new Map()
  }

  get value () {
    const all = [...this.modifiers.values()]
    const of = (/** @type {number} */ operation) => all.filter((modifier) => modifier.operation === operation)
    const added = of(0).reduce((sum, { amount }) => sum + amount, this.base)
    const scaled = of(1).reduce((sum, { amount }) => sum + added * amount, added)
    return Math.max(this.low,
      Math.min(this.high, of(2).reduce((product, { amount }) => product * (1 + amount), scaled)))
  }
}

/** Attributes of one body that have been read or set. */
class Attributes {
  /** @param {LivingEntity} body */
  constructor (body) {
    this.body = body
    /** @type {Map<string, Attribute>} */
    this.byName = new Map()
  }

  /**
   * @param {string} name without namespace, as "generic.max_health"
   * @returns {Attribute | null} null if the body has no such attribute
   */
  get (name) {
    const { body } = this
    const known = this.byName.get(name)
    if (known) return known
    const { attributesArray } = body.world.registry
    const info = attributesArray.find((/** @type {{ resource: string }} */ entry) => entry.resource === name)
    const player = body.type === 'player'
    if (!info || !(player ? PLAYERS_HAVE : MOBS_HAVE).has(name)) return null
    const { kind } = /** @type {Partial<import('../../entities/mobs').Mob>} */ (body)
    const own = name === 'generic.max_health' ? body.maxHealth
      : name === 'generic.movement_speed' ? kind?.speed : undefined
    const made = new Attribute((player ? OF_PLAYERS[name] : undefined) ?? own ?? info.default, info.min, info.max)
    this.byName.set(name, made)
    return made
  }

  /** Return the difference from the attribute's usual value: 0 for an unchanged attribute. @param {string} name */
  extra (name) {
    const attribute = this.byName.get(name)
    if (!attribute) return 0
    const usual = (this.body.type === 'player' ? OF_PLAYERS[name] : undefined) ?? 0
    return attribute.value - usual
  }

  /** Apply a changed attribute. @param {string} name */
  changed (name) {
    const { body } = this
    if (name === 'generic.max_health') {
      body.maxHealth = /** @type {Attribute} */ (this.get(name)).value
      if (body.health > body.maxHealth) body.setHealth(body.maxHealth)
    }
    body.world.emit('attributes', { entity: body, names: [name] })
  }
}

/** Attributes by body, made on first use. @type {WeakMap<LivingEntity, Attributes>} */
const kept = new WeakMap()

/** @param {LivingEntity} body @returns {Attributes} */
function attributesOf (body) {
  let own = kept.get(body)
  if (!own) kept.set(body, own = new Attributes(body))
  return own
}

/**
 * Return the difference from an attribute's usual value; cheap for bodies without changed attributes.
 *
 * @param {LivingEntity} body
 * @param {string} name
 */
function extraOf (body, name) { return kept.get(body)?.extra(name) ?? 0 }

module.exports = { attributesOf, extraOf }
