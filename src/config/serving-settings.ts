// Where the service listens, how it is reached, and how its processes end.

import { noProxies } from '../base/trusted-proxies.ts'
import { httpAddress, ownHost } from './address-readers.ts'
import { choice, mode, onOff, trustedProxies, wholeNumber } from './readers.ts'
import { setting } from './setting.ts'

export const servingSettings = {
  mode: setting({
    name: 'NODE_ENV',
    fallback: 'development',
    shown: 'development',
    read: mode,
    meaning:
      '`production` turns on the rules for production: https, your own database and secret, secure cookies, no demo data. Anything else is development.',
  }),
  host: setting({
    name: 'HOST',
    fallback: undefined,
    shown: '127.0.0.1; in production 0.0.0.0',
    read: ownHost,
    meaning: 'The address both listeners bind.',
  }),
  port: setting({
    name: 'PORT',
    fallback: 3000,
    shown: '3000',
    read: wholeNumber(0, 65535),
    meaning: 'The port of the service; 0 picks a free one.',
  }),
  sandboxPort: setting({
    name: 'SANDBOX_PORT',
    fallback: 3001,
    shown: '3001',
    read: wholeNumber(0, 65535),
    meaning: 'The port of the sandbox; 0 picks a free one.',
  }),
  baseUrl: setting({
    name: 'BASE_URL',
    fallback: undefined,
    shown: 'http://localhost:PORT',
    read: httpAddress,
    meaning: 'The public URL of the service, and the issuer of every token. https in production.',
  }),
  sandboxUrl: setting({
    name: 'SANDBOX_URL',
    fallback: undefined,
    shown: 'http://localhost:SANDBOX_PORT',
    read: httpAddress,
    meaning: 'The public URL of the sandbox.',
  }),
  trustedProxies: setting({
    name: 'TRUST_PROXY',
    fallback: noProxies,
    shown: 'off',
    read: trustedProxies,
    meaning:
      'The proxies whose `X-Forwarded-For` and `X-Request-Id` are trusted, so that limits count clients and not the proxy: a number of proxies in front (`on` is 1), or their addresses and networks separated by commas, such as `10.0.0.0/8, 2001:db8::/32`. The header is read from the right. Networks are safer if clients can bypass the proxy and reach this port.',
  }),
  workers: setting({
    name: 'WORKERS',
    fallback: 1,
    shown: '1',
    read: wholeNumber(1, 64),
    meaning: 'The number of processes on this machine.',
  }),
  drainSeconds: setting({
    name: 'DRAIN_SECONDS',
    fallback: undefined,
    shown: '0; in production 10',
    read: wholeNumber(0, 600),
    meaning:
      'How long the process goes on answering after SIGTERM, while `/readyz` fails and every response closes its connection: long enough for balancers to notice. Ctrl-C never drains.',
  }),
  keepAliveSeconds: setting({
    name: 'KEEP_ALIVE_SECONDS',
    fallback: 65,
    shown: '65',
    read: wholeNumber(1, 3600),
    meaning:
      'How long an idle connection is kept open. Longer than the balancer in front keeps its own (60 seconds in nginx and most others), or it would send requests on connections that are being closed.',
  }),
  plainConnections: setting({
    name: 'PLAIN_CONNECTIONS',
    fallback: true,
    shown: 'on',
    read: onOff,
    meaning:
      "Whether plain `POST /v1/graphql` requests are read ahead of Node's HTTP server, which gives a higher throughput. If off, Node's server reads everything.",
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    fallback: 'info',
    shown: 'info',
    read: choice('silent', 'error', 'warn', 'info', 'debug'),
    meaning: 'The lowest level that is logged.',
  }),
}
