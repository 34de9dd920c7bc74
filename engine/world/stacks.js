'use strict'
/**
 * Item stacks: immutable prismarine-items. A change makes a new stack, so that slots are compared by identity and no
 * stack is shared by mistake. An empty slot is null.
 */

const { dataOf } = require('./rules/items/item_data')

/** @typedef {import('./types').Item} Item */
/** @typedef {Item | null} Slot */
/** @typedef {import('./nbt/values').Tag} Tag */
/**
 * NBT of an item; an empty one counts as none.
 *
 * @typedef {{ type?: string, name?: string, value?: Record<string, Tag | undefined> }} Compound
 */

/** Creation and comparison of stacks with the data of one version. */
class Stacks {
  /** @param {import('./data').GameData} data */
  constructor (data) { this.data = data }

  /**
   * Make a stack.
   * @param {string | number} kind item name or id
   * @param {number} [count]
   * @param {Compound | null} [nbt]
   * @returns {Item}
   */
  make (kind, count = 1, nbt = null) {
    const info = typeof kind === 'number' ? this.data.registry.items[kind] : this.data.registry.itemsByName[kind]
    if (!info) {
      throw new Error(`unknown item ${JSON.stringify(kind)}: use an item name of Minecraft ${this.data.version}`)
    }
    return new this.data.Item(info.id, count, cleanNbt(nbt))
  }

  /**
   * Return the stack with another count; null for 0.
   * @param {Item} item
   * @param {number} count
   * @returns {Slot}
   */
  withCount (item, count) {
    return count <= 0 ? null : count === item.count ? item : new this.data.Item(item.type, count, item.nbt)
  }

  /** @param {Item} item @param {Compound | null} nbt @returns {Item} */
  withNbt (item, nbt) { return new this.data.Item(item.type, item.count, cleanNbt(nbt)) }

  /**
   * Return true if two stacks are of the same kind and can merge.
   * @param {Slot} a
   * @param {Slot} b
   */
  same (a, b) { return !!a && !!b && a.type === b.type && sameNbt(a.nbt, b.nbt) }

  /** Return true if two stacks are equal in kind and count. @param {Slot} a @param {Slot} b */
  equal (a, b) { return a === b || (!!a && !!b && a.count === b.count && this.same(a, b)) || (!a && !b) }

  /** Return the durability used. @param {Item} item @returns {number} */
  damage (item) { return Number(dataOf(item).Damage?.value ?? 0) }

  /**
   * Return the stack after wear; null if it breaks.
   * @param {Item} item
   * @param {number} amount
   * @param {import('./random').RandomStream} random for the Unbreaking enchantment
   * @returns {Slot}
   */
  worn (item, amount, random) {
    const full = this.data.registry.itemsByName[item.name]?.maxDurability
    if (!full || dataOf(item).Unbreakable?.value) return item
    const unbreaking = this.enchantment(item, 'unbreaking')
    let loss = 0
    for (let i = 0; i < amount; i++) if (!unbreaking || random.chance(1 / (unbreaking + 1))) loss++
    if (!loss) return item
    const used = this.damage(item) + loss
    if (used >= full) return this.withCount(item, item.count - 1)
    return this.withNbt(item,
      { value: { ...dataOf(item), Damage: { type: 'int', value: used } } })
  }

  /** Return the level of an enchantment, 0 without. @param {Slot} item @param {string} name @returns {number} */
  enchantment (item, name) {
    /** @type {Record<string, Tag>[]} */
    const list = dataOf(item).Enchantments?.value?.value ?? []
    for (const entry of list) {
      if (String(entry?.id?.value).replace(/^minecraft:/, '') === name) {
        return Math.max(0, Math.min(255, Number(entry.lvl?.value) || 0))
      }
    }
    return 0
  }

  /** Return the name in vanilla's texts, e.g. "[Iron Pickaxe]". @param {Item} item */
  label (item) { return `[${this.displayName(item)}]` }

  /** @param {Item} item @returns {string} */
  displayName (item) {
    const custom = dataOf(item).display?.value?.Name?.value
    return custom ? plainText(custom) : item.displayName
  }
}

/** @param {Item['nbt']} a @param {Item['nbt']} b */
function sameNbt (a, b) {
  if (a === b || (!a && !b)) return true
  return !!a && !!b && canonical(a.value) === canonical(b.value)
}

/** Return a text of an NBT value that is independent of the order of keys. @param {unknown} value @returns {string} */
function canonical (value) {
  return JSON.stringify(value, (_key, v) => v && typeof v === 'object' && !Array.isArray(v)
    ? Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)))
    : typeof v === 'bigint' ? v.toString() : v)
}

/** Return null for an empty compound, which counts as no data. @param {Compound | null} nbt */
function cleanNbt (nbt) {
  return nbt && nbt.value && Object.keys(nbt.value).length > 0 ? { type: 'compound', name: '', value: nbt.value } : null
}

/**
 * Return the plain text of a JSON text component.
 * @param {any} component JSON text or parsed
 * @returns {string}
 */
function plainText (component) {
  let value = component
  if (typeof value === 'string') {
    try { value = JSON.parse(value) } catch { return component }
  }
  if (value === null || value === undefined) return ''
  if (typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return value.map(plainPart).join('')
  return plainPart(value)
}

/** @param {any} part @returns {string} */
function plainPart (part) {
  if (part === null || typeof part !== 'object') return String(part ?? '')
  if (Array.isArray(part)) return part.map(plainPart).join('')
  return String(part.text ?? part.translate ?? part.selector ?? part.keybind ?? '') +
    (Array.isArray(part.extra) ? part.extra.map(plainPart).join('') : '')
}

module.exports = { Stacks, plainText, canonical }
