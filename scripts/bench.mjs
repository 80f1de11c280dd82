// `npm run bench`: installs the benchmark's own packages (once), then runs the suite on the pinned runtime.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { ensureInstalled, projectFolder, runtimePath } from './setup.mjs'

const folder = `${projectFolder}bench/`
const stamp = `${folder}node_modules/.minaret-installed`

const ensurePeers = () => {
  const hash = createHash('sha256')
    .update(readFileSync(`${folder}package-lock.json`))
    .digest('hex')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  console.error('Installing the peers to compare with (once; this can take a minute) …')
  const flags = ['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const { status } = spawnSync('npm', flags, { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) {
    console.error('npm could not install the peers. Is the registry reachable?')
    process.exit(1)
  }
  writeFileSync(stamp, hash)
}

ensureInstalled({ tools: true })
ensurePeers()
const child = spawn(runtimePath(), [`${folder}bench.ts`, ...process.argv.slice(2)], { stdio: 'inherit' })
process.on('SIGINT', () => undefined)
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(signal === null ? code : 1))
