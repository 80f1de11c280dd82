// An error thrown by a page route → an error page in the visitor's language.
import type { Language } from '../../accounts/languages.ts'
import { Fault } from '../../base/fault.ts'
import { durationInWords } from '../../base/in-words.ts'
import { fillText } from '../pieces/fill.ts'
import type { Html } from '../pieces/html.ts'
import { type ErrorParts, errorPage } from './error-page.ts'
import type { View } from './view.ts'

type Words = Pick<ErrorParts, 'title' | 'happened' | 'next'>

const waitInWords = (language: Language, seconds: number): string =>
  seconds < 120
    ? durationInWords(seconds, 'second', language)
    : durationInWords(Math.ceil(seconds / 60), 'minute', language)

const withWait = (language: Language, words: Words, fault: Fault): Words => {
  const wait = waitInWords(language, Number(fault.headers['retry-after'] ?? 60))
  return { ...words, next: fillText(words.next, { wait }) }
}

const busyCodes = new Set(['unavailable', 'database-unavailable', 'too-many-waiting'])

const isBusy = (fault: Fault): boolean => busyCodes.has(fault.code) && fault.headers['retry-after'] !== undefined

const wordsFor = ({ texts, language }: View, fault: Fault): Words => {
  const { errors } = texts
  if (isBusy(fault) && fault.code === 'database-unavailable') return withWait(language, errors.away, fault)
  if (isBusy(fault)) return withWait(language, errors.busy, fault)
  if (fault.status >= 500) return errors.unexpected
  if (fault.status === 404) return errors.notFound
  if (fault.status === 429) return withWait(language, errors.tooMany, fault)
  if (fault.code === 'form_expired') return errors.formExpired
  if (fault.code === 'link_expired') return errors.linkExpired
  if (fault.code === 'not_on_team') return errors.notOnTeam
  if (fault.status === 403) return errors.forbidden
  return { ...errors.badRequest, happened: fault.message }
}

/** Where a link of the same kind is to be had. */
const wayOn = ({ here, texts }: View, { code }: Fault): Pick<ErrorParts, 'link'> => {
  if (code !== 'link_expired') return {}
  if (here.startsWith('/reset-password')) return { link: { href: '/forgot-password', text: texts.errors.newLink } }
  if (here.startsWith('/account/data')) return { link: { href: '/account/data', text: texts.errors.newLink } }
  return here.startsWith('/confirm') ? { link: { href: '/sign-in', text: texts.common.signIn } } : {}
}

export const faultPage = (view: View, fault: Fault, id: string): Html =>
  errorPage(view, {
    ...wordsFor(view, fault),
    ...wayOn(view, fault),
    id: fault.status >= 500 && !isBusy(fault) ? id : undefined,
  })

export const forbidden = (): Fault =>
  new Fault({ code: 'forbidden', status: 403, message: 'Your account does not have the rights that this page needs.' })
