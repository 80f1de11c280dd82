// What `minaret serve` prints when ready: its addresses and, in development, what to try first.
import { DEMO_PASSWORD, type DemoUser, demoUsers } from '../accounts/demo-users.ts'
import type { Config } from '../config/config.ts'
import { type DemoApps, readDemoApps } from '../demo/demo-apps.ts'
import type { Addresses } from '../service/workers.ts'

const partOf = ({ isAdmin, isReviewer, isStaff }: DemoUser): string =>
  isAdmin ? 'admin' : isReviewer ? 'reviewer' : isStaff ? 'looks after a masjid, at /staff' : ''

const signIns = (): string => demoUsers.map(user => `  ${user.email.padEnd(24)}${partOf(user)}`.trimEnd()).join('\n')

const demo = ({ baseUrl }: Addresses, apps: DemoApps): string => `
Demo sign-ins (password ${DEMO_PASSWORD}):
${signIns()}

Demo apps:
  public        client_id ${apps.publicClientId}, returns to ${apps.publicRedirectUri}
  confidential  client_id ${apps.serverClientId}
                client_secret ${apps.serverClientSecret}

With an API key, donations by fund:
  curl ${baseUrl}/v1/graphql -H 'Authorization: Bearer ${apps.apiKey}' \\
    -H 'Content-Type: application/json' \\
    -d '{"query":"{ ua_donations(limit: 3, order_by: {received_at: desc}) { amount_minor currency fund } }"}'
`

export const summary = (addresses: Addresses, config: Config): string => {
  const apps = config.demoData ? readDemoApps(config.dataDir) : undefined
  return `
Minaret is ready.

  Service  ${addresses.baseUrl}
  Sandbox  ${addresses.sandboxUrl}
${addresses.metricsUrl === undefined ? '' : `  Metrics  ${addresses.metricsUrl}\n`}
Try it, no credential needed:
  curl ${addresses.sandboxUrl}/v1/graphql -H 'Content-Type: application/json' \\
    -d '{"query":"{ up_masjids(limit: 3) { id name city state } }"}'
${apps === undefined ? '' : demo(addresses, apps)}
Stop with Ctrl-C.
`
}
