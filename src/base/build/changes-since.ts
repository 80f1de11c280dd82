// A clone → whether its tracked files are those of the commit that is checked out, without git: the index has the size, the time and
// the hash of each. https://git-scm.com/docs/index-format
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import type { CheckedOut } from './checked-out-commit.ts'

export type Changes = 'none' | 'some' | 'unknown'

interface Entry {
  readonly path: string
  readonly seconds: number
  readonly nanoseconds: number
  readonly size: number
  readonly hash: string
  /** A module of its own, or left out of the work tree. */
  readonly isElsewhere: boolean
  /** A conflict, or added without content. */
  readonly isUnfinished: boolean
}

const HEADER_BYTES = 12
const ENTRY_BYTES = 62
const SUBMODULE = 0o160000
const IS_EXTENDED = 0x4000
const STAGE = 0x3000
const ASSUMED = 0x8000

const readEntry = (index: Buffer, at: number): { readonly entry: Entry; readonly end: number } => {
  const flags = index.readUInt16BE(at + 60)
  const extended = (flags & IS_EXTENDED) === 0 ? undefined : index.readUInt16BE(at + ENTRY_BYTES)
  const start = at + ENTRY_BYTES + (extended === undefined ? 0 : 2)
  const stop = index.indexOf(0, start)
  const skipped = ((extended ?? 0) & 0x4000) !== 0
  const entry = {
    path: index.toString('utf8', start, stop),
    seconds: index.readUInt32BE(at + 8),
    nanoseconds: index.readUInt32BE(at + 12),
    size: index.readUInt32BE(at + 36),
    hash: index.toString('hex', at + 40, at + 60),
    isElsewhere: index.readUInt32BE(at + 24) === SUBMODULE || skipped || (flags & ASSUMED) !== 0,
    isUnfinished: (flags & STAGE) !== 0 || ((extended ?? 0) & 0x2000) !== 0,
  }
  // Padded with one to eight zero bytes.
  return { entry, end: stop + 8 - ((stop - at) % 8) }
}

const hashOf = (content: Buffer): string =>
  createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')

const NANOSECONDS = 1_000_000_000n

/** Read only if it was touched. */
const isSame = (folder: string, { path, seconds, nanoseconds, size, hash }: Entry): boolean => {
  const file = resolve(folder, path)
  const stat = lstatSync(file, { bigint: true, throwIfNoEntry: false })
  if (stat === undefined || Number(stat.size) !== size) return false
  if (stat.mtimeNs === BigInt(seconds) * NANOSECONDS + BigInt(nanoseconds)) return true
  return hashOf(stat.isSymbolicLink() ? readlinkSync(file, 'buffer') : readFileSync(file)) === hash
}

/** Git forgets the tree of a folder when something in it is staged. */
const isStaged = (index: Buffer, end: number): boolean => {
  for (let at = end; at + 8 <= index.length - 20; at += 8 + index.readUInt32BE(at + 4)) {
    if (index.toString('latin1', at, at + 4) !== 'TREE') continue
    const [, count = '-1'] = /^\0(-?\d+) /.exec(index.toString('latin1', at + 8, at + 40)) ?? []
    return Number(count) < 0
  }
  return true
}

const isReadable = (index: Buffer, { id }: CheckedOut): boolean =>
  id.length === 40 && index.toString('latin1', 0, 4) === 'DIRC' && [2, 3].includes(index.readUInt32BE(4))

/** `unknown`: in a format that is not read here, or with something staged that may be undone. Files that git does not know do not count. */
export const changesSince = (folder: string, checkedOut: CheckedOut): Changes => {
  const index = readFileSync(resolve(checkedOut.gitFolder, 'index'))
  if (!isReadable(index, checkedOut)) return 'unknown'
  let at = HEADER_BYTES
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const { entry, end } = readEntry(index, at)
    if (entry.isUnfinished || !(entry.isElsewhere || isSame(folder, entry))) return 'some'
    at = end
  }
  return isStaged(index, at) ? 'unknown' : 'none'
}
