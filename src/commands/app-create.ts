// `minaret app create`: registers an app for its owner; with --approve it is approved at once, and a confidential one gets a secret.

import { findUserByEmail } from '../accounts/users.ts'
import { setLogoutUri } from '../apps/backchannel-logout.ts'
import { checkRegistration, type Registration } from '../apps/check-registration.ts'
import { approveApp } from '../apps/decide.ts'
import { faultOfFields } from '../apps/describe-fault.ts'
import { registrationRefused } from '../apps/faults.ts'
import { registerApp } from '../apps/register.ts'
import { readScopes } from '../apps/scope-list.ts'
import { createSecret } from '../apps/secrets.ts'
import { commandActor } from '../audit/record-audit.ts'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { type Command, type Options, type Outcome, optionalText, textList, textOption } from './command.ts'
import { appOutcome } from './find-app.ts'
import { masjidOptions, readMasjids } from './read-masjids.ts'
import { withDatabase } from './with-database.ts'

const readRegistration = (options: Options, config: Config): Registration => {
  const checked = checkRegistration(
    {
      name: textOption(options, 'name'),
      description: textOption(options, 'description'),
      homePage: optionalText(options, 'home-page'),
      logo: optionalText(options, 'logo'),
      kind: textOption(options, 'kind'),
      redirectUris: textList(options, 'redirect-uri'),
      postLogoutRedirectUris: textList(options, 'post-logout-redirect-uri'),
      scopes: readScopes(textList(options, 'scope').join(' ')),
      idTokenAlgorithm: optionalText(options, 'id-token-alg'),
      clientAuthentication: optionalText(options, 'client-auth'),
      deviceFlow: optionalText(options, 'device-flow'),
    },
    config.mode,
  )
  if (checked.kind === 'faulty') throw faultOfFields(checked.faults)
  return checked.registration
}

const findOwner = async (database: Database, email: string): Promise<string> => {
  const owner = await findUserByEmail(database, email)
  if (owner === undefined)
    throw registrationRefused(
      `There is no account with the email address ${email}. Create it with: minaret user create`,
    )
  return owner.id
}

const withSecret = async (database: Database, id: string, outcome: Outcome): Promise<Outcome> => {
  const secret = await createSecret(database, { appId: id, actor: commandActor })
  return {
    text: `${outcome.text}\n  secret     ${secret}\n\nThe secret is shown only now. Keep it safe.`,
    json: { ...outcome.json, client_secret: secret },
  }
}

export const appCreateCommand: Command = {
  name: 'app create',
  summary: 'Register an app; with --approve, approve it immediately.',
  usage:
    'app create --owner EMAIL --name NAME --description TEXT --kind public|confidential [--redirect-uri URI …] --scope "SCOPES"\n' +
    '    [--home-page URL] [--logo URL] [--post-logout-redirect-uri URI …] [--id-token-alg RS256|ES256]\n' +
    '    [--client-auth basic_or_post|basic] [--device-flow off|on] [--backchannel-logout-uri URI]\n' +
    '    [--approve [--masjid ID … | all] [--own-masjid ID … | all | none]] [--json]',
  options: {
    owner: { type: 'string' },
    name: { type: 'string' },
    description: { type: 'string' },
    kind: { type: 'string' },
    'redirect-uri': { type: 'string', multiple: true },
    'post-logout-redirect-uri': { type: 'string', multiple: true },
    scope: { type: 'string', multiple: true },
    'home-page': { type: 'string' },
    logo: { type: 'string' },
    'id-token-alg': { type: 'string' },
    'client-auth': { type: 'string' },
    'device-flow': { type: 'string' },
    'backchannel-logout-uri': { type: 'string' },
    approve: { type: 'boolean' },
    ...masjidOptions,
  },
  required: ['owner', 'name', 'description', 'kind', 'scope'],
  run: (options, config) => {
    const masjids = readMasjids(options)
    return withDatabase(config, async database => {
      const registration = readRegistration(options, config)
      const ownerId = await findOwner(database, textOption(options, 'owner'))
      const id = await registerApp(database, { ownerId, registration, actor: commandActor })
      const uri = optionalText(options, 'backchannel-logout-uri')
      const loopback = config.mode === 'development'
      if (uri !== undefined) await setLogoutUri(database, { appId: id, uri, loopback, actor: commandActor })
      if (options.approve !== true) return appOutcome(database, id, `${registration.name} waits for a reviewer.`)
      await approveApp(database, { appId: id, actor: commandActor, masjids })
      const outcome = await appOutcome(database, id, `${registration.name} is approved.`)
      return registration.kind === 'confidential' ? withSecret(database, id, outcome) : outcome
    })
  },
}
