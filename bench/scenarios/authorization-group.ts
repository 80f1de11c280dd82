// Starts the authorization servers side by side, measures and stops them.
import { type Group, measureChosen, withServers } from '../bench-frame.ts'
import { peakMemoryOf } from '../measure/process-usage.ts'
import { OIDC_MEMORY, OIDC_POSTGRESQL, SIGNING_LIMIT } from '../report/bars.ts'
import { startMinaret } from '../servers/minaret.ts'
import { startPeer } from '../servers/server.ts'
import { authorizationScenarios } from './authorization.ts'
import { minaretIssuer, oidcIssuer } from './issuer.ts'
import { signInReadings } from './sign-in.ts'

export const authorizationGroup: Group = {
  name: 'authorization',
  run: bench =>
    withServers(async started => {
      const { machinery, database, tenants, environment } = bench
      const { secret } = tenants.confidential
      const settings = { secret, userId: tenants.userId }
      const file = './oidc-provider.ts'
      const minaret = await started(startMinaret(environment))
      const memory = await started(startPeer({ name: OIDC_MEMORY, file, settings }))
      const stored = await started(
        startPeer({ name: OIDC_POSTGRESQL, file, settings: { ...settings, connection: database } }),
      )
      const limit = await started(startPeer({ name: SIGNING_LIMIT, file: './signing-limit.ts', settings: {} }))
      const issuers = [
        minaretIssuer(minaret, database, tenants),
        oidcIssuer(memory, secret),
        oidcIssuer(stored, secret),
      ]
      const results = await measureChosen(bench, authorizationScenarios(machinery, issuers, limit))
      const value = peakMemoryOf(minaret.pid)
      const title = 'Memory of Minaret under the load of the authorization scenarios, at its peak'
      const signIns = await signInReadings(bench, minaret)
      return { results, readings: [...signIns, { name: 'memory.authorization', title, value, unit: 'MiB' }] }
    }),
}
