// A date of an event, and who is looking → the page on which they answer it.
import { MOST_GUESTS } from '../../accounts/guest-answers.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { linkButton, submitButton } from '../pieces/buttons.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { form, textField } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { faultList, notice } from '../pieces/notices.ts'
import { wordsOf } from '../sign-in/fault-words.ts'
import { answerFields, dateDetails, dateHead, datePath, type TypedAnswer } from './date-parts.ts'
import type { OwnAnswer } from './own-answer.ts'
import { type EventDate, whyClosed } from './read-date.ts'

export interface DateParts {
  readonly date: EventDate
  readonly now: Date
  /** Of whoever is signed in. */
  readonly own?: OwnAnswer | undefined
  readonly typed?: TypedAnswer & { readonly name?: string; readonly email?: string }
  readonly faults?: Readonly<Record<string, string | undefined>>
  readonly refusal?: string
  readonly done?: boolean
}

const MOST_PEOPLE = 50

const first: TypedAnswer = { status: 'going', size: '1' }

const typedOf = ({ typed, own }: DateParts): TypedAnswer => {
  if (typed !== undefined) return typed
  if (own === undefined) return first
  const status = own.status === 'maybe' || own.status === 'declined' ? own.status : 'going'
  return { status, size: String(own.party_size) }
}

const faultWords = (view: View, { faults = {} }: DateParts): Record<string, string | undefined> => {
  const { size, ...others } = faults
  const words = wordsOf(view, others)
  return { ...words, ...(size === undefined ? {} : { size: view.texts.rsvp.sizeWrong }) }
}

const ownNotice = (view: View, { own, done }: DateParts): Html => {
  const { rsvp } = view.texts
  if (own === undefined) return nothing
  const text = fill(rsvp.own[own.status], { size: own.party_size })
  return notice(done === true ? { tone: 'good', title: rsvp.saved, text } : { tone: 'info', text })
}

const ownForm = (view: View, parts: DateParts): Html => {
  const { rsvp } = view.texts
  return html`${ownNotice(view, parts)}${form(view, {
    action: datePath(parts.date),
    fields: [
      answerFields(view, typedOf(parts), { most: MOST_PEOPLE, fault: faultWords(view, parts).size }),
      submitButton({ text: parts.own === undefined ? rsvp.answer : rsvp.change, look: 'primary', size: 'full' }),
    ],
  })}<p class="aside">${fill(rsvp.as, { name: view.user?.name ?? '' })}</p>`
}

const guestForm = (view: View, parts: DateParts): Html => {
  const { rsvp, signUp, signIn } = view.texts
  const faults = faultWords(view, parts)
  const { name = '', email = '' } = parts.typed ?? {}
  const field = (wishes: Parameters<typeof textField>[0]): Html => textField({ ...wishes, fault: faults[wishes.name] })
  return html`${form(view, {
    action: datePath(parts.date),
    fields: [
      answerFields(view, typedOf(parts), { most: MOST_GUESTS, fault: faults.size }),
      field({
        name: 'name',
        label: signUp.name,
        value: name,
        attributes: { autocomplete: 'name', maxlength: 100, dir: 'auto' },
      }),
      field({
        name: 'email',
        label: signIn.email,
        hint: rsvp.emailHint,
        value: email,
        type: 'email',
        attributes: { autocomplete: 'email', inputmode: 'email', dir: 'ltr' },
      }),
      submitButton({ text: rsvp.send, look: 'primary', size: 'full' }),
    ],
  })}`
}

const strangerPart = (view: View, parts: DateParts): Html => {
  const { rsvp } = view.texts
  const href = `${datePath(parts.date)}/sign-in`
  if (!parts.date.masjid.guest_rsvps)
    return html`<p>${rsvp.signInText}</p>${linkButton({ text: rsvp.signIn, href, look: 'primary', size: 'full' })}`
  return html`${guestForm(view, parts)}<p class="aside"><a href="${href}" rel="nofollow">${rsvp.signInInstead}</a></p>`
}

const answering = (view: View, parts: DateParts): Html => {
  const closed = whyClosed(parts.date, parts.now)
  if (closed !== undefined) return notice({ tone: 'warn', text: view.texts.rsvp.closed[closed] })
  return view.user === undefined ? strangerPart(view, parts) : ownForm(view, parts)
}

const fullNotice = (view: View, { date: { capacity, going_count }, own }: DateParts): Html =>
  capacity !== null && going_count >= capacity && own === undefined
    ? notice({ tone: 'info', text: view.texts.rsvp.full })
    : nothing

export const datePage = (view: View, parts: DateParts): Html => {
  const { date, refusal } = parts
  return page(view, {
    title: fillText(view.texts.rsvp.title, { title: date.event.title }),
    width: 'narrow',
    main: html`<article class="card">${dateHead(view, date)}${dateDetails(view, date)}${faultList(view, faultWords(view, parts))}${
      refusal !== undefined && notice({ tone: 'bad', text: refusal })
    }${fullNotice(view, parts)}${answering(view, parts)}</article>`,
  })
}
