// The frame of a masjid's staff pages: its name, the menu of what the visitor may look after, and the page itself.

import type { StaffedMasjid } from '../../capabilities/staffed-masjids.ts'
import { type PageParts, page } from '../frame/layout.ts'
import type { View } from '../frame/view.ts'
import { attributes, type Html, html } from '../pieces/html.ts'
import { notice } from '../pieces/notices.ts'
import { type StaffSectionName, sectionsFor, staffPath } from './sections.ts'

export interface StaffFrameParts extends Pick<PageParts, 'head'> {
  readonly masjid: StaffedMasjid
  readonly section: StaffSectionName
  /** The heading; by default the section's name. */
  readonly title?: string
  /** What was just done. */
  readonly done?: string | undefined
  /** The heading says that something is wrong with what was sent. */
  readonly faulty?: boolean
  readonly main: Html
}

const menu = (view: View, masjid: StaffedMasjid, current: StaffSectionName): Html => {
  const { staff } = view.texts
  return html`<nav class="sections staff-menu" aria-label="${staff.menu}"><ul>${sectionsFor(masjid).map(
    ({ name, path }) =>
      html`<li><a href="${staffPath(masjid, path)}"${attributes({ 'aria-current': name === current && 'page' })}>${staff.sections[name]}</a></li>`,
  )}</ul></nav>`
}

export const staffFrame = (view: View, parts: StaffFrameParts): Html => {
  const { masjid, section, done, head } = parts
  const { staff } = view.texts
  const title = parts.title ?? staff.sections[section]
  const name = (view.language === 'ar' && masjid.nameArabic) || masjid.name
  return page(view, {
    title: `${title} · ${name}`,
    faulty: parts.faulty,
    section: 'staff',
    ...(head === undefined ? {} : { head }),
    main: html`<p class="staff-masjid"><a href="/staff?all=1">${staff.title}</a> · <bdi>${name}</bdi></p>
<div class="with-sections">${menu(view, masjid, section)}<div class="staff-main"><h1><bdi>${title}</bdi></h1>${
      done !== undefined && notice({ tone: 'good', text: done })
    }
${parts.main}</div></div>`,
  })
}
