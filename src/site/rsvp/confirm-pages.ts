// A guest's answer that waits for its link → "check your mail", the page that the link opens, and what came of it.
import type { Confirmed, GuestAnswer } from '../../accounts/guest-answers.ts'
import type { View } from '../frame/view.ts'
import { linkButton, submitButton } from '../pieces/buttons.ts'
import { fill } from '../pieces/fill.ts'
import { form } from '../pieces/form.ts'
import { type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { framed } from '../sign-in/link-pages.ts'
import { datePath, momentOf } from './date-parts.ts'
import type { EventDate } from './read-date.ts'

const back = (view: View, date: EventDate): Html =>
  html`<p class="aside"><a href="${datePath(date)}">${view.texts.rsvp.back}</a></p>`

/** The same whether the address has answered before or not. */
export const sentPage = (view: View, email: string): Html => {
  const { rsvp, signUp, common } = view.texts
  return framed(
    view,
    rsvp.sentTitle,
    html`<p>${fill(rsvp.sentText, { email })}</p><p class="soft">${signUp.checkSpam}</p>${
      view.development && linkButton({ href: '/outbox', text: common.outbox })
    }`,
  )
}

export interface ConfirmParts {
  readonly token: string
  readonly date: EventDate
  readonly answer: GuestAnswer
}

export const confirmPage = (view: View, { token, date, answer }: ConfirmParts): Html => {
  const { rsvp } = view.texts
  return framed(
    view,
    rsvp.confirmTitle,
    html`<p><strong><bdi>${date.event.title}</bdi></strong><br>${momentOf(view, date)}</p>
<p>${fill(rsvp.confirmText, { name: answer.name, answer: rsvp.answers[answer.status], size: answer.size })}</p>${form(
      view,
      {
        action: '/rsvp/confirm',
        hidden: { token },
        fields: submitButton({ text: rsvp.confirm, look: 'primary', size: 'full' }),
      },
    )}<p class="aside">${rsvp.notYou}</p>`,
  )
}

export const confirmedPage = (view: View, date: EventDate, { status, size }: Confirmed): Html => {
  const { rsvp } = view.texts
  return framed(
    view,
    rsvp.saved,
    html`<p><strong><bdi>${date.event.title}</bdi></strong><br>${momentOf(view, date)}</p>${notice({ tone: 'good', text: fill(rsvp.own[status], { size }) })}<p class="soft">${rsvp.changeLater}</p>${back(view, date)}`,
  )
}

export const refusedPage = (view: View, date: EventDate, refusal: string): Html =>
  framed(view, view.texts.rsvp.refusedTitle, html`${notice({ tone: 'bad', text: refusal })}${back(view, date)}`)
