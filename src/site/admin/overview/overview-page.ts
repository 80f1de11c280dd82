// The figures of the service → the administrators' overview, with a link to where each is looked after.
import type { ServiceFigures } from '../../../apps/service-figures.ts'
import type { JobRuns } from '../../../metrics/job-book.ts'
import type { View } from '../../frame/view.ts'
import { facts, momentOf, table } from '../../pieces/data.ts'
import { type Html, type HtmlPart, html } from '../../pieces/html.ts'
import { badge } from '../../pieces/notices.ts'
import { adminFrame } from '../admin-frame.ts'

interface OverviewParts {
  readonly figures: ServiceFigures
  readonly jobs: readonly JobRuns[]
  readonly minaret: string
}

const card = (title: string, href: string | undefined, lines: readonly (readonly [string, HtmlPart])[]): Html =>
  html`<section class="card"><h2>${href === undefined ? title : html`<a href="${href}">${title}</a>`}</h2>${facts(lines)}</section>`

const isKnown = <T extends object>(texts: T, name: string): name is string & keyof T => name in texts

const jobsPart = (view: View, jobs: readonly JobRuns[]): Html => {
  const { adminOverview: texts, credentials } = view.texts
  const number = new Intl.NumberFormat(view.language, { maximumFractionDigits: 1 })
  const rows = jobs.map(({ job, runs, failures, lastMs, succeededAt }) => [
    isKnown(texts.jobNames, job) ? texts.jobNames[job] : html`<code dir="ltr">${job}</code>`,
    number.format(runs),
    failures === 0 ? number.format(0) : badge(number.format(failures), 'warn'),
    number.format(lastMs / 1000),
    succeededAt === undefined ? credentials.never : momentOf(view, succeededAt),
  ])
  return html`<section class="card spaced"><h2>${texts.jobRuns}</h2><p class="soft">${texts.jobRunsText}</p>
${table({ caption: texts.jobRuns, cards: true, numbers: [1, 2, 3], head: [texts.job, texts.runs, texts.failures, texts.lastSeconds, texts.lastSuccess], rows })}</section>`
}

export const adminOverviewPage = (view: View, { figures, jobs, minaret }: OverviewParts): Html => {
  const { adminOverview: texts } = view.texts
  const number = (value: number): string => new Intl.NumberFormat(view.language).format(value)
  /** What somebody should look at. */
  const alarming = (value: number): HtmlPart => (value === 0 ? number(0) : badge(number(value), 'warn'))
  return adminFrame(view, {
    section: 'overview',
    main: html`<p class="lead">${texts.lead}</p>
<div class="card-grid">${card(texts.apps, '/review', [
      [texts.pending, alarming(figures.pending)],
      [texts.approved, number(figures.approved)],
      [texts.suspended, number(figures.suspended)],
    ])}${card(texts.people, '/admin', [
      [texts.accounts, number(figures.people)],
      [texts.newPeople, number(figures.newPeople)],
      [texts.disabled, number(figures.disabled)],
    ])}${card(texts.requests, undefined, [
      [texts.answered, number(figures.requests)],
      [texts.errors, alarming(figures.errors)],
    ])}${card(texts.jobs, undefined, [
      [texts.mailWaiting, number(figures.mailWaiting)],
      [texts.mailFailing, alarming(figures.mailFailing)],
      [texts.webhooksWaiting, number(figures.webhooksWaiting)],
      [texts.webhooksDead, alarming(figures.webhooksDead)],
      [texts.erasures, number(figures.erasures)],
    ])}${card(texts.versions, undefined, [
      ['Minaret', html`<code dir="ltr">${minaret}</code>`],
      ['Node.js', html`<code dir="ltr">${process.version}</code>`],
      ['PostgreSQL', html`<code dir="ltr">${figures.postgresql}</code>`],
    ])}</div>
${jobsPart(view, jobs)}`,
  })
}
