// How long an app's tokens live → the part of its settings where that is chosen, and the words for it elsewhere.
import type { App } from '../../apps/app.ts'
import { type Lifetimes, lifetimeNames } from '../../apps/lifetimes.ts'
import { durationInWords } from '../../base/in-words.ts'
import type { FormValues } from '../frame/form-body.ts'
import type { View } from '../frame/view.ts'
import { actions, submitButton } from '../pieces/buttons.ts'
import { selectField } from '../pieces/choices.ts'
import { form } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { appPath } from './app-frame.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const choices: Readonly<Record<keyof Lifetimes, readonly number[]>> = {
  accessSeconds: [5 * MINUTE, 15 * MINUTE, 30 * MINUTE, HOUR],
  refreshIdleSeconds: [HOUR, 8 * HOUR, DAY, 7 * DAY, 14 * DAY, 30 * DAY],
  refreshTotalSeconds: [DAY, 7 * DAY, 30 * DAY, 90 * DAY, 180 * DAY],
}

const inWords = ({ language }: View, seconds: number): string => {
  if (seconds % DAY === 0) return durationInWords(seconds / DAY, 'day', language)
  if (seconds % HOUR === 0) return durationInWords(seconds / HOUR, 'hour', language)
  return seconds % MINUTE === 0
    ? durationInWords(seconds / MINUTE, 'minute', language)
    : durationInWords(seconds, 'second', language)
}

/** What the command line set may be none of the usual choices. */
const field = (view: View, app: App, name: keyof Lifetimes): Html => {
  const offered = [...new Set([...choices[name], app[name]])].sort((left, right) => left - right)
  return selectField({
    name,
    label: view.texts.lifetimes[name],
    chosen: [String(app[name])],
    choices: offered.map(seconds => ({ value: String(seconds), label: inWords(view, seconds) })),
  })
}

export const lifetimesPart = (view: View, app: App): Html => {
  const { lifetimes } = view.texts
  return html`<section class="card"><h2>${lifetimes.heading}</h2><p>${lifetimes.text}</p>${form(view, {
    action: appPath(app.id, 'lifetimes'),
    fields: html`${lifetimeNames.map(name => field(view, app, name))}
${actions(submitButton({ text: lifetimes.save }))}`,
  })}</section>`
}

export const readLifetimes = (values: FormValues): Lifetimes =>
  Object.fromEntries(lifetimeNames.map(name => [name, Number(values.text(name))])) as Record<keyof Lifetimes, number>

/** For owners and reviewers: access token, refresh token without use, in all. */
export const lifetimeWords = (view: View, app: Lifetimes): string =>
  lifetimeNames.map(name => inWords(view, app[name])).join(' / ')
