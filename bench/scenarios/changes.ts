// What the change log costs: a bare update by SQL, and a mutation with audit and `returning`, each with and without the log.
import type pg from 'pg'
import { type Bench, type Group, measureChosen, nothingFound, withServers } from '../bench-frame.ts'
import { connect } from '../data/connect.ts'
import { createNotices, NOTICE_COUNT, NOTICES } from '../data/notices.ts'
import { httpContender } from '../measure/http-contender.ts'
import type { Contender, Result, Scenario } from '../measure/rounds.ts'
import { isChosen } from '../options.ts'
import { WITHOUT_LOG } from '../report/bars.ts'
import { startMinaret } from '../servers/minaret.ts'
import { commitsByPgbench, findPgbench, type PgbenchRun } from '../servers/pgbench.ts'
import { askOnce, randomly } from './graphql-requests.ts'
import { writes } from './writes.ts'

const WRITERS = 16
const BARE = 'changes.update'
const MUTATION = 'changes.mutation'

/** Not exposed, so that the service leaves them alone. */
const bare = { logged: 'bench_logged', unlogged: 'bench_unlogged' }
const UNLOGGED_NOTICES = 'up_unlogged_notices'

const createBare = (table: string): string => `
  drop table if exists public.${table};
  create table public.${table} (id uuid primary key, masjid_id uuid not null, value integer not null default 0) with (fillfactor = 50);
  insert into public.${table} select md5('notice' || n)::uuid, md5('masjid' || n % 50)::uuid from generate_series(1, ${NOTICE_COUNT}) n`

const VACUUM = `vacuum analyze public.${bare.logged}, public.${bare.unlogged}`

const prepareBare = async (client: pg.Client): Promise<void> => {
  await client.query(createBare(bare.logged))
  await client.query(createBare(bare.unlogged))
  await client.query(`select changes.watch('public.${bare.logged}')`)
  await client.query(VACUUM)
}

const updateOf = (table: string): string =>
  `\\set n random(1, ${NOTICE_COUNT})\nupdate public.${table} set value = value + 1 where id = md5('notice' || (:n)::text)::uuid;\n`

const bareScenario = (bench: Bench, program: string, client: pg.Client): Scenario => {
  const connection = bench.database as PgbenchRun['connection']
  const run: PgbenchRun = { program, connection, databasePid: bench.cluster.pid, clients: WRITERS }
  const contender = (name: string, table: string): Contender => ({
    name,
    run: async milliseconds => {
      const sample = await commitsByPgbench(run, updateOf(table), milliseconds)
      await client.query(VACUUM)
      return sample
    },
  })
  return {
    name: BARE,
    title: `${WRITERS} clients update single rows by SQL, with the change log`,
    contenders: [contender('Minaret', bare.logged), contender(WITHOUT_LOG, bare.unlogged)],
  }
}

const measureBare = async (bench: Bench, client: pg.Client): Promise<readonly Result[]> => {
  const program = findPgbench()
  if (program === undefined) {
    bench.remarks.push('The cost of the change log for plain SQL was not measured: pgbench is not installed.')
    return []
  }
  await prepareBare(client)
  const results = await measureChosen(bench, [bareScenario(bench, program, client)])
  await client.query(`drop table public.${bare.logged}, public.${bare.unlogged}`)
  return results
}

const OFF = ['insert', 'update', 'delete', 'truncate'].map(kind => `disable trigger changes_${kind}`).join(', ')

const mutationScenario = async (bench: Bench, server: { pid: number; port: number }): Promise<Scenario> => {
  const write = writes.find(({ name }) => name === 'writing.update')
  if (write === undefined) throw new Error('There is no update to measure.')
  const contender = async (name: string, table: string): Promise<Contender> => {
    const asked = {
      path: '/v1/graphql',
      variables: write.variables,
      credential: bench.tenants.writer.key,
      query: write.document(table),
    }
    const bodyStart = `{"data":{"update_${table}_by_pk":{"id"`
    const text = await askOnce(server.port, asked)
    if (!text.startsWith(bodyStart)) throw new Error(`${name}: ${text.slice(0, 600)}`)
    return httpContender(bench.machinery, { name, server, source: randomly(asked), bodyStart })
  }
  return {
    name: MUTATION,
    title: 'Update a row by its key and return it, with the change log',
    contenders: [await contender('Minaret', NOTICES), await contender(WITHOUT_LOG, UNLOGGED_NOTICES)],
  }
}

const measureMutation = (bench: Bench, client: pg.Client): Promise<readonly Result[]> =>
  withServers(async started => {
    bench.progress.step('changes: starting the server')
    await client.query(`set search_path = public, extensions; drop table if exists ${UNLOGGED_NOTICES}`)
    await client.query(createNotices(UNLOGGED_NOTICES))
    await client.query(`select changes.watch('${UNLOGGED_NOTICES}')`)
    await client.query(`alter table ${UNLOGGED_NOTICES} ${OFF}`)
    const minaret = await started(startMinaret(bench.environment))
    return measureChosen(bench, [await mutationScenario(bench, minaret)])
  })

export const changesGroup: Group = {
  name: 'changes',
  run: async bench => {
    const chosen = (name: string): boolean => isChosen(name, bench.options)
    if (!chosen(BARE) && !chosen(MUTATION)) return nothingFound
    const client = await connect(bench.database)
    try {
      const plain = chosen(BARE) ? await measureBare(bench, client) : []
      const written = chosen(MUTATION) ? await measureMutation(bench, client) : []
      return { results: [...plain, ...written], readings: [] }
    } finally {
      await client.query(`drop table if exists public.${UNLOGGED_NOTICES}`)
      await client.end()
    }
  },
}
