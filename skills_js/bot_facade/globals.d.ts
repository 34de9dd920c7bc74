/** Names that policies and primitives find in scope inside their isolate, for the type checker. */
type MineflayerBot = import('mineflayer').Bot
type Block = import('prismarine-block').Block
type Entity = import('prismarine-entity').Entity
type Item = import('prismarine-item').Item
/** Entry of the registry's items. */
type ItemType = import('minecraft-data').Item
type Recipe = import('prismarine-recipe').Recipe
type Position = { x: number, y: number, z: number }
/** Goal of skills_js/bot_facade/goals.js. */
type FacadeGoal = import('./goals').FacadeGoal

/** Inventory or chest; mineflayer's types demand arguments that mineflayer itself leaves out. */
type FacadeWindow = Omit<MineflayerBot['inventory'], 'count' | 'findInventoryItem'> & {
  count (type: number | string, metadata?: number | null): number
  findInventoryItem (type: number | string, metadata?: number | null, notFull?: boolean): Item | null
}

/** Bot facade of skills_js/bot_facade/bot.js: mineflayer's bot, but for the members below. */
interface Bot extends Omit<
  MineflayerBot,
  'activateBlock' | 'craft' | 'currentWindow' | 'dig' | 'equip' | 'inventory' | 'pathfinder' | 'placeBlock'
> {
  inventory: FacadeWindow
  currentWindow: (FacadeWindow & { close (): Promise<void> }) | null
  pathfinder: {
    goto (goal: FacadeGoal): Promise<void>
    setGoal (goal: FacadeGoal | null, dynamic?: boolean): void
    stop (): void
    movements: import('./walking').Movements
  }
  tool: { equipForBlock (block: Block | null, options?: { requireHarvest?: boolean }): Promise<void> }
  /** Return the number of items that came into the inventory. */
  craft (recipe: import('prismarine-recipe').Recipe, count?: number | null, table?: Block | null): Promise<number>
  equip (item: Item | number, destination: string | null): Promise<void>
  /** A block that is not loaded, which is null, is refused by name, here and in the two methods below. */
  activateBlock (block: Block | null, direction?: Position, cursor?: Position): Promise<void>
  dig (block: Block | null, forceLook?: boolean | 'ignore', face?: unknown): Promise<void>
  placeBlock (reference: Block | null, face: Position): Promise<void>
  /** Return what is in view, the nearest first (skills_js/queries/seen.js). */
  inView (maxDistance?: number): InView[]
}

/** Block of a kind, player, mob or item in view. */
type InView = { what: string, name: string, position: import('vec3').Vec3, distance: number, side: string, count: number }

declare const bot: Bot
declare const mcData: ReturnType<typeof import('./registry').createRegistry>
declare const Vec3: any
declare const goals: typeof import('./goals').goals
