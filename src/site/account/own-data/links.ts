// Links with members of masjids that wait for the account's answer → cards with a form for each, and the news afterwards.
import type { WaitingLink } from '../../../people/member-links.ts'
import type { View } from '../../frame/view.ts'
import { submitButton } from '../../pieces/buttons.ts'
import { dayOf } from '../../pieces/data.ts'
import { fill } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'

const tones = { linked: 'good', waits: 'warn', declined: 'good' } as const

export type LinkNews = keyof typeof tones

const isNews = (done: string): done is LinkNews => Object.hasOwn(tones, done)

export const linkNewsOf = (done: string): LinkNews | undefined => (isNews(done) ? done : undefined)

export const linkNotice = (view: View, news: LinkNews): Html =>
  notice({ tone: tones[news], text: view.texts.ownData.links.done[news] })

const linkCard = (view: View, { memberId, masjid, linkedAt, accepted }: WaitingLink): Html => {
  const { links } = view.texts.ownData
  const path = `/account/data/links/${memberId}`
  return html`<section class="card"><h2>${links.heading}</h2>
<p>${fill(links.text, { masjid, date: dayOf(view, linkedAt) })}</p>${accepted && html`<p>${links.done.waits}</p>`}
${form(view, { action: `${path}/accept`, fields: submitButton({ text: accepted ? links.again : links.accept, look: 'primary' }) })}
${form(view, { action: `${path}/decline`, fields: submitButton({ text: links.decline }) })}</section>`
}

export const linkCards = (view: View, links: readonly WaitingLink[]): Html =>
  links.length === 0 ? nothing : html`${links.map(link => linkCard(view, link))}`
