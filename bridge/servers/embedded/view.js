'use strict'
/** Columns around one viewer: those it has, those it waits for, and their order. */
const { columnKey } = require('./columns')

/** @typedef {import('./interest').Viewer & {connection: import('./connection').Connection, lit: boolean}} Viewer */

/** Most columns of one batch; batches of a view are sent once a tick. */
const BATCH = 32
/** Most unacknowledged batches of a client before it gets more. */
const MAX_UNACKNOWLEDGED = 8

/** View of one viewer. */
class View {
  /**
   * @param {Viewer} viewer
   * @param {number} radius in columns; the server cuts what the client asks for
   * @param {{interest: import('./interest').Interest, columns: import('./columns').Columns}} services
   */
  constructor (viewer, radius, { interest, columns }) {
    this._viewer = viewer
    this._interest = interest
    this._columns = columns
    this.radius = radius
    this.centerX = NaN
    this.centerZ = NaN
    /** @type {Map<number, {cx: number, cz: number}>} columns in view */
    this._inView = new Map()
    /** @type {Set<number>} columns the client has */
    this._sent = new Set()
    /** @type {{cx: number, cz: number}[]} */
    this._queue = []
    this._unacknowledged = 0
  }

  /**
   * @param {number} cx
   * @param {number} cz
   * @returns {boolean} whether the client has that column
   */
  has (cx, cz) {
    return this._sent.has(columnKey(cx, cz))
  }

  /**
   * Follow the viewer; cheap while it stays in its column.
   * @param {number} x blocks
   * @param {number} z blocks
   */
  follow (x, z) {
    const cx = Math.floor(x) >> 4
    const cz = Math.floor(z) >> 4
    if (cx === this.centerX && cz === this.centerZ) return
    this.centerX = cx
    this.centerZ = cz
    this._viewer.connection.write('update_view_position', { chunkX: cx, chunkZ: cz })
    const wanted = this._wanted()
    for (const [key, column] of this._inView) if (!wanted.has(key)) this._release(key, column)
    for (const [key, { cx, cz }] of wanted) if (!this._inView.has(key)) this._interest.watch(this._viewer, cx, cz)
    this._inView = wanted
    this._queue = [...wanted].filter(([key]) => !this._sent.has(key)).map(([, column]) => column)
  }

  /** @returns {Map<number, {cx: number, cz: number}>} what should be in view, nearest first */
  _wanted () {
    const found = []
    for (let dx = -this.radius; dx <= this.radius; dx++) {
      for (let dz = -this.radius; dz <= this.radius; dz++) {
        found.push({ cx: this.centerX + dx, cz: this.centerZ + dz, far: dx * dx + dz * dz })
      }
    }
    found.sort((a, b) => a.far - b.far)
    return new Map(found.map(({ cx, cz }) => [columnKey(cx, cz), { cx, cz }]))
  }

  /**
   * @param {number} key
   * @param {{cx: number, cz: number}} column
   */
  _release (key, { cx, cz }) {
    this._interest.unwatch(this._viewer, cx, cz)
    if (this._sent.delete(key)) this._viewer.connection.write('unload_chunk', { chunkX: cx, chunkZ: cz })
  }

  /** Process that the client has taken in a batch. */
  acknowledge () {
    this._unacknowledged = Math.max(0, this._unacknowledged - 1)
  }

  /** Send the next batch, if there is one and the client keeps up. */
  pump () {
    if (this._queue.length === 0 || this._unacknowledged >= MAX_UNACKNOWLEDGED) return
    const { connection, lit } = this._viewer
    const missing = this._queue.findIndex(({ cx, cz }, i) => i === BATCH || !this._columns.affords(cx, cz))
    const batch = this._queue.splice(0, missing < 0 ? this._queue.length : missing)
    if (batch.length === 0) return
    connection.write('chunk_batch_start', {})
    for (const { cx, cz } of batch) {
      connection.send(this._columns.frame(cx, cz, lit))
      this._sent.add(columnKey(cx, cz))
    }
    connection.write('chunk_batch_finished', { batchSize: batch.length })
    this._unacknowledged++
  }

  /** Forget all columns that the client has dropped (respawn); everything is sent again. */
  forget () {
    this.leave()
    this.centerX = this.centerZ = NaN
    this._unacknowledged = 0
  }

  /** Remove the view of a viewer that is gone. */
  leave () {
    for (const { cx, cz } of this._inView.values()) this._interest.unwatch(this._viewer, cx, cz)
    this._inView.clear()
    this._sent.clear()
    this._queue = []
  }
}

module.exports = { View }
