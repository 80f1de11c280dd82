// An announcement as typed, and what is wrong with it → the form. A janazah has a short one of its own.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { checkboxGroup, selectField } from '../../pieces/choices.ts'
import { fillText } from '../../pieces/fill.ts'
import { form, textArea, textField } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'
import { faultList, notice } from '../../pieces/notices.ts'
import { faultWords } from '../fault-words.ts'
import { staffFrame } from '../staff-frame.ts'
import { type Announcement, announcementKinds, announcementPlaces, janazahPrayers } from './announcement.ts'
import { announcementPath } from './list-page.ts'
import { type AnnouncementFaults, type AnnouncementForm, bodyField, OTHER, titleField } from './read-form.ts'
import { announcementBody, directionOfTag, languageName } from './show-announcement.ts'

export interface FormPageParts {
  readonly masjid: StaffedMasjid
  /** Undefined for a new one. */
  readonly id: string | undefined
  readonly values: AnnouncementForm
  readonly faults?: AnnouncementFaults
  /** What the database refused, in its words. */
  readonly refusal?: string
  /** How it is now, if somebody else changed it. */
  readonly current?: Announcement
}

const otherLanguages = [
  'ur',
  'bn',
  'tr',
  'fr',
  'id',
  'ms',
  'so',
  'fa',
  'ps',
  'bs',
  'sq',
  'de',
  'nl',
  'es',
  'sw',
  'ha',
  'ru',
]

type Words = Readonly<Record<string, string>>

const textFields = (view: View, { values }: FormPageParts, words: Words): Html => {
  const { staffAnnouncements: texts, common } = view.texts
  const janazah = values.kind === 'janazah'
  const fields = (language: string, title: string, body: string, needed: boolean): Html => {
    const shared = { attributes: { lang: language, dir: directionOfTag(language), maxlength: 200 } }
    const titleOf = textField({
      name: titleField(language),
      label: texts.title,
      value: title,
      fault: words[titleField(language)],
      ...(needed ? {} : { optional: common.optional }),
      ...shared,
    })
    return html`${!janazah && titleOf}${textArea({ name: bodyField(language), label: janazah ? texts.more : texts.body, hint: janazah ? texts.moreHint : undefined, value: body, fault: words[bodyField(language)], optional: common.optional, rows: 3 })}`
  }
  const isOpen = (index: number, title: string, body: string): boolean =>
    (index === 0 && !janazah) || title !== '' || body !== ''
  const named = values.texts.map(
    ({ language, title, body }, index) =>
      html`<details class="language"${isOpen(index, janazah ? '' : title, body) && html` open`}><summary>${languageName(view, language)}</summary>
<input type="hidden" name="language" value="${language}">${fields(language, title, body, index === 0)}</details>`,
  )
  const offered = otherLanguages.filter(tag => values.texts.every(({ language }) => language !== tag))
  return html`${named}<details class="language"${words.other_language && html` open`}><summary>${texts.otherLanguage}</summary>${selectField(
    {
      name: 'other_language',
      label: texts.otherLanguage,
      fault: words.other_language,
      chosen: [values.other.language],
      choices: [
        { value: '', label: texts.chooseLanguage },
        ...offered.map(tag => ({ value: tag, label: languageName(view, tag) })),
      ],
    },
  )}${fields(OTHER, values.other.title, values.other.body, false)}</details>`
}

const janazahFields = (view: View, { values }: FormPageParts, words: Words): Html => {
  const { staffAnnouncements: texts, common, staff } = view.texts
  const prayers = janazahPrayers.map(prayer => ({
    value: prayer,
    label: fillText(texts.afterPrayer, { prayer: staff.prayers[prayer] }),
  }))
  return html`${textField({ name: 'name', label: texts.name, value: values.name, fault: words.name, attributes: { dir: 'auto', maxlength: 200, autocomplete: 'off' } })}
<div class="pair">${textField({ name: 'day', label: texts.day, value: values.day, fault: words.day, type: 'date' })}
${selectField({ name: 'after', label: texts.after, fault: words.after, chosen: [values.after], choices: [...prayers, { value: 'time', label: texts.atTime }] })}</div>
${textField({ name: 'time', label: texts.time, hint: texts.timeHint, value: values.time, fault: words.time, type: 'time', optional: common.optional })}
${textField({ name: 'place', label: texts.place, hint: texts.placeHint, value: values.place, fault: words.place, optional: common.optional, attributes: { dir: 'auto', maxlength: 300 } })}
${textField({ name: 'burial', label: texts.burialPlace, value: values.burial, fault: words.burial, optional: common.optional, attributes: { dir: 'auto', maxlength: 300 } })}`
}

const showingFields = (view: View, { values }: FormPageParts, words: Words): Html => {
  const { staffAnnouncements: texts, common } = view.texts
  const until = values.kind === 'janazah' ? texts.untilJanazahHint : texts.untilHint
  return html`${checkboxGroup({ name: 'urgent', label: texts.urgent, chosen: values.urgent ? ['yes'] : [], choices: [{ value: 'yes', label: texts.isUrgent }] })}
${checkboxGroup({ name: 'shown_on', label: texts.shownOn, fault: words.shown_on, chosen: values.shownOn, choices: announcementPlaces.map(place => ({ value: place, label: texts.places[place] })) })}
<div class="pair">${textField({ name: 'from', label: texts.fromField, hint: texts.fromHint, value: values.from, fault: words.from, type: 'datetime-local', optional: common.optional })}
${textField({ name: 'until', label: texts.untilField, hint: until, value: values.until, fault: words.until, type: 'datetime-local', optional: common.optional })}</div>`
}

const kindField = ({ texts }: View, { values }: FormPageParts, words: Words): Html => {
  const { kind, kinds } = texts.staffAnnouncements
  return selectField({
    name: 'kind',
    label: kind,
    fault: words.kind,
    chosen: [values.kind],
    choices: announcementKinds.map(value => ({ value, label: kinds[value] })),
  })
}

const fieldsOf = (view: View, parts: FormPageParts, words: Words): Html => {
  const { details, more } = view.texts.staffAnnouncements
  const showing = showingFields(view, parts, words)
  if (parts.values.kind !== 'janazah')
    return html`${textFields(view, parts, words)}${kindField(view, parts, words)}${showing}`
  const said = parts.values.texts.some(({ body }) => body !== '')
  const open = ['shown_on', 'from', 'until'].some(name => words[name] !== undefined)
  return html`<input type="hidden" name="kind" value="janazah">${janazahFields(view, parts, words)}
<details class="language"${said && html` open`}><summary>${more}</summary>${textFields(view, parts, words)}</details><details${open && html` open`}><summary>${details}</summary>${showing}</details>`
}

const conflictNotice = (view: View, { masjid, id = '', current }: FormPageParts): Html => {
  if (current === undefined) return nothing
  const { staffAnnouncements: texts } = view.texts
  return html`<div class="notice warn" role="alert"><h2>${texts.conflictTitle}</h2><p>${texts.conflictText}</p></div>
<div class="card">${announcementBody(view, masjid, current)}${actions(linkButton({ text: texts.conflictDiscard, href: announcementPath(masjid, id), size: 'small' }))}</div>`
}

const titleOf = ({ texts }: View, { id, values }: FormPageParts): string => {
  const { newTitle, newJanazahTitle, editTitle } = texts.staffAnnouncements
  if (id !== undefined) return editTitle
  return values.kind === 'janazah' ? newJanazahTitle : newTitle
}

export const formPage = (view: View, parts: FormPageParts): Html => {
  const { staffAnnouncements: texts, common } = view.texts
  const { masjid, id, values, refusal, current } = parts
  const words = faultWords(
    { ...view.texts.staffAnnouncements.faults, notOffered: view.texts.common.notOffered },
    parts.faults,
  )
  const button = current !== undefined ? texts.conflictSave : id === undefined ? texts.publish : texts.save
  const path = announcementPath(masjid, id ?? 'new')
  return staffFrame(view, {
    masjid,
    section: 'announcements',
    title: titleOf(view, parts),
    faulty: Object.keys(words).length > 0 || refusal !== undefined || current !== undefined,
    main: html`${faultList(view, words)}${refusal !== undefined && notice({ tone: 'bad', text: refusal })}${conflictNotice(view, parts)}
<div class="card form-card">${form(view, {
      action: path,
      hidden: { version: current === undefined ? values.version : String(current.version) },
      fields: html`${fieldsOf(view, parts, words)}${actions(
        submitButton({ text: button, look: 'primary' }),
        linkButton({ text: common.cancel, href: announcementPath(masjid) }),
      )}`,
    })}</div>`,
  })
}
