// This machine's clock and the database's must agree, as prayer times and tokens are decided by both.
import { fault, ok, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const NOTICEABLE_MS = 1000
/** Authorization codes live for a minute. */
const HARMFUL_MS = 10_000

/** How far apart they are at least; the time that the question took could hide a little more. */
const readDifference = async ({ client, clock }: Subject): Promise<number> => {
  const before = clock.now().getTime()
  const { rows } = await client.query<{ now: Date }>('select clock_timestamp() as now')
  const after = clock.now().getTime()
  const theirs = rows[0]?.now.getTime() ?? 0
  if (theirs < before) return theirs - before
  return Math.max(0, theirs - after)
}

export const checkClock: Check = {
  name: 'clock',
  look: async subject => {
    const difference = await readDifference(subject)
    const size = Math.abs(difference)
    const found = `The clock of the database is ${(size / 1000).toFixed(1)} seconds ${difference < 0 ? 'behind' : 'ahead of'} this machine's.`
    const remedy = 'Run a time service (chrony or systemd-timesyncd) on both machines.'
    if (size >= HARMFUL_MS) return [fault('clock', found, remedy)]
    if (size >= NOTICEABLE_MS) return [warning('clock', found, remedy)]
    return [ok('clock', 'The clocks of this machine and the database agree.')]
  },
}
