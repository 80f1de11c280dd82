// One approved app sends slow requests, eight at a time, in every way we could think of. Another app's small ones are still served.
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
/** The victim's known queries would otherwise be answered from memory. */
const asUsual = { ANSWER_CACHE_MB: '0', READ_CONNECTIONS: '4', ...patientLimits }
const { log, said } = keepLog()

const newApp = async (): Promise<Side> => {
  const { database } = minaret.service
  const scopes = ['masjid:read', 'members:read'] as const
  const app = await makeApp(database, { scopes })
  const { key } = await makeKey(database, { appId: app.id, scopes })
  return { url: `${minaret.baseUrl}/v1/graphql`, headers: { authorization: `Bearer ${key}` }, said }
}

before(async () => {
  minaret = await startTestMinaret(asUsual, { log })
  await addLargeTable(minaret.service.database, 'public')
  beside = await startTestMinaret({ ...asUsual, DATABASE_URL: minaret.databaseUrl }, { log })
  const victim = await newApp()
  sides = { attacker: await newApp(), victim, control: { ...victim, url: `${beside.baseUrl}/v1/graphql` } }
  await untilExposed(sides.victim)
  await untilExposed(sides.control)
})
after(async () => {
  await beside.stop()
  await minaret.stop()
})

const names: readonly SlowRequestsName[] = [
  'slow counts, each with its own alias',
  'slow counts by GET',
  'a statement that is quick with one variable and slow with the next',
  'many statements that start out quick and then turn slow',
  'offsets that skip all rows',
  'filters without an index',
  'batches of ten',
  'clients that close their connection immediately',
  'a flood of quick statements, all of them new',
  'statements that take slightly less than a trial',
  'statements over tables with people',
]

for (const name of names) test(name, () => assertNobodyStarves(sides, name))
