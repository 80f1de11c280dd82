// An error code → a link to what it means and how to fix it.
import { type Html, html } from '../pieces/html.ts'

export const errorLink = (code: string): Html =>
  html`<a href="/docs/error-codes#${encodeURIComponent(code)}"><code dir="ltr">${code}</code></a>`
