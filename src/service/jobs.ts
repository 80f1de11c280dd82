// The parts → background jobs. Every process starts them; an advisory lock lets one do the work.
import { startDelivery } from '../accounts/mail-delivery.ts'
import { startHousekeeping } from '../apps/housekeeping.ts'
import { startNotingDue } from '../changes/note-due.ts'
import { loadMissingRsvps } from '../demo/load-demo.ts'
import { startImageJob } from '../images/start-image-job.ts'
import { startTelling } from '../oauth/backchannel/start-telling.ts'
import { startErasing } from '../own-data/erase/start-erasing.ts'
import { startKeepingTimes } from '../prayer/announced/start-keeping-times.ts'
import { progressText } from '../prayer/progress-text.ts'
import { startPlannedChanges } from '../prayer/start-planned-changes.ts'
import { startPrayerJob } from '../prayer/start-prayer-job.ts'
import { startFollowing } from '../timetables/follow/start-following.ts'
import { sendingFrom } from '../webhooks/sending.ts'
import { startWebhooks } from '../webhooks/start-webhooks.ts'
import type { Parts } from './parts.ts'
import type { ServiceOptions } from './service-options.ts'
import type { Unwind } from './unwind.ts'

const startMail = async ({ config, database, listener, log, watching }: Parts, undo: Unwind): Promise<void> => {
  const { smtpUrl, mailFrom: from, mode } = config
  if (smtpUrl !== undefined) {
    const delivery = await startDelivery({
      database,
      listener,
      log,
      smtpUrl,
      from,
      watch: watching.jobs.watch,
      counter: watching.mail,
    })
    undo.add(() => delivery.close())
  } else if (mode === 'production') log.warn('SMTP_URL is not set: mail waits in the database until it is')
}

/** Answers to the demo's events can only be made once these have dates, which the prayer job makes. */
const addDemoRsvps = ({ config, database, clock, log }: Parts, ready: Promise<void>, undo: Unwind): void => {
  if (!config.demoData) return
  let stopped = false
  undo.add(() => {
    stopped = true
  })
  ready
    .then(() => (stopped ? undefined : loadMissingRsvps({ database, clock })))
    .catch(error => stopped || log.warn({ err: error }, 'the demo answers to events could not be loaded'))
}

type JobOptions = Pick<ServiceOptions, 'onProgress'>

export const startJobs = async (
  { background, ...others }: Parts,
  { onProgress = () => undefined }: JobOptions,
  undo: Unwind,
): Promise<void> => {
  const parts = { ...others, background, database: background, watch: others.watching.jobs.watch }
  const housekeeping = startHousekeeping({
    ...parts,
    changeLogDays: parts.config.changeLogDays,
    retention: parts.config.retention,
  })
  undo.add(() => housekeeping.close())
  const due = startNotingDue(parts)
  undo.add(() => due.close())
  await startMail(parts, undo)
  const images = await startImageJob(parts)
  undo.add(() => images.close())
  const sources = await startFollowing(parts)
  undo.add(() => sources.close())
  const webhooks = await startWebhooks({
    ...parts,
    ...sendingFrom(parts),
    counter: parts.watching.webhooks,
  })
  undo.add(() => webhooks.close())
  const { dial, loopback } = sendingFrom(parts)
  const telling = await startTelling({ ...parts, dial, loopback, issuer: parts.provider.issuer })
  undo.add(() => telling.close())
  const erasing = await startErasing(parts)
  undo.add(() => erasing.close())
  const planned = await startPlannedChanges(parts)
  undo.add(() => planned.close())
  const prayers = startPrayerJob({ ...parts, askedDays: parts.config.askedDays, onProgress: progressText(onProgress) })
  undo.add(() => prayers.stop())
  const keeping = await startKeepingTimes({
    ...parts,
    announcedDays: parts.config.announcedDays,
    counter: parts.watching.announcedTimes,
  })
  undo.add(() => keeping.close())
  addDemoRsvps(parts, prayers.ready, undo)
}
