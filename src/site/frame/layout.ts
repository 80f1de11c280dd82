// A title and the main part → a whole page: head, header with navigation, content, footer.
import { directionOf, type Language, languages } from '../../accounts/languages.ts'
import { antiForgeryField } from '../pieces/form.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { textsFor } from '../texts/texts.ts'
import { icon, styleSheet } from './assets.ts'
import { mark } from './mark.ts'
import type { View } from './view.ts'

export type Section = 'staff' | 'console' | 'review' | 'admin' | 'account' | 'docs' | 'outbox'

export interface PageParts {
  readonly title: string
  /** The page came back with errors: its title says so first, which screen readers and tabs show. */
  readonly faulty?: boolean | undefined
  readonly main: Html
  /** `narrow` for pages with a single task, such as signing in. */
  readonly width?: 'narrow' | 'wide'
  /** `minimal` where nothing should lead away from the one decision or task. */
  readonly header?: 'full' | 'minimal'
  /** The section that the navigation marks as current. */
  readonly section?: Section
  /** Extra elements for the head, such as the page's script. */
  readonly head?: Html
}

const navigationLink = (href: string, text: string, current: boolean): Html =>
  html`<li><a href="${href}"${attributes({ 'aria-current': current && 'true' })}>${text}</a></li>`

const signOutButton = (view: View): Html => html`<li><form method="post" action="/sign-out">${antiForgeryField(view)}
<button class="link-button">${view.texts.common.signOut}</button></form></li>`

const navigationFor = (view: View, section: Section | undefined): readonly Html[] => {
  const { common } = view.texts
  const link = (name: Section, href: string, text: string): Html => navigationLink(href, text, name === section)
  const outbox = view.development ? [link('outbox', '/outbox', common.outbox)] : []
  const docs = link('docs', '/docs', common.documentation)
  if (view.user === undefined) return [docs, ...outbox, navigationLink('/sign-in', common.signIn, false)]
  return [
    docs,
    link('staff', '/staff', common.staff),
    link('console', '/console', common.console),
    ...(view.user.isReviewer ? [link('review', '/review', common.review)] : []),
    ...(view.user.isAdmin ? [link('admin', '/admin/overview', common.admin)] : []),
    ...outbox,
    link('account', '/account', common.account),
    signOutButton(view),
  ]
}

/** The same page in another language, with its other parameters kept. */
const inLanguage = ({ here, languageParameter: parameter = 'ui_locales' }: View, language: Language): string => {
  const url = new URL(here, 'http://local')
  url.searchParams.set(parameter, language)
  return url.pathname + url.search
}

export const languageLinks = (
  view: View,
): Html => html`<nav class="languages" aria-label="${view.texts.common.languageLabel}">
${languages.map(
  language =>
    html`<a href="${inLanguage(view, language)}" lang="${language}" hreflang="${language}"${attributes({
      'aria-current': language === view.language && 'true',
    })}>${textsFor(language).languageName}</a> `,
)}</nav>`

const navigation = (view: View, section: Section | undefined): Html =>
  html`<nav class="site-nav" aria-label="${view.texts.common.navigation}"><ul>${navigationFor(view, section)}</ul></nav>`

const header = (view: View, { section, header: kind = 'full' }: PageParts): Html => html`<header class="site-header">
<a class="brand" href="/">${mark(32)}<span>Minaret</span></a>
${kind === 'full' && navigation(view, section)}</header>`

export const page = (view: View, parts: PageParts): Html => html`<!doctype html>
<html lang="${view.language}" dir="${directionOf(view.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${parts.faulty === true && view.texts.common.errorTitle}${parts.title} · Minaret</title>
<link rel="stylesheet" href="${styleSheet.path}">
<link rel="icon" href="${icon.path}" type="image/svg+xml">
${parts.head}</head>
<body>
<a class="skip" href="#content">${view.texts.common.skip}</a>
${header(view, parts)}
<main id="content" class="content ${parts.width ?? 'wide'}" tabindex="-1">
${parts.main}
</main>
<footer class="site-footer"><p>${view.texts.common.footer}</p>${languageLinks(view)}</footer>
</body>
</html>
`
