/**
 * The world engine's surface, for its fronts (docs/seams.md, section 5). Units: blocks, ticks (50 ms), degrees
 * (yaw 0 = south, +90 = west, as on the wire; pitch +90 = down). Nothing here reads a clock.
 */
import type { EventEmitter } from 'node:events'
import type { Item } from 'prismarine-item'

export type { Item }
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

export interface EntityView {
  id: number
  uuid: string
  type: string
  x: number, y: number, z: number
  yaw: number, pitch: number, headYaw: number
  vx: number, vy: number, vz: number
  onGround: boolean
  /** The stack of an item entity. */
  item?: Item
  /** Of living ones. */
  health?: number
  /** JSON text component of a custom name, or null. */
  customName?: string | null
  removed: boolean
}

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

export interface Player extends EntityView {
  name: string
  gamemode: Gamemode
  health: number
  food: number
  saturation: number
  experience: { level: number, progress: number, total: number }
  /** 0..8 */
  heldSlot: number
  readonly heldItem: Item | null
  /** In the numbering of window 0. */
  readonly slots: readonly (Item | null)[]
  dead: boolean
  sneaking: boolean
  sprinting: boolean
  swimming: boolean
  /** Whether its elytra carries it. */
  readonly gliding: boolean
  /** 0..300 ticks */
  air: number
  op: boolean
  /** The engine's x says it too: engine/world/dimensions.js. */
  readonly dimension: 'overworld' | 'the_nether' | 'the_end'
  effects: Map<string, Effect>
  /** Ping shown in the player list etc. belong to the front. */
  readonly openWindow: WindowInfo | null
  /** The villager's, whose window is open. */
  readonly trades: TradeList | null
  /** True while an item is being eaten, drawn or blocked with. */
  readonly usingItem: boolean

  moveTo (to: Partial<Pos> & { yaw?: number, pitch?: number, onGround?: boolean }): Verdict
  startDig (pos: Pos, face: number): Verdict
  abortDig (): void
  finishDig (pos: Pos): Verdict
  /** A block placed, used (chest, door, ...) or refused, as vanilla's use_item_on. */
  place (request: PlaceRequest): Verdict
  /** Starts eating, drawing a bow, equipping armour, filling a bucket ...; goes on in world.tick(). */
  useItem (hand?: 0 | 1): Verdict
  /** Lets go: an arrow flies, eating is broken off. */
  releaseItem (): Verdict
  /** `where`: which point of the body, from its feet, and by which hand. */
  useEntity (id: number, how: 'attack' | 'interact' | 'interact_at', where?: { at?: Pos, hand?: 0 | 1 }): Verdict
  /** Writes into the book and quill in hot bar slot 0 to 8 or the off-hand (40); a title signs it. */
  editBook (slot: number, pages: string[], title?: string): Verdict
  /** Four lines on a sign that was opened for this player (event openSign). */
  editSign (pos: Pos, front: boolean, lines: string[]): Verdict
  editCommandBlock (pos: Pos, command: string): Verdict
  /** The head of the bed that the player sleeps in, or null. */
  readonly sleeping: Pos | null
  wake (): void
  /** The bobber of a cast line (`biting` says whether to draw it in), or null. */
  readonly fishing: (EntityView & { biting: boolean }) | null
  readonly vehicle: (EntityView & { passengers: EntityView[] }) | null
  dismount (): void
  /** Paddles: 1, 0 or -1 each. */
  steer (forward: number, left: number): void
  /** Where a client that steers has its vehicle. */
  moveVehicle (to: Pos & { yaw: number }): Verdict
  click (click: Click): Verdict
  /** Puts a stack in a slot of window 0 (creative players only); slot -1 drops it. */
  creativeSlot (slot: number, item: Item | null): Verdict
  /** Buttons of workshops' windows (enchanting table, stonecutter, loom). */
  pressButton (windowId: number, button: number): Verdict
  /** A name for what lies in the open anvil. */
  renameItem (name: string): Verdict
  /** A trade of the villager whose window is open. */
  selectTrade (index: number): Verdict
  closeWindow (id: number): void
  holdSlot (slot: number): Verdict
  dropHeld (all: boolean): Verdict
  swapHands (): Verdict
  chat (text: string): Verdict
  respawn (): Verdict
  /** Spreads the wings of an elytra. */
  glide (): Verdict
  setSneaking (on: boolean): void
  setSprinting (on: boolean): void
  windowView (windowId: number): WindowView | null
  /** How many items of that name, or of any, the player holds anywhere (cursor and grid too). */
  count (name?: string): number
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
  block: { x: number, y: number, z: number, stateId: number }
  blockAction: { x: number, y: number, z: number, action: number, param: number, blockId: number }
  entityAdd: { entity: EntityView }
  entityMove: { entity: EntityView }
  entityRemove: { entity: EntityView }
  entityMeta: { entity: EntityView }
  /** As vanilla's entity_status (2 hurt, 3 death, 9 item use done ...). */
  entityStatus: { entity: EntityView, status: number }
  entityVelocity: { entity: EntityView }
  /** Vanilla's animation numbers: 0 swing main arm, 1 damage, 3 swing off-hand, 4 critical. */
  animation: { entity: EntityView, animation: number }
  /** The held item or armour of someone changed, as others see it. */
  equipment: { player: EntityView }
  collect: { collector: EntityView, item: EntityView, count: number }
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
  system: { player: Player | null, text: string, overlay: boolean, component?: string, arrival?: boolean }
  title: { player: Player, kind: 'title' | 'subtitle' | 'actionbar' | 'clear' | 'reset' | 'times', component?: string, times?: [number, number, number] }
  join: { player: Player }
  leave: { player: Player }
  time: { age: number, timeOfDay: number }
  weather: { weather: 'clear' | 'rain' | 'thunder' }
  difficulty: { difficulty: string }
  sound: { name: string, x: number, y: number, z: number, volume?: number, pitch?: number, player?: Player }
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
  attributes: { entity: EntityView, names: string[] }
  /** Who sits in a vehicle: `entity.passengers`. */
  passengers: { entity: EntityView & { passengers: EntityView[] } }
  /** `d` are spreads, `player` is left out for everybody near. */
  particle: { name: string, x: number, y: number, z: number, dx: number, dy: number, dz: number, speed: number, count: number, force: boolean, player?: Player, data?: any }
  /** A scoreboard display changed; fronts may ignore it. */
  scoreboard: { kind: 'objective' | 'display' | 'score', objective: string }
  /** The player looks through that entity, or (target null) through its own eyes again. */
  camera: { player: Player, target: EntityView | null }
  spawn: { x: number, y: number, z: number, angle: number }
  /** /stop was run. */
  stop: Record<string, never>
}

export interface LightView {
  /** 0 to 15, as at noon. */
  sky (x: number, y: number, z: number): number
  /** Of lamps, 0 to 15. */
  block (x: number, y: number, z: number): number
  seesSky (x: number, y: number, z: number): boolean
  /** 24 sections from the bottom up: one byte a block (sky << 4 | block, y << 8 | z << 4 | x), or a section's one value. */
  reach (cx: number, cz: number): { revision: number, sections: (Uint8Array | number)[] }
}

export interface ColumnInfo {
  /** The prismarine-chunk column. */
  chunk: any
  /** Rises with each change of a block; a cached serialization is good for as long as this stays. */
  revision: number
  /** False while it is exactly what the generator makes. */
  modified: boolean
}

/** What fronts ask of the commands. */
export interface CommandsSurface {
  /** The command tree as each permission level, 0 to 4, sees it. */
  readonly roots: import('./commands/tree').TreeNode[]
  /** Names that nothing makes operators. */
  readonly neverOps: Set<string>
  /** Who may join; whether that counts. */
  readonly whitelist: { on: boolean, names: Set<string> }
  /** Boss bars by id. */
  readonly bars: Map<string, import('./rules/operators/boss_bars').BossBar>
  /** Permission level of a player, or of the console (null). */
  levelOf (player: Player | null): number
  suggest (text: string, player: Player | null): { start: number, matches: string[] }
}

export interface WorldSurface extends EventEmitter {
  readonly seed: string
  readonly version: string
  readonly registry: any
  /** prismarine-item's class for this registry. */
  readonly Item: any
  /** By name. */
  readonly players: Map<string, Player>
  /** All entities by id, players too. */
  readonly entities: Map<number, EntityView>
  /** Ticks since the world began: the only time there is. */
  readonly age: number
  /** Ticks a second that the clock's keeper aims at; whether they are frozen. */
  tickRate: number
  frozen: boolean
  timeOfDay: number
  weather: 'clear' | 'rain' | 'thunder'
  difficulty: string
  hardcore: false
  spawn: { x: number, y: number, z: number, angle: number }
  readonly minY: number
  readonly height: number
  addPlayer (name: string, options?: { uuid?: string, gamemode?: Gamemode, op?: boolean }): Player
  removePlayer (player: Player, reason?: string): void
  tick (): void
  blockAt (x: number, y: number, z: number): number
  setBlock (x: number, y: number, z: number, stateId: number): boolean
  /** Name of the biome, e.g. "plains". */
  biomeAt (x: number, y: number, z: number): string
  column (cx: number, cz: number): any
  /** Light, computed when first asked for. `reach` gives a column's, with the light of those around it. */
  readonly light: LightView
  /** Whether a column need not be made first, which takes milliseconds on generated land. */
  columnReady (cx: number, cz: number): boolean
  columnInfo (cx: number, cz: number): ColumnInfo
  /** Forgets far columns that are as generated. Called by tick() too, now and then. */
  evictColumns (): number
  command (text: string, source?: Player | null): CommandReply
  /** The commands behind `command`: trees by permission level, operators, completion. */
  readonly commands: CommandsSurface
  readonly rules: Record<string, any>
  readonly border: import('./rules/operators/world_border').WorldBorder
  readonly teams: import('./rules/operators/teams').Teams
  readonly blockEntities: import('./rules/blocks/block_entities').BlockEntities
}
