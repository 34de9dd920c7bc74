'use strict'
/** Actions that nobody awaits, callbacks of the old style, and listeners to the bot's arrival. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { Sandbox } = require('./support')

const failure = (/** @type {string} */ name, /** @type {string} */ message) =>
  Object.assign(new Error(message), { name })
/** @param {any} sandbox @returns {string[]} warnings of the run */
const warnings = (sandbox) => sandbox.world.calls.filter((/** @type {any} */ { method, args }) => method === 'log' &&
  args[0] === 'warn').map((/** @type {any} */ { args }) => args[1])

test('a failed action that nobody awaited is told at the end, with its line; an awaited one is not', async () => {
  const sandbox = new Sandbox()
  sandbox.world.acts.dig = async () => { throw failure('NotBroken', 'it stands') }
  const { outcome } = await sandbox.run(`async function program (bot) {
    await bot.dig({ position: new Vec3(0, 0, 0) }).catch(() => {})
    const later = bot.dig({ position: new Vec3(0, 0, 0) })
    bot.dig({ position: new Vec3(0, 0, 0) })
    await bot.waitForTicks(5)
    try { await later } catch {}
  }`)
  assert.equal(outcome, 'returned')
  assert.deepEqual(
    warnings(sandbox), ['bot.dig failed and nobody awaited it (line 4): NotBroken: it stands; write await bot.dig(...)']
  )
})

test('many of them are counted, and an action that the program stopped is none', async () => {
  const sandbox = new Sandbox()
  let calls = 0
  sandbox.world.acts.dig = async () => { throw failure(calls++ === 0 ? 'Cancelled' : 'NotBroken', 'no') }
  await sandbox.run('async function program (bot) { for (let i = 0; i < 9; ' +
    'i++) bot.dig({ position: new Vec3(0, 0, 0) }); await bot.waitForTicks(5) }')
  const told = warnings(sandbox)
  assert.equal(told.length, 6)
  assert.equal(told[5], '3 more actions failed and nobody awaited them')
})

test('a function as the last argument is called at the end, with the error or without', async () => {
  const sandbox = new Sandbox()
  sandbox.world.acts.dig = async (/** @type {number} */ x) => { if (x > 0) throw failure('NotBroken', 'it stands') }
  const value = await sandbox.value(`
    const told = []
    bot.dig({ position: new Vec3(0, 0, 0) }, (error) => told.push(error === undefined))
    bot.dig({ position: new Vec3(1, 0, 0) }, true, (error) => told.push(error.name))
    await bot.waitForTicks(5)
    return told`)
  assert.deepEqual([...value], [true, 'NotBroken'])
  assert.deepEqual(warnings(sandbox), [])
})

test('listeners to the arrival run at once, and the run waits for them', async () => {
  const sandbox = new Sandbox()
  const {
    outcome
  } =
    await sandbox.run('async function program (bot) { bot.once("spawn", async () => { await bot.waitForTicks(3); ' +
      'console.log("here") }); bot.on("login", () => console.log("in")) }')
  const logged = sandbox.world.calls.filter((/** @type {any} */ { method }) => method === 'log')
    .map((/** @type {any} */ { args }) => args[1])
  assert.deepEqual([outcome, ...logged], ['returned', 'in', 'here'])
  const failed =
    await new Sandbox().run('async function program (bot) { bot.once("spawn", async () => { ' +
      'throw new Error("own") }) }')
  assert.deepEqual([failed.outcome, failed.error.message], ['threw', 'own'])
})
