// One section of the account → its page, with navigation to the others.

import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { attributes, type Html, html } from '../pieces/html.ts'

export type AccountSection = 'profile' | 'security' | 'apps' | 'sessions' | 'activity' | 'data'

const paths: Readonly<Record<AccountSection, string>> = {
  profile: '/account',
  security: '/account/security',
  apps: '/account/apps',
  sessions: '/account/sessions',
  activity: '/account/activity',
  data: '/account/data',
}

export interface AccountPageParts {
  readonly section: AccountSection
  readonly title: string
  readonly text?: Html | string
  readonly news?: Html | undefined
  readonly main: Html
  /** For the page's script. */
  readonly head?: Html
}

const sectionName = ({ texts }: View, section: AccountSection): string =>
  section === 'data' ? texts.ownData.section : texts.account[section]

const sectionLink = (view: View, section: AccountSection, current: boolean): Html =>
  html`<li><a href="${paths[section]}"${attributes({ 'aria-current': current && 'page' })}>${sectionName(view, section)}</a></li>`

const isSection = (name: string): name is AccountSection => Object.hasOwn(paths, name)

export const accountPage = (view: View, parts: AccountPageParts): Html =>
  page(view, {
    title: parts.title,
    section: 'account',
    ...(parts.head === undefined ? {} : { head: parts.head }),
    main: html`<div class="with-sections">
<nav class="sections" aria-label="${view.texts.account.sections}"><ul>
${Object.keys(paths)
  .filter(isSection)
  .map(section => sectionLink(view, section, section === parts.section))}</ul></nav>
<div><header class="page-head"><h1>${parts.title}</h1>${parts.text && html`<p class="lead">${parts.text}</p>`}</header>
${parts.news}${parts.main}</div></div>`,
  })
