import type { EventEmitter } from 'node:events'
import type { Bot } from 'mineflayer'
import type { Entity } from 'prismarine-entity'

type Listening = 'on' | 'once' | 'off' | 'emit' | 'addListener' | 'removeListener' | 'removeAllListeners' | 'listeners' |
  'listenerCount'

/** mineflayer's bot as the host uses it: with events of plugins and of the server, which its types do not list. */
export type LiveBot = Omit<Bot, Listening> & Pick<EventEmitter, Listening> & { vehicle?: Entity | null }
