'use strict'
/**
 * The reference climb, from bare hands to a diamond pickaxe, on survival terrain of several seeds, without monsters: it
 * does not fight.
 */
const test = require('node:test')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { WorldHost } = require('../../../bridge/mock/world_host')

const SOURCE = fs.readFileSync(path.join(__dirname, '../../../voyager_agents/reference/climb.js'), 'utf8')
const LIMITS = { wall_ms: 3_600_000, cpu_ms: 60_000, memory_mb: 64 }
/**
 * Those of 1 to 12 are all climbed (docs/testing-skills.md); these are five of them, with hills, seas and few trees.
 */
const SEEDS = [3, 4, 6, 7, 12]

for (const seed of SEEDS) {
  test(`the reference program climbs to a diamond pickaxe, seed ${seed}`, async () => {
    /** @type {any} */
    let results = null
    const host = new WorldHost(
      { seed, threaded: false, terrain: 'survival' }, () => {}, (_run, ended) => { results = ended }
    )
    await host.handle('connect', { bots: ['Gizmo'] })
    await host.handle('commands', { texts: ['gamerule doMobSpawning false'] })
    await host.handle('advance', { until: 20 })
    await host.handle('start', { run: 1, policies: [{ bot: 'Gizmo', source: SOURCE, seed: '0/1' }], limits: LIMITS })
    while (results === null) await host.handle('advance', { until: null })
    assert.equal(results.Gizmo.outcome, 'returned', JSON.stringify(results.Gizmo.error))
    const { items } = await host.handle('observe', { bot: 'Gizmo' })
    assert.equal(items.diamond_pickaxe, 1, JSON.stringify(items))
    // isolated-vm may abort a process that ends while it has isolates.
    await host.handle('disconnect', { bots: ['Gizmo'] })
  })
}
