// `minaret app keys`: the public keys that a confidential app signs with (private_key_jwt), or back to secrets.
import { readFile } from 'node:fs/promises'
import { checkJwks } from '../apps/check-jwks.ts'
import { registrationRefused } from '../apps/faults.ts'
import { type AppKeys, setAppKeys } from '../apps/signing-keys.ts'
import { commandActor } from '../audit/record-audit.ts'
import { mayBeReached } from '../outbound/check-saved-address.ts'
import { type Command, type Options, optionalText, UsageFault } from './command.ts'
import { appOptions, findNamedApp } from './find-app.ts'
import { withDatabase } from './with-database.ts'

const readDocument = async (path: string): Promise<AppKeys> => {
  const checked = await checkJwks(await readFile(path, 'utf8'))
  if (checked.kind === 'faulty') throw registrationRefused(`The keys in ${path} cannot be used: ${checked.fault}.`)
  return { jwks: checked.jwks, jwksUri: null }
}

const readKeys = async (options: Options): Promise<AppKeys> => {
  const [path, jwksUri] = [optionalText(options, 'jwks'), optionalText(options, 'jwks-uri')]
  const chosen = [path, jwksUri, options.none === true ? '' : undefined].filter(value => value !== undefined)
  if (chosen.length !== 1) throw new UsageFault('Give one of --jwks FILE, --jwks-uri URL and --none.')
  if (path !== undefined) return readDocument(path)
  if (jwksUri !== undefined && !(await mayBeReached(jwksUri, {})))
    throw registrationRefused('The jwks_uri is not a public https address without a port.')
  return { jwks: null, jwksUri: jwksUri ?? null }
}

export const appKeysCommand: Command = {
  name: 'app keys',
  summary: 'Set the public keys that a confidential app signs with instead of using a secret; --none: back to secrets.',
  usage: 'app keys (--id ID | --client-id CLIENT_ID) (--jwks FILE | --jwks-uri URL | --none) [--json]',
  options: { ...appOptions, jwks: { type: 'string' }, 'jwks-uri': { type: 'string' }, none: { type: 'boolean' } },
  required: [],
  run: async (options, config) => {
    const keys = await readKeys(options)
    return withDatabase(config, async database => {
      const app = await findNamedApp(database, options)
      await setAppKeys(database, { appId: app.id, actor: commandActor, ...keys })
      const keyed = keys.jwks !== null || keys.jwksUri !== null
      return {
        text: keyed ? `${app.name} signs with its keys. Its secrets are refused.` : `${app.name} uses secrets again.`,
        json: { client_id: app.clientId ?? null, jwks: keys.jwks, jwks_uri: keys.jwksUri },
      }
    })
  },
}
