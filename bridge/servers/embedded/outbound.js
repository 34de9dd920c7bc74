'use strict'
/** Packets of the world's events. */
const { fromJson, component } = require('./components')
const { bossBar, teamPacket, borderPacket, soundPacket, hushPacket, soundOf, tickingState } = require('./shown')

/** @typedef {import('./front').Front} Front */
/** @typedef {import('../../../engine/world/types').Player} Player */
/** @typedef {import('../../../engine/world/types').WorldEvents} WorldEvents */
/** @typedef {{[name in keyof WorldEvents]?: (front: Front, payload: WorldEvents[name]) => void}} Handlers */

/** Chat type "minecraft:chat" in the registry that clients got. */
const CHAT_TYPE = 0
const LEAVE_BED = 2

/** @type {Handlers} what everybody near sees */
const SCENE = {
  block: (front, change) => {
    // With a player, it is a reminder for that one of what stands there, not a change.
    const { player } = /** @type {{player?: Player}} */ (change)
    if (player) front.session(player.id)?.sendBlock(change)
    else front.blockChanges.add(change)
  },
  blockAction: (front, {
    x, y, z, action, param, blockId
  }) => front.tellAround(x, z, 'block_action', { location: { x, y, z }, byte1: action, byte2: param, blockId }),
  sound: (front, { name, x, y, z, volume, pitch }) => front.tellPeople(x, z, () => ({
    sound: soundOf(name),
    soundCategory: 'master',
    x: Math.round(x * 8),
    y: Math.round(y * 8),
    z: Math.round(z * 8),
    volume: volume ?? 1,
    pitch: pitch ?? 1,
    seed: 0n
  })),
  blockEntity: (front, pos) => front.tellBlockEntity(pos),
  particle: (front, particle) => front.particle(particle),
  passengers: (front, { entity }) => {
    const frame = front.codec.encode(
      'play', 'set_passengers', { entityId: entity.id, passengers: entity.passengers.map(({ id }) => id) }
    )
    front.interest.tellAbout(entity, frame)
  },
  entityAdd: (front, { entity }) => front.appear(entity),
  entityMove: (front, { entity }) => front.interest.move(entity),
  entityRemove: (front, { entity }) => front.interest.remove(entity),
  entityMeta: (front, { entity }) => {
    const frame = front.entityFrames.metadata(entity)
    front.interest.tellAbout(entity, frame)
    front.session(entity.id)?.connection.send(frame)
  },
  entityStatus: (front, { entity, status }) => {
    const frame = front.codec.encode('play', 'entity_status', { entityId: entity.id, entityStatus: status })
    front.interest.tellAbout(entity, frame)
    front.session(entity.id)?.connection.send(frame)
  },
  entityVelocity: (front, { entity }) => {
    const frame = front.entityFrames.velocity(entity)
    front.interest.tellAbout(entity, frame)
    front.session(entity.id)?.connection.send(frame)
  },
  animation: (front, { entity, animation }) => {
    const frame = front.codec.encode('play', 'animation', { entityId: entity.id, animation })
    front.interest.tellAbout(entity, frame)
    // Who gets up out of a bed is told, too; of blows a client knows by itself.
    if (animation === LEAVE_BED) front.session(entity.id)?.connection.send(frame)
  },
  equipment: (front, { player }) => front.interest.tellAbout(player, front.entityFrames.equipment(player)),
  collect: (front, { collector, item, count }) => front.tellAround(Math.floor(item.x), Math.floor(item.z), 'collect', {
    collectedEntityId: item.id, collectorEntityId: collector.id, pickupItemCount: count
  }),
  digProgress: (front, {
    player, pos, stage
  }) => front.interest.tellAbout(player, front.codec.encode('play', 'block_break_animation', {
    entityId: player.id, location: { x: pos.x, y: pos.y, z: pos.z }, destroyStage: stage
  }))
}

/** @type {Handlers} what one player's client is told of that player */
const OWN = {
  slot: (front, { player, windowId, slot, item, stateId }) => {
    const { Item } = front.world
    front.session(player.id)?.write('set_slot', { windowId, stateId, slot, item: Item.toNotch(item) })
  },
  window: (front, { player, window }) => front.session(player.id)?.write('open_window', {
    windowId: window.id, inventoryType: window.typeId, windowTitle: fromJson(window.title)
  }),
  trades: (front, { player }) => front.session(player.id)?.sendTrades(),
  windowItems: (front, { player, windowId }) => front.session(player.id)?.sendWindow(windowId),
  windowProperty: (front, {
    player, windowId, property, value
  }) => front.session(player.id)?.write('craft_progress_bar', { windowId, property, value }),
  windowClose: (front, { player, windowId }) => front.session(player.id)?.write('close_window', { windowId }),
  health: (front, { player }) => front.session(player.id)?.sendHealth(),
  experience: (front, { player }) => front.session(player.id)?.sendExperience(),
  cooldown: (front, {
    player, itemId, ticks
  }) => front.session(player.id)?.write('set_cooldown', { itemID: itemId, cooldownTicks: ticks }),
  effect: (front, { player, effect, removed }) => front.session(player.id)?.sendEffect(effect, removed),
  heldSlot: (front, { player }) => front.session(player.id)?.write('held_item_slot', { slot: player.heldSlot }),
  openSign: (front, { player, pos, front: isFrontText }) => {
    const session = front.session(player.id)
    // The sign itself first: who placed it has not heard of it yet.
    session?.sendBlock(pos)
    session?.sendBlockEntity(pos)
    session?.write('open_sign_entity', { location: pos, isFrontText })
  },
  openBook: (front, { player, hand }) => front.session(player.id)?.write('open_book', { hand }),
  death: (front, { player, message }) => front.session(player.id)?.sendDeath(message),
  respawn: (front, { player }) => {
    front.interest.remove(player)
    front.session(player.id)?.respawned()
    front.appear(player)
  },
  teleport: (front, { player }) => {
    front.interest.move(player)
    front.session(player.id)?.teleport(player)
  },
  camera: (front, { player, target }) => front.session(player.id)?.write('camera', { cameraId: (target ?? player).id }),
  kick: (front, { player, reason }) => front.session(player.id)?.connection.kick(reason),
  gamemode: (front, { player }) => {
    front.session(player.id)?.changeGamemode(player.gamemode)
    front.tellAll('player_info', gamemodeInfo(player))
    front.interest.remove(player)
    front.appear(player)
  },
  bossBar: (front, { player, bar, change }) => front.session(player.id)?.write('boss_bar', bossBar(bar, change)),
  heard: (front, sound) => front.session(sound.player.id)?.write('sound_effect', soundPacket(sound)),
  hush: (front, what) => front.session(what.player.id)?.write('stop_sound', hushPacket(what)),
  attributes: (front, { entity }) => front.session(entity.id)?.sendAttributes(),
  op: (front, { player }) => front.session(player.id)?.sendCommands(),
  title: (front, { player, kind, component: json, times }) => {
    const session = front.session(player.id)
    if (!session) return
    if (kind === 'times') {
      return session.write('set_title_time', { fadeIn: times?.[0], stay: times?.[1], fadeOut: times?.[2] })
    }
    if (kind === 'clear' || kind === 'reset') return session.write('clear_titles', { reset: kind === 'reset' })
    const name = { title: 'set_title_text', subtitle: 'set_title_subtitle', actionbar: 'action_bar' }[kind]
    session.write(name, { text: fromJson(json ?? '""') })
  }
}

/** @type {Handlers} what everybody hears */
const EVERYBODY = {
  chat: (front, { from, text }) => front.tellAll(
    'profileless_chat', { message: component(text), type: CHAT_TYPE, name: component(from), target: undefined }
  ),
  system: (front, { player, text, overlay, component: json }) => {
    const content = json ?? JSON.stringify(text)
    if (player) return front.session(player.id)?.sendSystem(content, overlay)
    front.tellAll('system_chat', { content: fromJson(content), isActionBar: overlay })
  },
  team: (front, { team, change, names }) => front.tellAll('teams', teamPacket(team, change, names)),
  border: (front) => front.tellAll('initialize_world_border', borderPacket(front.world.border)),
  leave: (front, { player }) => {
    front.interest.remove(player)
    front.tellAll('player_remove', { players: [player.uuid] })
  },
  time: (front) => front.tellAllFrame(front.timeFrame()),
  ticking: (front, { steps }) => {
    front.tellAll('set_ticking_state', tickingState(front.world))
    if (steps !== undefined) front.tellAll('step_tick', { tick_steps: steps })
  },
  biomes: (front, { columns }) => { for (const { cx, cz } of columns) front.resendColumn(cx, cz) },
  weather: (front) => front.tellAllFrame(front.weatherFrames()),
  difficulty: (front, { difficulty }) => front.tellAll('difficulty', { difficulty, difficultyLocked: false }),
  spawn: (front, {
    x, y, z, angle
  }) => front.tellAll('spawn_position', { location: { x: Math.floor(x), y: Math.floor(y), z: Math.floor(z) }, angle }),
  stop: (front) => front.onStop()
}

/** @param {Player} player */
function gamemodeInfo (player) {
  return {
    action: { update_game_mode: true },
    data: [{ uuid: player.uuid, gamemode: ['survival', 'creative', 'adventure', 'spectator'].indexOf(player.gamemode) }]
  }
}

/**
 * Wire a front to its world.
 * @param {Front} front
 */
function connectWorld (front) {
  for (const [name, handler] of Object.entries({ ...SCENE, ...OWN, ...EVERYBODY })) {
    front.world.on(
      /** @type {keyof WorldEvents} */ (name),
      (/** @type {unknown} */ payload) => /** @type {any} */ (handler)(front, payload)
    )
  }
}

module.exports = { connectWorld }
