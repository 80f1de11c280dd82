// The databases of deploy/: Patroni and haproxy accept their configuration, which is what the tests of the cluster run with; and the
// resources of Kubernetes agree with each other.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { haproxyConfiguration, patroniConfiguration } from '../../scripts/cluster/configurations.ts'
import { readConfig } from '../../src/config/config.ts'
import { temporaryFolder } from '../support/process.ts'
import { readDeployed, root } from './settings.ts'

const passwords = { superuser: 'one', replicator: 'two', owner: 'three', secret: 'four' }

const dcsOf = (text: string) => parse(text).bootstrap.dcs

test('Patroni promises what the cluster of the tests does', () => {
  const deployed = dcsOf(readDeployed('cluster/patroni.yml'))
  const tested = dcsOf(patroniConfiguration('db1', '/folder', passwords))
  const { max_connections, wal_log_hints, wal_sender_timeout, wal_receiver_timeout, tcp_user_timeout } =
    tested.postgresql.parameters
  for (const name of ['synchronous_mode', 'synchronous_mode_strict', 'maximum_lag_on_failover'])
    assert.equal(deployed[name], tested[name], name)
  for (const [name, value] of Object.entries({
    max_connections,
    wal_log_hints,
    wal_sender_timeout,
    wal_receiver_timeout,
    tcp_user_timeout,
  }))
    assert.equal(deployed.postgresql.parameters[name], value, name)
  for (const { ttl, loop_wait, retry_timeout } of [deployed, tested]) assert.ok(ttl >= loop_wait + 2 * retry_timeout)
})

test('what the scripts of the image are told, they are given', () => {
  const image = readDeployed('cluster/Dockerfile')
  for (const name of ['start-patroni', 'create-owner', 'patroni.yml'])
    assert.ok(image.includes(name) && existsSync(`${root}deploy/cluster/${name}`), name)
  for (const name of ['start-patroni', 'create-owner']) execFileSync('sh', ['-n', `${root}deploy/cluster/${name}`])
  const { services } = parse(readDeployed('compose-cluster.yaml'), { merge: true })
  const asked = [...readDeployed('cluster/start-patroni').matchAll(/\/run\/secrets\/(\w+)/g)].map(([, name]) => name)
  for (const host of ['db1', 'db2', 'db3']) {
    assert.deepEqual([...services[host].secrets].sort(), [...new Set(asked)].sort())
    assert.equal(services[host].environment.NODE, host)
    assert.ok(readDeployed('cluster/haproxy.cfg').includes(`server ${host} ${host}:5432 check port 8008`))
  }
})

test('haproxy accepts both configurations', {
  skip: !existsSync('/usr/sbin/haproxy') && 'haproxy is not installed.',
}, () => {
  const folder = temporaryFolder()
  const file = join(folder.path, 'haproxy.cfg')
  try {
    for (const text of [readDeployed('cluster/haproxy.cfg'), haproxyConfiguration()]) {
      writeFileSync(file, text)
      const { status, stderr } = spawnSync('/usr/sbin/haproxy', ['-c', '-f', file])
      assert.equal(status, 0, String(stderr))
    }
  } finally {
    folder.remove()
  }
})

test('Kubernetes: an owner who may create roles, and a name for each server', () => {
  // biome-ignore lint/suspicious/noExplicitAny: documents of many kinds, each checked by what is expected of it
  const read = (name: string): any => parse(readDeployed(`kubernetes-database/${name}`))
  const listed: string[] = read('kustomization.yaml').resources
  const files = readdirSync(`${root}deploy/kubernetes-database`).filter(name => name !== 'kustomization.yaml')
  assert.deepEqual([...listed].sort(), files.sort())
  const { apiVersion, kind, metadata, spec } = read('cluster.yaml')
  assert.deepEqual([apiVersion, kind], ['postgresql.cnpg.io/v1', 'Cluster'])
  const { database, owner, secret } = spec.bootstrap.initdb
  const [role] = spec.managed.roles
  assert.deepEqual([role.name, role.createrole, role.passwordSecret.name], [owner, true, secret.name])
  assert.deepEqual(spec.postgresql.synchronous, { method: 'any', number: 1, dataDurability: 'required' })
  const { items } = read('instances.yaml')
  const names = Array.from({ length: spec.instances }, (_, index) => `${metadata.name}-${index + 1}`)
  assert.deepEqual(
    items.map(({ metadata: { name }, spec: { selector } }: (typeof items)[number]) => [name, selector]),
    names.map(name => [name, { 'cnpg.io/instanceName': name }]),
  )
  const [url = ''] = /postgres:\S+/.exec(readDeployed('kubernetes-database/kustomization.yaml')) ?? []
  const { databaseUrl } = readConfig({ DATABASE_URL: url })
  const { hostname, pathname, username } = new URL(String(databaseUrl))
  assert.deepEqual([hostname, pathname, username], [`${metadata.name}-rw`, `/${database}`, owner])
})
