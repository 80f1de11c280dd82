// A person signs in and consents at either server → a code, and the form that redeems it.
import { makeUser } from '../../support/apps.ts'
import type { TestMinaret } from '../../support/minaret.ts'
import { authorizeParameters, makePkce, type Pkce } from '../../support/oauth.ts'
import { createPerson, type Person, type Shown } from '../../support/person.ts'
import { walkToApp } from '../../support/walk.ts'
import type { Side } from './asking.ts'

export type CodeForm = Readonly<Record<string, string>>

const startAt = (person: Person, { paths, publicClient }: Side, pkce: Pkce): Promise<Shown> => {
  const parameters = authorizeParameters(publicClient, pkce, {
    scope: 'openid offline_access',
    parameters: { prompt: 'consent' },
  })
  return person.get(`${paths.authorize}?${parameters}`)
}

const formFor = ({ publicClient }: Side, arrived: URL, pkce: Pkce): CodeForm => ({
  grant_type: 'authorization_code',
  code: arrived.searchParams.get('code') ?? '',
  redirect_uri: publicClient.redirectUri,
  client_id: publicClient.clientId,
  code_verifier: pkce.verifier,
})

export const ourCode = async (minaret: TestMinaret, side: Side): Promise<CodeForm> => {
  const { email } = await makeUser(minaret.service.database)
  const [person, pkce] = [createPerson(minaret.baseUrl), makePkce()]
  const { arrived } = await walkToApp(person, await startAt(person, side, pkce), email)
  return formFor(side, arrived, pkce)
}

/** oidc-provider's development pages accept any name and password. */
export const theirCode = async (baseUrl: string, side: Side): Promise<CodeForm> => {
  const [person, pkce] = [createPerson(baseUrl), makePkce()]
  let shown = await startAt(person, side, pkce)
  while (!shown.location?.startsWith('https:')) {
    if (shown.location === undefined) throw new Error(`no way on: ${shown.status}`)
    const next = await person.get(shown.location)
    const prompt = /name="prompt" value="(\w+)"/.exec(next.text)?.[1]
    shown = prompt === undefined ? next : await person.post(shown.location, { prompt, login: 'x', password: 'x' })
  }
  return formFor(side, new URL(shown.location), pkce)
}
