// The rows of prayer times beside their definition, for the masjids that were compared longest ago; and whether the job keeps up.
import { counted } from '../../base/in-words.ts'
import { dataSchemas } from '../../db/data-schema.ts'
import { type Finding, fault, ok, skipped, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const NAME = 'announced-times'
/** About three seconds. */
const MASJIDS = 20
const LATE = '10 minutes'

const isThere = async ({ client, isMigrated }: Subject): Promise<boolean> =>
  isMigrated &&
  (await client.query(`select to_regclass('public.announced_times') is not null as there`)).rows[0]?.there === true

const readLate = async ({ client }: Subject, schema: string): Promise<number> => {
  const { rows } = await client.query<{ masjids: number }>(`
    select count(distinct masjid_id)::int as masjids from ${schema}.outdated_times mark
    where since < now() - interval '${LATE}' and exists (
      select from ${schema}.pc_calculated_times where masjid_id = mark.masjid_id)`)
  return rows[0]?.masjids ?? 0
}

/** Of masjids with marks, also new ones, the rows are not shown. One statement for each masjid, so that none is a long one. */
const readDiffering = async ({ client }: Subject, schema: string): Promise<{ masjids: number; differing: number }> => {
  const { rows } = await client.query<{ masjid_id: string }>(`
    select masjid_id from ${schema}.announced_reach reach
    where not exists (select from ${schema}.outdated_times mark where mark.masjid_id = reach.masjid_id)
    order by checked_at limit ${MASJIDS}`)
  let differing = 0
  for (const { masjid_id } of rows) {
    const stored = `select stored.* from ${schema}.announced_times stored
      join ${schema}.pc_calculated_times day using (masjid_id, date) where masjid_id = $1`
    const defined = `select defined.* from ${schema}.defined_prayer_times defined join ${schema}.announced_reach using (masjid_id)
      where masjid_id = $1 and date <= last_date`
    const found = await client.query<{ differs: boolean }>(
      `select exists ((${stored} except ${defined}) union all (${defined} except ${stored}))
        and not exists (select from ${schema}.outdated_times where masjid_id = $1) as differs`,
      [masjid_id],
    )
    if (found.rows[0]?.differs === true) differing += 1
  }
  return { masjids: rows.length, differing }
}

const lookAt = async (subject: Subject, schema: string): Promise<Finding> => {
  const late = await readLate(subject, schema)
  const { masjids, differing } = await readDiffering(subject, schema)
  const where = schema === 'public' ? '' : ` of the ${schema}`
  if (differing > 0)
    return fault(
      NAME,
      `The prayer times${where} that are shown for ${differing} of ${counted(masjids, 'masjid')} are not those that their rules give.`,
      `Run in this database: update ${schema}.announced_reach set checked_at = '-infinity'; the service then compares and mends them one after another. Please report how it came about.`,
    )
  if (late > 0)
    return warning(
      NAME,
      `The prayer times${where} of ${counted(late, 'masjid')} have waited for more than ${LATE} to be stored. They are right, and slower to read.`,
      'Start the service, which stores them in the background; if it runs, its log says why it does not.',
    )
  return ok(
    NAME,
    `The prayer times${where} of ${counted(masjids, 'masjid')}, those compared longest ago, are what their rules give.`,
  )
}

export const checkAnnouncedTimes: Check = {
  name: NAME,
  look: async subject => {
    if (!(await isThere(subject))) return [skipped(NAME, 'There are none before the migrations have run.')]
    const findings: Finding[] = []
    for (const schema of dataSchemas) findings.push(await lookAt(subject, schema))
    return findings
  },
}
