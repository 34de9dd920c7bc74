'use strict'
/** Boss bars, teams, the world border, the pace of time and sounds by command, as packets. */
const minecraftData = require('minecraft-data')
const { component } = require('./components')
const { COLORS, STYLES } = require('../../../engine/world/rules/operators/boss_bars')

/** @typedef {import('../../../engine/world/rules/operators/boss_bars').BossBar} BossBar */
/** @typedef {import('../../../engine/world/rules/operators/boss_bars').Change} Change */
/** @typedef {import('../../../engine/world/rules/operators/teams').Team} Team */

const ACTIONS = Object.freeze({ add: 0, remove: 1, health: 2, title: 3, style: 4 })
const MODES = Object.freeze({ add: 0, remove: 1, change: 2, join: 3, leave: 4 })

/** @param {BossBar} bar @param {Change} change @returns {object} fields of boss_bar */
function bossBar (bar, change) {
  return {
    entityUUID: bar.uuid,
    action: ACTIONS[change],
    title: component(bar.title),
    health: bar.health,
    color: COLORS.indexOf(bar.color),
    dividers: STYLES.indexOf(bar.style),
    flags: 0
  }
}

/**
 * @param {Team} team
 * @param {keyof typeof MODES} change
 * @param {string[]} [names] who joins or leaves
 * @returns {object} fields of teams
 */
function teamPacket (team, change, names = [...team.members]) {
  return {
    team: team.name,
    mode: MODES[change],
    name: component(team.displayName),
    friendlyFire: (team.friendlyFire ? 1 : 0) | (team.seeFriendlyInvisibles ? 2 : 0),
    nameTagVisibility: team.nametagVisibility,
    collisionRule: team.collisionRule,
    formatting: team.colorNumber,
    prefix: component(team.prefix),
    suffix: component(team.suffix),
    players: names
  }
}

/**
 * @param {import('../../../engine/world/rules/operators/world_border').WorldBorder} border
 * @returns {object} fields of initialize_world_border
 */
function borderPacket (border) {
  return {
    x: border.x, z: border.z, oldDiameter: border.size, newDiameter: border.motion.to, speed: border.left,
    portalTeleportBoundary: 29999984, warningBlocks: border.warningBlocks, warningTime: border.warningTime
  }
}

/**
 * Return a sound by its number, which every client knows, or by name.
 * @param {string} name with or without "minecraft:"
 */
function soundOf (name) {
  const known = /** @type {any} */ (minecraftData('1.20.4')).soundsByName[name.replace(/^minecraft:/, '')]
  return known ? { soundId: known.id } : { data: { soundName: name.includes(':') ? name : `minecraft:${name}` } }
}

/**
 * @param {import('../../../engine/world/types').WorldEvents['heard']} sound
 * @returns {object} fields of sound_effect
 */
function soundPacket ({ name, category, x, y, z, volume, pitch }) {
  return {
    sound: soundOf(name),
    soundCategory: category,
    x: Math.round(x * 8),
    y: Math.round(y * 8),
    z: Math.round(z * 8),
    volume,
    pitch,
    seed: 0n
  }
}

/** Bits of stop_sound. */
const STOP = Object.freeze({ source: 1, sound: 2 })
const SOURCES = Object.freeze([
  'master', 'music', 'record', 'weather', 'block', 'hostile', 'neutral', 'player', 'ambient', 'voice'
])

/** @param {{category?: string, name?: string}} what @returns {object} fields of stop_sound */
function hushPacket ({ category, name }) {
  return {
    flags: (category ? STOP.source : 0) | (name ? STOP.sound : 0),
    source: category ? SOURCES.indexOf(category) : undefined,
    sound: name
  }
}

/** @param {{ tickRate: number, frozen: boolean }} world @returns {object} fields of set_ticking_state */
function tickingState ({ tickRate, frozen }) { return { tick_rate: tickRate, is_frozen: frozen } }

module.exports = { tickingState, bossBar, teamPacket, borderPacket, soundPacket, hushPacket, soundOf }
