import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { includesArgument, linux, refuseOtherLibraries } from './linux.ts'
import { platformFor } from './this-platform.ts'

test('Linux: an argument is compared as a whole, spaces included', () => {
  const commandLine = '/usr/bin/postgres\0-D\0/srv/my data/postgres\0-c\0port=1\0'
  assert.ok(includesArgument(commandLine, '/srv/my data/postgres'))
  assert.ok(!includesArgument(commandLine, '/srv/my'))
  assert.ok(!includesArgument('', '/srv'), 'a zombie has no command line')
})

test('Linux: only the GNU C library runs the packaged PostgreSQL', () => {
  assert.equal(refuseOtherLibraries({ header: { glibcVersionRuntime: '2.36' } }), undefined)
  assert.match(refuseOtherLibraries({ header: {} }) ?? '', /C library \(musl\)\.$/)
})

test('Linux: processes are found by argument and by working directory, also through a symbolic link', {
  skip: process.platform === 'linux' ? false : 'reads /proc',
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'minaret-platform-'))
  const link = `${folder}.link`
  symlinkSync(folder, link)
  const child = spawn('sleep', ['86399'], { cwd: folder, stdio: 'ignore' })
  try {
    await once(child, 'spawn')
    const pid = child.pid as number
    assert.ok(linux.hasArgument(pid, '86399'))
    assert.ok(!linux.hasArgument(pid, '86398'))
    assert.deepEqual(linux.processesIn(link), [pid])
    child.kill()
    await once(child, 'exit')
    assert.ok(!linux.hasArgument(pid, '86399'))
    assert.deepEqual(linux.processesIn(folder), [])
  } finally {
    child.kill()
    rmSync(folder, { recursive: true })
    rmSync(link)
  }
})

test('WSL is Linux to Node; every other system is treated as a Unix without /proc', () => {
  assert.equal(platformFor('linux'), linux)
  assert.notEqual(platformFor('darwin'), linux)
  assert.equal(platformFor('freebsd'), platformFor('darwin'))
})
