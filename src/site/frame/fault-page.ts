// Whatever a page route threw → an error page in the visitor's language.
import { Fault } from '../../base/fault.ts'
import { fillText } from '../pieces/fill.ts'
import type { Html } from '../pieces/html.ts'
import type { Texts } from '../texts/texts.ts'
import { type ErrorParts, errorPage } from './error-page.ts'
import type { View } from './view.ts'

type Words = Pick<ErrorParts, 'title' | 'happened' | 'next'>

const waitWords = (texts: Texts, seconds: number): string =>
  seconds < 120
    ? fillText(texts.errors.seconds, { count: seconds })
    : fillText(texts.errors.minutes, { count: Math.ceil(seconds / 60) })

const withWait = (texts: Texts, words: Words, fault: Fault): Words => {
  const wait = waitWords(texts, Number(fault.headers['retry-after'] ?? 60))
  return { ...words, next: fillText(words.next, { wait }) }
}

const isBusy = (fault: Fault): boolean => fault.code === 'unavailable' && fault.headers['retry-after'] !== undefined

const wordsFor = (texts: Texts, fault: Fault): Words => {
  const { errors } = texts
  if (isBusy(fault)) return withWait(texts, errors.busy, fault)
  if (fault.status >= 500) return errors.unexpected
  if (fault.status === 404) return errors.notFound
  if (fault.status === 429) return withWait(texts, errors.tooMany, fault)
  if (fault.code === 'form_expired') return errors.formExpired
  if (fault.code === 'link_expired') return errors.linkExpired
  if (fault.status === 403) return errors.forbidden
  return { ...errors.badRequest, happened: fault.message }
}

export const faultPage = (view: View, fault: Fault, id: string): Html =>
  errorPage(view, { ...wordsFor(view.texts, fault), id: fault.status >= 500 && !isBusy(fault) ? id : undefined })

export const forbidden = (): Fault =>
  new Fault({ code: 'forbidden', status: 403, message: 'Your account does not have the rights that this page needs.' })
