'use strict'
/**
 * Onlookers: people who watch. An onlooker is no part of the world: the engine does not know it, no selector finds it,
 * no player sees or hears it, and nothing that its client sends reaches a block, an item or a player.
 */
const { Viewer, isSane } = require('./viewer')
const { ProtocolError } = require('./codec')

/** Longest flight in one packet, in blocks; far hops would make the world generate columns without end. */
const MAX_HOP = 100
/** Height of the eyes over the spawn point at the start, in blocks. */
const START_HEIGHT = 3
/** Action of hitting an entity: the onlooker looks through its eyes until it sneaks. */
const ATTACK = 1

/** @type {Record<string, (onlooker: Onlooker, params: any) => void>} */
const HANDLERS = {
  teleport_confirm: (onlooker, { teleportId }) => onlooker.confirmTeleport(teleportId),
  keep_alive: (onlooker) => onlooker.alive(),
  chunk_batch_received: (onlooker) => onlooker.view.acknowledge(),
  position: (onlooker, params) => onlooker.fly(params),
  position_look: (onlooker, params) => onlooker.fly(params),
  spectate: (onlooker, { target }) => onlooker.visit(target),
  use_entity: (onlooker, { target, mouse }) => { if (mouse === ATTACK) onlooker.look(target) },
  entity_action: (onlooker, { actionId }) => { if (actionId === 'start_sneaking') onlooker.look(onlooker.ownId) }
}
const PACKETS = new Map(Object.entries(HANDLERS))

/** Onlooker behind one connection. */
class Onlooker extends Viewer {
  /**
   * @param {import('./front').Front} front
   * @param {import('./connection').Connection} connection
   * @param {{name: string, uuid: string, viewDistance: number}} profile
   * @param {number} ownId an entity id that the world does not use
   */
  constructor (front, connection, profile, ownId) {
    super(front, connection, profile, { ownId, lit: true })
    const { x, y, z } = front.world.spawn
    this.place = { x, y: y + START_HEIGHT, z, yaw: 0, pitch: 0 }
    this._camera = ownId
  }

  begin () {
    this.enter('spectator')
    this.connection.send(this.front.playerList(this))
    this.teleport(this.place)
    this.write('update_health', { health: 20, food: 20, foodSaturation: 5 })
    this.connection.flush()
  }

  /**
   * @param {string} name
   * @param {Record<string, unknown>} params
   */
  packet (name, params) {
    const handler = PACKETS.get(name)
    if (!handler) return
    handler(this, params)
    this.connection.flushSoon()
  }

  /** @param {{x: number, y: number, z: number}} to */
  fly (to) {
    if (!isSane(to)) throw new ProtocolError('Invalid move player packet received')
    if (this.teleporting || this._camera !== this.ownId) return
    const { x, y, z } = this.place
    if (Math.hypot(to.x - x, to.y - y, to.z - z) > MAX_HOP) return this.teleport(this.place)
    this.place = { ...this.place, x: to.x, y: to.y, z: to.z }
    this.view.follow(to.x, to.z)
  }

  /** @param {string} uuid of the player to go to (the spectator menu) */
  visit (uuid) {
    const player = [...this.front.world.players.values()].find((p) => p.uuid === uuid)
    if (!player) return
    this.place = { x: player.x, y: player.y + 1, z: player.z, yaw: player.yaw, pitch: player.pitch }
    this.teleport(this.place)
  }

  /** @param {number} id of the entity through whose eyes to look; its own id ends it */
  look (id) {
    if (id !== this.ownId && !this.front.world.entities.has(id)) return
    this._camera = id
    this.write('camera', { cameraId: id })
  }

  /** @param {number} age */
  tick (age) {
    const seen = this._camera === this.ownId ? null : this.front.world.entities.get(this._camera)
    if (seen) {
      this.place = { ...this.place, x: seen.x, y: seen.y, z: seen.z }
      this.view.follow(seen.x, seen.z)
    } else if (this._camera !== this.ownId) this.look(this.ownId)
    super.tick(age)
  }
}

module.exports = { Onlooker }
