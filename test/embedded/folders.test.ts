import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findHome } from '../../src/db/embedded/home.ts'
import { runMinaret, startMinaretProcess, temporaryFolder } from '../support/process.ts'

const isRoot = process.getuid?.() === 0

const tryMount = (folder: string): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=24m,mode=0711', 'tmpfs', folder], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('below a folder that only root may enter, the data go where the server can reach them, and are found again', {
  skip: isRoot ? false : 'needs root',
}, async () => {
  const folder = temporaryFolder()
  chmodSync(folder.path, 0o700)
  const environment = { DATA_DIR: join(folder.path, 'data'), DEMO_DATA: 'off' }
  let moved = ''
  try {
    for (const round of ['first', 'second']) {
      const minaret = await startMinaretProcess(environment)
      assert.equal((await fetch(`${minaret.baseUrl}/readyz`)).status, 200, round)
      assert.equal(await minaret.stop(), 0, minaret.output())
      moved = readFileSync(join(environment.DATA_DIR, 'postgres-location'), 'utf8').trim()
      assert.ok(existsSync(join(moved, 'postgres/PG_VERSION')))
    }
  } finally {
    if (moved !== '') rmSync(moved, { recursive: true, force: true })
    folder.remove()
  }
})

test('a path too long for a socket is no obstacle', async () => {
  const folder = temporaryFolder()
  const deep = join(folder.path, 'x'.repeat(60), 'y'.repeat(60))
  mkdirSync(deep, { recursive: true, mode: 0o711 })
  try {
    const minaret = await startMinaretProcess({ DATA_DIR: deep, DEMO_DATA: 'off' })
    assert.equal((await fetch(`${minaret.baseUrl}/readyz`)).status, 200)
    const { sockets } = findHome(deep)
    assert.ok(existsSync(sockets) && !sockets.startsWith(deep))
    assert.equal(await minaret.stop(), 0)
    assert.ok(!existsSync(sockets), 'nothing of it stays behind')
  } finally {
    folder.remove()
  }
})

test('a folder that cannot be written is refused in one sentence', {
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

test('a full disk is named in one sentence', async context => {
  const folder = temporaryFolder()
  try {
    if (!isRoot || !tryMount(folder.path)) return context.skip('needs a small disk, which only root can mount')
    const { status, stderr } = await runMinaret(['serve'], { DATA_DIR: join(folder.path, 'data'), DEMO_DATA: 'off' })
    assert.equal(status, 1)
    assert.match(stderr, /disk .*is full\. Free some room/)
    assert.ok(!/\n\s+at /.test(stderr), 'no stack')
  } finally {
    if (isRoot) execFileSync('umount', [folder.path], { stdio: 'ignore' })
    folder.remove()
  }
})
