// The test hosts of the cluster: their names, and their addresses on a network that only they see.

export const databases = ['db1', 'db2', 'db3'] as const
export const keepers = ['etcd1', 'etcd2', 'etcd3'] as const
export const services = ['app1', 'app2'] as const

export type DatabaseHost = (typeof databases)[number]
export type ServiceHost = (typeof services)[number]
export type Host = DatabaseHost | ServiceHost | (typeof keepers)[number] | 'balancer' | 'edge'

/** Of what connects them, where everything from outside comes in. */
export const gateway = '10.77.0.1'

export const addresses: Readonly<Record<Host, string>> = {
  db1: '10.77.0.11',
  db2: '10.77.0.12',
  db3: '10.77.0.13',
  etcd1: '10.77.0.21',
  etcd2: '10.77.0.22',
  etcd3: '10.77.0.23',
  app1: '10.77.0.31',
  app2: '10.77.0.32',
  /** haproxy, and behind it pgbouncer. */
  balancer: '10.77.0.41',
  /** nginx. */
  edge: '10.77.0.51',
}

export const hosts = Object.keys(addresses) as Host[]

/** What a host listens on. */
export const ports = {
  postgres: 5432,
  /** Patroni's REST. */
  patroni: 8008,
  etcd: 2379,
  etcdPeers: 2380,
  /** haproxy: whoever is the leader, and any replica. */
  leader: 5000,
  replicas: 5001,
  pgbouncer: 6432,
  service: 3000,
  sandbox: 3001,
} as const
