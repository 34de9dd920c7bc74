'use strict'
/** Game rules of 1.20.4 with vanilla's defaults. Rules that this engine does not use are stored and can be queried. */
const { nameTable } = require('../../../name_table')

/** @type {Readonly<Record<string, boolean | number>>} */
const DEFAULTS = Object.freeze(nameTable({
  announceAdvancements: true, blockExplosionDropDecay: true,
  commandBlockOutput: true, commandModificationBlockLimit: 32768, disableElytraMovementCheck: false,
  disableRaids: false,
  doDaylightCycle: true, doEntityDrops: true, doFireTick: true, doImmediateRespawn: false, doInsomnia: true,
  doLimitedCrafting: false, doMobLoot: true, doMobSpawning: true, doPatrolSpawning: true, doTileDrops: true,
  doTraderSpawning: true, doVinesSpread: true, doWardenSpawning: true, doWeatherCycle: true, drowningDamage: true,
  enderPearlsVanishOnDeath: true, fallDamage: true, fireDamage: true, forgiveDeadPlayers: true, freezeDamage: true,
  globalSoundEvents: true, keepInventory: false, lavaSourceConversion: false, logAdminCommands: true,
  maxCommandChainLength: 65536, maxCommandForkCount: 65536, maxEntityCramming: 24, mobExplosionDropDecay: true,
  mobGriefing: true,
  naturalRegeneration: true, playersNetherPortalCreativeDelay: 1, playersNetherPortalDefaultDelay: 80,
  playersSleepingPercentage: 100, projectilesCanBreakBlocks: true, randomTickSpeed: 3, reducedDebugInfo: false,
  sendCommandFeedback: true, showDeathMessages: true, snowAccumulationHeight: 1, spawnRadius: 10,
  spectatorsGenerateChunks: true, tntExplosionDropDecay: false, universalAnger: false, waterSourceConversion: true
}))

/** Return a fresh set of rules. @returns {Record<string, boolean | number>} */
function defaultRules () { return Object.assign(Object.create(null), DEFAULTS) }

module.exports = { defaultRules, DEFAULTS }
