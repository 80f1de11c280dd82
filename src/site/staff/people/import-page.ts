// The first page of an import: a list is pasted or comes as a file, with evidence that its people agreed.
import type { StaffedMasjid } from '../../../capabilities/staffed-masjids.ts'
import type { View } from '../../frame/view.ts'
import { actions, linkButton, submitButton } from '../../pieces/buttons.ts'
import { form, textArea } from '../../pieces/form.ts'
import { type Html, html } from '../../pieces/html.ts'
import { faultList } from '../../pieces/notices.ts'
import { SHEET_FIELD, sheetField } from '../sheets/sheet-field.ts'
import { staffFrame } from '../staff-frame.ts'
import { evidenceFields } from './evidence-fields.ts'
import { peoplePath } from './people-path.ts'
import type { EvidenceForm } from './read-evidence.ts'

export interface ImportPageParts {
  readonly masjid: StaffedMasjid
  readonly list: string
  readonly values: EvidenceForm
  /** What is wrong, in words, by the id of the field. */
  readonly words?: Readonly<Record<string, string>>
}

export const importPage = (view: View, { masjid, list, values, words = {} }: ImportPageParts): Html => {
  const { staffPeople: texts, common } = view.texts
  const { importing } = texts
  return staffFrame(view, {
    masjid,
    section: 'people',
    title: importing.title,
    faulty: Object.keys(words).length > 0,
    main: html`${faultList(view, words)}<p class="lead">${importing.lead}</p>
<div class="card form-card">${form(view, {
      action: peoplePath(masjid, 'import'),
      large: true,
      fields: html`${sheetField(view, { fault: words[SHEET_FIELD] })}
${textArea({ name: 'list', label: importing.list, hint: importing.listHint, value: list, fault: words.list, optional: common.optional, rows: 8 })}
<h2>${importing.evidence}</h2><p>${importing.evidenceText}</p>${evidenceFields(view, values, words)}${actions(
        submitButton({ text: importing.preview, look: 'primary', name: 'step', value: 'preview' }),
        linkButton({ text: common.cancel, href: peoplePath(masjid) }),
      )}`,
    })}</div>`,
  })
}
