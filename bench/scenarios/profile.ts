// The hottest paths under a CPU profiler: writes profiles to bench/out and shows where the time went.
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { type Bench, withServers } from '../bench-frame.ts'
import type { Source } from '../load/job.ts'
import { jobFor } from '../measure/http-contender.ts'
import { hottestFunctions } from '../report/profile-top.ts'
import { markdownTable } from '../report/table.ts'
import { type Minaret, startMinaret } from '../servers/minaret.ts'
import { credentialsRequests } from './authorization.ts'
import { graphqlRequests } from './graphql-requests.ts'
import { minaretIssuer } from './issuer.ts'
import { questions } from './questions.ts'
import { timesQuestions } from './times/questions.ts'

interface HotPath {
  readonly name: string
  readonly source: (bench: Bench, minaret: Minaret) => Source
  /** Beside that of every service under measurement. */
  readonly environment?: Readonly<Record<string, string>>
}

const graphqlPath = (name: string): HotPath => ({
  name,
  source: ({ sizes, tenants }) => {
    const question = [...questions(sizes), ...timesQuestions(sizes)].find(one => one.name === name)
    if (question === undefined) throw new Error(`There is no question ${name}.`)
    const asked = { ...question, path: '/v1/graphql', credential: tenants.key }
    return { kind: 'random', requests: graphqlRequests(asked) }
  },
})

const hotPaths: readonly HotPath[] = [
  graphqlPath('graphql.list'),
  graphqlPath('graphql.by-key'),
  graphqlPath('times.day'),
  { ...graphqlPath('graphql.list'), name: 'answers.list', environment: { ANSWER_CACHE_MB: '32' } },
  {
    name: 'authorization.client-credentials',
    source: ({ database, tenants }, minaret) => {
      const issuer = minaretIssuer(minaret, database, tenants)
      return { kind: 'random', requests: credentialsRequests(issuer.paths.token, { authorization: issuer.basic }) }
    },
  },
]

const profilesFolder = new URL('../out/profiles/', import.meta.url).pathname

/** The profile is written when the process exits; its last seconds are those under load. */
const profilePath = async (bench: Bench, { name, source, environment }: HotPath): Promise<string> => {
  const folder = `${profilesFolder}${name}`
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const options = `--cpu-prof --cpu-prof-interval=500 --cpu-prof-dir=${folder}`
  const milliseconds = bench.options.quick ? 3000 : 8000
  await withServers(async started => {
    bench.progress.step(`profile: ${name}`)
    const minaret = await started(startMinaret({ ...bench.environment, ...environment, NODE_OPTIONS: options }))
    const job = jobFor(minaret.port, source(bench, minaret), { milliseconds: milliseconds / 2 })
    await bench.machinery.generator.run(job)
    await bench.machinery.generator.run({ ...job, milliseconds })
  })
  // Threads have their own profiles; the main thread's has the lowest number.
  const [file = ''] = readdirSync(folder).sort((a, b) =>
    (a.split('.').at(-2) ?? '').localeCompare(b.split('.').at(-2) ?? ''),
  )
  return `${folder}/${file}`
}

export const profileHotPaths = async (bench: Bench): Promise<void> => {
  for (const path of hotPaths) {
    const file = await profilePath(bench, path)
    const rows = hottestFunctions(file, bench.options.quick ? 3 : 8, 30).map(({ name, place, share }) => [
      name,
      `${(share * 100).toFixed(1)} %`,
      place,
    ])
    console.log(`\n## ${path.name}\n\n${markdownTable(['function', 'own time', 'place'], rows)}\n\n${file}`)
  }
}
