// A clone on any Node from 20 on → installed packages and the pinned runtime. Plain JavaScript: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chooseRuntime, refuseSystem } from './platform.mjs'

export const projectFolder = fileURLToPath(new URL('..', import.meta.url))

const runtimeIn = name => `${projectFolder}node_modules/${name}/bin/node`

const stamp = `${projectFolder}node_modules/.minaret-installed`

const lockfileHash = () =>
  createHash('sha256')
    .update(readFileSync(`${projectFolder}package-lock.json`))
    .digest('hex')

/** A folder that two systems share has the packages of only one of them. */
const installed = () => `${lockfileHash()} ${process.platform}-${process.arch}`

const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === installed()

const packagesIn = file => JSON.parse(readFileSync(`${projectFolder}${file}`, 'utf8')).packages

/** By npm alone, which notes what it has installed: every package that the service needs is there, in the version of the lockfile. */
const isInstalledByNpm = () => {
  if (!existsSync(`${projectFolder}node_modules/.package-lock.json`)) return false
  const there = packagesIn('node_modules/.package-lock.json')
  return Object.entries(packagesIn('package-lock.json')).every(
    ([path, { version, dev, optional, devOptional }]) =>
      path === '' || dev || optional || devOptional || there?.[path]?.version === version,
  )
}

const mayWrite = () => {
  const folder = [`${projectFolder}node_modules`, projectFolder].find(path => existsSync(path))
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** What is installed for a service, by whoever owns the folder: no program that runs as the service changes itself. */
const INSTALL = 'npm install --no-save --omit=dev --include=optional --ignore-scripts'

const refuseInstalling = why => {
  console.error(`The packages of this version are not installed, and ${why}.`)
  console.error(`As the owner of the folder, run: cd ${projectFolder} && ${INSTALL}`)
  process.exit(1)
}

/** Installs the packages of the lockfile, once. In production, and where nothing may be written, it says what to run instead. */
export const ensureInstalled = () => {
  if (isInstalled()) return
  const isProduction = process.env.NODE_ENV === 'production'
  if (isProduction || !mayWrite()) {
    if (isInstalledByNpm()) return
    refuseInstalling(isProduction ? 'nothing installs itself in production' : 'this user may not write there')
  }
  const refusal = refuseSystem(process.platform)
  if (refusal !== undefined) {
    console.error(refusal)
    process.exit(1)
  }
  console.error('Installing packages (once; this can take a minute) …')
  const done = installed()
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
  writeFileSync(stamp, done)
}

/** The pinned Node, or this one if it is new enough to run TypeScript directly. */
export const runtimePath = () => {
  const machine = { platform: process.platform, arch: process.arch, version: process.versions.node }
  const { packaged, own, refusal } = chooseRuntime(machine, name => existsSync(runtimeIn(name)))
  if (packaged !== undefined) return runtimeIn(packaged)
  if (own) return process.execPath
  console.error(refusal)
  process.exit(1)
}
