// Query and variables ↔ the fragment of a link, which browsers do not send to any server. Never headers or credentials.
import { element, tell, words } from './page-parts.js'

const LONGEST = 30_000

/** What the address brings along, if anything. It is shown, and never run by itself. */
export const readLink = () => {
  const given = new URLSearchParams(location.hash.slice(1))
  const query = given.get('query')
  return query === null || query.length > LONGEST
    ? undefined
    : { query, variables: (given.get('variables') ?? '').slice(0, LONGEST) }
}

export const fragmentOf = ({ query, variables }) =>
  `#${new URLSearchParams({ query, ...(variables.trim() === '' ? {} : { variables }) })}`

/** Whether what is to be shared or saved has the credential of this page in it. */
export const hasSecret = ({ query, variables, credential }) =>
  credential !== '' && `${query}\n${variables}`.includes(credential)

const DRAFT = 'minaret-explorer:draft'

/** What was in the editor before somebody went to sign in. */
export const takeDraft = () => {
  const kept = sessionStorage.getItem(DRAFT)
  sessionStorage.removeItem(DRAFT)
  return kept === null ? undefined : JSON.parse(kept)
}

const linkTo = current => {
  const url = new URL(location.href)
  url.search = ''
  url.hash = fragmentOf(current)
  return url.href
}

/** @param currentState returns the query, the variables and the credential of the page. */
export const createSharing = (currentState, open) => {
  element('share').addEventListener('click', async () => {
    const current = currentState()
    if (hasSecret(current)) return tell(words.share.secret)
    const link = linkTo(current)
    if (link.length > LONGEST) return tell(words.share.long)
    history.replaceState(null, '', link)
    const isCopied = await navigator.clipboard?.writeText(link).then(
      () => true,
      () => false,
    )
    tell(isCopied ? words.share.copied : words.share.failed)
  })
  addEventListener('hashchange', () => {
    const given = readLink()
    if (given !== undefined) open(given)
  })
  // Another language is another page: what was typed goes along, unless a credential is in it.
  for (const link of document.querySelectorAll('.languages a, #open-main'))
    link.addEventListener('click', () => {
      const current = currentState()
      if (!hasSecret(current)) link.hash = fragmentOf(current)
    })
  document.querySelector('#saved a[href="/explorer/sign-in"]')?.addEventListener('click', () => {
    const { query, variables, credential } = currentState()
    if (!hasSecret({ query, variables, credential }))
      sessionStorage.setItem(DRAFT, JSON.stringify({ query, variables }))
  })
}
