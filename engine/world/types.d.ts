/**
 * Types shared by the world engine and its fronts (docs/seams.md, section 5). Classes are imported from their modules, so that the
 * compiler checks what fronts use. Units: blocks, ticks (50 ms), degrees (yaw 0 = south, +90 = west, as on the wire; pitch +90 = down).
 */
import type { Item } from 'prismarine-item'
import type { World } from './world'
import type { Player } from './player'
import type { Entity } from './entities/entity'

export type { Item, Player, Entity }
export type { ColumnInfo } from './terrain/terrain'
export interface Pos { x: number, y: number, z: number }
export type Gamemode = 'survival' | 'creative' | 'adventure' | 'spectator'

export interface WorldOptions {
  /** Drives loot, drops' velocities, mobs, @r: the same seed and the same calls give the same world. */
  seed?: number | string
  /** Only versions with block states and without item components; tested with 1.20.4 (the default). */
  version?: string
  /** Height of the lowest air block of the flat world: players stand at this y. Default -60, as vanilla superflat. */
  surfaceY?: number
  /** "flat" (the default) or "survival": land, caves, ores, villages and animals by seed. */
  terrain?: string
}

/** A refusal: `ok` is false and `reason` says why, in a few words; the player has been told the truth again. */
export interface Verdict { ok: boolean, reason?: string }

/** A scheduled effect on a player, by vanilla name ("speed"); ticks left; amplifier from 0. */
export interface Effect { name: string, id: number, amplifier: number, duration: number, particles: boolean, given?: number }

/** A window's slots in its own numbering (0 is the player's inventory: result, grid 1-4, armour 5-8, main 9-35, hot bar 36-44, off-hand 45). */
export interface WindowView { stateId: number, items: (Item | null)[], carried: Item | null }
/** `type` is a menu name of 1.20.4 such as "minecraft:generic_9x3"; `title` is a JSON text component. */
export interface WindowInfo { id: number, type: string, typeId: number, title: string }

export interface Click {
  windowId: number
  slot: number
  button: number
  /** 0 click, 1 shift-click, 2 number key, 3 middle, 4 drop, 5 drag, 6 double click */
  mode: number
  /** The client's state id; -1 asks for the whole truth (mineflayer's sync click). Left out: in-process, nothing is compared. */
  stateId?: number
  /** What the client believes it changed, and its cursor afterwards; both left out in-process. */
  changed?: { slot: number, item: Item | null }[]
  cursor?: Item | null
}

export interface PlaceRequest {
  pos: Pos
  /** 0 down, 1 up, 2 north, 3 south, 4 west, 5 east */
  face: number
  /** Where on the clicked block, 0..1 on each axis. */
  cursor?: Pos
  /** 0 main hand, 1 off-hand */
  hand?: 0 | 1
}

export interface CommandReply {
  ok: boolean
  /** What vanilla answers on RCON; several lines are joined by "\n" as RCON shows them. */
  reply: string
  /** Vanilla's result number. */
  value: number
}

/** The trades of an open villager window. `price` is what `wants` costs now, in its items. */
export interface TradeList {
  windowId: number
  level: number
  experience: number
  trades: { wants: Item, also: Item | null, gives: Item, price: number, uses: number, most: number, experience: number, demand: number, special: number, multiplier: number, disabled: boolean }[]
}

/** Payloads of world.on(name, fn). */
export interface WorldEvents {
  /** The pace of time has changed; `steps`: so many ticks of a frozen world pass. */
  ticking: { steps?: number }
  /** Biomes of these columns have changed. */
  biomes: { columns: { cx: number, cz: number }[] }
  /** `player`: the only one to be told; left out for all. */
  block: { x: number, y: number, z: number, stateId: number, player?: Player }
  blockAction: { x: number, y: number, z: number, action: number, param: number, blockId: number }
  entityAdd: { entity: Entity }
  entityMove: { entity: Entity }
  entityRemove: { entity: Entity }
  entityMeta: { entity: Entity }
  /** As vanilla's entity_status (2 hurt, 3 death, 9 item use done ...). */
  entityStatus: { entity: Entity, status: number }
  entityVelocity: { entity: Entity }
  /** Vanilla's animation numbers: 0 swing main arm, 1 damage, 3 swing off-hand, 4 critical. */
  animation: { entity: Entity, animation: number }
  /** The held item or armour of someone changed, as others see it. */
  equipment: { player: Entity }
  collect: { collector: Entity, item: Entity, count: number }
  /** In the numbering of `windowId`; windowId -1 and slot -1 is the cursor. */
  slot: { player: Player, windowId: number, slot: number, item: Item | null, stateId: number }
  window: { player: Player, window: WindowInfo }
  /** Send the whole window again: player.windowView(windowId). */
  windowItems: { player: Player, windowId: number }
  /** Progress bars of a furnace: property 0 fuel left, 1 fuel full, 2 progress, 3 progress full. */
  windowProperty: { player: Player, windowId: number, property: number, value: number }
  /** A villager's trades were opened: player.trades. */
  trades: { player: Player }
  windowClose: { player: Player, windowId: number }
  /** A player has mined or placed blocks there. */
  worked: { player: Player, places: Pos[] }
  /** stage 0..9, or -1 when it stops. */
  digProgress: { player: Player, pos: Pos, stage: number }
  health: { player: Player }
  /** The player cannot use such an item for some ticks. */
  cooldown: { player: Player, item: string, itemId: number, ticks: number }
  death: { player: Player, message: string }
  respawn: { player: Player }
  teleport: { player: Player }
  gamemode: { player: Player }
  heldSlot: { player: Player }
  op: { player: Player }
  chat: { from: string, text: string }
  /** `component` is JSON; `arrival` says that it only tells of a player who comes or goes. */
  system: { player: Player | null, text: string, overlay: boolean, component?: string, arrival?: boolean, from?: string }
  title: { player: Player, kind: 'title' | 'subtitle' | 'actionbar' | 'clear' | 'reset' | 'times', component?: string, times?: [number, number, number] }
  join: { player: Player }
  leave: { player: Player }
  time: { age: number, timeOfDay: number }
  weather: { weather: 'clear' | 'rain' | 'thunder' }
  difficulty: { difficulty: string }
  sound: { name: string, x: number, y: number, z: number, volume?: number, pitch?: number, player?: Player, stateId?: number }
  kick: { player: Player, reason: string }
  effect: { player: Player, effect: Effect, removed: boolean }
  experience: { player: Player }
  /** A sign's or another block's data changed. */
  blockEntity: { x: number, y: number, z: number }
  /** A sign asks its writer for a text. */
  openSign: { player: Player, pos: Pos, front: boolean }
  openBook: { player: Player, hand: 0 | 1 }
  /** Somebody lies down or gets up. */
  sleep: { player: Player, asleep: boolean }
  /** A fish bites on the player's line, or has gone. */
  bite: { player: Player, biting: boolean }
  /** A boss bar of the player: what of it changed. */
  bossBar: { player: Player, bar: import('./rules/operators/boss_bars').BossBar, change: import('./rules/operators/boss_bars').Change }
  team: { team: import('./rules/operators/teams').Team, change: 'add' | 'remove' | 'change' | 'join' | 'leave', names?: string[] }
  /** The world border changed: world.border. */
  border: Record<string, never>
  /** A sound by command, for one player's ears. */
  heard: { player: Player, name: string, category: string, x: number, y: number, z: number, volume: number, pitch: number }
  hush: { player: Player, category?: string, name?: string }
  attributes: { entity: Entity, names: string[] }
  /** Who sits in a vehicle: `entity.passengers`. */
  passengers: { entity: Entity }
  /** `d` are spreads, `player` is left out for everybody near. */
  particle: { name: string, x: number, y: number, z: number, dx: number, dy: number, dz: number, speed: number, count: number, force: boolean, player?: Player, data?: any }
  /** A scoreboard display changed; fronts may ignore it. */
  scoreboard: { kind: 'objective' | 'display' | 'score', objective: string, slot?: string }
  /** The player looks through that entity, or (target null) through its own eyes again. */
  camera: { player: Player, target: Entity | null }
  spawn: { x: number, y: number, z: number, angle: number }
  /** /stop was run. */
  stop: Record<string, never>
}

/** The part of a world that fronts use. */
export type WorldSurface = Pick<World,
  'seed' | 'version' | 'registry' | 'Item' | 'minY' | 'height' |
  'players' | 'addPlayer' | 'removePlayer' | 'entities' |
  'blockAt' | 'setBlock' | 'biomeAt' | 'column' | 'columnReady' | 'columnInfo' | 'evictColumns' | 'light' | 'blockEntities' |
  'tick' | 'age' | 'tickRate' | 'frozen' | 'timeOfDay' | 'weather' | 'difficulty' | 'hardcore' | 'spawn' | 'border' |
  'rules' | 'teams' | 'command' | 'commands' |
  'on' | 'off' | 'once' | 'emit'>
