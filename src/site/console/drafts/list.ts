// Drafts → a list on the first page of the console, to continue or discard each.
import type { Draft } from '../../../apps/drafts.ts'
import type { View } from '../../frame/view.ts'
import { linkButton, submitButton } from '../../pieces/buttons.ts'
import { momentOf } from '../../pieces/data.ts'
import { fillText } from '../../pieces/fill.ts'
import { form } from '../../pieces/form.ts'
import { type Html, html, nothing } from '../../pieces/html.ts'

const nameOf = ({ texts }: View, { form: typed }: Draft): string => {
  const { name } = typed
  return typeof name === 'string' && name !== '' ? name : texts.drafts.untitled
}

const entry = (view: View, draft: Draft): Html => {
  const { drafts } = view.texts
  const name = nameOf(view, draft)
  return html`<li><div><h3><bdi>${name}</bdi></h3><p class="soft small">${drafts.savedAt} ${momentOf(view, draft.updatedAt)}</p></div>
${linkButton({ href: `/console/apps/new?draft=${draft.id}`, text: drafts.resume, size: 'small', label: fillText(drafts.resumeNamed, { name }) })}
${form(view, {
  action: `/console/drafts/${draft.id}/discard`,
  fields: submitButton({ text: drafts.discard, size: 'small', label: fillText(drafts.discardNamed, { name }) }),
})}</li>`
}

export const draftList = (view: View, drafts: readonly Draft[]): Html =>
  drafts.length === 0
    ? nothing
    : html`<section class="card"><h2>${view.texts.drafts.heading}</h2><ul class="plain-list rows">${drafts.map(draft => entry(view, draft))}</ul></section>`
