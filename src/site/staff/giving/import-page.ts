// A table of gifts → the form for it, and what would be recorded.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { formatMoney } from '../../../giving/money.ts'
import type { SheetReason } from '../../../sheets/sheet.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { checkboxGroup, selectField } from '../../pieces/choices.ts'
import { table } from '../../pieces/data.ts'
import { fillText } from '../../pieces/fill.ts'
import { form, textArea, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { badge, faultList, notice, type Tone } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { SHEET_FIELD, sheetField } from '../sheets/sheet-field.ts'
import { staffFrame } from '../staff-frame.ts'
import { enteredMethods } from './gift.ts'
import type { ImportFault, ImportRow, ImportState } from './import-rows.ts'

export interface ImportPageParts {
  readonly masjid: StaffedMasjid
  readonly text: string
  readonly currency: string
  readonly method: string
  readonly fault?: ImportFault
  /** Why the file cannot be read. */
  readonly refusedSheet?: SheetReason
  readonly refusal?: string
  readonly rows?: readonly (ImportRow & { readonly state: ImportState })[]
}

const tones: Readonly<Record<ImportState, Tone>> = { new: 'good', known: 'info', twice: 'warn', faulty: 'bad' }

const previewRow = (view: View, row: ImportRow & { readonly state: ImportState }): Html[] => {
  const { staffGiving: giving } = view.texts
  const { values, form: typed, faults = {} } = row
  const amount = values === undefined ? typed.amount : formatMoney(view.language, values.amount_minor, values.currency)
  const words = [...new Set(Object.values(faults))].map(fault => giving.faults[fault]).join(' ')
  return [
    html`${row.line}`,
    html`${badge(giving.importStates[row.state], tones[row.state])}${words !== '' && html`<br><span class="small">${words}</span>`}`,
    html`<bdi>${typed.day}</bdi>`,
    html`<bdi>${amount}</bdi>`,
    html`<bdi>${typed.name || typed.email || giving.anonymous}</bdi>`,
    html`<bdi>${typed.reference}</bdi>`,
  ]
}

const preview = (view: View, parts: ImportPageParts): Html => {
  const { rows = [], masjid, text, currency, method } = parts
  const { staffGiving: giving } = view.texts
  const count = (state: ImportState): number => rows.filter(row => row.state === state).length
  const summary = fillText(giving.importSummary, {
    new: count('new'),
    known: count('known'),
    twice: count('twice'),
    faulty: count('faulty'),
  })
  const head = [giving.line, giving.state, giving.day, giving.amount, giving.giver, giving.reference]
  const twice =
    count('twice') > 0 &&
    checkboxGroup({
      name: 'twice',
      label: giving.importStates.twice,
      chosen: [],
      choices: [{ value: 'yes', label: giving.importTwice }],
    })
  const record =
    count('new') + count('twice') > 0 &&
    form(view, {
      action: staffPath(masjid, 'giving/import'),
      large: true,
      hidden: { text, currency, method, confirm: 'yes' },
      fields: html`${twice}${actions(submitButton({ text: giving.importRecord, look: 'primary' }))}`,
    })
  return html`<section><h2>${giving.preview}</h2><p>${summary}</p>${record}${table({ caption: giving.preview, head, rows: rows.map(row => previewRow(view, row)), numbers: [0, 3] })}</section>`
}

export const importPage = (view: View, parts: ImportPageParts): Html => {
  const { masjid, text, currency, method, fault, refusedSheet, refusal, rows } = parts
  const { staffGiving: giving, staff, common } = view.texts
  const words = {
    [SHEET_FIELD]: refusedSheet === undefined ? undefined : staff.sheets.refused[refusedSheet],
    text: fault === undefined ? undefined : giving.importFaults[fault],
  }
  return staffFrame(view, {
    masjid,
    section: 'giving',
    title: giving.importTitle,
    faulty: [fault, refusedSheet, refusal].some(reason => reason !== undefined),
    main: html`${faultList(view, words)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}${rows !== undefined && preview(view, parts)}
<div class="card form-card">${form(view, {
      action: staffPath(masjid, 'giving/import'),
      large: true,
      fields: html`${sheetField(view, { fault: words[SHEET_FIELD] })}
${textArea({ name: 'text', label: giving.importText, hint: giving.importHint, value: text, fault: words.text, optional: common.optional, rows: 8, code: true })}
<div class="pair">${textField({ name: 'currency', label: giving.currency, hint: giving.importCurrencyHint, value: currency, attributes: { maxlength: 3, dir: 'ltr' } })}
${selectField({ name: 'method', label: giving.method, chosen: [method], choices: enteredMethods.map(value => ({ value, label: giving.methods[value] })) })}</div>
${actions(submitButton({ text: giving.importPreview, look: rows === undefined ? 'primary' : 'plain' }), linkButton({ text: common.cancel, href: staffPath(masjid, 'giving') }))}<p class="hint">${giving.noCards}</p>`,
    })}</div>`,
  })
}
