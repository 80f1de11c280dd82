// The parts → the work that goes on beside requests. Every process starts them; a lock lets one do the work.
import { startDelivery } from '../accounts/mail-delivery.ts'
import { startHousekeeping } from '../apps/housekeeping.ts'
import { loadDemoRsvps } from '../demo/load-demo.ts'
import { progressText } from '../prayer/progress-text.ts'
import { startPrayerJob } from '../prayer/start-prayer-job.ts'
import type { Parts } from './parts.ts'
import type { Unwind } from './unwind.ts'

const startMail = async ({ config, database, listener, log }: Parts, undo: Unwind): Promise<void> => {
  const { smtpUrl, mailFrom: from, mode } = config
  if (smtpUrl !== undefined) {
    const delivery = await startDelivery({ database, listener, log, smtpUrl, from })
    undo.add(() => delivery.close())
  } else if (mode === 'production') log.warn('SMTP_URL is not set: mail waits in the database until it is')
}

export interface JobsInput {
  /** Whether demo data were loaded just now: the answers to their events follow once these have dates. */
  readonly firstStart: boolean
  readonly onProgress: (text: string) => void
}

export const startJobs = async (parts: Parts, { firstStart, onProgress }: JobsInput, undo: Unwind): Promise<void> => {
  const { database, log, clock } = parts
  const housekeeping = startHousekeeping(parts)
  undo.add(() => housekeeping.close())
  await startMail(parts, undo)
  const prayers = startPrayerJob({ ...parts, onProgress: progressText(onProgress) })
  undo.add(() => prayers.stop())
  if (!firstStart) return
  const rsvps = prayers.ready.then(() => loadDemoRsvps({ database, clock }))
  rsvps.catch(error => log.warn({ err: error }, 'the demo answers to events could not be loaded'))
}
