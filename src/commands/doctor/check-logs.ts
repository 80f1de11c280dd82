// The logs by month: whether the next month is open, and how long each is kept.
import { type Finding, ok, skipped, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const logs = ['minaret.audit_log', 'minaret.read_log', 'public.written_rows'] as const

interface Months {
  readonly isNextOpen: boolean
  /** The last one that is open; null if there is none. */
  readonly last: string | null
}

const isByMonth = async ({ client }: Subject): Promise<boolean> => {
  const { rows } = await client.query("select to_regprocedure('minaret.months_of(regclass)') is not null as known")
  return rows[0].known
}

const readMonths = async ({ client }: Subject, log: string): Promise<Months> => {
  const { rows } = await client.query<Months>(
    `select
       coalesce(max(ends) at time zone 'UTC'
         > date_trunc('month', now() at time zone 'UTC') + interval '1 month', false) as "isNextOpen",
       to_char(max(ends) at time zone 'UTC' - interval '1 day', 'YYYY-MM') as last
     from minaret.months_of($1::regclass)`,
    [log],
  )
  return rows[0] as Months
}

const notOpen = (log: string, last: string | null): Finding =>
  warning(
    'logs',
    `The coming month of ${log} is not open (${last === null ? 'none is' : `the last one is ${last}`}): its entries will wait in the default partition. None is lost.`,
    'Start a service: it opens months at its start and every hour. If one runs, its log says why it cannot ("tidying up failed").',
  )

export const checkLogs: Check = {
  name: 'logs',
  look: async subject => {
    if (!subject.isMigrated || !(await isByMonth(subject)))
      return [skipped('logs', 'The logs are not partitioned by month yet; the next start does that.')]
    const findings: Finding[] = []
    for (const log of logs) {
      const { isNextOpen, last } = await readMonths(subject, log)
      if (!isNextOpen) findings.push(notOpen(log, last))
    }
    const { auditLog, readLog, writtenRows } = subject.config.retention
    const kept = `audit log ${auditLog} days, read log ${readLog} days, written rows ${writtenRows === 0 ? 'for good' : `${writtenRows} days`}`
    return findings.length === 0 ? [ok('logs', `The months to come are open. Kept: ${kept}.`)] : findings
  },
}
