// Masjids that count in the label of a rule: what people pray by must say at least what had been said, however it was written, and
// whether its rows were brought up to date by whoever wrote or are left to the job.
import assert from 'node:assert/strict'
import type { Database } from '../../src/db/database.ts'
import { rawSql } from '../../src/db/sql.ts'
import { masjidId } from '../graphql/fixture.ts'
import { within } from '../support/oauth.ts'

const speakers: readonly string[] = [6, 7, 8].map(masjidId)
export const SPEAKERS = speakers.length
const DAY = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
const ours = (speaker: number): string => `masjid_id = '${speakers[speaker]}' and prayer = 'asr' and priority = 90`

const speakerStatements: readonly string[] = speakers.map(
  id => `insert into pc_iqamah_schedules (masjid_id, prayer, rule, offset_minutes, priority, label)
    values ('${id}', 'asr', 'offset', 10, 90, 'Said 0')`,
)

export const createSpeakers = async (database: Database): Promise<void> => {
  for (const statement of speakerStatements) await database.run(rawSql(statement))
  await within(60_000, 'their days are calculated', async () => {
    const [row] = await database.query<{ days: number }>(
      rawSql(
        `select count(*)::int as days from pc_calculated_times where masjid_id = any ('{${speakers.join()}}') and date = '${DAY}'`,
      ),
    )
    return row?.days === SPEAKERS
  })
}

export const said = `select array_position('{${speakers.join()}}'::uuid[], masjid_id) - 1 as id, substr(label, 6)::int as value
  from public.pc_iqamah_schedules where label like 'Said %'`

/** One more. */
export const say = (speaker: number): string =>
  `update pc_iqamah_schedules set label = 'Said ' || substr(label, 6)::int + 1 where ${ours(speaker)}`

/** Marks that the job has to deal with. */
export const unsettle = (speaker: number): string =>
  `update pc_calculated_times set asr = asr + interval '1 second' where masjid_id = '${speakers[speaker]}' and date = '${DAY}'`

const check = (label: string | undefined, floor: number | undefined, speaker: number): void => {
  const count = Number(/^Said (\d+)$/.exec(label ?? '')?.[1])
  assert.ok(count >= (floor ?? 0), `stale: the times of speaker ${speaker} say ${label}, was ${floor}`)
}

interface Spoken {
  readonly spoken: readonly number[]
}
interface Labelled {
  readonly label: string
}

const asr = `date: {_eq: "${DAY}"}, prayer: {_eq: asr}`

export const spokenReadings = [
  ...speakers.map((id, speaker) => ({
    query: `query Asr($masjid: uuid!) { pc_prayer_times(where: {masjid_id: {_eq: $masjid}, ${asr}}) { label adhan_at } }`,
    variables: { masjid: id },
    check: ({ pc_prayer_times: [time] }: { pc_prayer_times: readonly Labelled[] }, { spoken }: Spoken): void =>
      check(time?.label, spoken[speaker], speaker),
  })),
  {
    query: `{ up_masjids(where: {id: {_in: ${JSON.stringify(speakers)}}}, order_by: {id: asc}) { prayer_times(where: {${asr}}) { label } } }`,
    check: (
      { up_masjids: rows }: { up_masjids: readonly { prayer_times: readonly Labelled[] }[] },
      { spoken }: Spoken,
    ): void => {
      for (const [speaker, row] of rows.entries()) check(row.prayer_times[0]?.label, spoken[speaker], speaker)
    },
  },
]
