// The whole run, from command-line arguments to exit status: load, measure each group, report, judge.
import { type Bench, type Group, nothingFound } from './bench-frame.ts'
import { prepareDatabase } from './data/prepare.ts'
import { startGenerator } from './load/generator.ts'
import { usageOf } from './measure/process-usage.ts'
import { isChosen, type Options, readOptions, USAGE } from './options.ts'
import { type Findings, judge } from './report/bars.ts'
import { describeMachine } from './report/machine.ts'
import { startProgress } from './report/progress.ts'
import { quietnessBetween, readCpuTicks, sampleMachine, signsOfWork } from './report/quiet.ts'
import { resultTable, verdictTable } from './report/table.ts'
import { writeReport } from './report/write-report.ts'
import { answersGroup } from './scenarios/answers.ts'
import { assistantsGroup } from './scenarios/assistants.ts'
import { authorizationGroup } from './scenarios/authorization-group.ts'
import { capacityGroup } from './scenarios/capacity/capacity.ts'
import { changesGroup } from './scenarios/changes.ts'
import { credentialGroup } from './scenarios/credential.ts'
import { entranceGroup } from './scenarios/entrance.ts'
import { graphqlGroup } from './scenarios/graphql-group.ts'
import { growthGroup } from './scenarios/growth.ts'
import { liveGroup } from './scenarios/live.ts'
import { memoryGroup } from './scenarios/memory.ts'
import { observabilityGroup } from './scenarios/observability.ts'
import { placesGroup } from './scenarios/places/group.ts'
import { prayerGroup } from './scenarios/prayer.ts'
import { profileHotPaths } from './scenarios/profile.ts'
import { pagesGroup } from './scenarios/public-pages/group.ts'
import { sandboxGroup } from './scenarios/sandbox.ts'
import { settle } from './scenarios/settle.ts'
import { soakGroup } from './scenarios/soak/soak.ts'
import { startupGroup } from './scenarios/startup.ts'
import { starvationGroup } from './scenarios/starvation.ts'
import { timesGroup } from './scenarios/times/group.ts'
import { workersGroup } from './scenarios/workers.ts'
import { writingGroup } from './scenarios/writing-group.ts'

const groups: readonly Group[] = [
  timesGroup,
  pagesGroup,
  placesGroup,
  graphqlGroup,
  answersGroup,
  writingGroup,
  changesGroup,
  liveGroup,
  authorizationGroup,
  sandboxGroup,
  assistantsGroup,
  entranceGroup,
  credentialGroup,
  observabilityGroup,
  workersGroup,
  memoryGroup,
  growthGroup,
  startupGroup,
  prayerGroup,
  starvationGroup,
  capacityGroup,
  soakGroup,
]

/** A group that fails is noted in the report; the other groups still run. */
const runGroup = async (bench: Bench, { name, run }: Group): Promise<Findings> => {
  try {
    return await run(bench)
  } catch (error) {
    bench.remarks.push(`**${name} failed:** ${(error as Error).message}`)
    bench.failed.push(name)
    console.error(error)
    return nothingFound
  }
}

const runGroups = async (bench: Bench): Promise<Findings> => {
  let findings: Findings = { results: [], readings: await settle(bench) }
  for (const group of groups) {
    if (!isChosen(group.name, bench.options)) continue
    const { results, readings } = await runGroup(bench, group)
    for (const result of results) console.log(`\n## ${result.title}\n\n${resultTable(result)}`)
    findings = { results: [...findings.results, ...results], readings: [...findings.readings, ...readings] }
  }
  return findings
}

/** The exit status: 1 if a bar was missed or a group failed. Names each of them. */
const report = (bench: Bench, findings: Findings, busy: readonly string[]): number => {
  const verdicts = judge(findings, { isAble: bench.options.canJudge })
  const machine = describeMachine({ PostgreSQL: bench.cluster.version })
  const { options, remarks } = bench
  const measuredAt = new Date().toISOString()
  const folder = writeReport({ ...findings, verdicts, machine, options, measuredAt, remarks, busy })
  if (options.publish && busy.length > 0) console.error(`Not published, as the machine was busy: ${busy.join('; ')}.`)
  console.log(`\n## Bars\n\n${verdictTable(verdicts)}\n\nThe whole report: ${folder}results.md`)
  const missed = verdicts.filter(({ verdict }) => verdict === 'missed')
  for (const { what, asked, reached } of missed) console.error(`Missed: ${what}: ${asked}, reached ${reached}.`)
  for (const name of bench.failed) console.error(`Failed: ${name}.`)
  return missed.length + bench.failed.length === 0 ? 0 : 1
}

/** CPU seconds of this process, its servers and its database. Servers that have exited count with their parent. */
const ownSeconds = ({ cluster }: Bench): number => usageOf(process.pid).cpuSeconds + usageOf(cluster.pid).cpuSeconds

const measureAll = async (bench: Bench, busyBefore: readonly string[]): Promise<number> => {
  const before = { ticks: readCpuTicks(), own: ownSeconds(bench) }
  const findings = await runGroups(bench)
  const quietness = quietnessBetween(before.ticks, readCpuTicks(), ownSeconds(bench) - before.own)
  return report(bench, findings, [...busyBefore, ...signsOfWork(quietness)])
}

const runBench = async (bench: Bench, busyBefore: readonly string[]): Promise<number> => {
  if (!bench.options.profile) return measureAll(bench, busyBefore)
  await settle(bench)
  await profileHotPaths(bench)
  return 0
}

/** The database is not attached to the terminal, so Ctrl-C alone would leave it running. */
const stopWhenTold = (stop: () => Promise<void>): void => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(130)))
}

/** Checked before any time is spent: figures from a busy machine are not published. */
const checkMachine = async ({ publish, mustPublish }: Options): Promise<readonly string[]> => {
  const busy = publish ? signsOfWork(await sampleMachine()) : []
  if (busy.length === 0) return busy
  const reason = `The machine is busy: ${busy.join('; ')}.`
  if (mustPublish)
    throw new Error(`${reason} Nothing is published from it. Stop other work first, or leave --publish out.`)
  console.error(`${reason} The run goes on, but its results stay in bench/out.`)
  return busy
}

const runSuite = async (options: Options): Promise<number> => {
  const busyBefore = await checkMachine(options)
  const progress = startProgress()
  const generator = startGenerator()
  try {
    const prepared = await prepareDatabase(options, progress)
    stopWhenTold(prepared.cluster.stop)
    try {
      const machinery = { generator, databasePid: prepared.cluster.pid }
      return await runBench({ ...prepared, options, progress, machinery, remarks: [], failed: [] }, busyBefore)
    } finally {
      await prepared.cluster.stop()
    }
  } finally {
    generator.stop()
  }
}

try {
  const options = readOptions(process.argv.slice(2))
  if (options === undefined) console.log(USAGE)
  else process.exitCode = await runSuite(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  if (process.env.DEBUG !== undefined) console.error(error)
  process.exitCode = 2
}
