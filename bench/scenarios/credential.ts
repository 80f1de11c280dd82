// The cost of checking a credential, relative to everything the service does for a small request.
import pino from 'pino'
import { likelyBearer } from '../../src/access/bearer.ts'
import { createAccess } from '../../src/access/create-access.ts'
import { createVerifyKeys } from '../../src/access/verify-keys.ts'
import { systemClock } from '../../src/base/clock.ts'
import { openDatabase } from '../../src/db/database.ts'
import { openListener } from '../../src/db/listener.ts'
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { formRequest } from '../load/request.ts'
import { httpContender, jobFor } from '../measure/http-contender.ts'
import type { Figures } from '../measure/rounds.ts'
import { median, medianInterval } from '../measure/statistics.ts'
import { isChosen } from '../options.ts'
import type { Reading } from '../report/bars.ts'
import { type Minaret, startMinaret } from '../servers/minaret.ts'
import { ANSWER_START, randomly } from './graphql-requests.ts'
import { questions } from './questions.ts'

const CHECKS = 500_000

/** CPU seconds of 1,000 checks in this process, done as the service does them: header in, grant out. */
const timeChecks = async (bench: Bench, credentials: readonly string[]): Promise<readonly number[]> => {
  const log = pino({ level: 'silent' })
  const database = openDatabase(bench.database, { poolSize: 2, log })
  const listener = await openListener(bench.database, log)
  const verifyKeys = await createVerifyKeys(database, listener)
  const issuer = String(bench.environment.BASE_URL)
  const access = await createAccess({
    database,
    listener,
    log,
    clock: systemClock,
    issuer,
    sandboxUrl: `${issuer}/sandbox`,
    secret: 'of no use here: no proof is checked',
    verifyKeys,
  })
  const costs: number[] = []
  const check = (header: string): void => {
    if (access.recognise(likelyBearer(header) ?? '') === undefined)
      throw new Error('A good credential was not recognised.')
  }
  for (const credential of credentials) {
    await access.authenticate(credential)
    const header = `Bearer ${credential}`
    for (let count = 0; count < CHECKS / 10; count += 1) check(header)
    const before = process.cpuUsage()
    for (let count = 0; count < CHECKS; count += 1) check(header)
    const { user, system } = process.cpuUsage(before)
    costs.push((user + system) / 1e6 / (CHECKS / 1000))
  }
  await access.close()
  await listener.close()
  await database.close()
  return costs
}

const fetchToken = async ({ machinery, tenants }: Bench, minaret: Minaret): Promise<string> => {
  const { clientId, secret } = tenants.confidential
  const authorization = `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`
  const request = formRequest('/api/oauth/token', { grant_type: 'client_credentials' }, { authorization })
  const changes = { collect: 'access_token', connections: 1, most: 1 }
  const outcome = await machinery.generator.run(jobFor(minaret.port, { kind: 'once', requests: [request] }, changes))
  return outcome.collected[0] ?? ''
}

const asReading = (name: string, what: string, check: number, figures: Figures | undefined): Reading => {
  const shares = (figures?.rounds ?? []).map(({ serverCpu }) => (check / serverCpu) * 100)
  return {
    name: `credential.${name}`,
    title: `Checking ${what}, as a share of the service's CPU for one masjid by key`,
    value: median(shares),
    interval: medianInterval(shares),
    unit: '%',
    note: `${(check * 1000).toFixed(2)} µs a check, ${((figures?.serverCpu ?? 0) * 1000).toFixed(0)} µs a request`,
  }
}

export const credentialGroup: Group = {
  name: 'credential',
  run: async bench => {
    if (!isChosen('credential', bench.options)) return nothingFound
    return withServers(async started => {
      const minaret = await started(startMinaret(bench.environment))
      const question = questions(bench.sizes).find(({ name }) => name === 'graphql.by-key')
      if (question === undefined) return nothingFound
      const credentials = [bench.tenants.key, await fetchToken(bench, minaret)]
      const contenders = ['an API key', 'an access token'].map((name, index) => {
        const asked = { ...question, path: '/v1/graphql', credential: credentials[index] ?? '' }
        return httpContender(bench.machinery, {
          name,
          server: minaret,
          source: randomly(asked),
          bodyStart: ANSWER_START,
        })
      })
      const title = 'One masjid by key, with either credential'
      const results = await measureChosen(bench, [{ name: 'credential', title, contenders }])
      const [key = 0, token = 0] = await timeChecks(bench, credentials)
      const [withKey, withToken] = results[0]?.figures ?? []
      const readings = [
        asReading('key', 'an API key', key, withKey),
        asReading('token', 'an access token', token, withToken),
      ]
      return { results, readings }
    })
  },
}
