// What the cluster needs of this machine; says what is missing, and how it gets there.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const programs = {
  '/usr/bin/patroni': 'patroni',
  '/usr/bin/etcd': 'etcd-server',
  '/usr/sbin/haproxy': 'haproxy',
  '/usr/sbin/pgbouncer': 'pgbouncer',
  '/usr/sbin/nginx': 'nginx-light',
  '/usr/sbin/nft': 'nftables',
  '/usr/sbin/ip': 'iproute2',
  '/usr/lib/postgresql/15/bin/postgres': 'postgresql-15',
}

const canUnshare = (): boolean =>
  spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'true'], { stdio: 'ignore' }).status === 0

/** @throws with what is missing. */
export const requireMachine = (): void => {
  if (!canUnshare()) throw new Error('The cluster takes root on Linux: its hosts are network namespaces.')
  const missing = Object.entries(programs).flatMap(([path, name]) => (existsSync(path) ? [] : [name]))
  if (missing.length > 0) throw new Error(`Not installed. On Debian as root: apt-get install ${missing.join(' ')}`)
}
