import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { bind, unbind } from './bind.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

const bindAndUnbind = async () => {
  const binding = await bind({ host: '127.0.0.1', port: 0, keepAliveMs: 1000 })
  await (await fetch(`http://127.0.0.1:${binding.port}/healthz`)).text()
  await unbind(binding)
  return new WeakRef(binding.server)
}

test('nothing keeps a server in memory once it is closed', async () => {
  const closed = await bindAndUnbind()
  for (let turns = 0; closed.deref() !== undefined && turns < 100; turns += 1) {
    await nextTurn()
    collectGarbage()
  }
  assert.equal(closed.deref(), undefined)
})

test('a host that is no address of this machine is named with its setting', async () => {
  const options = { host: '192.0.2.1', port: 0, keepAliveMs: 1000 }
  await assert.rejects(bind(options), /^StartFault: HOST is 192\.0\.2\.1, which is no address of this machine\./)
})
