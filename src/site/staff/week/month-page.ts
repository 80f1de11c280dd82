// A hijri month → the page that says on which of three days it begins.
import { addDays } from '../../../base/civil-date.ts'
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { dateWords, monthName, numberWords } from '../../hall/date-words.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { radioGroup } from '../../pieces/choices.ts'
import { fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import type { Month } from './read-months.ts'

export interface MonthParts {
  readonly masjid: StaffedMasjid
  readonly month: Month
  readonly chosen: string
  readonly fault: string | undefined
}

export const monthPage = (view: View, { masjid, month, chosen, fault }: MonthParts): Html => {
  const { week, common } = view.texts
  const days = [-1, 0, 1].map(days => addDays(month.startsOn, days))
  const hidden = { year: String(month.year), month: String(month.month) }
  return staffFrame(view, {
    masjid,
    section: 'week',
    title: fillText(week.startTitle, {
      month: monthName(view.texts, month.month),
      year: numberWords(view.language, month.year),
    }),
    faulty: fault !== undefined,
    main: html`${faultList(view, { starts_on: fault })}<div class="card form-card">${form(view, {
      action: staffPath(masjid, 'week/month'),
      hidden,
      fields: html`${radioGroup({
        name: 'starts_on',
        label: week.begins,
        hint: week.startHint,
        fault,
        choices: days.map(value => ({ value, label: dateWords(view.language, value, 'full') })),
        chosen: [chosen],
      })}${actions(
        submitButton({ text: week.announce, look: 'primary' }),
        linkButton({ text: common.cancel, href: staffPath(masjid, 'week/ramadan') }),
      )}`,
    })}</div>${
      month.announcementId !== undefined &&
      form(view, {
        action: staffPath(masjid, 'week/month/withdraw'),
        hidden,
        fields: submitButton({ text: week.withdraw }),
      })
    }`,
  })
}
