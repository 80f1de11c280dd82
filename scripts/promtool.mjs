// Fetches promtool, which checks alert rules, from Debian's package of Prometheus. Only that program is unpacked.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { projectFolder } from './setup.mjs'

const KEPT = `${projectFolder}node_modules/.cache/promtool`
const PATIENCE_MS = 60_000

const quiet = { stdio: 'ignore', timeout: PATIENCE_MS }
const has = program => spawnSync('which', [program], quiet).status === 0

/** Undefined if it can neither be found nor fetched. */
const findPromtool = () => {
  if (has('promtool')) return 'promtool'
  return existsSync(KEPT) ? KEPT : undefined
}

const unpack = folder => {
  const options = { ...quiet, cwd: folder }
  if (process.getuid?.() === 0) spawnSync('apt-get', ['update', '-qq'], options)
  spawnSync('apt-get', ['download', '-qq', 'prometheus'], options)
  const [file] = readdirSync(folder).filter(name => name.endsWith('.deb'))
  if (file === undefined) return
  spawnSync('dpkg-deb', ['--extract', file, folder], options)
  const program = join(folder, 'usr/bin/promtool')
  if (!existsSync(program)) return
  mkdirSync(join(KEPT, '..'), { recursive: true })
  // To the same disk first, so that another run never finds half of it.
  spawnSync('cp', [program, `${KEPT}.${process.pid}`], quiet)
  renameSync(`${KEPT}.${process.pid}`, KEPT)
}

/** @returns its path; the tests that need it are skipped without. */
export const ensurePromtool = () => {
  if (findPromtool() === undefined && has('apt-get') && has('dpkg-deb')) {
    console.error('Fetching promtool for the tests (once) …')
    const folder = mkdtempSync(join(tmpdir(), 'minaret-promtool-'))
    try {
      unpack(folder)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  const found = findPromtool()
  if (found === undefined)
    console.error('promtool not found: its test is skipped. On Debian it is in the package prometheus.')
  return found
}
