// A clone on any Node from 20 on → installed packages and the pinned runtime. Plain JavaScript: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const projectFolder = fileURLToPath(new URL('..', import.meta.url))

const stamp = `${projectFolder}node_modules/.minaret-installed`

const lockfileHash = () =>
  createHash('sha256')
    .update(readFileSync(`${projectFolder}package-lock.json`))
    .digest('hex')

const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === lockfileHash()

/** Installs the packages of the lockfile, once. */
export const ensureInstalled = () => {
  if (isInstalled()) return
  console.error('Installing packages (once; this can take a minute) …')
  const hash = lockfileHash()
  // Not `npm ci`: that demands the optional packages of every platform, which a mirror need not have.
  const flags = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    '--include=dev',
    '--include=optional',
  ]
  const { status, error } = spawnSync('npm', flags, { cwd: projectFolder, stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    console.error(`npm could not install the packages${error ? `: ${error.message}` : ''}. Is the registry reachable?`)
    process.exit(1)
  }
  writeFileSync(stamp, hash)
}

/** The pinned Node, or this one if it is new enough to run TypeScript directly. */
export const runtimePath = () => {
  const pinned = `${projectFolder}node_modules/node-${process.platform}-${process.arch}/bin/node`
  if (existsSync(pinned)) return pinned
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  console.error(
    `Minaret brings its own Node for Linux on x64 and arm64. On ${process.platform} ${process.arch}, install Node 24 or later.`,
  )
  process.exit(1)
}
