/**
 * Host API: every method that crosses the border of an isolate, its arguments in order, and the limits. One table
 * serves both sides and all backends (live, mock); a method that is not in it does not exist.
 *
 * Types of arguments: int, num (finite), text, bool, name (text up to 64 characters), signal (a name that others read,
 * in visible characters), json (plain data); a trailing `?` allows null. Positions are three arguments, in blocks.
 */
'use strict'
const { named } = require('./errors')

const CAPS = Object.freeze({
  searchDistance: 64, // blocks
  searchCount: 256,
  searchCellsPerSecond: 50_000_000, // of game time: the widest search of open land in every tick
  searchBurstCells: 50_000_000, // saved up: some 30 such searches at once
  entities: 256,
  pendingCalls: 64,
  listeners: 32,
  argsChars: 16_384,
  resultChars: 65_536,
  logLines: 500,
  logChars: 1000,
  chatChars: 256,
  chatQueue: 20,
  chatGapMs: 1000, // after a burst; vanilla kicks for spam at about one line a second
  chatBurst: 5,
  bookPages: 100,
  pageChars: 1024, // vanilla's client has the same two
  titleChars: 32,
  signLineChars: 384, // vanilla's server takes as many
  hostMsPerSecond: 300, // of the thread that all bots of a host share, by its queries
  hostBurstMs: 1000 // saved up: a burst of heavy searches at the start of a program is honest
})

/** Methods by name. Kinds: read (no effect, answered at once), command (an effect, done at once), act (takes time). */
const METHODS = Object.freeze({
  self: { kind: 'read', args: {} },
  inventory: { kind: 'read', args: {} },
  window: { kind: 'read', args: {} },
  blockAt: { kind: 'read', args: { x: 'int', y: 'int', z: 'int' } },
  blockState: { kind: 'read', args: { state: 'int' } },
  biomeAt: { kind: 'read', args: { x: 'int', y: 'int', z: 'int' } },
  blockStates: { kind: 'read', args: { x: 'num', y: 'num', z: 'num', maxDistance: 'num' } },
  findBlocks: {
    kind: 'read',
    args: { x: 'num', y: 'num', z: 'num', maxDistance: 'num', count: 'int', types: 'json?', states: 'json?' }
  },
  inView: { kind: 'read', args: { maxDistance: 'num' } },
  canSeeBlock: { kind: 'read', args: { x: 'int', y: 'int', z: 'int' } },
  digTime: { kind: 'read', args: { x: 'int', y: 'int', z: 'int', item: 'int?' } },
  bestTool: { kind: 'read', args: { x: 'int', y: 'int', z: 'int' } },
  entities: { kind: 'read', args: {} },
  entity: { kind: 'read', args: { id: 'int' } },
  cursor: { kind: 'read', args: {} },
  players: { kind: 'read', args: {} },
  recipes: { kind: 'read', args: { item: 'int', minCount: 'int', table: 'bool', all: 'bool' } },
  data: { kind: 'read', args: { table: 'name', key: 'name' } },
  dataKeys: { kind: 'read', args: { table: 'name' } },
  now: { kind: 'read', args: {} },

  log: { kind: 'command', args: { level: 'name', text: 'text' } },
  action: { kind: 'command', args: { name: 'name', args: 'json', ok: 'bool', error: 'json?' } },
  subscribe: { kind: 'command', args: { event: 'name' } },
  unsubscribe: { kind: 'command', args: { event: 'name' } },
  chat: { kind: 'command', args: { text: 'text' } },
  whisper: { kind: 'command', args: { to: 'name', text: 'text' } },
  setControl: { kind: 'command', args: { control: 'name', on: 'bool' } },
  clearControls: { kind: 'command', args: {} },
  setGoal: { kind: 'command', args: { goal: 'json?', dynamic: 'bool', movements: 'json?' } },
  stopWalking: { kind: 'command', args: {} },
  stopDigging: { kind: 'command', args: {} },
  selectSlot: { kind: 'command', args: { slot: 'int' } },
  useItem: { kind: 'command', args: { offHand: 'bool' } },
  releaseItem: { kind: 'command', args: {} },
  swing: { kind: 'command', args: {} },
  steer: { kind: 'command', args: { left: 'num', forward: 'num' } },

  sleep: { kind: 'act', args: { ms: 'num' } },
  waitTicks: { kind: 'act', args: { ticks: 'int' } },
  goto: { kind: 'act', args: { goal: 'json', movements: 'json?' } },
  look: { kind: 'act', args: { yaw: 'num', pitch: 'num', force: 'bool' } },
  lookAt: { kind: 'act', args: { x: 'num', y: 'num', z: 'num', force: 'bool' } },
  dig: { kind: 'act', args: { x: 'int', y: 'int', z: 'int' } },
  place: { kind: 'act', args: { x: 'int', y: 'int', z: 'int', faceX: 'int', faceY: 'int', faceZ: 'int' } },
  activateBlock: { kind: 'act', args: { x: 'int', y: 'int', z: 'int', faceX: 'int?', faceY: 'int?', faceZ: 'int?' } },
  activateEntity: { kind: 'act', args: { id: 'int' } },
  activateEntityAt: { kind: 'act', args: { id: 'int', x: 'num', y: 'num', z: 'num' } },
  attack: { kind: 'act', args: { id: 'int' } },
  equip: { kind: 'act', args: { slot: 'int', destination: 'name' } },
  unequip: { kind: 'act', args: { destination: 'name' } },
  toss: { kind: 'act', args: { item: 'int', count: 'int' } },
  tossSlot: { kind: 'act', args: { slot: 'int' } },
  consume: { kind: 'act', args: {} },
  fish: { kind: 'act', args: {} },
  sleepInBed: { kind: 'act', args: { x: 'int', y: 'int', z: 'int' } },
  wake: { kind: 'act', args: {} },
  mount: { kind: 'act', args: { id: 'int' } },
  dismount: { kind: 'act', args: {} },
  writeBook: { kind: 'act', args: { slot: 'int', pages: 'json', title: 'text?' } },
  writeSign: { kind: 'act', args: { x: 'int', y: 'int', z: 'int', lines: 'json', back: 'bool' } },
  openContainer: { kind: 'act', args: { x: 'int', y: 'int', z: 'int' } },
  openEntity: { kind: 'act', args: { id: 'int' } },
  withdraw: { kind: 'act', args: { window: 'int', item: 'int', count: 'int' } },
  deposit: { kind: 'act', args: { window: 'int', item: 'int', count: 'int' } },
  putInto: { kind: 'act', args: { window: 'int', slot: 'int', item: 'int', count: 'int' } },
  takeFrom: { kind: 'act', args: { window: 'int', slot: 'int' } },
  clickWindow: { kind: 'act', args: { slot: 'int', button: 'int', mode: 'int' } },
  pressButton: { kind: 'act', args: { window: 'int', button: 'int' } },
  renameItem: { kind: 'act', args: { window: 'int', name: 'text' } },
  selectTrade: { kind: 'act', args: { window: 'int', index: 'int' } },
  closeWindow: { kind: 'act', args: { window: 'int' } },
  craft: { kind: 'act', args: { item: 'int', recipe: 'int', count: 'int', x: 'int?', y: 'int?', z: 'int?' } },
  waitSignal: { kind: 'act', args: { name: 'signal', from: 'name?' } },
  sendSignal: { kind: 'act', args: { to: 'name', name: 'signal' } }
})

/** Events that a policy may listen to, with the kinds of their arguments, for the side that revives them. */
const EVENTS = Object.freeze({
  chat: ['plain', 'plain'],
  whisper: ['plain', 'plain'],
  messagestr: ['plain'],
  health: [],
  breath: [],
  death: [],
  spawn: [],
  rain: [],
  time: [],
  move: [],
  physicsTick: [],
  playerJoined: ['plain'],
  playerLeft: ['plain'],
  entitySpawn: ['entity'],
  entityGone: ['entity'],
  entityDead: ['entity'],
  entityHurt: ['entity'],
  entityMoved: ['entity'],
  itemDrop: ['entity'],
  playerCollect: ['entity', 'entity'],
  blockUpdate: ['block', 'block'],
  diggingCompleted: ['block'],
  diggingAborted: ['block'],
  goal_reached: [],
  path_stop: [],
  windowOpen: [],
  windowClose: [],
  heldItemChanged: [],
  sleep: [],
  wake: [],
  mount: [],
  dismount: ['entity']
})

/** Largest number: a larger one is infinite in the game's own precision, and servers kick a player for it. */
const MOST = 1e9
/**
 * Return the pattern of invisible characters: everything but letters, digits, punctuation, symbols and spaces. It is
 * made on demand: V8 needs a millisecond for it, and every program would have to wait.
 */
const hidden = () => /[^\p{L}\p{M}\p{N}\p{P}\p{S} ]/gu

/** @type {Record<string, (value: any) => boolean>} */
const TYPES = {
  int: Number.isSafeInteger,
  num: (value) => Number.isFinite(value) && Math.abs(value) <= MOST,
  text: (value) => typeof value === 'string',
  name: (value) => typeof value === 'string' && value.length <= 64,
  signal: (value) => typeof value === 'string' && value.length <= 64 &&
    (/^[\w -]*$/.test(value) || !hidden().test(value)),
  bool: (value) => typeof value === 'boolean',
  json: (value) => value !== null && value !== undefined
}

/** @type {Record<string, string>} */
const MEANING = {
  int: 'a whole number', num: 'a finite number up to 1e9', text: 'a text', name: 'a text of at most 64 characters',
  signal: 'letters, digits, punctuation, symbols and spaces, at most 64', bool: 'true or false', json: 'a value'
}

/** @type {Map<string, { name: string, type: string, optional: boolean }[]>} */
const checked = new Map()

/**
 * Return the arguments of a method in order, taken apart once: every call of every program is checked.
 * @param {string} method
 * @param {Record<string, string>} args
 */
function argumentsOf (method, args) {
  const known = checked.get(method)
  if (known !== undefined) return known
  const made = Object.entries(args)
    .map(([name, type]) => ({ name, type: type.replace('?', ''), optional: type.endsWith('?') }))
  checked.set(method, made)
  return made
}

/**
 * @param {string} method
 * @param {readonly any[]} args
 * @param {readonly ('read' | 'command' | 'act')[]} kinds - which kinds may come by this way
 * @throws {BadArgument} no such method, or its arguments do not fit
 */
function checkCall (method, args, kinds) {
  /** @type {{kind: any, args: Record<string, string>} | undefined} */
  const entry = Object.hasOwn(METHODS, method) ? METHODS[/** @type {keyof typeof METHODS} */ (method)] : undefined
  if (entry === undefined || !kinds.includes(entry.kind)) {
    throw named('BadArgument', `the host has no ${kinds.join(' or ')} ${JSON.stringify(String(method).slice(0, 40))}`)
  }
  if (!Array.isArray(args)) throw named('BadArgument', `${method} takes a list of arguments`)
  const wanted = argumentsOf(method, entry.args)
  for (let index = 0; index < wanted.length; index++) {
    const { name, type, optional } = wanted[index]
    const value = args[index]
    if (optional && (value === null || value === undefined)) continue
    if (!TYPES[type](value)) throw named('BadArgument', `${method}: ${name} is ${show(value)}; give ${MEANING[type]}`)
  }
}

/**
 * @param {any} value
 * @returns {string} in one line, with characters that do not show spelt out
 */
function show (value) {
  const text = JSON.stringify(value) ?? 'left out'
  if (text === 'null') return 'not a number or left out'
  return text.slice(0, 60).replace(hidden(), (found) => `\\u{${found.codePointAt(0)?.toString(16)}}`)
}

module.exports = { CAPS, EVENTS, METHODS, checkCall }
