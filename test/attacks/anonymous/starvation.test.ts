// Someone without a credential sends slow requests to the sandbox, eight at a time. Small ones from other addresses, and
// those to the live endpoint, are still served.
import { after, before, test } from 'node:test'
import { makeApp, makeKey } from '../../support/apps.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import type { SlowRequestsName } from '../slow-requests.ts'
import {
  addLargeTable,
  assertNobodyStarves,
  keepLog,
  patientLimits,
  type Side,
  type Sides,
  untilExposed,
} from '../starvation.ts'

let minaret: TestMinaret
let beside: TestMinaret
let sides: Sides
let live: Pick<Sides, 'victim' | 'control'>
const asUsual = { TRUST_PROXY: 'on', READ_CONNECTIONS: '4', ...patientLimits }
const { log, said } = keepLog()

before(async () => {
  minaret = await startTestMinaret(asUsual, { log })
  const { database } = minaret.service
  await addLargeTable(database, 'public')
  await addLargeTable(database, 'sandbox')
  beside = await startTestMinaret({ ...asUsual, DATABASE_URL: minaret.databaseUrl }, { log })
  const at = (base: string, headers: Side['headers']): Side => ({ url: `${base}/v1/graphql`, headers, said })
  const address = { 'x-forwarded-for': '203.0.113.1' }
  sides = {
    attacker: at(minaret.sandboxUrl, {}),
    victim: at(minaret.sandboxUrl, address),
    control: at(beside.sandboxUrl, address),
  }
  const { key } = await makeKey(database, { appId: (await makeApp(database)).id })
  const credential = { authorization: `Bearer ${key}` }
  live = { victim: at(minaret.baseUrl, credential), control: at(beside.baseUrl, credential) }
  for (const side of [sides.victim, sides.control, live.victim, live.control]) await untilExposed(side)
})
after(async () => {
  await beside.stop()
  await minaret.stop()
})

const names: readonly SlowRequestsName[] = [
  'slow counts, each with its own alias',
  'a statement that is quick with one variable and slow with the next',
  'clients that close their connection immediately',
  'a flood of quick statements, all of them new',
]

for (const name of names) test(name, () => assertNobodyStarves(sides, name))

test('slow counts from fifty addresses', () =>
  assertNobodyStarves({ ...sides, addresses: 50 }, 'slow counts, each with its own alias'))

test('slow counts to the sandbox, and an app at the live endpoint', () =>
  assertNobodyStarves({ ...sides, ...live }, 'slow counts, each with its own alias'))
