// The id of a draft in the form and the address, and the script that saves it while somebody types.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../../frame/assets.ts'
import type { View } from '../../frame/view.ts'
import { type Html, html } from '../../pieces/html.ts'

export const DRAFT_FIELD = 'draft'

export const draftScript: Asset = createAsset(
  'draft.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/draft.js', import.meta.url)),
)

/** A second button of the form, and where the script says what it did. */
export const draftButton = ({ texts: { drafts } }: View): Html =>
  html`<button class="button" formaction="/console/drafts">${drafts.save}</button>`

export const draftState = ({ texts: { drafts } }: View): Html =>
  html`<p role="status" class="soft small" id="draft-state" data-saved="${drafts.saved}" data-failed="${drafts.failed}"></p>
<script src="${draftScript.path}" defer></script>`
