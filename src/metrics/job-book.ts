// Background jobs → how often each ran and failed, how long it took, and when it last succeeded.
import { counterFamily, type Family, gaugeFamily, type Sample } from './family.ts'

export type WatchJob = <T>(job: string, work: () => Promise<T>) => Promise<T>

export interface JobBook {
  /** Runs `work` and notes its outcome. */
  readonly watch: WatchJob
  /** Of this process, since its start. */
  runs(): readonly JobRuns[]
  families(): Family[]
}

export interface JobRuns {
  readonly job: string
  readonly runs: number
  readonly failures: number
  readonly lastMs: number
  readonly succeededAt: Date | undefined
}

interface JobTally {
  runs: number
  failures: number
  /** Of these, while the database was away. */
  withoutDatabase: number
  ms: number
  lastMs: number
  /** In seconds since 1970; 0 if it never succeeded. */
  succeededAt: number
}

/** @param isDatabaseAway of the error that a job ended with */
export const createJobBook = (isDatabaseAway: (error: unknown) => boolean): JobBook => {
  const jobs = new Map<string, JobTally>()

  const tallyOf = (job: string): JobTally => {
    const found = jobs.get(job) ?? { runs: 0, failures: 0, withoutDatabase: 0, ms: 0, lastMs: 0, succeededAt: 0 }
    jobs.set(job, found)
    return found
  }

  const watch: WatchJob = async (job, work) => {
    const tally = tallyOf(job)
    const started = performance.now()
    try {
      const result = await work()
      tally.succeededAt = Date.now() / 1000
      return result
    } catch (error) {
      tally.failures += 1
      if (isDatabaseAway(error)) tally.withoutDatabase += 1
      throw error
    } finally {
      tally.lastMs = performance.now() - started
      tally.ms += tally.lastMs
      tally.runs += 1
    }
  }

  const samples = (read: (tally: JobTally) => number, cause?: 'itself' | 'database'): Sample[] =>
    [...jobs].map(([job, tally]) => ({
      labels: { job_name: job, ...(cause === undefined ? {} : { cause }) },
      value: read(tally),
    }))

  return {
    watch,
    runs: () =>
      [...jobs].map(([job, { runs, failures, lastMs, succeededAt }]) => ({
        job,
        runs,
        failures,
        lastMs,
        succeededAt: succeededAt === 0 ? undefined : new Date(succeededAt * 1000),
      })),
    families: () => [
      counterFamily(
        { name: 'minaret_job_runs_total', help: 'Runs of background jobs.' },
        samples(one => one.runs),
      ),
      counterFamily(
        {
          name: 'minaret_job_failures_total',
          help: 'Runs of background jobs that failed, by themselves or because the database was away.',
        },
        [
          ...samples(one => one.failures - one.withoutDatabase, 'itself'),
          ...samples(one => one.withoutDatabase, 'database'),
        ],
      ),
      counterFamily(
        { name: 'minaret_job_seconds_total', help: 'Time spent in background jobs.' },
        samples(one => one.ms / 1000),
      ),
      gaugeFamily(
        { name: 'minaret_job_last_duration_seconds', help: 'How long the last run took.', aggregator: 'max' },
        samples(one => one.lastMs / 1000),
      ),
      gaugeFamily(
        {
          name: 'minaret_job_last_success_timestamp_seconds',
          help: 'When a background job last succeeded, in any process; 0 if never.',
          aggregator: 'max',
        },
        samples(one => one.succeededAt),
      ),
    ],
  }
}

/** For those who run a job without counting it. */
export const unwatched: WatchJob = (_job, work) => work()
