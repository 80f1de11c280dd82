// An event as typed, and what is wrong with it → the form; below it, the event's next dates.

import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import { audiences, categories } from '../../../events/event-words.ts'
import { repeatKinds, weekdayCodes } from '../../../events/repeat-rule.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { type Choice, checkboxGroup, selectField } from '../../pieces/choices.ts'
import { fillText } from '../../pieces/fill.ts'
import { form, textArea, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { faultWords } from '../fault-words.ts'
import { localMomentOf } from '../local-words.ts'
import { staffFrame } from '../staff-frame.ts'
import { anchors, type ListedOccurrence, type MasjidEvent, modes, statuses } from './event.ts'
import { repeatWords, startWords, statusBadge, weekdayName } from './event-words.ts'
import { eventPath } from './list-page.ts'
import { occurrenceEntry } from './occurrence-entry.ts'
import type { EventFaults, EventForm } from './read-form.ts'

export interface FormPageParts {
  readonly masjid: StaffedMasjid
  /** Undefined for a new one. */
  readonly event: MasjidEvent | undefined
  readonly values: EventForm
  readonly dates?: readonly ListedOccurrence[]
  readonly faults?: EventFaults
  readonly refusal?: string
  /** Somebody else changed the event since the form was made. */
  readonly conflict?: boolean
  readonly done?: string | undefined
}

type Words = Readonly<Record<string, string>>

const choicesOf = <Name extends string>(names: readonly Name[], labels: Readonly<Record<Name, string>>): Choice[] =>
  names.map(name => ({ value: name, label: labels[name] }))

const wordFields = (view: View, { values }: FormPageParts, words: Words): Html => {
  const { staffEvents: texts, common } = view.texts
  const { optional } = common
  return html`${textField({ name: 'title', label: texts.title, value: values.title, fault: words.title, attributes: { dir: 'auto', maxlength: 200 } })}
${textArea({ name: 'description', label: texts.description, value: values.description, fault: words.description, optional, rows: 3 })}
<div class="pair">${selectField({ name: 'category', label: texts.category, fault: words.category, chosen: [values.category], choices: choicesOf(categories, texts.categories) })}
${selectField({ name: 'audience', label: texts.audience, fault: words.audience, chosen: [values.audience], choices: choicesOf(audiences, texts.audiences) })}</div>`
}

const timeFields = (view: View, { values }: FormPageParts, words: Words): Html => {
  const { staffEvents: texts, staff, common } = view.texts
  const prayers = anchors.map(prayer => ({
    value: prayer,
    label: fillText(texts.startPrayer, { prayer: staff.prayers[prayer] }),
  }))
  return html`<div class="pair">${textField({ name: 'date', label: texts.date, value: values.date, fault: words.date, type: 'date' })}
${selectField({ name: 'anchor', label: texts.start, fault: words.anchor, chosen: [values.anchor], choices: [{ value: '', label: texts.startClock }, ...prayers] })}</div>
<div class="pair">${textField({ name: 'time', label: texts.time, hint: texts.timeHint, value: values.time, fault: words.time, type: 'time', optional: common.optional })}
${textField({ name: 'offset', label: texts.offset, hint: texts.offsetHint, value: values.offset, fault: words.offset, type: 'number', optional: common.optional, attributes: { min: -240, max: 240 } })}</div>
${textField({ name: 'duration', label: texts.duration, value: values.duration, fault: words.duration, type: 'number', attributes: { min: 1, max: 20160 } })}`
}

const repeatFields = (view: View, { values, event }: FormPageParts, words: Words): Html => {
  const { staffEvents: texts, common } = view.texts
  const kept = event !== undefined && values.repeat === 'custom' ? (['custom'] as const) : []
  const { optional } = common
  return html`${selectField({ name: 'repeat', label: texts.repeat, fault: words.repeat, chosen: [values.repeat], choices: choicesOf([...repeatKinds, ...kept], texts.repeats) })}
${checkboxGroup({ name: 'days', label: texts.days, hint: texts.daysHint, chosen: values.days, choices: weekdayCodes.map(code => ({ value: code, label: weekdayName(view, code) })) })}
<div class="pair">${textField({ name: 'until', label: texts.until, value: values.until, fault: words.until, type: 'date', optional })}
${textField({ name: 'count', label: texts.count, value: values.count, fault: words.count, type: 'number', optional, attributes: { min: 1, max: 1000 } })}</div>`
}

const placeFields = (view: View, { values }: FormPageParts, words: Words): Html => {
  const { staffEvents: texts, common } = view.texts
  const { optional } = common
  return html`${selectField({ name: 'mode', label: texts.mode, fault: words.mode, chosen: [values.mode], choices: choicesOf(modes, texts.modes) })}
${textField({ name: 'location', label: texts.location, hint: texts.locationHint, value: values.location, fault: words.location, optional, attributes: { dir: 'auto', maxlength: 500 } })}
${textField({ name: 'online_url', label: texts.onlineUrl, hint: texts.onlineUrlHint, value: values.online_url, fault: words.online_url, type: 'url', optional, attributes: { dir: 'ltr' } })}
${textField({ name: 'capacity', label: texts.capacity, hint: texts.capacityHint, value: values.capacity, fault: words.capacity, type: 'number', optional, attributes: { min: 1 } })}`
}

const statusField = ({ texts }: View, { values, event }: FormPageParts, words: Words): Html =>
  event === undefined
    ? nothing
    : selectField({
        name: 'status',
        label: texts.staffEvents.status,
        fault: words.status,
        chosen: [values.status],
        choices: choicesOf(statuses, texts.staffEvents.statuses),
      })

const conflictNotice = (view: View, { masjid, event, conflict }: FormPageParts): Html => {
  if (conflict !== true || event === undefined) return nothing
  const { staffEvents: texts } = view.texts
  return html`<div class="notice warn" role="alert"><h2>${texts.conflictTitle}</h2><p>${texts.conflictText}</p></div>
<div class="card"><h2><bdi>${event.title}</bdi> ${statusBadge(view, event.status)}</h2><p>${repeatWords(view, event)} · ${startWords(view, event)}</p>
<p class="as-typed" dir="auto">${event.description}</p><p class="soft">${event.location !== null && html`<bdi>${event.location}</bdi>`}</p>${actions(linkButton({ text: texts.conflictDiscard, href: eventPath(masjid, event.id), size: 'small' }))}</div>`
}

const datesPart = (view: View, { masjid, event, dates = [] }: FormPageParts): Html => {
  if (event === undefined) return nothing
  const { staffEvents: texts } = view.texts
  const none = event.has_rule_without_dates
    ? notice({ tone: 'warn', text: texts.withoutDatesText })
    : html`<p>${texts.noDates}</p>`
  const list = html`<ul class="plain-list">${dates.map(
    one =>
      html`<li><p class="event-day">${localMomentOf(view, masjid, one.starts_at)}</p><ul class="plain-list">${occurrenceEntry(view, masjid, one)}</ul></li>`,
  )}</ul>`
  return html`<section><h2>${texts.dates}</h2>${dates.length === 0 ? none : list}</section>`
}

export const formPage = (view: View, parts: FormPageParts): Html => {
  const { staffEvents: texts, common } = view.texts
  const { masjid, event, values, faults = {}, refusal, conflict = false } = parts
  const words = faultWords({ ...texts.faults, notOffered: common.notOffered }, faults)
  const button = conflict ? texts.conflictSave : event === undefined ? texts.publish : common.save
  const remove =
    event === undefined
      ? nothing
      : linkButton({ text: common.delete, href: eventPath(masjid, event.id, 'delete'), look: 'danger' })
  return staffFrame(view, {
    masjid,
    section: 'events',
    title: event === undefined ? texts.newTitle : texts.editTitle,
    faulty: Object.keys(words).length > 0 || refusal !== undefined || conflict,
    done: parts.done,
    main: html`${faultList(view, words)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}${conflictNotice(view, parts)}
<div class="card form-card">${form(view, {
      action: eventPath(masjid, event?.id ?? 'new'),
      hidden: { version: conflict ? String(event?.version) : values.version },
      fields: html`${wordFields(view, parts, words)}${timeFields(view, parts, words)}${repeatFields(view, parts, words)}${placeFields(view, parts, words)}${statusField(view, parts, words)}${actions(
        submitButton({ text: button, look: 'primary' }),
        linkButton({ text: common.cancel, href: eventPath(masjid) }),
        remove,
      )}`,
    })}</div>${datesPart(view, parts)}`,
  })
}
