// `minaret key create|list|revoke`: API keys of an app, through the same code as the console.

import { setKeyLimit } from '../apps/key-limit.ts'
import { createKey, listKeys, revokeKey } from '../apps/keys.ts'
import { readScopes } from '../apps/scope-list.ts'
import { commandActor } from '../audit/record-audit.ts'
import { systemClock } from '../base/clock.ts'
import { type Command, optionalText, textOption, UsageFault } from './command.ts'
import { appOptions, findNamedApp } from './find-app.ts'
import { readExpiry } from './read-expiry.ts'
import { withDatabase } from './with-database.ts'

const NAMED = '(--client-id CLIENT_ID | --id ID)'

/** @throws {UsageFault} for anything but digits; the number itself is checked with the key. */
const readLimit = (text: string | undefined): number | undefined => {
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text)) throw new UsageFault('--limit is a number of requests a minute, such as 60.')
  return Number(text)
}

export const keyCreateCommand: Command = {
  name: 'key create',
  summary: 'Create an API key for an approved app, or a test key for the sandbox.',
  usage: `key create ${NAMED} --scope "SCOPES" [--name NAME] [--test] [--expires 30d|DATE] [--limit REQUESTS] [--json]`,
  options: {
    ...appOptions,
    scope: { type: 'string' },
    name: { type: 'string' },
    test: { type: 'boolean' },
    expires: { type: 'string' },
    limit: { type: 'string' },
  },
  required: [],
  run: (options, config) => {
    const expires = optionalText(options, 'expires')
    const expiresAt = expires === undefined ? undefined : readExpiry(expires, systemClock.now())
    const environment = options.test === true ? 'test' : 'live'
    const requestsPerMinute = readLimit(optionalText(options, 'limit'))
    const scope = environment === 'test' ? optionalText(options, 'scope') : textOption(options, 'scope')
    return withDatabase(config, async database => {
      const scopes = scope === undefined ? [] : readScopes(scope)
      const app = await findNamedApp(database, options)
      const name = optionalText(options, 'name') ?? ''
      const { id, key } = await createKey(database, {
        appId: app.id,
        actor: commandActor,
        name,
        environment,
        scopes,
        expiresAt,
        requestsPerMinute,
      })
      return {
        text: `A new ${environment} key for ${app.name}:\n  ${key}\n\nIt is shown only now. Keep it safe.`,
        json: {
          id,
          key,
          environment,
          expires_at: expiresAt?.toISOString() ?? null,
          requests_per_minute: requestsPerMinute ?? null,
        },
      }
    })
  },
}

export const keyListCommand: Command = {
  name: 'key list',
  summary: 'List the API keys of an app.',
  usage: `key list ${NAMED} [--json]`,
  options: appOptions,
  required: [],
  run: (options, config) =>
    withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      const keys = await listKeys(database, app.id)
      const lines = keys.map(
        ({ id, hint, name, scopes, revokedAt, requestsPerMinute: limit }) =>
          `  ${id}  ${hint}  ${name}${revokedAt === null ? '' : ' (revoked)'}  ${scopes.join(' ')}${limit === null ? '' : `  at most ${limit} a minute`}`,
      )
      return { text: lines.length === 0 ? `${app.name} has no keys.` : lines.join('\n'), json: { keys } }
    }),
}

export const keyLimitCommand: Command = {
  name: 'key limit',
  summary: 'Change how many requests a minute an API key may make, or lift its limit.',
  usage: `key limit ${NAMED} --key-id KEY_ID (--limit REQUESTS | --none) [--json]`,
  options: { ...appOptions, 'key-id': { type: 'string' }, limit: { type: 'string' }, none: { type: 'boolean' } },
  required: ['key-id'],
  run: (options, config) => {
    const requestsPerMinute = options.none === true ? undefined : readLimit(textOption(options, 'limit'))
    return withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      const keyId = textOption(options, 'key-id')
      await setKeyLimit(database, { appId: app.id, actor: commandActor, keyId, requestsPerMinute })
      return {
        text:
          requestsPerMinute === undefined
            ? 'The key has no limit of its own.'
            : `The key may make ${requestsPerMinute} requests a minute.`,
        json: { id: keyId, requests_per_minute: requestsPerMinute ?? null },
      }
    })
  },
}

export const keyRevokeCommand: Command = {
  name: 'key revoke',
  summary: 'Revoke an API key: it is refused everywhere within a second.',
  usage: `key revoke ${NAMED} --key-id KEY_ID [--json]`,
  options: { ...appOptions, 'key-id': { type: 'string' } },
  required: ['key-id'],
  run: (options, config) =>
    withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      const keyId = textOption(options, 'key-id')
      await revokeKey(database, { appId: app.id, actor: commandActor, keyId })
      return { text: 'The key is revoked.', json: { id: keyId, revoked: true } }
    }),
}
