// Timetables: bring one, correct its columns, look at it, publish it, undo it; and the sources that are followed.
import type { PageRoutes } from '../../frame/page-routes.ts'
import { atMasjid } from '../at-masjid.ts'
import type { StaffParts } from '../staff-parts.ts'
import { acceptColumns, acceptPublish, acceptRemoval, showColumns, showPreview } from './review.ts'
import { acceptRules, showRules } from './rules.ts'
import { acceptFetch, acceptStop, acceptUndo, askStop, askUndo } from './take-back.ts'
import { acceptSheet, orRefuse, type Step, showTimes } from './upload.ts'

const BASE = '/staff/:slug/times'

export const addTimesRoutes = (routes: PageRoutes, parts: StaffParts): void => {
  const handled = (step: Step) => atMasjid(parts, here => step(parts, here), 'times')
  const get = (path: string, step: Step): void => routes.getSignedIn(`${BASE}${path}`, handled(step))
  const post = (path: string, step: Step): void => routes.postSignedIn(`${BASE}${path}`, handled(step))
  get('', showTimes)
  post('/sheets', acceptSheet)
  get('/drafts/:draft', orRefuse(showColumns))
  post('/drafts/:draft', orRefuse(acceptColumns))
  get('/drafts/:draft/preview', orRefuse(showPreview))
  post('/drafts/:draft/publish', orRefuse(acceptPublish))
  post('/drafts/:draft/remove', acceptRemoval)
  get('/published/:timetable/undo', askUndo)
  post('/published/:timetable/undo', acceptUndo)
  get('/published/:timetable/rules', orRefuse(showRules))
  post('/published/:timetable/rules', orRefuse(acceptRules))
  post('/sources/:source/fetch', acceptFetch)
  get('/sources/:source/stop', askStop)
  post('/sources/:source/stop', acceptStop)
}
