// Walks through an authorization in the browser: signs in and allows wherever a page asks for it, until the app is reached.
import { CONSENT_ACTION } from '../../src/site/consent/consent-page.ts'
import { PASSWORD } from './apps.ts'
import type { Person, Shown } from './person.ts'

export interface Walk {
  /** The URL outside the service that the browser was sent to. */
  readonly arrived: URL
  /** The pages that asked for input, in order. */
  readonly pages: readonly string[]
}

const MOST_STEPS = 12

const answerPage = (person: Person, path: string, email: string): Promise<Shown> => {
  if (path.startsWith('/sign-in')) return person.submit(path, '/sign-in', { email, password: PASSWORD })
  if (path.startsWith('/consent')) return person.submit(path, CONSENT_ACTION, { decision: 'allow' })
  throw new Error(`unexpected page: ${path}`)
}

export const walkToApp = async (person: Person, first: Shown, email: string): Promise<Walk> => {
  const pages: string[] = []
  let shown = first
  for (let step = 0; step < MOST_STEPS; step += 1) {
    if (shown.location === undefined) throw new Error(`dead end: ${shown.status} ${shown.text.slice(0, 2000)}`)
    if (/^https?:/.test(shown.location)) return { arrived: new URL(shown.location), pages }
    const path = shown.location
    const next = await person.get(path)
    if (next.status !== 200) {
      shown = next
      continue
    }
    pages.push(path.split('?')[0] ?? '')
    shown = await answerPage(person, path, email)
  }
  throw new Error(`still not there after ${pages.join(', ')}`)
}
