// Pages with samples, ids or secrets → the script that puts a copy button beside each.
import { readFileSync } from 'node:fs'
import { type Asset, createAsset } from '../../frame/assets.ts'
import { type PageAnswer, showPage } from '../../frame/page-reply.ts'
import type { View } from '../../frame/view.ts'
import { type Html, html } from '../html.ts'

export const copyScript: Asset = createAsset(
  'copy.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('client/copy.js', import.meta.url)),
)

/** For the head of the page. */
export const copyButtons = ({ texts }: View): Html =>
  html`<script src="${copyScript.path}" defer data-copy="${texts.common.copy}" data-copied="${texts.common.copied}"></script>`

/** The page may run our own scripts, which fetch nothing. */
export const showWithCopies = (page: Html, options: { readonly status?: number } = {}): PageAnswer =>
  showPage(page, { ...options, scriptAsks: ["'none'"] })
