// A source file with a unit test beside it → which small faults in it that test does not notice.
//   node scripts/tests/mutants.ts src/base/fair-turns.ts …
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface Mutant {
  readonly line: number
  readonly text: string
  readonly source: string
}

type Change = readonly [what: RegExp, by: string]

const swapped = (from = '', to = ''): Change => [new RegExp(` ${RegExp.escape(from)} `, 'g'), ` ${to} `]

const FAULTS: readonly Change[] = [
  ...['=== !==', '< <=', '> >=', '&& ||', '+ -', '+= -=']
    .map(pair => pair.split(' '))
    .flatMap(([one, other]) => [swapped(one, other), swapped(other, one)]),
  [/(?<!\): )\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
  [/(?<=[\s([])!(?=[\w(])/g, ''],
  // Larger numbers are how long something takes.
  [/(?<=[\s([])\d{1,3}\b(?!_)/g, 'NEXT'],
  // A statement that is one call.
  [/^ +(?!return\b)[\w.?]+\(.*\)$/g, ''],
]

/** Types, imports, comments and words for people are no code to break. */
const NO_CODE =
  /^\s*(?:\/[/*]|\*|(?:import|export interface|export type|interface|type|readonly)\b|message:|'|`)|\): [\w<>| ]+$/

const faultsOf = (line: string): string[] =>
  FAULTS.flatMap(([pattern, by]) =>
    [...line.matchAll(pattern)].map(({ index, 0: found }) => {
      const put = by === 'NEXT' ? String(Number(found) + 1) : by
      return line.slice(0, index) + put + line.slice(index + found.length)
    }),
  )

export const mutantsOf = (source: string): Mutant[] => {
  const lines = source.split('\n')
  return lines.flatMap((line, index) =>
    NO_CODE.test(line)
      ? []
      : faultsOf(line).map(text => ({
          line: index + 1,
          text: text.trim() || `without ${line.trim()}`,
          source: lines.with(index, text).join('\n'),
        })),
  )
}

/** Loads the text of the environment in place of that of the file. */
const REPLACING = `data:text/javascript,import { registerHooks } from 'node:module'
registerHooks({ load: (url, context, next) => {
  const loaded = next(url, context)
  return url === process.env.MUTANT_URL ? { ...loaded, source: process.env.MUTANT_SOURCE } : loaded
} })`.replaceAll('\n', '%0A')

/** One process, which ends with its tests. */
const ALONE = ['--max-old-space-size=256', '--test', '--test-isolation=none', '--test-force-exit']

/** A mutant that never ends, or fills the memory, is noticed too. */
const isNoticed = (file: string, source: string, timeout = 60_000): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const MUTANT_URL = pathToFileURL(file).href
    const test = file.replace(/\.ts$/, '.test.ts')
    const run = spawn(process.execPath, ['--import', REPLACING, ...ALONE, test], {
      env: { ...process.env, NODE_ENV: 'test', MUTANT_URL, MUTANT_SOURCE: source, NODE_TEST_CONTEXT: undefined },
      stdio: 'ignore',
      timeout,
      killSignal: 'SIGKILL',
    })
    run.once('error', reject)
    run.once('exit', status => resolve(status !== 0))
  })

/** @throws if the test fails without any fault */
export const survivorsOf = async (file: string): Promise<readonly Mutant[]> => {
  const source = readFileSync(file, 'utf8')
  const began = performance.now()
  if (await isNoticed(file, source)) throw new Error(`The test beside ${file} fails as it is.`)
  const patience = Math.ceil(2000 + 4 * (performance.now() - began))
  const waiting = mutantsOf(source)
  const survivors: Mutant[] = []
  const work = async (): Promise<void> => {
    for (let mutant = waiting.pop(); mutant !== undefined; mutant = waiting.pop())
      if (!(await isNoticed(file, mutant.source, patience))) survivors.push(mutant)
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return survivors.sort((a, b) => a.line - b.line)
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const file of process.argv.slice(2))
    for (const { line, text } of await survivorsOf(file)) console.log(`${file}:${line} survives as  ${text}`)
