// The browsers in which a person is signed in → the page that lists and ends them.
import type { SessionLine } from '../../accounts/sessions.ts'
import type { View } from '../frame/view.ts'
import { actions, submitButton } from '../pieces/buttons.ts'
import { formatMoment, momentOf } from '../pieces/data.ts'
import { fill, fillText } from '../pieces/fill.ts'
import { form } from '../pieces/form.ts'
import { type Html, html, nothing } from '../pieces/html.ts'
import { badge, notice } from '../pieces/notices.ts'
import { localTimes } from '../pieces/times/times.ts'
import { accountPage } from './account-frame.ts'
import { browserName } from './browser-name.ts'
import { placeName } from './place-name.ts'
import { TAKE_BACK_PAGE } from './take-back/page.ts'

export interface SessionsParts {
  readonly sessions: readonly SessionLine[]
  readonly currentId: string
  readonly news: 'ended' | 'others_ended' | undefined
}

const endButton = (view: View, session: SessionLine): Html => {
  const { end, endNamed } = view.texts.sessions
  const browser = browserName(view, session.userAgent)
  const date = formatMoment(view.language, session.lastSeenAt)
  const label = fillText(endNamed, { browser, date })
  return form(view, {
    action: `/account/sessions/${session.id}/end`,
    fields: submitButton({ text: end, size: 'small', label }),
  })
}

const sessionLine = (view: View, session: SessionLine, current: SessionLine | undefined): Html => {
  const { sessions } = view.texts
  const isCurrent = session.id === current?.id
  const place = placeName(view, session.address, isCurrent ? undefined : current?.address)
  return html`<li><div><h2>${browserName(view, session.userAgent)} ${isCurrent && badge(sessions.thisOne, 'good')}</h2>
<p class="soft">${fill(sessions.signedIn, { date: momentOf(view, session.createdAt) })}<br>
${fill(sessions.lastSeen, { date: momentOf(view, session.lastSeenAt) })}
${place !== undefined && html`<br>${place}`}</p></div>
${!isCurrent && endButton(view, session)}</li>`
}

export const sessionsPage = (view: View, { sessions: lines, currentId, news }: SessionsParts): Html => {
  const { sessions } = view.texts
  const current = lines.find(({ id }) => id === currentId)
  const words = news === undefined ? undefined : news === 'ended' ? sessions.ended : sessions.othersEnded
  const endOthers = form(view, {
    action: '/account/sessions/end-others',
    fields: submitButton({ text: sessions.endOthers, look: 'danger' }),
  })
  return accountPage(view, {
    section: 'sessions',
    head: localTimes,
    title: sessions.title,
    text: sessions.text,
    news: words === undefined ? undefined : notice({ tone: 'good', text: words }),
    main: html`<ul class="card plain-list rows">${lines.map(line => sessionLine(view, line, current))}</ul>
${actions(lines.length > 1 ? endOthers : nothing, form(view, { action: '/account/sessions/end-all', fields: submitButton({ text: sessions.endAll }) }))}
<p>${view.texts.takeBack.openText} <a href="${TAKE_BACK_PAGE}">${view.texts.takeBack.open}</a></p>`,
  })
}
