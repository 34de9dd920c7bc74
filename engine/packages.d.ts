/** Packages without types of their own, as the engine and the bots use them. */

declare module 'prismarine-chunk/src/pc/1.18/chunk' {
  import type { PCChunk } from 'prismarine-chunk'
  /** Return the class of columns for a registry. */
  const load: (registry: object) => typeof PCChunk
  export = load
}
declare module 'minecraft-protocol/src/transforms/serializer'
