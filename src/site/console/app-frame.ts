// The frame of every page about one app: its name, its state and links to its other pages.
import type { App } from '../../apps/app.ts'
import { page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { avatar } from '../pieces/avatar.ts'
import { copyButtons } from '../pieces/copy/copy.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { notice, shownState, stateBadge } from '../pieces/notices.ts'
import { localTimes } from '../pieces/times/times.ts'

export type AppSection =
  | 'overview'
  | 'development'
  | 'credentials'
  | 'start'
  | 'webhooks'
  | 'usage'
  | 'requests'
  | 'team'
  | 'messages'
  | 'history'
  | 'settings'

const sections: readonly AppSection[] = [
  'overview',
  'development',
  'credentials',
  'start',
  'webhooks',
  'usage',
  'requests',
  'team',
  'messages',
  'history',
  'settings',
]

export const appPath = (appId: string, section: AppSection | string = 'overview'): string =>
  section === 'overview' ? `/console/apps/${appId}` : `/console/apps/${appId}/${section}`

const sectionLinks = (view: View, app: App, current: AppSection): Html => {
  const texts = view.texts.console
  return html`<nav class="sections" aria-label="${texts.sections}"><ul>${sections.map(
    section =>
      html`<li><a href="${appPath(app.id, section)}"${attributes({
        'aria-current': section === current && 'page',
      })}>${texts[section]}</a></li>`,
  )}</ul></nav>`
}

export interface AppFrameParts {
  readonly app: App
  readonly section: AppSection
  readonly title?: string
  /** Notice of what was just done. */
  readonly done?: string | undefined
  /** A form came back with errors. */
  readonly faulty?: boolean
  readonly main: Html
}

export const appFrame = (view: View, { app, section, title, done, faulty, main }: AppFrameParts): Html =>
  page(view, {
    title: `${title ?? view.texts.console[section]} · ${app.name}`,
    section: 'console',
    faulty: faulty ?? false,
    head: html`${copyButtons(view)}${localTimes}`,
    main: html`<div class="app-head">${avatar(app.name, app.logo)}<div><h1><bdi>${app.name}</bdi></h1>
${stateBadge(view, shownState(app))}</div></div>
${done && notice({ tone: 'good', text: done })}
<div class="with-sections">${sectionLinks(view, app, section)}<div>${main}</div></div>`,
  })
