'use strict'
/** Announcements of joining and leaving players. */
const { translated, nameLine, styled } = require('../../commands/lines')

/**
 * @param {import('../../world').World} world
 * @param {'multiplayer.player.joined' | 'multiplayer.player.left'} key
 * @param {import('../../player').Player} player
 */
function announce (world, key, player) {
  const line = styled(translated(world.data, key, nameLine(player)), { color: 'yellow' })
  world.emit('system', { player: null, text: line.text, overlay: false, component: JSON.stringify(line.component),
    arrival: true })
}

module.exports = { announce }
