'use strict'
/**
 * Interest of viewers in entities, by chunk column.
 *
 * A viewer knows exactly the entities of the columns in its view. Moves are encoded once per entity and joined once per
 * column; a viewer gets whole columns, so that the work grows with columns, not with pairs of players.
 */
const { columnKey } = require('./columns')

/**
 * @typedef {object} Viewer
 * @property {number} ownId id of the viewer's own entity, of which it is never told
 * @property {{send: (frame: Buffer) => void}} connection
 * @property {{centerX: number, centerZ: number}} view
 */

/**
 * @typedef {object} Tracked
 * @property {any} entity
 * @property {Column} column
 * @property {boolean} near moved since viewers near it were told
 * @property {boolean} far moved since viewers far from it were told
 * @property {number} headYaw last told, in 1/256 turns
 */

/**
 * @typedef {object} Column
 * @property {number} cx
 * @property {number} cz
 * @property {Map<number, Tracked>} entities
 * @property {Set<Viewer>} watchers
 */

/** Distance in columns within which viewers hear of an entity's moves at 10 Hz; others hear at 2 Hz. */
const NEAR_COLUMNS = 1
const NEAR_TICKS = 2
const FAR_TICKS = 10

/** @param {number} degrees */
function angle (degrees) {
  return Math.floor((((degrees % 360) + 360) % 360) * 256 / 360) << 24 >> 24
}

/** Entities, columns and viewers of one front. */
class Interest {
  /**
   * @param {import('./codec').Codec} codec
   * @param {(entity: any) => Buffer} spawnFrames everything a viewer needs to see an entity appear
   */
  constructor (codec, spawnFrames) {
    this._codec = codec
    this._spawnFrames = spawnFrames
    /** @type {Map<number, Column>} */
    this._columns = new Map()
    /** @type {Map<number, Tracked>} */
    this._tracked = new Map()
    /** @type {Set<Tracked>} */
    this._moved = new Set()
    this._ticks = 0
  }

  /**
   * @param {number} cx
   * @param {number} cz
   * @returns {Column}
   */
  _column (cx, cz) {
    const key = columnKey(cx, cz)
    let column = this._columns.get(key)
    if (!column) this._columns.set(key, column = { cx, cz, entities: new Map(), watchers: new Set() })
    return column
  }

  /** @param {Column} column forgotten when it is empty */
  _drop (column) {
    if (column.entities.size === 0 && column.watchers.size === 0) this._columns.delete(columnKey(column.cx, column.cz))
  }

  /** @param {any} entity comes into sight; one that is known already stays */
  add (entity) {
    if (this._tracked.has(entity.id)) return
    const column = this._column(Math.floor(entity.x) >> 4, Math.floor(entity.z) >> 4)
    const tracked = { entity, column, near: false, far: false, headYaw: angle(entity.headYaw ?? entity.yaw ?? 0) }
    this._tracked.set(entity.id, tracked)
    column.entities.set(entity.id, tracked)
    this._tell(column, entity, this._spawnFrames(entity))
  }

  /** @param {{id: number}} entity is gone for every viewer */
  remove ({ id }) {
    const tracked = this._tracked.get(id)
    if (!tracked) return
    this._tracked.delete(id)
    this._moved.delete(tracked)
    tracked.column.entities.delete(id)
    this._tell(tracked.column, tracked.entity, this._destroyFrame([id]))
    this._drop(tracked.column)
  }

  /** @param {{id: number}} entity has moved or turned */
  move ({ id }) {
    const tracked = this._tracked.get(id)
    if (!tracked) return
    tracked.near = tracked.far = true
    this._moved.add(tracked)
    const { entity, column } = tracked
    if (Math.floor(entity.x) >> 4 !== column.cx || Math.floor(entity.z) >> 4 !== column.cz) this._cross(tracked)
  }

  /** @param {Tracked} tracked has entered another column */
  _cross (tracked) {
    const { entity, column: from } = tracked
    const to = this._column(Math.floor(entity.x) >> 4, Math.floor(entity.z) >> 4)
    from.entities.delete(entity.id)
    to.entities.set(entity.id, tracked)
    tracked.column = to
    const destroy = this._destroyFrame([entity.id])
    for (const viewer of from.watchers) {
      if (viewer.ownId !== entity.id && !to.watchers.has(viewer)) viewer.connection.send(destroy)
    }
    const spawn = this._spawnFrames(entity)
    for (const viewer of to.watchers) {
      if (viewer.ownId !== entity.id && !from.watchers.has(viewer)) viewer.connection.send(spawn)
    }
    this._drop(from)
  }

  /**
   * Add a column to a viewer's view.
   * @param {Viewer} viewer
   * @param {number} cx
   * @param {number} cz
   */
  watch (viewer, cx, cz) {
    const column = this._column(cx, cz)
    column.watchers.add(viewer)
    for (const { entity } of column.entities.values()) {
      if (entity.id !== viewer.ownId) viewer.connection.send(this._spawnFrames(entity))
    }
  }

  /**
   * Remove a column from a viewer's view.
   * @param {Viewer} viewer
   * @param {number} cx
   * @param {number} cz
   */
  unwatch (viewer, cx, cz) {
    const column = this._columns.get(columnKey(cx, cz))
    if (!column?.watchers.delete(viewer)) return
    const ids = [...column.entities.keys()].filter((id) => id !== viewer.ownId)
    if (ids.length > 0) viewer.connection.send(this._destroyFrame(ids))
    this._drop(column)
  }

  /**
   * Send a frame to all who see an entity, itself excepted.
   * @param {{id: number}} entity
   * @param {Buffer} framed
   */
  tellAbout ({ id }, framed) {
    const tracked = this._tracked.get(id)
    if (tracked) this._tell(tracked.column, tracked.entity, framed)
  }

  /**
   * @param {number} cx
   * @param {number} cz
   * @returns {Iterable<Viewer>} who has that column in view
   */
  watchers (cx, cz) {
    return this._columns.get(columnKey(cx, cz))?.watchers ?? []
  }

  /**
   * @param {Column} column
   * @param {import('../../../engine/world/entities/entity').Entity} entity
   * @param {Buffer} framed
   */
  _tell (column, entity, framed) {
    for (const viewer of column.watchers) if (viewer.ownId !== entity.id) viewer.connection.send(framed)
  }

  /** @param {number[]} entityIds */
  _destroyFrame (entityIds) {
    return this._codec.encode('play', 'entity_destroy', { entityIds })
  }

  /**
   * Tell viewers where everything that moved is now, as absolute positions. Call it once a tick, of a frozen world too,
   * whose age stands still while players move.
   */
  flushMoves () {
    const tick = this._ticks++
    const far = tick % FAR_TICKS === 0
    if (!far && tick % NEAR_TICKS !== 0) return
    /** @type {Map<Column, Map<number, Buffer>>} */
    const byColumn = new Map()
    for (const tracked of this._moved) {
      if (!(far ? tracked.far : tracked.near)) continue
      tracked.near = false
      if (tracked.column.watchers.size === 0) {
        // Nobody is told; whoever looks next sees it as it is then.
        tracked.headYaw = angle(tracked.entity.headYaw ?? tracked.entity.yaw ?? 0)
        if (far) tracked.far = false
        continue
      }
      let frames = byColumn.get(tracked.column)
      if (!frames) byColumn.set(tracked.column, frames = new Map())
      frames.set(tracked.entity.id, this._moveFrame(tracked))
      if (far) tracked.far = false
    }
    if (far) this._moved.clear()
    for (const [column, frames] of byColumn) sendMoves(column, frames, far)
  }

  /** @param {Tracked} tracked */
  _moveFrame (tracked) {
    const { id, x, y, z, yaw, pitch, headYaw, onGround } = tracked.entity
    const teleport = this._codec.encode(
      'play',
      'entity_teleport',
      { entityId: id, x, y, z, yaw: angle(yaw ?? 0), pitch: angle(pitch ?? 0), onGround: Boolean(onGround) }
    )
    const head = angle(headYaw ?? yaw ?? 0)
    if (head === tracked.headYaw && !tracked.far) return teleport
    tracked.headYaw = head
    return Buffer.concat([
      teleport, this._codec.encode('play', 'entity_head_rotation', { entityId: id, headYaw: head })
    ])
  }
}

/**
 * @param {Column} column
 * @param {Map<number, Buffer>} frames entity id -> its move
 * @param {boolean} far whether this time the far viewers hear too
 */
function sendMoves (column, frames, far) {
  const all = Buffer.concat([...frames.values()])
  for (const viewer of column.watchers) {
    const { centerX, centerZ } = viewer.view
    if (!far && Math.max(Math.abs(centerX - column.cx), Math.abs(centerZ - column.cz)) > NEAR_COLUMNS) continue
    if (!frames.has(viewer.ownId)) viewer.connection.send(all)
    else if (frames.size > 1) {
      viewer.connection.send(Buffer.concat([...frames].filter(([id]) => id !== viewer.ownId).map(([, bytes]) => bytes)))
    }
  }
}

module.exports = { Interest, angle }
