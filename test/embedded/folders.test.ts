import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findHome } from '../../src/db/embedded/home.ts'
import { runMinaret, startMinaretProcess, temporaryFolder, untilReady } from '../support/process.ts'
import { copyUsedFolder } from '../support/used-folder.ts'

const isRoot = process.getuid?.() === 0

const tryMount = (folder: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=0711', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('below a folder that only root may enter, the data are stored where the server can reach them, and found again', {
  skip: isRoot ? false : 'needs root',
}, async () => {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o700)
  const environment = { DATA_DIR: join(folder.path, 'data'), DEMO_DATA: 'off' }
  const moved = new Set<string>()
  const startOnce = async (): Promise<void> => {
    const minaret = await startMinaretProcess(environment)
    await untilReady(minaret.baseUrl)
    assert.equal(await minaret.stop(), 0, minaret.output())
    const place = readFileSync(join(environment.DATA_DIR, 'postgres-location'), 'utf8').trim()
    moved.add(place)
    assert.ok(existsSync(join(place, 'postgres/PG_VERSION')))
  }
  try {
    await startOnce()
    await startOnce()
    assert.equal(moved.size, 1)
    // Someone starts over in the same place: the old data elsewhere belong to another secret.
    rmSync(environment.DATA_DIR, { recursive: true })
    await startOnce()
    assert.equal(moved.size, 2)
  } finally {
    for (const place of moved) rmSync(place, { recursive: true, force: true })
    folder.remove()
  }
})

test('a path too long for a socket works', async () => {
  const folder = temporaryFolder()
  const deep = join(folder.path, 'x'.repeat(60), 'y'.repeat(60))
  mkdirSync(deep, { recursive: true, mode: 0o711 })
  try {
    await copyUsedFolder(deep)
    const minaret = await startMinaretProcess({ DATA_DIR: deep, DEMO_DATA: 'off' })
    await untilReady(minaret.baseUrl)
    const { sockets } = findHome(deep)
    assert.ok(existsSync(sockets) && !sockets.startsWith(deep))
    assert.equal(await minaret.stop(), 0)
    assert.ok(!existsSync(sockets), 'nothing is left behind')
  } finally {
    folder.remove()
  }
})

test('an unwritable folder is refused with a one-line message', {
  skip: isRoot ? 'root may write anywhere' : false,
}, async () => {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o500)
  try {
    const { status, stderr } = await runMinaret(['serve'], { DATA_DIR: join(folder.path, 'data') })
    assert.equal(status, 1)
    assert.match(stderr, /cannot be read and written by this user/)
  } finally {
    folder.remove()
  }
})

test('a full disk is reported in a one-line message', async context => {
  const folder = temporaryFolder()
  try {
    if (!isRoot || !tryMount(folder.path)) return context.skip('needs a small disk, which only root can mount')
    const { status, stderr } = await runMinaret(['serve'], { DATA_DIR: join(folder.path, 'data'), DEMO_DATA: 'off' })
    assert.equal(status, 1)
    assert.match(stderr, /disk .*is full\. Free some space/)
    assert.ok(!/\n\s+at /.test(stderr), 'no stack')
  } finally {
    if (isRoot) execFileSync('umount', [folder.path], { stdio: 'ignore' })
    folder.remove()
  }
})
