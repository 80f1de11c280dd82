// A sheet and what its columns seem to be → a form in which that is corrected, and what could not be known is answered.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { Question } from '../../../timetables/read/date-rows.ts'
import { choosableRoles, type Reading, type Role } from '../../../timetables/read/roles.ts'
import type { Draft } from '../../../timetables/store/drafts.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { radioGroup, selectField } from '../../pieces/choices.ts'
import { fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList } from '../../pieces/notices.ts'
import { staffFrame } from '../staff-frame.ts'
import { roleWords } from './role-words.ts'
import { timesPath } from './times-page.ts'

export interface ColumnsParts {
  readonly masjid: StaffedMasjid
  readonly draft: Draft
  readonly reading: Reading
  /** What is open with this reading; shown as faults once the form was sent. */
  readonly questions: readonly Question[]
  readonly sent: boolean
}

const letterOf = (column: number): string =>
  column < 26
    ? String.fromCharCode(65 + column)
    : `${String.fromCharCode(64 + Math.floor(column / 26))}${String.fromCharCode(65 + (column % 26))}`

const LONGEST_SAMPLE = 30

/** Between Arabic words, the parts of a date would change places. */
const isolated = (text: string): string => `\u2068${text.slice(0, LONGEST_SAMPLE)}\u2069`

const SAMPLES = 3

const columnField = (view: View, { draft, reading }: ColumnsParts, column: number): Html => {
  const { staffTimes: texts } = view.texts
  const cells = (rows: Draft['sheet']['rows']): string[] => rows.flatMap(row => row[column] || [])
  const heading = cells(draft.sheet.rows.slice(0, reading.first)).slice(-2).join(' ')
  const samples = cells(draft.sheet.rows.slice(reading.first)).slice(0, SAMPLES)
  const role: Role = reading.columns[column] ?? 'ignore'
  const roles = choosableRoles.includes(role) ? choosableRoles : [role, ...choosableRoles]
  const letter = letterOf(column)
  return selectField({
    name: `column_${column}`,
    label:
      heading === ''
        ? fillText(texts.columnPlain, { letter })
        : fillText(texts.column, { letter, heading: heading.slice(0, 60) }),
    hint: fillText(texts.samples, { samples: samples.map(isolated).join(' · ') || '–' }),
    choices: roles.map(value => ({ value, label: roleWords(view, value) })),
    chosen: [role],
  })
}

/** Columns without a single value are not asked about. */
const usedColumns = ({ draft: { sheet }, reading }: ColumnsParts): number[] =>
  reading.columns.flatMap((_, column) => (sheet.rows.slice(reading.first).some(row => row[column]) ? [column] : []))

const monthName = ({ language }: View, month: number): string =>
  new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(new Date(Date.UTC(2026, month - 1, 1)))

const answers = (view: View, { reading, questions, sent }: ColumnsParts): Html[] => {
  const { staffTimes: texts } = view.texts
  const fault = (question: Question): string | undefined =>
    sent && questions.includes(question) ? texts.questions[question] : undefined
  const asked = (question: Question, answered: unknown): boolean =>
    questions.includes(question) || answered !== undefined
  const year = new Date().getUTCFullYear()
  const empty = { value: '', label: texts.choose }
  return [
    ...(questions.includes('plain')
      ? [
          radioGroup({
            name: 'plain',
            label: texts.questions.plain,
            fault: fault('plain'),
            choices: (['adhan', 'iqamah'] as const).map(value => ({ value, label: texts.kinds[value] })),
            chosen: [],
          }),
        ]
      : []),
    ...(asked('order', reading.order)
      ? [
          radioGroup({
            name: 'order',
            label: texts.questions.order,
            fault: fault('order'),
            choices: (['dmy', 'mdy'] as const).map(value => ({ value, label: texts.orders[value] })),
            chosen: [reading.order ?? ''],
          }),
        ]
      : []),
    ...(asked('month', reading.month)
      ? [
          selectField({
            name: 'month',
            label: texts.questions.month,
            fault: fault('month'),
            choices: [
              empty,
              ...Array.from({ length: 12 }, (_, index) => ({
                value: String(index + 1),
                label: monthName(view, index + 1),
              })),
            ],
            chosen: [String(reading.month ?? '')],
          }),
        ]
      : []),
    ...(asked('year', reading.year)
      ? [
          selectField({
            name: 'year',
            label: texts.questions.year,
            fault: fault('year'),
            choices: [
              empty,
              ...[0, 1, -1, 2].map(more => ({ value: String(year + more), label: String(year + more) })),
            ],
            chosen: [String(reading.year ?? '')],
          }),
        ]
      : []),
  ]
}

/** Questions about the columns themselves lead to the first of them. */
const faultsOf = (view: View, parts: ColumnsParts): Record<string, string> => {
  const [first = 0] = usedColumns(parts)
  const fields: Readonly<Record<Question, string>> = {
    plain: 'plain',
    order: 'order',
    month: 'month',
    year: 'year',
    date_column: `column_${first}`,
    no_times: `column_${first}`,
    weekdays: `column_${first}`,
    headings: `column_${first}`,
  }
  return Object.fromEntries(
    parts.questions.map(question => [fields[question], view.texts.staffTimes.questions[question]]),
  )
}

export const columnsPage = (view: View, parts: ColumnsParts): Html => {
  const { staffTimes: texts } = view.texts
  const { masjid, draft, sent, questions } = parts
  const here = timesPath(masjid, `drafts/${draft.id}`)
  return staffFrame(view, {
    masjid,
    section: 'times',
    title: texts.columnsTitle,
    faulty: sent && questions.length > 0,
    main: html`<p class="soft"><bdi>${draft.name}</bdi></p><p>${texts.columnsLead}</p>${sent ? faultList(view, faultsOf(view, parts)) : ''}
${form(view, { action: here, fields: html`${answers(view, parts)}${usedColumns(parts).map(column => columnField(view, parts, column))}${actions(submitButton({ text: texts.continue, look: 'primary' }))}` })}
${form(view, { action: `${here}/remove`, fields: actions(submitButton({ text: texts.remove, size: 'small' }), linkButton({ href: timesPath(masjid), text: texts.back, size: 'small' })) })}`,
  })
}
