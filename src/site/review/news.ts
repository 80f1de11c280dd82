// What was just done → the sentence that the next page of the review desk begins with.
import type { SignedInVisit } from '../frame/page-routes.ts'
import { fillText } from '../pieces/fill.ts'

const wordOf = (words: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined

/** On the queue. */
export const newsOfQueue = ({ view, query }: SignedInVisit): string | undefined => {
  const { review } = view.texts
  const words = {
    approved: review.approved,
    rejected: review.rejected,
    suspended: review.suspended,
    reinstated: review.reinstated,
    'claims-changed': review.claimsChanged,
    'masjids-changed': review.masjidsChanged,
    'change-approved': review.changeApproved,
    'change-rejected': review.changeRejected,
    'changes-requested': review.changesRequested,
  }
  const sentence = wordOf(words, query.text('done'))
  return sentence === undefined ? undefined : fillText(sentence, { app: query.text('app').slice(0, 100) })
}

/** On the page of an app or a change. */
export const newsOfApp = ({ view, query }: SignedInVisit): string | undefined => {
  const { review } = view.texts
  return wordOf({ written: review.messageSent, noted: review.noteSaved }, query.text('done'))
}
