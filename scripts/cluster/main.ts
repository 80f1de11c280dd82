// `npm run cluster [-- --json]` → the reference cluster, with invented data, until it is told to stop; and what to try on it, by lines that are typed.
import { createInterface } from 'node:readline'
import { type Act, acts, describeActs } from './acts.ts'
import { requireMachine } from './machine.ts'
import { type Cluster, startCluster } from './start-cluster.ts'

const isJson = process.argv.includes('--json')
const began = Date.now()
const say = (line: string): void => console.error(`${((Date.now() - began) / 1000).toFixed(0).padStart(4)} s  ${line}`)

/** One that fails says why; the cluster goes on. */
const run = async (cluster: Cluster, act: Act, words: readonly string[]): Promise<void> => {
  try {
    say(await act.run(cluster, words))
  } catch (error) {
    say((error as Error).message)
  }
}

const follow = async (cluster: Cluster): Promise<void> => {
  const lines = createInterface({ input: process.stdin })
  for await (const line of lines) {
    const [name = '', ...words] = line.trim().split(/\s+/)
    const act = acts.get(name)
    if (act !== undefined) await run(cluster, act, words)
    else if (name !== '') say(`There is no ${name}. ${describeActs()}`)
  }
}

const main = async (): Promise<void> => {
  const stopping = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
  requireMachine()
  const cluster = await startCluster({ say, stopping: stopping.signal })
  const { baseUrl, sandboxUrl, ownerUrl, folder } = cluster
  if (isJson) console.log(JSON.stringify({ baseUrl, sandboxUrl, databaseUrl: ownerUrl, folder }))
  else
    console.log(
      `\nService   ${baseUrl}\nSandbox   ${sandboxUrl}\nDatabase  ${ownerUrl}\nLogs      ${folder}/*/log\n\n${describeActs()}`,
    )
  void follow(cluster)
  await new Promise(resolve => stopping.signal.addEventListener('abort', resolve))
  say('stopping …')
  await cluster.stop()
}

main().then(
  () => process.exit(0),
  error => {
    console.error((error as Error).message)
    process.exit(1)
  },
)
