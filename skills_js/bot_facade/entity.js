/** Entities. An entity that a policy keeps stays up to date, as mineflayer's do. */
'use strict'
const { refuseMembers } = require('./documented')
const { seal } = require('./harden')
const { Item } = require('./block')
const { Vec3 } = require('./vec3')

/** Player, mob or thing; `position` and the like are read anew, `isValid` becomes false when it is gone. */
class Entity {
  #world
  #last
  /**
   * @param {EntitySource} world
   * @param {any} data - what the host says of it
   */
  constructor (world, data) {
    this.#world = world
    this.#last = data
    this.id = data.id
    this.type = data.type
    this.name = data.name
    this.displayName = data.displayName
    this.username = data.username
    this.mobType = data.displayName
    this.kind = data.kind
    this.uuid = data.uuid
    // The same object serves the program and the primitives.
    Object.freeze(this)
  }

  #now () {
    const data = this.#world.data(this.id)
    if (data !== null) this.#last = data
    return this.#last
  }

  get position () { return point(this.#now().position) }
  get velocity () { return point(this.#now().velocity) }
  get yaw () { return this.#now().yaw }
  get pitch () { return this.#now().pitch }
  get onGround () { return this.#now().onGround }
  get height () { return this.#last.height }
  get width () { return this.#last.width }
  get eyeHeight () { return this.#last.eyeHeight ?? 1.62 }
  get health () { return this.#now().health }
  get effects () { return this.#now().effects ?? {} }
  get isInWater () { return this.#now().isInWater ?? false }
  get heldItem () { return this.equipment[0] ?? null }
  get equipment () {
    return (this.#now().equipment ?? []).map((/** @type {any} */ item) => item === null ? null : new Item(item))
  }
  get metadata () { return this.#now().metadata ?? [] }
  /** @returns {number | undefined} its kind's number */
  get entityType () { return this.#world.typeOf(this.name) }
  /** @returns {string | undefined} mineflayer's older word for the kind of what is no mob */
  get objectType () { return this.type === 'object' ? this.displayName : undefined }
  get isValid () { return this.#world.data(this.id) !== null }

  /** @returns {Item | null} what lies there, for a dropped item */
  getDroppedItem () {
    const { item } = this.#now()
    return item ? new Item(item) : null
  }
}

/** @param {number[]} values */
function point (values) {
  return new Vec3(values[0], values[1], values[2])
}

/** Source of entities: the same entity is the same object. */
class EntitySource {
  /** List that was searched last, and the same by id. @type {any[] | null} */
  #list = null
  /** @type {Map<number, any>} */
  #byId = new Map()

  /** @param {import('./host').Host} host */
  constructor (host) {
    this.host = host
    /** @type {Map<number, Entity>} */
    this.known = new Map()
  }

  /**
   * @param {number} id
   * @returns {any} what the host says of it now; null when it is gone
   */
  data (id) {
    const self = this.host.kept.get('self[]')?.entity
    if (self?.id === id) return self
    const list = this.host.kept.get('entities[]')
    const listed = list === undefined ? undefined : this.#listed(list).get(id)
    return listed ?? this.host.read('entity', id)
  }

  /** @param {string} name @returns {number | undefined} */
  typeOf (name) { return this.host.read('data', 'entitiesByName', name)?.id }

  /**
   * Return the list by id: a loop over all entities looks each of them up again and again.
   * @param {any[]} list
   * @returns {Map<number, any>} the list by id
   */
  #listed (list) {
    if (this.#list !== list) {
      this.#list = list
      this.#byId = new Map(list.map((data) => [data.id, data]))
    }
    return this.#byId
  }

  /**
   * @param {any} data
   * @returns {Entity}
   */
  make (data) {
    let entity = this.known.get(data.id)
    if (entity === undefined || entity.name !== data.name) {
      entity = new Entity(this, data)
      if (this.known.size > 1024) this.known.clear()
      this.known.set(data.id, entity)
    }
    return entity
  }

  /** @returns {Entity[]} every entity that the bot sees, itself too */
  all () {
    return this.host.read('entities').map((/** @type {any} */ data) => this.make(data))
  }
}

refuseMembers(Entity.prototype, 'entity')
seal(Entity)

module.exports = { Entity, EntitySource, point }
