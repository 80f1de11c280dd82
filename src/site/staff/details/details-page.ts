// A masjid's details as typed, and what is wrong with them → the form, in the parts that the visitor may change.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { RuleComparison } from '../../../prayer/comparing/compare-rules.ts'
import type { View } from '../../frame/view.ts'
import { actions, submitButton } from '../../pieces/buttons.ts'
import { type Choice, checkboxGroup, selectField } from '../../pieces/choices.ts'
import { fillText } from '../../pieces/fill.ts'
import { form, textField } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { staffPath } from '../sections.ts'
import { staffFrame } from '../staff-frame.ts'
import {
  adjustedPrayers,
  adjustmentField,
  adjustmentsIn,
  angleColumns,
  type DetailsForm,
  methods,
  offeredFacilities,
} from './masjid-details.ts'
import { ruleQuestion } from './rule-question.ts'
import { ruleTable } from './rule-table.ts'

export interface DetailsParts {
  readonly masjid: StaffedMasjid
  readonly values: DetailsForm
  /** The rules for high latitudes, as the stored details have them. */
  readonly comparison: RuleComparison | undefined
  readonly ruleInForce: string
  /** By the id of a field. */
  readonly faults?: Readonly<Record<string, string>>
  readonly refusal?: string | undefined
  readonly done?: string | undefined
}

type Name = Exclude<keyof DetailsForm, 'facilities' | 'version'>
interface Field {
  readonly name: Name
  readonly label: string
  readonly hint?: string
  readonly optional?: boolean
  readonly type?: string
  readonly dir?: string
}

const fieldFor =
  (view: View, { values, faults = {} }: DetailsParts) =>
  ({ name, label, hint, optional = false, type = 'text', dir = 'auto' }: Field): Html =>
    textField({
      name,
      label,
      hint,
      type,
      value: values[name],
      fault: faults[name],
      ...(optional ? { optional: view.texts.common.optional } : {}),
      attributes: { dir },
    })

const facilityChoices = ({ texts }: View, { values }: DetailsParts): readonly Choice[] => {
  const names: Readonly<Record<string, string>> = texts.staffDetails.facilityNames
  const nameOf = (value: string): string => (Object.hasOwn(names, value) ? names[value] : undefined) ?? value
  return offeredFacilities(values.facilities).map(value => ({ value, label: nameOf(value) }))
}

const aboutFields = (view: View, parts: DetailsParts): Html => {
  const { staffDetails: texts } = view.texts
  const field = fieldFor(view, parts)
  return html`${field({ name: 'name', label: texts.name })}${field({ name: 'name_ar', label: texts.nameArabic, optional: true, dir: 'rtl' })}
${field({ name: 'address', label: texts.address })}<div class="pair">${field({ name: 'city', label: texts.city })}${field({ name: 'postal_code', label: texts.postalCode, optional: true })}</div>
<div class="pair">${field({ name: 'state', label: texts.state, optional: true })}${field({ name: 'country', label: texts.country, hint: texts.countryHint, dir: 'ltr' })}</div>
<div class="pair">${field({ name: 'latitude', label: texts.latitude, dir: 'ltr' })}${field({ name: 'longitude', label: texts.longitude, dir: 'ltr' })}</div>
<p class="hint">${texts.verifiedHint}</p>
<div class="pair">${field({ name: 'phone', label: texts.phone, optional: true, type: 'tel', dir: 'ltr' })}${field({ name: 'email', label: texts.email, optional: true, type: 'email', dir: 'ltr' })}</div>
${field({ name: 'website', label: texts.website, hint: texts.websiteHint, optional: true, type: 'url', dir: 'ltr' })}
${field({ name: 'languages', label: texts.languages, hint: texts.languagesHint, optional: true, dir: 'ltr' })}${field({ name: 'capacity', label: texts.capacity, optional: true, type: 'number' })}
${checkboxGroup({ name: 'facilities', label: texts.facilities, chosen: parts.values.facilities, fault: parts.faults?.facilities, choices: facilityChoices(view, parts) })}
${checkboxGroup({ name: 'guest_rsvps', label: texts.guests, chosen: [parts.values.guest_rsvps], choices: [{ value: 'true', label: texts.guestRsvps, hint: texts.guestRsvpsHint }] })}`
}

const adjustmentFields = (view: View, { values, faults = {} }: DetailsParts): Html => {
  const { staffDetails: texts, staff } = view.texts
  const minutes = adjustmentsIn(values.adjustments)
  return html`<fieldset class="field" id="adjustments"><legend>${texts.adjustmentsTitle}</legend><p class="hint">${texts.adjustmentsHint}</p>${
    faults.adjustments !== undefined && html`<p class="fault">${faults.adjustments}</p>`
  }<div class="pair">${adjustedPrayers.map(prayer =>
    textField({
      name: adjustmentField(prayer),
      label: fillText(texts.adjustments, { prayer: prayer === 'sunrise' ? texts.sunrise : staff.prayers[prayer] }),
      value: minutes[prayer] ?? '0',
      type: 'number',
      attributes: { min: -99, max: 99 },
    }),
  )}</div></fieldset>`
}

const comparedFields = (view: View, { comparison, ruleInForce }: DetailsParts): Html => {
  const { staffDetails: texts } = view.texts
  if (comparison === undefined) return html`<p class="hint">${texts.notCompared}</p>`
  if (comparison.differing.length === 0) return html`<p class="hint">${texts.rulesAlike}</p>`
  return html`<details open><summary>${texts.ruleTable}</summary><p class="hint">${texts.ruleTableHint}</p>${ruleTable(view, comparison, { rules: comparison.rules, inForce: ruleInForce, times: comparison.differing })}</details>`
}

const calculationFields = (view: View, parts: DetailsParts): Html => {
  const { staffDetails: texts } = view.texts
  const { values, faults = {} } = parts
  const field = fieldFor(view, parts)
  const rules = Object.entries(texts.rules).map(([value, label]) => ({ value, label }))
  const madhabs = Object.entries(texts.madhabs).map(([value, label]) => ({ value, label }))
  return html`<p class="hint">${texts.calculationHint}</p>${selectField({ name: 'calculation_method', label: texts.method, hint: texts.methodHint, chosen: [values.calculation_method], fault: faults.calculation_method, choices: methods.map(name => ({ value: name, label: name === 'Other' ? texts.methodOther : name })) })}
${selectField({ name: 'madhab', label: texts.madhab, fault: faults.madhab, chosen: [values.madhab], choices: madhabs })}${selectField({ name: 'high_latitude_rule', label: texts.rule, hint: texts.ruleHint, fault: faults.high_latitude_rule, chosen: [values.high_latitude_rule], choices: rules })}${comparedFields(view, parts)}
${field({ name: 'timezone', label: texts.timezone, hint: texts.timezoneHint, dir: 'ltr' })}${adjustmentFields(view, parts)}
<details${values.calculation_method === 'Other' && html` open`}><summary>${texts.methodOther}</summary><p class="hint">${texts.anglesHint}</p>${angleColumns.map(name => field({ name, label: texts.angles[name], optional: true }))}</details>`
}

export const detailsPage = (view: View, parts: DetailsParts): Html => {
  const { staffDetails: texts, common } = view.texts
  const { masjid, values, faults = {}, refusal, comparison } = parts
  const [about, calculation] = [masjid.capabilities.includes('announcements'), masjid.capabilities.includes('times')]
  const body = html`<section class="card form-card"><h2>${texts.about}</h2>${about ? aboutFields(view, parts) : html`<p>${texts.aboutOthers}</p>`}</section>
<section class="card form-card"><h2>${texts.calculation}</h2>${calculation ? calculationFields(view, parts) : html`<p>${texts.calculationOthers}</p>`}</section>`
  return staffFrame(view, {
    masjid,
    section: 'details',
    done: parts.done,
    faulty: Object.keys(faults).length > 0 || refusal !== undefined,
    main: html`<p class="lead">${texts.lead}</p>${faultList(view, faults)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}${ruleQuestion(view, { masjid, version: values.version, comparison })}${
      about || calculation
        ? form(view, {
            action: staffPath(masjid, 'details'),
            hidden: { version: values.version },
            fields: html`${body}${actions(submitButton({ text: common.save, look: 'primary' }))}`,
          })
        : body
    }`,
  })
}
