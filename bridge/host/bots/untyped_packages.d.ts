/** Parts of packages that come without types. */
declare module 'mineflayer-pathfinder/lib/astar' {
  /** The search of mineflayer-pathfinder: A* over its own moves. */
  class AStar {
    constructor (start: any, movements: any, goal: any, timeout: number, tickTimeout?: number, searchRadius?: number)
    [member: string | symbol]: any
  }
  export = AStar
}

declare module 'mineflayer-pathfinder/lib/move' {
  /** A node of that search: a cell, its cost, and the blocks to break and to place on the way there. */
  class Move {
    constructor (...move: any[])
    [member: string | symbol]: any
  }
  export = Move
}

declare module 'prismarine-physics' {
  /** Vanilla's movement of a player's body, tick by tick. */
  export function Physics (registry: any, world: any): any
  export class PlayerState {
    constructor (bot: any, controls: any)
    [member: string | symbol]: any
  }
}
