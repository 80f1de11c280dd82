// A prayer and what was typed so far → the form that changes it.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { languageWords, numberWords } from '../../hall/date-words.ts'
import { isDaily, nameOf, type Prayer } from '../../hall/prayer-time.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { checkboxGroup, radioGroup, selectField } from '../../pieces/choices.ts'
import { fillText } from '../../pieces/fill.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import { type ChangeFaults, type ChangeValues, hows, lastings, roundSteps } from './change-values.ts'

export interface ChangeParts {
  readonly masjid: StaffedMasjid
  readonly prayer: Prayer
  readonly values: ChangeValues
  readonly faults: ChangeFaults
  /** What the database refused, in words. */
  readonly refusal?: string | undefined
  /** Another session of a prayer, not one that exists. */
  readonly isNew: boolean
}

const khutbahLanguages = [
  'ar',
  'en',
  'ur',
  'bn',
  'tr',
  'fr',
  'so',
  'id',
  'ms',
  'fa',
  'ps',
  'bs',
  'sq',
  'de',
  'es',
  'nl',
  'sw',
  'ha',
]

const offsetHint = ({ texts }: View, prayer: Prayer): string => {
  const { offsetHints } = texts.week
  if (prayer === 'jumuah' || prayer === 'taraweeh') return offsetHints[prayer]
  return isDaily(prayer) ? offsetHints.daily : offsetHints.eid
}

const dayFields = (view: View, { values, faults }: ChangeParts): Html => {
  const { week } = view.texts
  return html`${textField({ name: 'first_on', label: week.firstOn, value: values.first_on, fault: faults.first_on, type: 'date' })}
${radioGroup({
  name: 'lasts',
  label: week.lasts,
  fault: faults.lasts,
  choices: lastings.map(value => ({ value, label: week.lastsOptions[value] })),
  chosen: [values.lasts || 'on'],
})}<div class="when-until">${textField({ name: 'last_on', label: week.lastOn, value: values.last_on, fault: faults.last_on, type: 'date' })}</div>`
}

const timeFields = (view: View, { values, faults, prayer }: ChangeParts): Html => {
  const { week, common } = view.texts
  const limit = (name: 'not_before' | 'not_after', label: string): Html =>
    textField({ name, label, value: values[name], fault: faults[name], type: 'time', optional: common.optional })
  return html`${radioGroup({
    name: 'how',
    label: week.how,
    fault: faults.how,
    choices: hows.map(value => ({
      value,
      label: week.howOptions[value],
      ...(value === 'none' && isDaily(prayer) ? { hint: week.noneHint } : {}),
    })),
    chosen: [values.how],
  })}<div class="when-fixed">${textField({ name: 'fixed_time', label: week.fixedTime, value: values.fixed_time, fault: faults.fixed_time, type: 'time' })}</div>
<div class="when-offset">${textField({
    name: 'offset_minutes',
    label: week.offsetMinutes,
    hint: offsetHint(view, prayer),
    value: values.offset_minutes,
    fault: faults.offset_minutes,
    attributes: { inputmode: 'numeric', maxlength: 3 },
  })}<div class="when-rounded">${selectField({
    name: 'round_to',
    label: week.roundTo,
    fault: faults.round_to,
    choices: roundSteps.map(step => ({
      value: String(step),
      label: fillText(week.roundMinutes, { minutes: numberWords(view.language, step) }),
    })),
    chosen: [values.round_to || '5'],
  })}</div><div class="side-by-side">${limit('not_before', week.notBefore)}${limit('not_after', week.notAfter)}</div></div>`
}

const labelField = (view: View, { values, faults }: ChangeParts): Html => {
  const { week, common } = view.texts
  const { optional } = common
  return textField({
    name: 'label',
    label: week.label,
    hint: week.labelHint,
    value: values.label,
    fault: faults.label,
    optional,
  })
}

const peopleFields = (view: View, parts: ChangeParts): Html => {
  const { values, faults, prayer } = parts
  const { week, common } = view.texts
  const { optional } = common
  const khutbah =
    prayer === 'jumuah' &&
    textField({
      name: 'khutbah_minutes',
      label: week.khutbahMinutes,
      value: values.khutbah_minutes,
      fault: faults.khutbah_minutes,
      optional,
      attributes: { inputmode: 'numeric', maxlength: 3 },
    })
  const language =
    prayer !== 'taraweeh' &&
    selectField({
      name: 'language',
      label: week.khutbahLanguage,
      choices: [
        { value: '', label: week.noLanguage },
        ...[...new Set([...khutbahLanguages, ...(values.language === '' ? [] : [values.language])])].map(value => ({
          value,
          label: languageWords(view.language, value),
        })),
      ],
      chosen: [values.language],
    })
  return html`<div class="when-held">${khutbah}${textField({ name: 'imam', label: week.imam, hint: week.imamHint, value: values.imam, fault: faults.imam, optional })}${language}
${labelField(view, parts)}</div>`
}

const otherRules = (view: View, { values, prayer }: ChangeParts): Html | false =>
  isDaily(prayer) &&
  html`<div class="when-on">${checkboxGroup({
    name: 'replaces_all',
    label: view.texts.week.replacesAll,
    choices: [{ value: 'yes', label: view.texts.week.replacesAllChoice }],
    chosen: [values.replaces_all],
  })}</div>`

export const changePage = (view: View, parts: ChangeParts): Html => {
  const { masjid, prayer, values, faults, refusal, isNew } = parts
  const { week, common } = view.texts
  const name = nameOf(view.texts, { prayer, session: Number(values.session) || 1, label: values.label || null })
  return staffFrame(view, {
    masjid,
    section: 'week',
    title: fillText(isNew ? week.addTitle : week.changeTitle, { prayer: name }),
    faulty: Object.keys(faults).length > 0 || refusal !== undefined,
    main: html`${faultList(view, faults)}${refusal !== undefined && notice({ tone: 'bad', text: html`<bdi>${refusal}</bdi>` })}
<div class="card form-card change-form">${form(view, {
      action: staffPath(masjid, 'week/preview'),
      hidden: { prayer, session: values.session || '1' },
      fields: html`${dayFields(view, parts)}${timeFields(view, parts)}${isDaily(prayer) ? values.label !== '' && labelField(view, parts) : peopleFields(view, parts)}${otherRules(view, parts)}${actions(
        submitButton({ text: week.preview, look: 'primary' }),
        linkButton({ text: common.cancel, href: staffPath(masjid, 'week') }),
      )}`,
    })}</div>`,
  })
}
