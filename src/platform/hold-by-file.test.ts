import assert from 'node:assert/strict'
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { holdByFile, type LockFile, lockFile } from './hold-by-file.ts'

const root = mkdtempSync(join(tmpdir(), 'minaret-hold-'))
after(() => rmSync(root, { recursive: true }))

const newFolder = (): string => mkdtempSync(join(root, 'folder-'))

/** Locks as the kernel of macOS does: one opening has the file until it is closed. */
const kernel = (): LockFile => {
  const locked = new Map<string, number>()
  const isOpen = (descriptor: number): boolean => {
    try {
      closeSync(openSync(`/dev/fd/${descriptor}`, 'r'))
      return true
    } catch {
      return false
    }
  }
  return file => {
    const owner = locked.get(file)
    if (owner !== undefined && isOpen(owner)) return undefined
    const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT, 0o600)
    locked.set(file, descriptor)
    return descriptor
  }
}

test('a second process is told who holds the folder, in the holder’s latest words', async () => {
  const lock = kernel()
  const folder = newFolder()
  const first = holdByFile(folder, 'a service that starts and starts', lock)
  assert.ok(first.kind === 'held')
  first.holder.describe('a service with workers')
  assert.deepEqual(holdByFile(folder, 'a command', lock), { kind: 'taken', by: 'a service with workers' })
  assert.equal(holdByFile(newFolder(), 'a command', lock).kind, 'held', 'another folder is free')
  await first.holder.release()
})

test('what a killed holder left behind does not count: the lock does', async () => {
  const folder = newFolder()
  const dead = holdByFile(folder, 'a service at http://localhost:3000', kernel())
  assert.equal(dead.kind, 'held')
  const lock = kernel()
  const next = holdByFile(folder, 'a command', lock)
  assert.ok(next.kind === 'held')
  assert.deepEqual(holdByFile(folder, 'x', lock), { kind: 'taken', by: 'a command' })
  await next.holder.release()
  assert.equal(holdByFile(folder, 'x', lock).kind, 'held')
})

test('macOS itself refuses a second lock', { skip: process.platform === 'darwin' ? false : 'needs O_EXLOCK' }, () => {
  const file = join(newFolder(), 'holder')
  const first = lockFile(file) as number
  assert.equal(lockFile(file), undefined)
  closeSync(first)
  assert.notEqual(lockFile(file), undefined)
})

test('a folder that may not be written is an error, not a holder', () => {
  assert.throws(() => lockFile(join(root, 'missing', 'holder')), { code: 'ENOENT' })
})
