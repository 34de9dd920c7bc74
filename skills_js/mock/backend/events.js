'use strict'
/**
 * Events of a bot that a policy may hear: mineflayer's names, made from the engine's.
 *
 * @module skills_js/mock/backend/events
 */
const { isHeard } = require('../../hearing')
const { entityData } = require('./snapshots')

/** Vanilla's entity_status numbers. */
const HURT = 2
const DEAD = 3

/**
 * @typedef {import('../client').Client} Client
 * @typedef {(...args: any[]) => void} Say
 * @typedef {(client: Client, say: Say) => () => void} Source begins to listen; returns what ends it
 */

/** @param {string} event of the client @returns {Source} told without arguments */
const plain = (event) => (client, say) => client.on(event, () => say())

/**
 * @param {string} event
 * @param {(client: Client, payload: any) => boolean} fits
 * @param {(client: Client, payload: any) => any[]} args
 * @returns {Source}
 */
const about = (event, fits, args) => (client, say) => client.on(event, (payload) => {
  if (fits(client, payload)) say(...args(client, payload))
})

const always = () => true

/** @param {Client} client @param {any} entity @returns {any} */
function data (client, entity) {
  return entityData(client.simulation.world.registry, entity)
}

/** @param {Client} client @param {{entity: any}} payload */
const other = (client, { entity }) => entity !== client.player

/** @param {{x: number, y: number, z: number}} at @param {number} state */
function blockData (at, state) {
  return { state, position: [at.x, at.y, at.z] }
}

/**
 * @param {Client} client
 * @param {string} from
 * @param {string} line
 * @returns {boolean} whether it was said within hearing
 */
function hears ({ simulation, body }, from, line) {
  return isHeard(simulation.hearing, simulation.world.players.get(from), body, line)
}

/** @type {Record<string, Source>} */
const SOURCES = {
  chat: about(
    'chat',
    (client, { from, text }) => from !== client.name && hears(client, from, text),
    (_client, { from, text }) => [from, text]
  ),
  whisper: about(
    'system',
    (client, { player, text }) => player === client.player && WHISPERED.test(text),
    (_client, { text }) => whispered(text)
  ),
  messagestr: (client, say) => {
    const stops = [
      client.on('chat', ({ from, text }) => {
        if (from === client.name || hears(client, from, text)) say(`<${from}> ${text}`)
      }),
      client.on('system', ({ player, text }) => { if (player === null || player === client.player) say(text) })
    ]
    return () => stops.forEach((stop) => stop())
  },
  health: plain('health'),
  breath: plain('breath'),
  death: plain('death'),
  spawn: plain('respawn'),
  rain: plain('weather'),
  time: plain('time'),
  move: plain('move'),
  physicsTick: plain('physicsTick'),
  playerJoined: about('join', always, (_client, { player }) => [{ username: player.name, uuid: player.uuid }]),
  playerLeft: about('leave', always, (_client, { player }) => [{ username: player.name, uuid: player.uuid }]),
  entitySpawn: about('entityAdd', other, (client, { entity }) => [data(client, entity)]),
  entityGone: about('entityRemove', other, (client, { entity }) => [data(client, entity)]),
  entityDead: about(
    'entityStatus', (_client, { status }) => status === DEAD, (client, { entity }) => [data(client, entity)]
  ),
  entityHurt: about(
    'entityStatus', (_client, { status }) => status === HURT, (client, { entity }) => [data(client, entity)]
  ),
  entityMoved: about('entityMove', other, (client, { entity }) => [data(client, entity)]),
  itemDrop: about(
    'entityAdd', (_client, { entity }) => entity.type === 'item', (client, { entity }) => [data(client, entity)]
  ),
  playerCollect: about(
    'collect', always, (client, { collector, item }) => [data(client, collector), data(client, item)]
  ),
  blockUpdate: about('block', always, (_client, change) => [null, blockData(change, change.stateId)]),
  diggingCompleted: about('dug', always, (_client, at) => [blockData(at, 0)]),
  diggingAborted: about(
    'digStopped', always, (client, at) => [blockData(at, client.simulation.space.stateAt(at.x, at.y, at.z))]
  ),
  goal_reached: plain('goal_reached'),
  path_stop: plain('path_stop'),
  windowOpen: plain('windowOpen'),
  windowClose: plain('windowClose'),
  heldItemChanged: plain('heldItemChanged'),
  sleep: plain('sleep'),
  wake: plain('wake'),
  mount: plain('mount'),
  dismount: about('dismount', always, (client, { entity }) => [data(client, entity)])
}

const WHISPERED = /^(\w{1,16}) whispers to you: ([^]*)$/

/** @param {string} text @returns {string[]} who, what */
function whispered (text) {
  const [, from, said] = /** @type {RegExpExecArray} */ (WHISPERED.exec(text))
  return [from, said]
}

/**
 * @param {Client} client
 * @param {string} event one of the host API's EVENTS
 * @param {(name: string, args: any[]) => void} tell
 * @returns {() => void} stops listening
 */
function listen (client, event, tell) {
  return SOURCES[event](client, (...args) => tell(event, args))
}

module.exports = { SOURCES, listen }
