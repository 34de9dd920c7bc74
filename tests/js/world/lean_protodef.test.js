'use strict'
/** A lean ProtoDef reads and writes what the package itself does, and loads and compiles less. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const path = require('node:path')

const ROOT = path.resolve(__dirname, '..', '..', '..')
/** Writes and reads packets of all kinds of types; prints bytes and fields of each, buffers like lists of numbers. */
const WRITTEN = `
  const bytes = (key, value) => value?.type === 'Buffer' ? value.data : value
  const { createSerializer, createDeserializer } = require('minecraft-protocol/src/transforms/serializer')
  const options = { state: 'play', version: '1.20.4' }
  const writer = createSerializer({ ...options, isServer: true })
  const reader = createDeserializer({ ...options, isServer: false })
  const light = { skyLightMask: [[1, 2]], blockLightMask: [], emptySkyLightMask: [], emptyBlockLightMask: [] }
  const packets = {
    update_light: { chunkX: 3, chunkZ: -4, ...light,
      skyLight: [Buffer.alloc(2048, 0xab), [1, 2, 255]], blockLight: [[]] },
    system_chat: { content: { type: 'string', value: 'hello' }, isActionBar: false },
    entity_teleport: { entityId: 300, x: 0.5, y: -60, z: 1e6, yaw: -3, pitch: 4, onGround: true }
  }
  for (const [name, params] of Object.entries(packets)) {
    const written = writer.createPacketBuffer({ name, params })
    console.log(written.toString('hex'), JSON.stringify(reader.parsePacketBuffer(written).data, bytes))
    for (const cut of [1, 20]) {
      try { reader.parsePacketBuffer(written.subarray(0, -cut)) } catch (error) { console.log(error.constructor.name) }
    }
  }`

/** @param {string} code @returns {string} what it prints */
function printed (code) {
  const { stdout, stderr } = spawnSync(process.execPath, ['--no-node-snapshot', '-e', `${code}; process.exit()`],
    { cwd: ROOT, encoding: 'utf8', maxBuffer: 1 << 24 })
  assert.equal(stderr, '')
  return stdout
}

test('packets and their faults are those of the package itself', () => {
  const expected = printed(WRITTEN)
  assert.ok(expected.split('\n').length > 8)
  assert.equal(printed(`require('./engine/lean_protodef').leanProtoDef(); ${WRITTEN}`), expected)
})

test('the light of a column is not copied', () => {
  const code = `require('./engine/lean_protodef').leanProtoDef(); ${WRITTEN.replace(
    'JSON.stringify(reader.parsePacketBuffer(written).data, bytes)',
    "reader.parsePacketBuffer(written).data.params.skyLight?.every((each) => each.buffer === written.buffer)"
  )}`
  assert.match(printed(code), /^[0-9a-f]+ true\n/)
})

test('neither the server nor its bots load schemas, accounts, or the other side of the protocol', () => {
  const host = "require('./bridge/host/parts.js'); require('./bridge/host/bots/bots.js')"
  for (const load of ["require('./bridge/servers/embedded/server.js')", host]) {
    const loaded = JSON.parse(printed(`${load}; console.log(JSON.stringify(Object.keys(require.cache)))`))
    const needless = loaded.filter((/** @type {string} */ each) =>
      /\/(ajv|@azure|prismarine-auth|prismarine-realms|whatwg-url|node-rsa)\//.test(each))
    assert.deepEqual([load, needless], [load, []])
  }
})

test('nothing is compiled before its first use', () => {
  const code = `require('./engine/lean_protodef').leanProtoDef()
    const { WriteCompiler } = require('protodef').Compiler
    let compiled = 0
    const compile = WriteCompiler.prototype.compile
    WriteCompiler.prototype.compile = function (code) { compiled++; return compile.call(this, code) }
    const { createSerializer } = require('minecraft-protocol/src/transforms/serializer')
    const writer = createSerializer({ state: 'handshaking', version: '1.20.4' })
    const before = compiled
    for (let i = 0; i < 2; i++) {
      writer.createPacketBuffer({ name: 'set_protocol', params: {
        protocolVersion: 765, serverHost: 'here', serverPort: 1, nextState: 2
      } })
    }
    console.log(before, compiled)`
  assert.equal(printed(code), '0 1\n')
})
