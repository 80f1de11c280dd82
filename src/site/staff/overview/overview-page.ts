// A masjid and its times today → the first of its staff pages: how things are, and what the visitor can do.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { SECURITY_PAGE } from '../../frame/page-routes.ts'
import type { View } from '../../frame/view.ts'
import { clockWords } from '../../hall/clock.ts'
import { table } from '../../pieces/data.ts'
import { fillText } from '../../pieces/fill.ts'
import { type Html, html } from '../../pieces/html.ts'
import { notice } from '../../pieces/notices.ts'
import { ruleQuestionHint } from '../details/rule-question.ts'
import { sectionsFor, staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'

type Prayer = 'fajr' | 'dhuhr' | 'asr' | 'maghrib' | 'isha' | 'jumuah' | 'taraweeh' | 'eid_fitr' | 'eid_adha'

/** Local times of the masjid, as `2026-11-16T05:12:00`. */
export interface TimeToday {
  readonly prayer: Prayer
  readonly session: number
  readonly label: string | null
  readonly adhan_local: string | null
  readonly iqamah_local: string | null
}

const timesToday = (view: View, times: readonly TimeToday[]): Html => {
  const { staff } = view.texts
  const rows = times.map(({ prayer, label, adhan_local, iqamah_local }) => [
    label === null ? staff.prayers[prayer] : html`${staff.prayers[prayer]} <bdi class="soft">${label}</bdi>`,
    clockWords(view.language, adhan_local),
    clockWords(view.language, iqamah_local),
  ])
  const head = [staff.prayer, staff.adhan, staff.iqamah]
  return html`<h2>${staff.today}</h2>${rows.length === 0 ? html`<p>${staff.noTimes}</p>` : table({ caption: staff.today, head, rows })}`
}

const sectionCards = ({ texts }: View, masjid: StaffedMasjid): Html =>
  html`<ul class="plain-list card-grid">${sectionsFor(masjid)
    .filter(({ path }) => path !== '')
    .map(
      ({ name, path }) =>
        html`<li class="card staff-card"><h2><a href="${staffPath(masjid, path)}">${texts.staff.sections[name]}</a></h2><p>${texts.staff.sectionHints[name]}</p></li>`,
    )}</ul>`

const guardedNotice = ({ texts: { staff }, language }: View, { guarded }: StaffedMasjid): Html => {
  const names = new Intl.ListFormat(language).format(guarded.map(name => staff.capabilities[name]))
  return notice({
    tone: 'warn',
    text: html`${fillText(staff.guarded, { names })} <a href="${SECURITY_PAGE}">${staff.setUpFactor}</a>`,
  })
}

export const overviewPage = (view: View, masjid: StaffedMasjid, times: readonly TimeToday[]): Html =>
  staffFrame(view, {
    masjid,
    section: 'overview',
    main: html`${!masjid.verified && notice({ tone: 'warn', text: view.texts.staff.unverifiedText })}${masjid.guarded.length > 0 && guardedNotice(view, masjid)}${ruleQuestionHint(view, masjid)}${sectionCards(view, masjid)}
${timesToday(view, times)}`,
  })
