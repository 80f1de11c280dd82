// Downloading one's own data, erasing the account, and keeping it after all → pages.
import type { Blockers } from '../../../own-data/erase/blockers.ts'
import type { ErasurePlan } from '../../../own-data/erase/erasure-plan.ts'
import type { WaitingLink } from '../../../people/member-links.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { dayOf } from '../../pieces/data.ts'
import { fill, fillCount } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { framed } from '../../sign-in/link-pages.ts'
import { accountPage } from '../account-frame.ts'
import { type LinkNews, linkCards, linkNotice } from './links.ts'
import { planList } from './plan-list.ts'

const daysOf = (view: View, days: number): Html => fillCount(view.language, view.texts.ownData.days, days)

export interface OwnDataParts {
  readonly days: number
  readonly links: readonly WaitingLink[]
  readonly news: LinkNews | undefined
}

export const ownDataPage = (view: View, { days, links, news }: OwnDataParts): Html => {
  const { ownData } = view.texts
  return accountPage(view, {
    section: 'data',
    title: ownData.title,
    text: ownData.text,
    news: news === undefined ? undefined : linkNotice(view, news),
    main: html`${linkCards(view, links)}<section class="card"><h2>${ownData.exportHeading}</h2><p>${ownData.exportText}</p>
${form(view, {
  action: '/account/data/export',
  fields: submitButton({ text: ownData.exportButton, look: 'primary' }),
})}</section>
<section class="card"><h2>${ownData.eraseHeading}</h2><p>${fill(ownData.eraseText, { count: daysOf(view, days) })}</p>
${linkButton({ href: '/account/data/erase', text: ownData.eraseOpen, look: 'danger' })}</section>`,
  })
}

export const exportReadyPage = (view: View, token: string): Html => {
  const { ownData } = view.texts
  return accountPage(view, {
    section: 'data',
    title: ownData.readyTitle,
    main: html`<section class="card"><p>${ownData.readyText}</p>
${actions(
  linkButton({
    href: `/account/data/download?${new URLSearchParams({ token })}`,
    text: ownData.download,
    look: 'primary',
  }),
  linkButton({ href: '/account/data', text: ownData.back }),
)}</section>`,
  })
}

export interface ErasePageParts {
  readonly plan: ErasurePlan
  readonly blockers: Blockers
  readonly days: number
  readonly email: string
}

const blockerList = (text: string, lines: readonly Html[]): Html =>
  lines.length === 0 ? nothing : html`<p>${text}</p><ul>${lines}</ul>`

const blockerCard = (view: View, { apps, masjids }: Blockers): Html => {
  const { blockedTitle, blockedApps, blockedMasjids } = view.texts.ownData
  const appLines = apps.map(({ id, name }) => html`<li><a href="/console/apps/${id}"><bdi>${name}</bdi></a></li>`)
  const masjidLines = masjids.map(
    ({ slug, name }) => html`<li><a href="/staff/${slug}/team"><bdi>${name}</bdi></a></li>`,
  )
  return html`<section class="card"><h2>${blockedTitle}</h2>
${blockerList(blockedApps, appLines)}${blockerList(blockedMasjids, masjidLines)}</section>`
}

const eraseForm = (view: View): Html => {
  const { ownData } = view.texts
  return html`<section class="card">${form(view, {
    action: '/account/data/erase',
    fields: actions(
      submitButton({ text: ownData.eraseButton, look: 'danger' }),
      linkButton({ href: '/account/data', text: ownData.eraseCancel }),
    ),
  })}</section>`
}

export const erasePage = (view: View, { plan, blockers, days, email }: ErasePageParts): Html => {
  const { ownData } = view.texts
  const isBlocked = blockers.apps.length + blockers.masjids.length > 0
  return accountPage(view, {
    section: 'data',
    title: ownData.eraseTitle,
    text: fill(ownData.eraseLead, { count: daysOf(view, days), email }),
    main: html`${isBlocked && blockerCard(view, blockers)}${planList(view, plan)}${!isBlocked && eraseForm(view)}`,
  })
}

export const erasureAskedPage = (view: View, dueAt: Date): Html => {
  const { ownData } = view.texts
  return framed(view, ownData.askedTitle, html`<p>${fill(ownData.askedText, { date: dayOf(view, dueAt) })}</p>`)
}

export interface KeepParts {
  readonly token: string
  readonly email: string
  readonly dueAt: Date
  readonly staysDisabled: boolean
}

export const keepAccountPage = (view: View, { token, email, dueAt, staysDisabled }: KeepParts): Html => {
  const { ownData } = view.texts
  const text = staysDisabled ? ownData.keepDisabledText : ownData.keepText
  return framed(
    view,
    ownData.keepTitle,
    html`<p>${fill(text, { email, date: dayOf(view, dueAt) })}</p>${form(view, {
      action: '/keep-account',
      hidden: { token },
      fields: submitButton({ text: ownData.keepButton, look: 'primary', size: 'full' }),
    })}<p class="aside">${ownData.keepNothing}</p>`,
  )
}

export const accountKeptPage = (view: View): Html => {
  const { ownData, common } = view.texts
  return framed(
    view,
    ownData.keptDone,
    html`<p>${ownData.keptDoneText}</p>${linkButton({ href: '/sign-in', text: common.signIn, look: 'primary', size: 'full' })}`,
  )
}
