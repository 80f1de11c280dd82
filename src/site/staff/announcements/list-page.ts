// A masjid's announcements → the page that lists them: showing now, to come, past.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { emptyState } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { type Announcement, textIn } from './announcement.ts'
import { announcementBody } from './show-announcement.ts'

const PAST_A_PAGE = 20

export interface AnnouncementLists {
  readonly current: readonly Announcement[]
  readonly coming: readonly Announcement[]
  readonly past: readonly Announcement[]
}

export interface ListParts extends AnnouncementLists {
  readonly masjid: StaffedMasjid
  readonly done: string | undefined
  /** One that was just deleted, which can be taken back. */
  readonly deleted: string | undefined
  readonly skip: number
}

export const announcementPath = (masjid: Pick<StaffedMasjid, 'slug'>, ...rest: readonly string[]): string =>
  staffPath(masjid, ['announcements', ...rest].join('/'))

const card = (view: View, masjid: StaffedMasjid, announcement: Announcement, canEnd: boolean): Html => {
  const { staffAnnouncements: texts, common } = view.texts
  const [, { title }] = textIn(announcement, view.language)
  const end = form(view, {
    action: announcementPath(masjid, announcement.id, 'end'),
    fields: submitButton({ text: texts.endNow, size: 'small', label: fillText(texts.endOf, { title }) }),
  })
  return html`<li class="card announcement${announcement.urgent ? ' urgent' : ''}">${announcementBody(view, masjid, announcement)}
<div class="actions">${linkButton({ text: texts.edit, href: announcementPath(masjid, announcement.id), size: 'small', label: fillText(texts.editOf, { title }) })}${canEnd && end}${linkButton({ text: common.delete, href: announcementPath(masjid, announcement.id, 'delete'), size: 'small', label: fillText(texts.deleteOf, { title }) })}</div></li>`
}

const list = (
  view: View,
  { masjid }: ListParts,
  { title, found, canEnd = false }: { title: string; found: readonly Announcement[]; canEnd?: boolean },
): Html =>
  found.length === 0
    ? nothing
    : html`<section><h2>${title}</h2><ul class="plain-list">${found.map(one => card(view, masjid, one, canEnd))}</ul></section>`

const pages = ({ texts }: View, { masjid, past, skip }: ListParts): Html => {
  const { older, newer } = texts.staffAnnouncements
  const to = (offset: number): string => `${announcementPath(masjid)}?skip=${offset}`
  return html`<p class="actions">${skip > 0 && linkButton({ text: newer, href: to(Math.max(0, skip - PAST_A_PAGE)), size: 'small' })}${
    past.length > PAST_A_PAGE && linkButton({ text: older, href: to(skip + PAST_A_PAGE), size: 'small' })
  }</p>`
}

const undoForm = (view: View, { masjid, deleted }: ListParts): Html =>
  deleted === undefined
    ? nothing
    : form(view, {
        action: announcementPath(masjid, deleted, 'restore'),
        fields: html`<div class="undo">${submitButton({ text: view.texts.staffAnnouncements.undo, size: 'small' })}</div>`,
      })

export const listPage = (view: View, parts: ListParts): Html => {
  const { staffAnnouncements: texts } = view.texts
  const { masjid, current, coming, past, done } = parts
  const none = emptyState({ title: texts.noneCurrent, text: texts.noneCurrentText })
  return staffFrame(view, {
    masjid,
    section: 'announcements',
    done,
    main: html`${undoForm(view, parts)}<p class="lead">${texts.lead}</p>${actions(
      linkButton({ text: texts.create, href: announcementPath(masjid, 'new'), look: 'primary' }),
      linkButton({ text: texts.createJanazah, href: `${announcementPath(masjid, 'new')}?kind=janazah` }),
    )}${current.length === 0 ? none : list(view, parts, { title: texts.current, found: current, canEnd: true })}
${list(view, parts, { title: texts.coming, found: coming })}
${list(view, parts, { title: texts.past, found: past.slice(0, PAST_A_PAGE) })}${pages(view, parts)}`,
  })
}
