// Minaret as it runs in production: `minaret serve` in its own process, on the suite's database.
import type pg from 'pg'
import { runMinaret, startMinaretProcess } from '../../test/support/process.ts'

export interface Minaret {
  readonly name: 'Minaret'
  readonly pid: number
  readonly port: number
  readonly sandboxPort: number
  stop(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

/** Only its hostname is used, as the issuer of tokens; requests go to a loopback port. */
const BASE_URL = 'https://minaret.bench.example'

export const databaseUrl = ({ host, port, user, password, database }: pg.ClientConfig): string =>
  `postgres://${user}:${encodeURIComponent(String(password))}@localhost:${port}/${database}?host=${encodeURIComponent(String(host))}`

/**
 * All the load comes from one address, which the limits per address exist to stop. They are off here, and nothing
 * else is: credentials, scopes, costs, depth and page size are checked as usual.
 */
export const productionEnvironment = (database: pg.ClientConfig): Environment => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  BASE_URL,
  SANDBOX_URL: 'https://sandbox.bench.example',
  DATABASE_URL: databaseUrl(database),
  MINARET_SECRET: 'a secret of the benchmark, known to all',
  RATE_LIMITS: 'off',
  // There is no balancer that would have to notice.
  DRAIN_SECONDS: '0',
  // Contenders read the database; what memory adds is measured by itself (scenarios/answers.ts).
  ANSWER_CACHE_MB: '0',
})

/** The ports that were bound: in production the output shows only the public addresses. */
export const freePort = async (): Promise<number> => {
  const { createServer } = await import('node:net')
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}

/** With production's defaults, not those of tests. */
export const startMinaret = async (environment: Environment): Promise<Minaret> => {
  const [port, sandboxPort] = [await freePort(), await freePort()]
  const running = await startMinaretProcess(
    { ...environment, PORT: String(port), SANDBOX_PORT: String(sandboxPort) },
    { defaults: {} },
  )
  return { name: 'Minaret', pid: running.pid, port, sandboxPort, stop: async () => void (await running.stop()) }
}

/** Runs one command and parses its output as JSON. */
export const minaretCommand = async (environment: Environment, ...words: string[]): Promise<Record<string, string>> => {
  const { status, stdout, stderr } = await runMinaret([...words, '--json'], { ...environment })
  if (status !== 0) throw new Error(`minaret ${words.slice(0, 2).join(' ')}: ${stderr || stdout}`)
  return JSON.parse(stdout)
}
