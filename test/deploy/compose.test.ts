// deploy/compose.yaml and compose-cluster.yaml name only settings, files, secrets and ports that exist, and their services would start.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { splitHosts } from '../../src/base/split-hosts.ts'
import { STOP_MS } from '../../src/commands/serve.ts'
import { readConfig } from '../../src/config/config.ts'
import { temporaryFolder } from '../support/process.ts'
import { configOf, readDeployed, root, unknownSettings } from './settings.ts'

interface Service {
  readonly image: string
  readonly build?: string | { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly secrets?: readonly string[]
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly depends_on?: Readonly<Record<string, unknown>> | readonly string[]
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
  readonly init?: boolean
  readonly restart?: string
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
  readonly volumes: Readonly<Record<string, unknown>>
}

/** `${NAME:-default}` → default. */
const withDefaults = (environment: Readonly<Record<string, string>> = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [name, value.replace(/^\$\{\w+:-(.*)\}$/, '$1')]),
  )

const files = ['compose.yaml', 'compose-cluster.yaml'] as const

const read = (file: string): Compose => parse(readDeployed(file), { merge: true })

for (const file of files)
  describe(file, () => {
    const { services, secrets, volumes } = read(file)
    const instances = Object.values(services).filter(({ image }) => image === 'minaret')

    test('two instances, whose environment is valid and has no unknown setting', () => {
      assert.equal(instances.length, 2)
      for (const { environment, build } of instances) {
        assert.deepEqual(unknownSettings(environment ?? {}), [])
        const config = configOf(withDefaults(environment))
        assert.equal(config.mode, 'production')
        assert.equal(config.databaseReadUrls.length, 1)
        const { context, dockerfile } = typeof build === 'object' ? build : { context: '', dockerfile: '' }
        assert.ok(existsSync(join(root, 'deploy', context, dockerfile)))
      }
    })

    test('instances have no rights, a read-only root, and time to drain', () => {
      for (const { environment, read_only, cap_drop, stop_grace_period } of instances) {
        assert.deepEqual([read_only, cap_drop], [true, ['ALL']])
        const { drainSeconds } = configOf(withDefaults(environment))
        assert.ok(Number.parseInt(stop_grace_period ?? '', 10) >= 2 * drainSeconds + STOP_MS / 1000)
      }
    })

    test('an instance that ended by itself is started again', () => {
      for (const { init, restart } of instances) assert.deepEqual([init, restart], [true, 'unless-stopped'])
    })

    test('mounted files, volumes, secrets and services exist', () => {
      for (const [name, service] of Object.entries(services)) {
        for (const volume of service.volumes ?? []) {
          const [source = ''] = volume.split(':')
          assert.ok(source in volumes || existsSync(join(root, 'deploy', source)), `${name}: ${source}`)
        }
        for (const secret of service.secrets ?? []) assert.ok(secret in secrets, `${name}: ${secret}`)
        for (const path of Object.values(service.environment ?? {}).filter(value => value.startsWith('/run/secrets/')))
          assert.ok(service.secrets?.includes(path.slice('/run/secrets/'.length)), `${name}: ${path}`)
        const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {})
        for (const other of needed) assert.ok(other in services, `${name}: ${other}`)
      }
    })

    test('the proxy leads its ports to the instances', () => {
      const { port, sandboxPort } = readConfig({})
      const configuration = readDeployed('compose/nginx.conf')
      const upstreams = [...configuration.matchAll(/^\s*server (\w+):(\d+)/gm)].map(
        ([, host, number]) => `${host}:${number}`,
      )
      assert.deepEqual(upstreams, [`one:${port}`, `two:${port}`, `one:${sandboxPort}`, `two:${sandboxPort}`])
      const listening = [...configuration.matchAll(/^\s*listen (\d+);/gm)].map(([, number]) => number)
      assert.deepEqual(
        services.proxy?.ports?.map(mapping => mapping.split(':')[1]),
        listening,
      )
    })
  })

test("nginx accepts the proxy's configuration", {
  skip: !existsSync('/usr/sbin/nginx') && 'nginx is not installed.',
}, () => {
  const folder = temporaryFolder()
  try {
    // The names of the instances only resolve within the network of compose.
    const text = readDeployed('compose/nginx.conf').replaceAll(/server (one|two):/g, 'server 127.0.0.1:')
    const place = join(folder.path, 'nginx.conf')
    execFileSync('sh', ['-c', 'cat > "$1"', 'sh', place], {
      input: text.replaceAll('/tmp/', `${folder.path}/`).replace('/run/', `${folder.path}/`),
    })
    execFileSync('/usr/sbin/nginx', ['-t', '-q', '-c', place, '-e', join(folder.path, 'error.log')])
  } finally {
    folder.remove()
  }
})

test('make-secrets writes every secret once, and the instances accept them', () => {
  const folder = temporaryFolder()
  const secrets = Object.assign({}, ...files.map(file => read(file).secrets)) as Compose['secrets']
  try {
    cpSync(`${root}deploy/compose/make-secrets`, join(folder.path, 'make-secrets'))
    const run = (): Record<string, string> => {
      execFileSync(join(folder.path, 'make-secrets'))
      return Object.fromEntries(
        Object.entries(secrets).map(([name, { file }]) => [
          name,
          readFileSync(join(folder.path, file.replace('./compose/', '')), 'utf8'),
        ]),
      )
    }
    const first = run()
    assert.deepEqual(run(), first, 'existing secrets are kept')
    assert.equal(statSync(join(folder.path, 'secrets')).mode & 0o777, 0o700)
    const config = readConfig({
      NODE_ENV: 'production',
      BASE_URL: 'https://id.example.org',
      DATABASE_URL: first.database_url,
      DATABASE_READ_URL: first.database_read_url,
      MINARET_SECRET: first.minaret_secret,
    })
    assert.equal(new URL(String(config.databaseUrl)).hostname, 'primary')
    assert.equal(new URL(String(config.databaseReadUrls[0])).hostname, 'replica')
    const cluster = { DATABASE_URL: first.cluster_url, DATABASE_READ_URL: first.cluster_read_url }
    const { databaseUrl, databaseReadUrls } = readConfig({ MINARET_SECRET: first.minaret_secret, ...cluster })
    assert.deepEqual(
      splitHosts(String(databaseUrl)).map(url => new URL(url).host),
      ['db1:5432', 'db2:5432', 'db3:5432'],
    )
    assert.deepEqual(databaseReadUrls, splitHosts(String(databaseUrl)))
  } finally {
    folder.remove()
  }
})
