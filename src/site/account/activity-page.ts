// Audit log entries → a page of recent activity in one's account.
import type { ActivityLine } from '../../audit/read-activity.ts'
import type { View } from '../frame/view.ts'
import { momentOf, pagination, table } from '../pieces/data.ts'
import { type Html, html } from '../pieces/html.ts'
import { emptyState } from '../pieces/notices.ts'
import { localTimes } from '../pieces/times/times.ts'
import { accountPage } from './account-frame.ts'

export interface ActivityParts {
  readonly lines: readonly ActivityLine[]
  readonly page: number
  readonly pages: number
}

export const activityPage = (view: View, { lines, page, pages }: ActivityParts): Html => {
  const { activity, auditEvents } = view.texts
  const listing = table({
    caption: activity.title,
    cards: true,
    head: [activity.when, activity.what, activity.app, activity.where],
    rows: lines.map(line => [
      momentOf(view, line.at),
      auditEvents[line.action] ?? html`<code>${line.action}</code>`,
      line.app !== undefined && html`<bdi>${line.app}</bdi>`,
      line.address !== undefined && html`<span dir="ltr">${line.address}</span>`,
    ]),
  })
  return accountPage(view, {
    section: 'activity',
    head: localTimes,
    title: activity.title,
    text: activity.text,
    main:
      lines.length === 0
        ? emptyState({ title: activity.empty, text: activity.emptyText })
        : html`${listing}${pagination(view, { page, pages, href: number => `/account/activity?page=${number}` })}`,
  })
}
