import type { EventEmitter } from 'node:events'
import type { Bot } from 'mineflayer'
import type { Entity } from 'prismarine-entity'
import type { Item } from 'prismarine-item'
import type { Window } from 'prismarine-windows'
import type { Registry } from 'minecraft-data'

type Listening = 'on' | 'once' | 'off' | 'emit' | 'addListener' | 'removeListener' | 'removeAllListeners' | 'listeners' |
  'listenerCount'
/** Members whose types are narrower in mineflayer's declarations than in its code. */
type Narrow = 'deactivateItem' | 'equip' | 'game' | 'getControlState' | 'getEquipmentDestSlot' | 'registry' | 'swingArm' |
  'unequip'

/** mineflayer's bot as the host uses it: with events of plugins and of the server, which its types do not list. */
export type LiveBot = Omit<Bot, Listening | Narrow> & Pick<EventEmitter, Listening> & {
  vehicle?: Entity | null
  game: Bot['game'] & { minY: number, height: number }
  registry: Registry & { chatFormattingById?: Record<string, { name?: string }>, [table: string]: any }
  deactivateItem (): void
  equip (item: Item | number, destination: string): Promise<void>
  getControlState (control: string): boolean
  getEquipmentDestSlot (destination: string): number
  moveVehicle (left: number, forward: number): void
  signBook (slot: number, pages: string[], author: string, title: string): Promise<void>
  swingArm (hand?: 'left' | 'right', showHand?: boolean): void
  unequip (destination: string): Promise<void>
  _syncWindow (window: Window): Promise<void>
}
