// Once a second, a rule of one of the masjids whose pages are asked for changes, by plain SQL; and one of the masjid that the landing page shows.
import type pg from 'pg'
import type { Bench } from '../../bench-frame.ts'
import { connect } from '../../data/connect.ts'
import { masjidId } from '../questions.ts'
import { shownMasjids } from './pages.ts'

const EVERY_MS = 1000

const CHANGE = `
  update public.pc_iqamah_schedules set offset_minutes = 5 + (offset_minutes + 1) % 10
  where masjid_id = $1 and prayer = 'maghrib' and deleted_at is null`

/** Its own data is the sandbox's. */
const CHANGE_LANDING = `
  update sandbox.pc_iqamah_schedules set offset_minutes = 3 + (offset_minutes + 1) % 10
  where prayer = 'maghrib' and deleted_at is null
    and masjid_id = (select id from sandbox.up_masjids where slug = 'larkspur-lane-masjid')`

const changeOne = async (client: pg.Client, number: number): Promise<void> => {
  const { rowCount } = await client.query(CHANGE, [masjidId(number)])
  const landing = await client.query(CHANGE_LANDING)
  if (rowCount !== 1 || landing.rowCount !== 1) throw new Error('There is no rule to change.')
}

export const startChangingRules = async (bench: Bench): Promise<{ stop(): Promise<void> }> => {
  const client = await connect(bench.database)
  const numbers = shownMasjids(bench.sizes)
  let count = 0
  let last = Promise.resolve()
  const timer = setInterval(() => {
    const number = numbers[count++ % numbers.length] as number
    last = last.then(() => changeOne(client, number)).catch(error => console.error(error))
  }, EVERY_MS)
  return {
    stop: async () => {
      clearInterval(timer)
      await last
      await client.end()
    },
  }
}
