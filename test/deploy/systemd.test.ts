// deploy/minaret.service: its settings are known, systemd accepts it, and its sandbox is tight.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { STOP_MS } from '../../src/commands/serve.ts'
import { temporaryFolder } from '../support/process.ts'
import { configOf, readDeployed, root, unknownSettings } from './settings.ts'

const unit = readDeployed('minaret.service')

const values = (name: string): string[] =>
  [...unit.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => String(value))

const environment = Object.fromEntries(values('Environment').map(pair => pair.split('='))) as Record<string, string>

test('its settings are known, its secrets are credentials, and it has time to drain', () => {
  assert.deepEqual(unknownSettings(environment), [])
  const credentials = values('LoadCredential').map(value => `%d/${value.split(':')[0]}`)
  const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'))
  assert.deepEqual(
    files.map(([, path]) => path),
    credentials,
  )
  const { drainSeconds } = configOf({ ...environment, BASE_URL: 'https://id.example.org' })
  assert.ok(Number(values('TimeoutStopSec')[0]) >= 2 * drainSeconds + STOP_MS / 1000)
})

test('a process that ended by itself is started again', () => {
  // bin/minaret exits with 1 if the service ended by a signal.
  assert.deepEqual(values('Restart'), ['on-failure'])
  // One that is stuck lives longer than 5 s: it never reaches the 5 starts in 10 s at which systemd gives up.
  assert.ok(Number(values('RestartSec')[0]) > 0)
})

test('its program exists in the project', () => {
  const [program = '', main = '', command] = values('ExecStart')[0]?.split(' ') ?? []
  assert.ok(existsSync(program.replace('/opt/minaret/', root)))
  assert.ok(existsSync(`${root}${main}`))
  assert.equal(command, 'serve')
})

const tool = '/usr/bin/systemd-analyze'
const skip = existsSync(tool) ? false : 'systemd-analyze is not installed.'

/** As systemd would find it, with the project where it is. */
const withUnit = (work: (file: string) => void): void => {
  const folder = temporaryFolder()
  try {
    const file = join(folder.path, 'minaret.service')
    writeFileSync(file, unit.replaceAll('/opt/minaret/', root).replace('=/opt/minaret\n', `=${root}\n`))
    work(file)
  } finally {
    folder.remove()
  }
}

test('systemd accepts it', { skip }, () =>
  withUnit(file => {
    const { status, stderr } = spawnSync(tool, ['verify', '--man=no', file], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.doesNotMatch(stderr, /minaret\.service/)
  }),
)

test('systemd accepts the nightly backup', { skip }, () =>
  withUnit(file => {
    const places = ['minaret-backup.service', 'minaret-backup.timer'].map(name => {
      const place = join(file, '..', name)
      writeFileSync(place, readDeployed(name))
      return place
    })
    const { status, stderr } = spawnSync(tool, ['verify', '--man=no', ...places], { encoding: 'utf8' })
    assert.equal(status, 0, stderr)
    assert.doesNotMatch(stderr, /minaret-backup/)
  }),
)

test('systemd rates its exposure as low', { skip }, () =>
  withUnit(file => {
    const { status, stdout, stderr } = spawnSync(tool, ['security', '--offline=true', '--threshold=20', file], {
      encoding: 'utf8',
    })
    assert.equal(status, 0, stdout + stderr)
  }),
)
