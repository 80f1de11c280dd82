// A reader who is signed in and has apps → samples with the client ID and redirect URI of one of them. Never a secret.
import { type App, listAppsOfMember } from '../../apps/app.ts'
import type { Queryable } from '../../db/database.ts'
import type { Visit } from '../frame/visit.ts'
import { fill } from '../pieces/fill.ts'
import { type Html, html, rawHtml } from '../pieces/html.ts'
import { docsTexts } from './texts.ts'

type OwnApp = App & { readonly clientId: string }

export interface OwnApps {
  readonly chosen: OwnApp
  readonly others: readonly OwnApp[]
}

const hasClient = (app: App): app is OwnApp => app.state === 'approved' && app.clientId !== undefined

/** Only apps of the reader's own team are looked at, whatever the URL asks for. */
export const findOwnApps = async (database: Queryable, { session, query }: Visit): Promise<OwnApps | undefined> => {
  if (session === undefined) return undefined
  const apps = (await listAppsOfMember(database, session.user.id)).filter(hasClient)
  const chosen = apps.find(({ id }) => id === query.text('app')) ?? apps[0]
  return chosen === undefined ? undefined : { chosen, others: apps.filter(app => app !== chosen) }
}

const CLIENT_ID = /YOUR_CLIENT_ID|\$CLIENT_ID/g
const REDIRECT_URI = 'https://your.app/callback'

/** The body is ours, and what is put into it is escaped. */
export const fillSamples = (body: Html, { chosen }: OwnApps): Html => {
  const clientId = html`${chosen.clientId}`.text
  const redirectUri = html`${chosen.redirectUris[0] ?? REDIRECT_URI}`.text
  return rawHtml(body.text.replaceAll(CLIENT_ID, () => clientId).replaceAll(REDIRECT_URI, () => redirectUri))
}

export const hasPlaces = ({ text }: Html): boolean => text.search(CLIENT_ID) >= 0

export const filledInNotice = ({ view }: Visit, path: string, { chosen, others }: OwnApps): Html => {
  const texts = docsTexts[view.language]
  return html`<p class="notice info filled-in">${fill(texts.filledIn, { app: chosen.name })}${
    others.length > 0 &&
    html` ${texts.otherApps} ${others.map(({ id, name }) => html`<a href="${path}?app=${id}"><bdi>${name}</bdi></a> `)}`
  }</p>`
}
