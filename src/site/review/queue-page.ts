// The queue, or the apps of one state → the first page of the review desk.
import { isScope, isWriteScope, personalDataScopes } from '../../access/scopes.ts'
import type { App } from '../../apps/app.ts'
import type { ReviewCounts, Waiting } from '../../apps/review-queue.ts'
import { durationInWords } from '../../base/in-words.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { submitButton } from '../pieces/buttons.ts'
import { momentOf, table } from '../pieces/data.ts'
import { textField } from '../pieces/form.ts'
import { attributes, type Html, html, nothing } from '../pieces/html.ts'
import { badge, emptyState, notice } from '../pieces/notices.ts'
import { hrefOf, nextLink } from './next-link.ts'

export type ReviewView = 'waiting' | 'asked' | 'approved' | 'suspended' | 'rejected'

export const reviewViews: readonly ReviewView[] = ['waiting', 'asked', 'approved', 'suspended', 'rejected']

interface SharedParts {
  readonly done?: string | undefined
  readonly now: Date
  readonly counts: ReviewCounts
  /** What to look at next, after something was done. */
  readonly next?: Waiting | undefined
  /** As typed into the search. */
  readonly words: string
}

export type QueueParts = SharedParts &
  (
    | { readonly view: 'waiting' | 'asked'; readonly waiting: readonly Waiting[] }
    | { readonly view: Exclude<ReviewView, 'waiting' | 'asked'>; readonly apps: readonly App[] }
  )

const MINUTE_MS = 60_000

const waitingTime = ({ language }: View, since: Date, now: Date): string => {
  const minutes = Math.max(0, Math.floor((now.getTime() - since.getTime()) / MINUTE_MS))
  const hours = Math.floor(minutes / 60)
  if (minutes < 120) return durationInWords(minutes, 'minute', language)
  return hours < 48
    ? durationInWords(hours, 'hour', language)
    : durationInWords(Math.floor(hours / 24), 'day', language)
}

const viewLinks = ({ texts, language }: View, { view: current, counts }: QueueParts): Html =>
  html`<nav class="spans with-more" aria-label="${texts.review.viewLabel}"><ul class="plain-list">${reviewViews.map(
    name =>
      html`<li><a class="button small" href="${name === 'waiting' ? '/review' : `/review?state=${name}`}"${attributes({ 'aria-current': name === current && 'true' })}>${texts.review.views[name]} <span class="count">${new Intl.NumberFormat(language).format(counts[name])}</span></a></li>`,
  )}</ul><ul class="plain-list more"><li><a href="/review/masjids">${texts.masjidRequest.review.title}</a></li><li><a href="/review/hosts">${texts.reviewHosts.title}</a></li><li><a href="/review/audit">${texts.admin.audit}</a></li></ul></nav>`

const whatOf = ({ texts }: View, { kind, again, answered }: Waiting): Html => {
  const { review } = texts
  const what =
    kind === 'change'
      ? badge(review.change, 'info')
      : again
        ? badge(review.againApp, 'warn')
        : badge(review.newApp, 'good')
  return html`${what} ${answered && badge(review.answered, 'good')}`
}

/** What a reviewer should know before opening it. */
const risksOf = ({ texts }: View, { scopes, newOwner, allMasjids }: Waiting): Html => {
  const { appForm, review } = texts
  const asked = scopes.filter(isScope)
  const writes = asked.some(isWriteScope)
  const personal = asked.some(scope => personalDataScopes.includes(scope))
  return html`${writes && badge(appForm.writes, 'bad')} ${personal && badge(appForm.personal, 'warn')} ${
    allMasjids && (writes || personal) && badge(review.allMasjids, 'warn')
  } ${newOwner && badge(review.newOwner, 'warn')}`
}

/** Nothing is there, or nothing that was searched for. */
const nothingListed = (
  { texts }: View,
  words: string,
  empty: { readonly title: string; readonly text: string },
): Html => emptyState(words === '' ? empty : { title: texts.review.noneMatch, text: texts.review.noneMatchText })

const waitingTable = (
  view: View,
  { waiting, now, words }: SharedParts & { readonly waiting: readonly Waiting[] },
): Html => {
  const { review } = view.texts
  if (waiting.length === 0) return nothingListed(view, words, { title: review.empty, text: review.emptyText })
  return table({
    caption: review.title,
    cards: true,
    head: [review.app, review.what, review.risks, review.owner, review.scopes, review.waits],
    rows: waiting.map(entry => [
      html`<a href="${hrefOf(entry)}"><bdi>${entry.name}</bdi></a>`,
      whatOf(view, entry),
      risksOf(view, entry),
      html`<bdi>${entry.ownerName}</bdi>`,
      html`<span dir="ltr">${entry.scopes.join(' ')}</span>`,
      html`<time datetime="${entry.since.toISOString()}">${waitingTime(view, entry.since, now)}</time>`,
    ]),
  })
}

const appTable = (
  view: View,
  { apps, words }: SharedParts & { readonly apps: readonly App[] },
  title: string,
): Html => {
  const { review, credentials } = view.texts
  if (apps.length === 0) return nothingListed(view, words, { title: review.emptyList, text: review.emptyListText })
  return table({
    caption: title,
    cards: true,
    head: [review.app, review.owner, credentials.clientId, review.scopes, credentials.created],
    rows: apps.map(app => [
      html`<a href="/review/apps/${app.id}"><bdi>${app.name}</bdi></a>`,
      html`<bdi>${app.ownerName}</bdi>`,
      html`<code dir="ltr">${app.clientId ?? ''}</code>`,
      html`<span dir="ltr">${(app.state === 'rejected' ? app.requestedScopes : app.scopes).join(' ')}</span>`,
      momentOf(view, app.createdAt),
    ]),
  })
}

const searchForm = ({ texts }: View, { view, words }: QueueParts): Html => {
  const { review } = texts
  const field = textField({
    name: 'words',
    type: 'search',
    label: review.search,
    hint: review.searchHint,
    value: words,
    filter: true,
  })
  const state = view === 'waiting' ? nothing : html`<input type="hidden" name="state" value="${view}">`
  return html`<form method="get" action="/review" class="card find" role="search">${field}${state}${submitButton({ text: review.searchButton })}</form>`
}

export const queuePage = (view: View, parts: QueueParts): Html => {
  const { review } = view.texts
  const list = 'waiting' in parts ? waitingTable(view, parts) : appTable(view, parts, review.views[parts.view])
  return page(view, {
    title: review.title,
    section: 'review',
    main: html`<div class="page-head"><h1>${review.title}</h1><p class="lead">${review.leads[parts.view]}</p></div>
${parts.done !== undefined && notice({ tone: 'good', text: parts.done })}${nextLink(view, parts.next)}${viewLinks(view, parts)}${searchForm(view, parts)}${list}`,
  })
}
