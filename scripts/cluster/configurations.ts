// The hosts → the configuration of each program, as an operator would write it for so small a cluster.
import { addresses, type DatabaseHost, databases, keepers, ports, type ServiceHost, services } from './hosts.ts'

const PROGRAMS = '/usr/lib/postgresql/15/bin'

/** Made for each cluster, and known to its hosts alone. */
export interface Passwords {
  readonly superuser: string
  readonly replicator: string
  readonly owner: string
  readonly secret: string
}

const listOf = (names: readonly (keyof typeof addresses)[], port: number, scheme = ''): string =>
  names.map(name => `${scheme}${addresses[name]}:${port}`).join(',')

/** Slower than the defaults, so that a busy machine is not taken for one that has died. */
export const etcdWords = (name: (typeof keepers)[number], folder: string): readonly string[] => {
  const own = addresses[name]
  const all = keepers.map(one => `${one}=http://${addresses[one]}:${ports.etcdPeers}`).join(',')
  return [
    'etcd',
    ...['--name', name, '--data-dir', `${folder}/etcd`, '--initial-cluster', all],
    ...['--listen-peer-urls', `http://${own}:${ports.etcdPeers}`],
    ...['--initial-advertise-peer-urls', `http://${own}:${ports.etcdPeers}`],
    ...['--listen-client-urls', `http://${own}:${ports.etcd}`],
    ...['--advertise-client-urls', `http://${own}:${ports.etcd}`],
    ...['--heartbeat-interval', '300', '--election-timeout', '3000', '--log-level', 'warn'],
  ]
}

/** How soon a leader that is silent is replaced, in seconds: `ttl` at most, which is twice `retry_timeout` and `loop_wait` at least. */
const timing = { ttl: 30, loopWait: 5, retryTimeout: 10 } as const

export const patroniConfiguration = (name: DatabaseHost, folder: string, passwords: Passwords): string => `
scope: minaret
name: ${name}
restapi:
  listen: ${addresses[name]}:${ports.patroni}
  connect_address: ${addresses[name]}:${ports.patroni}
etcd3:
  hosts: ${listOf(keepers, ports.etcd)}
bootstrap:
  dcs:
    ttl: ${timing.ttl}
    loop_wait: ${timing.loopWait}
    retry_timeout: ${timing.retryTimeout}
    maximum_lag_on_failover: 1048576
    # Without a standby that confirms, nothing is acknowledged.
    synchronous_mode: true
    synchronous_mode_strict: true
    postgresql:
      use_pg_rewind: true
      use_slots: true
      parameters:
        max_connections: 200
        shared_buffers: 16MB
        max_wal_size: 128MB
        min_wal_size: 32MB
        # A replica that is gone for long is copied anew rather than filling this disk.
        max_slot_wal_keep_size: 256MB
        wal_log_hints: 'on'
        hot_standby: 'on'
        # A connection to a leader that is gone ends soon.
        wal_sender_timeout: 5s
        wal_receiver_timeout: 5s
        tcp_user_timeout: 5s
  initdb:
    - encoding: UTF8
    - locale: C.UTF-8
  pg_hba:
    - local all all peer
    - host replication replicator 10.77.0.0/24 scram-sha-256
    - host all all 10.77.0.0/24 scram-sha-256
postgresql:
  listen: ${addresses[name]}:${ports.postgres}
  connect_address: ${addresses[name]}:${ports.postgres}
  use_unix_socket: true
  data_dir: ${folder}/data
  bin_dir: ${PROGRAMS}
  pgpass: ${folder}/pgpass
  basebackup:
    - checkpoint: fast
  parameters:
    unix_socket_directories: ${folder}
  authentication:
    superuser:
      username: postgres
      password: ${passwords.superuser}
    replication:
      username: replicator
      password: ${passwords.replicator}
    rewind:
      username: postgres
      password: ${passwords.superuser}
`

/** A leader that is one no more is left at once, with every connection to it. */
export const haproxyConfiguration = (): string => `
global
  maxconn 1000
defaults
  mode tcp
  timeout connect 2s
  timeout client 30m
  timeout server 30m
  timeout check 2s
  retries 2
${[
  { name: 'leader', path: '/primary', port: ports.leader },
  { name: 'replicas', path: '/replica', port: ports.replicas },
]
  .map(
    ({ name, path, port }) => `
listen ${name}
  bind ${addresses.balancer}:${port}
  option httpchk OPTIONS ${path}
  http-check expect status 200
  default-server inter 500ms fastinter 250ms fall 2 rise 1 on-marked-down shutdown-sessions
${databases.map(host => `  server ${host} ${addresses[host]}:${ports.postgres} check port ${ports.patroni}`).join('\n')}`,
  )
  .join('\n')}
`

/** After a failover it tries again within a second; by default it would wait for 15. */
export const pgbouncerConfiguration = (folder: string): string => `
[databases]
minaret = host=${addresses.balancer} port=${ports.leader}
[pgbouncer]
listen_addr = ${addresses.balancer}
listen_port = ${ports.pgbouncer}
unix_socket_dir =
pool_mode = transaction
auth_type = scram-sha-256
auth_file = ${folder}/users
max_client_conn = 200
default_pool_size = 20
server_login_retry = 1
server_connect_timeout = 2
query_wait_timeout = 10
logfile = ${folder}/pgbouncer.log
`

const server = (port: number, upstream: string): string => `
  upstream ${upstream} {
    ${services.map(one => `server ${addresses[one]}:${upstream === 'service' ? ports.service : ports.sandbox} max_fails=1 fail_timeout=1s;`).join('\n    ')}
    keepalive 16;
  }
  server {
    listen ${addresses.edge}:${port};
    client_max_body_size 16m;
    location / {
      proxy_pass http://${upstream};
      proxy_http_version 1.1;
      proxy_connect_timeout 1s;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_header;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
    }
  }`

export const nginxConfiguration = (folder: string): string => `
daemon off;
user root;
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events { worker_connections 512; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  map $http_upgrade $connection_header {
    default upgrade;
    '' '';
  }
${server(80, 'service')}
${server(81, 'sandbox')}
}
`

const urlAt = (places: string, { owner }: Passwords): string => `postgres://minaret:${owner}@${places}/minaret`

/** The two ways to the leader that Minaret supports: it looks for it itself, or a balancer does. */
const ways = (passwords: Passwords): Readonly<Record<ServiceHost, Readonly<Record<string, string>>>> => ({
  app1: { DATABASE_URL: urlAt(listOf(databases, ports.postgres), passwords) },
  app2: {
    DATABASE_URL: urlAt(`${addresses.balancer}:${ports.pgbouncer}`, passwords),
    DATABASE_LISTEN_URL: urlAt(`${addresses.balancer}:${ports.leader}`, passwords),
  },
})

interface Serving {
  readonly passwords: Passwords
  readonly baseUrl: string
  readonly sandboxUrl: string
}

export const serviceSettings = (name: ServiceHost, { passwords, baseUrl, sandboxUrl }: Serving) => ({
  HOST: addresses[name],
  PORT: String(ports.service),
  SANDBOX_PORT: String(ports.sandbox),
  BASE_URL: baseUrl,
  SANDBOX_URL: sandboxUrl,
  MINARET_SECRET: passwords.secret,
  TRUST_PROXY: '10.77.0.0/24',
  ...ways(passwords)[name],
  // Each host by itself, never a balancer: the one that is the leader now answers reads like the others.
  DATABASE_READ_URL: databases.map(host => urlAt(`${addresses[host]}:${ports.postgres}`, passwords)).join(','),
})
