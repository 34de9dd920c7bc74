/**
 * Members documented by mineflayer and its plugins that the facade lacks, with what to do instead. A test compares this
 * table and the bot facade with the types of those packages, so that no documented member is silently undefined.
 */
'use strict'
const { named } = require('./errors')

const CLICKS = 'move items with withdraw, deposit and bot.toss, or click with bot.clickWindow(slot, button, mode)'
const NO_SERVER = 'the connection is not a program\'s affair; return from your function to end it'
const NO_SCORES = 'no scores, teams and boss bars are shown to programs'
const NO_CREATIVE = 'bots play in survival: take items from chests, mine or craft them'
const WHO_MOVES = 'use bot.pathfinder.goto(goal), goTo(bot, position) or bot.setControlState'
const FROM_CHAT = 'listen with bot.on("chat", (username, message) => ...) and compare the text'
const ITEM_TAGS = 'items show name, count, enchants, durabilityUsed, customName and repairCost'

/** Path -> member -> what to do instead. @type {Readonly<Record<string, Readonly<Record<string, string>>>>} */
const INSTEAD = Object.freeze({
  bot: Object.freeze({
    protocolVersion: 'use bot.version',
    majorVersion: 'use bot.version',
    supportFeature: 'use bot.version; the game is Java Edition 1.20.4',
    fireworkRocketDuration: WHO_MOVES,
    elytraFly: WHO_MOVES,
    thunderState: 'use bot.isRaining',
    rainState: 'use bot.isRaining',
    chatPatterns: FROM_CHAT,
    chatAddPattern: FROM_CHAT,
    addChatPattern: FROM_CHAT,
    addChatPatternSet: FROM_CHAT,
    removeChatPattern: FROM_CHAT,
    awaitMessage: FROM_CHAT,
    tabComplete: 'players may only talk: use bot.chat(text)',
    settings: 'a bot has no settings to be changed',
    setSettings: 'a bot has no settings to be changed',
    physics: WHO_MOVES,
    physicsEnabled: WHO_MOVES,
    scoreboards: NO_SCORES,
    scoreboard: NO_SCORES,
    teams: NO_SCORES,
    teamMap: NO_SCORES,
    tablist: 'use Object.keys(bot.players)',
    creative: NO_CREATIVE,
    _client: NO_SERVER,
    connect: NO_SERVER,
    end: NO_SERVER,
    quit: NO_SERVER,
    respawn: 'a bot that dies comes back by itself; listen with bot.on("respawn", ...)',
    acceptResourcePack: 'there are no resource packs',
    denyResourcePack: 'there are no resource packs',
    simpleClick: CLICKS,
    putSelectedItemRange: CLICKS,
    putAway: CLICKS,
    transfer: CLICKS,
    moveSlotItem: CLICKS,
    updateHeldItem: 'use bot.heldItem, which is always of now',
    openEntity: 'use bot.openContainer(entity) or bot.openVillager(entity)',
    placeEntity: 'use bot.activateBlock(block) with the boat or minecart in the hand, or bot.activateItem()',
    setCommandBlock: 'players run no commands',
    blockInSight: 'use bot.blockAtCursor(maxDistance)',
    blockAtEntityCursor: 'use bot.blockAtCursor(maxDistance)',
    entityAtCursor: 'use bot.nearestEntity(match)',
    isABed: 'use block.name.endsWith("_bed")',
    getExplosionDamages: 'no explosions are foreseen; use fleeFrom(bot, "creeper")',
    // Plugins.
    autoEat: 'use eatFood(bot), e.g. when bot.food < 14',
    autoeat: 'use eatFood(bot), e.g. when bot.food < 14',
    armorManager: 'use equipItem(bot, "iron_helmet", "head") or bot.equip(item, "torso")',
    hawkEye: 'use shoot(bot, name)',
    guard: 'use guardArea(bot, position)',
    swordpvp: 'use bot.pvp.attack(entity)',
    bowpvp: 'use shoot(bot, name)',
    blockFinderPlugin: 'use bot.findBlocks({ matching, maxDistance, count })',
    scaffold: 'use bot.pathfinder with new Movements(bot)',
    navigate: 'use goTo(bot, position) or bot.pathfinder.goto(goal)',
    moveTo: 'use goTo(bot, position)',
    walkTo: 'use goTo(bot, position)',
    eat: 'use eatFood(bot) or bot.consume()',
    use: 'use bot.activateItem() or bot.activateBlock(block)',
    drop: 'use bot.toss(itemType, null, count)',
    jump: 'use bot.setControlState("jump", true)',
    say: 'use bot.chat(text) or say(bot, text)',
    position: 'use bot.entity.position',
    yaw: 'use bot.entity.yaw',
    pitch: 'use bot.entity.pitch',
    mine: 'use mineBlock(bot, name, count) or bot.dig(block)'
  }),
  'bot.pathfinder': Object.freeze({
    getPathTo: 'await bot.pathfinder.goto(goal): it throws NoPath where there is none',
    getPathFromTo: 'await bot.pathfinder.goto(goal): it throws NoPath where there is none'
  }),
  entity: Object.freeze({
    count: 'use entity.getDroppedItem().count',
    food: 'only your own is known: bot.food',
    foodSaturation: 'only your own is known: bot.foodSaturation',
    player: 'use bot.players[entity.username]',
    elytraFlying: 'it is not shown',
    vehicle: 'only your own is known: bot.vehicle',
    passengers: 'it is not shown; bot.vehicle is what the bot sits in',
    setEquipment: 'entities are shown, not changed',
    getCustomName: 'name tags are not shown; use entity.username for players and entity.name for mobs'
  }),
  item: Object.freeze({
    stackId: 'use item.slot',
    customLore: ITEM_TAGS,
    customModel: ITEM_TAGS,
    blocksCanPlaceOn: ITEM_TAGS,
    blocksCanDestroy: ITEM_TAGS,
    spawnEggMobName: 'use item.name, e.g. "cow_spawn_egg"'
  }),
  block: Object.freeze({
    light: 'light is not shown; use bot.time.isDay',
    skyLight: 'light is not shown; use bot.time.isDay',
    blockEntity: 'open it: bot.openContainer(block)',
    entity: 'open it: bot.openContainer(block)',
    hash: 'compare block.stateId',
    signText: 'signs are written with bot.updateSign, not read',
    getSignText: 'signs are written with bot.updateSign, not read',
    setSignText: 'use bot.updateSign(block, text)',
    painting: 'paintings are not shown'
  }),
  window: Object.freeze({
    craftingResultSlot: 'use craftItem(bot, name, count) or bot.craft(recipe, count, table)',
    requiresConfirmation: CLICKS,
    transactionRequiresConfirmation: CLICKS,
    ...Object.fromEntries(['acceptClick', 'acceptOutsideWindowClick', 'acceptInventoryClick',
      'acceptNonInventorySwapAreaClick', 'acceptSwapAreaLeftClick',
      'acceptSwapAreaRightClick', 'acceptCraftingClick', 'mouseClick', 'shiftClick', 'numberClick', 'middleClick',
      'dropClick', 'fillAndDump',
      'fillSlotsWithItem', 'fillSlotWithItem', 'fillSlotWithSelectedItem', 'dumpItem', 'splitSlot', 'swapSelectedItem',
      'dropSelectedItem', 'updateSlot',
      'clear'].map((name) => [name, CLICKS]))
  })
})

/**
 * @param {string} path - of `INSTEAD`
 * @param {string} key
 * @returns {string | null} what to do instead of that member
 */
function instead (path, key) {
  const table = Object.hasOwn(INSTEAD, path) ? INSTEAD[path] : {}
  return Object.hasOwn(table, key) ? table[key] : null
}

/**
 * Make documented members that are missing throw with what to do instead; an object may be given own members under
 * their names.
 * @param {any} prototype - of a class, before it is sealed
 * @param {string} path - of `INSTEAD`
 */
function refuseMembers (prototype, path) {
  for (const [key, advice] of Object.entries(INSTEAD[path])) {
    if (key in prototype) continue
    Object.defineProperty(prototype, key, {
      get () { throw named('NotSupported', `${path}.${key} is not here: ${advice}`) },
      /** @this {any} */
      set (value) { Object.defineProperty(this, key, { value, writable: true, enumerable: true, configurable: true }) },
      enumerable: false,
      configurable: false
    })
  }
}

module.exports = { INSTEAD, instead, refuseMembers }
