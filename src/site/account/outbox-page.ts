// The mail of a development installation → a page where its links can be followed.
import type { OutboxMail } from '../../accounts/outbox.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { momentOf } from '../pieces/data.ts'
import { type Html, html, rawHtml } from '../pieces/html.ts'
import { badge, emptyState } from '../pieces/notices.ts'

/** URLs become links; everything else stays text. */
const withLinks = (text: string): Html =>
  rawHtml(
    text
      .split(/(https?:\/\/\S+)/)
      .map((piece, index) => (index % 2 === 0 ? html`${piece}` : html`<a href="${piece}">${piece}</a>`).text)
      .join(''),
  )

const mailCard = (view: View, mail: OutboxMail): Html => {
  const { outbox } = view.texts
  return html`<article class="card mail"><h2 dir="auto">${mail.subject}</h2>
<p class="soft">${outbox.to} <bdi>${mail.to}</bdi> · ${momentOf(view, mail.createdAt)}
${badge(mail.sentAt === undefined ? outbox.kept : outbox.sent, mail.sentAt === undefined ? 'info' : 'good')}</p>
<p class="mail-text" dir="auto">${withLinks(mail.text)}</p></article>`
}

export const outboxPage = (view: View, mails: readonly OutboxMail[]): Html => {
  const { outbox } = view.texts
  return page(view, {
    title: outbox.title,
    section: 'outbox',
    main: html`<header class="page-head"><h1>${outbox.title}</h1><p class="lead">${outbox.text}</p></header>
${mails.length === 0 ? emptyState({ title: outbox.empty, text: outbox.emptyText }) : mails.map(mail => mailCard(view, mail))}`,
  })
}
