/**
 * Errors of skills, by name. A policy may test `error.name`; the message is for the author of the policy: what was
 * asked, what the world showed, what is legal, what to do.
 */
'use strict'

/**
 * Names of all errors that a primitive or the bot facade throws, with their meaning (docs/primitives.md lists them).
 * @type {Readonly<Record<string, string>>}
 */
const NAMES = Object.freeze({
  BadArgument: 'an argument has the wrong type or is out of range',
  UnknownName: 'no block, item or mob of that name exists; the message suggests the nearest ones',
  NotSupported: 'the bot has no such member here; the message names the nearest one that it has',
  LimitExceeded: 'a cap of the host API was hit (pending calls, listeners, sizes, chat, host time)',
  TimedOut: 'the action did not end within its deadline',
  Cancelled: 'the action was stopped, by the policy itself or because its run ended',
  PolicyAborted: 'the run was ended: time is up, or it was cancelled',
  BlockNotFound: 'no such block within the searched distance',
  BlockGone: 'the block was no longer there, e.g. another player mined it first',
  NotBroken: 'the server did not accept the digging: the block still stands',
  NotPlaced: 'the server did not accept the placement',
  NotUsed: 'the item or the hand had no effect on the block or mob; the message says why',
  NoTool: 'nothing in the inventory can harvest this block; the message names the tools that can',
  OutOfReach: 'the block or entity is further away than a hand reaches (4.5 blocks)',
  NoPath: 'there is no way on foot without digging or placing blocks',
  NotReached: 'walking ended before the goal; the message tells where and how far away',
  InventoryFull: 'no room in the inventory for the item',
  ItemNotInInventory: 'the item is not in the inventory',
  ItemNotInChest: 'nothing of the item was obtained; the message tells what the chest holds',
  ChestFull: 'nothing fitted into the chest',
  ChestNotFound: 'there is no container at that position',
  WindowNotOpened: 'the server did not open the container in time',
  WindowClosed: 'the container is no longer open',
  NotEquipped: 'the item did not come into the hand or the armour slot',
  CannotEat: 'the food could not be eaten',
  NoRecipe: 'there is no such recipe, or ingredients are missing; the message names them',
  NotCrafted: 'crafting did not deliver the item',
  NotSmelted: 'smelting did not deliver the items',
  MobNotFound: 'no such mob is near',
  EntityGone: 'the entity is no longer there',
  NotKilled: 'the mob was still alive at the end of the time',
  NotFound: 'exploring ended without finding it',
  Deadlock: 'all players that still run wait for a signal, so none can come',
  SenderEnded: 'nobody is left who could send that signal',
  UnknownPlayer: 'no player of that name takes part',
  ChatRefused: 'the text may not be said (commands, empty or too long text)'
})

/**
 * Return an error with a name of `NAMES` and, if it helps a policy, plain data under `details`.
 * @param {string} name - one of `NAMES`
 * @param {string} message - one line for the author of the policy
 * @param {object} [details] - plain JSON data
 * @returns {Error & {details?: object}}
 */
function named (name, message, details) {
  const error = new Error(message)
  Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true })
  return details === undefined ? error : Object.assign(error, { details })
}

module.exports = { NAMES, named }
