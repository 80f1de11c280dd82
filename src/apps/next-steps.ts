// What is known about an app → what its team should do next, the most pressing first.
import type { App } from './app.ts'

/** How an app is doing, apart from its own values. */
export interface AppSigns {
  readonly changeWaits: boolean
  /** A test key or the development client was used. */
  readonly tried: boolean
  readonly hasCredential: boolean
  readonly answered: boolean
  readonly unusedSecret: boolean
  readonly failingWebhook: boolean
  /** Of the last day, and of the day before. */
  readonly requests: number
  readonly errors: number
  readonly requestsBefore: number
  readonly errorsBefore: number
}

export type NextStep =
  | 'suspended'
  | 'fix'
  | 'reply'
  | 'errors'
  | 'webhook'
  | 'try'
  | 'wait'
  | 'credential'
  | 'ask'
  | 'unusedSecret'
  | 'change'

const FEWEST_ERRORS = 10

/** More than a few, and at least twice the share of the day before. */
const errorsRise = ({ requests, errors, requestsBefore, errorsBefore }: AppSigns): boolean =>
  errors >= FEWEST_ERRORS && errors * Math.max(requestsBefore, 1) >= 2 * errorsBefore * requests

const whileApproved = (app: App, signs: AppSigns): NextStep[] => [
  ...(errorsRise(signs) ? (['errors'] as const) : []),
  ...(signs.failingWebhook ? (['webhook'] as const) : []),
  ...(!signs.hasCredential && app.kind === 'confidential' ? (['credential'] as const) : []),
  ...(!signs.answered && (signs.hasCredential || app.kind === 'public') ? (['ask'] as const) : []),
  ...(signs.unusedSecret ? (['unusedSecret'] as const) : []),
  ...(signs.changeWaits ? (['change'] as const) : []),
]

export const nextSteps = (app: App, signs: AppSigns): readonly NextStep[] => {
  if (app.state === 'suspended') return ['suspended']
  if (app.state === 'rejected') return ['fix']
  if (app.state === 'pending' && app.changesRequestedAt !== undefined) return ['reply']
  if (app.state === 'pending') return signs.tried ? ['wait'] : ['try', 'wait']
  return whileApproved(app, signs)
}

export const firstSteps = ['registered', 'tried', 'approved', 'credential', 'answered'] as const

/** The way to the first answer with real data: which steps are done. */
export const wayToFirstAnswer = (
  app: App,
  signs: AppSigns,
): Readonly<Record<(typeof firstSteps)[number], boolean>> => ({
  registered: true,
  tried: signs.tried || signs.answered,
  approved: app.state === 'approved',
  credential: app.state === 'approved' && (signs.hasCredential || app.kind === 'public'),
  answered: signs.answered,
})
