// The screens of a masjid and what happened to them → the page that lists them.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { Screen, ScreenHistory } from '../../../screens/screen.ts'
import type { View } from '../../frame/view.ts'
import { linkButton } from '../../pieces/buttons.ts'
import { dayOf, momentOf, table } from '../../pieces/data.ts'
import { fill, fillText } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge, emptyState } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'

export interface ScreensParts {
  readonly masjid: StaffedMasjid
  readonly baseUrl: string
  readonly screens: readonly Screen[]
  readonly history: readonly ScreenHistory[]
  readonly done: string | undefined
}

const addedWords = (view: View, { createdAt, createdBy }: Screen): Html =>
  createdBy === null
    ? dayOf(view, createdAt)
    : fill(view.texts.staffScreens.addedBy, { date: dayOf(view, createdAt), name: createdBy })

/** While a screen is on, it is in contact every few minutes at the least. */
const SILENT_MS = 15 * 60_000

const contactWords = (view: View, { seenAt }: Screen): Html | string => {
  const { staffScreens: words } = view.texts
  if (seenAt === null) return words.noContact
  return Date.now() - seenAt.getTime() < SILENT_MS
    ? momentOf(view, seenAt)
    : html`${momentOf(view, seenAt)} ${badge(words.silent, 'warn')}`
}

const screenTable = (view: View, { masjid, screens }: ScreensParts): Html => {
  const { staffScreens: words } = view.texts
  return table({
    caption: words.list,
    head: [words.name, words.lastContact, words.from, words.added, words.change],
    rows: screens.map(screen => [
      html`<strong><bdi>${screen.name}</bdi></strong>`,
      contactWords(view, screen),
      screen.seenAddress === null ? '–' : html`<code dir="ltr">${screen.seenAddress}</code>`,
      addedWords(view, screen),
      linkButton({
        href: staffPath(masjid, `screens/${screen.id}`),
        text: words.change,
        size: 'small',
        label: fillText(words.changeNamed, { screen: screen.name }),
      }),
    ]),
  })
}

const historyTable = (view: View, history: readonly ScreenHistory[]): Html => {
  const { staffScreens: words, auditEvents } = view.texts
  return html`<h2>${words.history}</h2>${table({
    caption: words.history,
    head: [words.when, words.what, words.name, words.who],
    rows: history.map(({ at, action, screen, who }) => [
      momentOf(view, at),
      auditEvents[action] ?? action,
      html`<bdi>${screen}</bdi>`,
      html`<bdi>${who ?? '–'}</bdi>`,
    ]),
  })}`
}

export const screensPage = (view: View, parts: ScreensParts): Html => {
  const { masjid, baseUrl, screens, history, done } = parts
  const { staffScreens: words } = view.texts
  const place = (path: string): Html => html`<code dir="ltr">${baseUrl}${path}</code>`
  return staffFrame(view, {
    masjid,
    section: 'screens',
    done,
    main: html`<p class="lead">${words.lead}</p><p>${fill(words.how, { address: place('/screen'), page: place('/device') })}</p>
<p>${linkButton({ href: '/device', text: words.connect, look: 'primary' })}</p>
${screens.length === 0 ? emptyState({ title: words.none, text: '' }) : screenTable(view, parts)}${history.length > 0 && historyTable(view, history)}`,
  })
}
