// Installs what the tests of faults, of the cluster and of production run behind and with: balancers, a pooler, an archive, Patroni and etcd, from Debian's packages where possible.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { installFromDebian } from './debian-packages.mjs'

const programs = {
  'nginx-light': '/usr/sbin/nginx',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  pgbackrest: '/usr/bin/pgbackrest',
  patroni: '/usr/bin/patroni',
  'etcd-server': '/usr/bin/etcd',
  nftables: '/usr/sbin/nft',
  iproute2: '/usr/sbin/ip',
}
const POLICY = '/usr/sbin/policy-rc.d'

const missing = () => Object.keys(programs).filter(name => !existsSync(programs[name]))

/** Debian's packages would start their services; only the programs are needed. */
const installWithoutServices = () => {
  const isOurs = !existsSync(POLICY)
  if (isOurs) writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 })
  try {
    installFromDebian(`${missing().join(', ')} for tests and the cluster`, missing())
  } finally {
    if (isOurs) rmSync(POLICY)
  }
}

export const ensureFaultPrograms = () => {
  if (missing().length === 0) return
  if (process.getuid?.() === 0) installWithoutServices()
  if (missing().length > 0)
    console.error(
      `Not found: ${missing().join(', ')}. Tests that need them fail. On Debian: apt-get install ${missing().join(' ')}`,
    )
}
