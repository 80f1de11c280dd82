// A clone on any Node from 20 on → installed packages and the pinned runtime. Plain JavaScript: it runs before anything is installed.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chooseRuntime, refuseSystem } from './platform.mjs'

export const projectFolder = fileURLToPath(new URL('..', import.meta.url))

const runtimeIn = name => `${projectFolder}node_modules/${name}/bin/node`

const stamp = `${projectFolder}node_modules/.minaret-installed`

/** A folder that two systems share has the packages of only one of them. */
const lockfileHere = () => {
  const hash = createHash('sha256').update(readFileSync(`${projectFolder}package-lock.json`))
  return `${hash.digest('hex')} ${process.platform}-${process.arch}`
}

/** What was installed last: of which lockfile, where, and whether with the tools of development. */
const stamped = () => {
  const [hash, place, extent] = existsSync(stamp) ? readFileSync(stamp, 'utf8').split(' ') : []
  return { of: `${hash} ${place}`, hasTools: extent === 'all' }
}

const packagesIn = file => JSON.parse(readFileSync(`${projectFolder}${file}`, 'utf8')).packages

/** By npm alone, which notes what it has installed: every package that is needed is there, in the version of the lockfile. */
const isInstalledByNpm = tools => {
  if (!existsSync(`${projectFolder}node_modules/.package-lock.json`)) return false
  const there = packagesIn('node_modules/.package-lock.json')
  return Object.entries(packagesIn('package-lock.json')).every(
    ([path, { version, dev, optional, devOptional }]) =>
      path === '' || (dev && !tools) || optional || devOptional || there?.[path]?.version === version,
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

/**
 * What running needs, or the tools of development too. Not `npm ci`: that demands the optional packages of every platform, which
 * a mirror need not have.
 */
const installing = tools => [
  'install',
  '--no-save',
  tools ? '--include=dev' : '--omit=dev',
  '--include=optional',
  ...(tools ? [] : ['--ignore-scripts']),
]

/** No program that runs as the service changes itself: whoever owns the folder installs. */
const refuseInstalling = (why, tools) => {
  console.error(`The packages of this version are not installed, and ${why}.`)
  console.error(`As the owner of the folder, run: cd ${projectFolder} && npm ${installing(tools).join(' ')}`)
  process.exit(1)
}

const install = tools => {
  console.error(`Installing packages${tools ? ' for checks and tests' : ''} (once; this can take a minute) …`)
  const started = performance.now()
  const flags = [...installing(tools), '--no-audit', '--no-fund', '--loglevel=error']
  const { status, error } = spawnSync('npm', flags, { cwd: projectFolder, stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    console.error(`npm could not install the packages${error ? `: ${error.message}` : ''}. Is the registry reachable?`)
    process.exit(1)
  }
  console.error(`Installed in ${Math.round((performance.now() - started) / 1000)} s.`)
}

/**
 * Installs packages of the lockfile, once: what running needs, and with `tools` what checks, tests and benchmarks need besides.
 * In production, and where nothing may be written, it says what to run instead.
 */
export const ensureInstalled = ({ tools = false } = {}) => {
  const here = lockfileHere()
  const before = stamped()
  if (before.of === here && (before.hasTools || !tools)) return
  const isProduction = process.env.NODE_ENV === 'production'
  if (isProduction || !mayWrite()) {
    if (isInstalledByNpm(tools)) return
    refuseInstalling(isProduction ? 'nothing installs itself in production' : 'this user may not write there', tools)
  }
  const refusal = refuseSystem(process.platform)
  if (refusal !== undefined) {
    console.error(refusal)
    process.exit(1)
  }
  // Who has the tools keeps them: npm would take them away.
  const withTools = tools || before.hasTools
  install(withTools)
  writeFileSync(stamp, `${here} ${withTools ? 'all' : 'run'}`)
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
