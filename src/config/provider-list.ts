// The JSON of PROVIDERS → the other OpenID providers that people can sign in with, or what is wrong with it.
import { createPrivateKey } from 'node:crypto'
import { httpAddress } from './address-readers.ts'
import type { ProviderAuthentication, ProviderSettings } from './provider-settings.ts'
import type { Read } from './setting.ts'
import { readSettingFile } from './setting-file.ts'

type Fields = Readonly<Record<string, unknown>>
type Preset = Partial<Pick<ProviderSettings, 'label' | 'issuer' | 'responseMode' | 'againPrompt' | 'verifiedBy'>>

/** Known by name, so that only the client has to be configured. */
const presets: Readonly<Record<string, Preset>> = {
  /** Google refuses prompt=login. */
  google: { label: 'Google', issuer: 'https://accounts.google.com', againPrompt: 'select_account' },
  /** Apple posts its answer if it is asked for anything besides the subject. */
  apple: { label: 'Apple', issuer: 'https://appleid.apple.com', responseMode: 'form_post' },
  /** Microsoft lets administrators enter any address; `xms_edov` says that the owner of its domain did. */
  microsoft: { label: 'Microsoft', verifiedBy: ['email_verified', 'xms_edov'] },
}

const known = new Set([
  'name',
  'label',
  'issuer',
  'tenant',
  'clientId',
  'clientSecret',
  'clientSecretFile',
  'teamId',
  'keyId',
  'privateKey',
  'privateKeyFile',
  'scope',
  'responseMode',
])

class ProviderFault extends Error {}

const textOf = (fields: Fields, name: string): string | undefined => {
  const value = fields[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.trim() === '') throw new ProviderFault(`${name} must be a text`)
  return value.trim()
}

const require = (fields: Fields, name: string): string => {
  const text = textOf(fields, name)
  if (text === undefined) throw new ProviderFault(`${name} is missing`)
  return text
}

/** The secret itself, or the file that has it. */
const secretOf = (fields: Fields, name: string): string | undefined => {
  const [text, path] = [textOf(fields, name), textOf(fields, `${name}File`)]
  if (path === undefined) return text
  if (text !== undefined) throw new ProviderFault(`${name} is set, and so is ${name}File: use only one of them`)
  const read = readSettingFile(`${name}File`, path)
  if ('fault' in read) throw new ProviderFault(`${name} ${read.fault.replace(/\.$/, '')}`)
  return read.text.trim()
}

const isKey = (text: string): boolean => {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'ec'
  } catch {
    return false
  }
}

const appleKey = (fields: Fields): ProviderAuthentication => {
  const privateKey = secretOf(fields, 'privateKey')
  if (privateKey === undefined) throw new ProviderFault('privateKeyFile is missing: the .p8 file from Apple')
  if (!isKey(privateKey)) throw new ProviderFault('privateKey is not a private key as Apple issues them (.p8)')
  return { kind: 'apple', teamId: require(fields, 'teamId'), keyId: require(fields, 'keyId'), privateKey }
}

const authenticationOf = (name: string, fields: Fields): ProviderAuthentication => {
  if (name === 'apple') return appleKey(fields)
  const secret = secretOf(fields, 'clientSecret')
  return secret === undefined ? { kind: 'none' } : { kind: 'secret', secret }
}

/** A tenant's own id, or `common`, `organizations` or `consumers`. */
const microsoftIssuer = (fields: Fields): string => {
  const tenant = require(fields, 'tenant')
  if (!/^[\w.-]{1,100}$/.test(tenant)) throw new ProviderFault('tenant is not the name or id of a Microsoft tenant')
  return `https://login.microsoftonline.com/${tenant}/v2.0`
}

const issuerOf = (name: string, fields: Fields): string => {
  const given = textOf(fields, 'issuer')
  if (given === undefined)
    return name === 'microsoft' ? microsoftIssuer(fields) : (presets[name]?.issuer ?? require(fields, 'issuer'))
  const read = httpAddress(given)
  if ('fault' in read) throw new ProviderFault(`issuer ${read.fault.replace(/\.$/, '')}`)
  const { protocol, hostname } = new URL(given)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isHere) throw new ProviderFault(`issuer is ${given}, which is not https`)
  // As written: issuers are compared character by character.
  return given
}

const modeOf = (fields: Fields): ProviderSettings['responseMode'] | undefined => {
  const mode = textOf(fields, 'responseMode')
  if (mode !== undefined && mode !== 'query' && mode !== 'form_post')
    throw new ProviderFault('responseMode is neither query nor form_post')
  return mode
}

const scopeOf = (name: string, fields: Fields): string => {
  const scope = textOf(fields, 'scope') ?? (name === 'apple' ? 'openid email name' : 'openid email profile')
  if (!scope.split(/\s+/).includes('openid')) throw new ProviderFault('scope lacks openid')
  return scope
}

const toProvider = (fields: Fields): ProviderSettings => {
  const unknown = Object.keys(fields).find(name => !known.has(name))
  if (unknown !== undefined) throw new ProviderFault(`${unknown} is not a setting of a provider`)
  const name = require(fields, 'name')
  if (!/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    throw new ProviderFault('name must be at most 40 of a-z, 0-9 and hyphens: it is part of an address')
  const preset = Object.hasOwn(presets, name) ? presets[name] : undefined
  return {
    name,
    label: textOf(fields, 'label') ?? preset?.label ?? name,
    issuer: issuerOf(name, fields),
    clientId: require(fields, 'clientId'),
    authentication: authenticationOf(name, fields),
    scope: scopeOf(name, fields),
    responseMode: modeOf(fields) ?? preset?.responseMode ?? 'query',
    againPrompt: preset?.againPrompt ?? 'login',
    verifiedBy: preset?.verifiedBy ?? ['email_verified'],
  }
}

const MOST_PROVIDERS = 20

const parse = (text: string): readonly unknown[] => {
  const value: unknown = JSON.parse(text)
  if (!Array.isArray(value)) throw new SyntaxError('not a list')
  return value
}

const describe = (entry: unknown, index: number): string => {
  const name = typeof entry === 'object' && entry !== null && 'name' in entry ? entry.name : undefined
  return typeof name === 'string' ? `"${name}"` : `number ${index + 1}`
}

const readAll = (entries: readonly unknown[]): Read<readonly ProviderSettings[]> => {
  const providers: ProviderSettings[] = []
  for (const [index, entry] of entries.entries())
    try {
      const provider = toProvider(typeof entry === 'object' && entry !== null ? (entry as Fields) : {})
      if (providers.some(({ name }) => name === provider.name)) throw new ProviderFault('its name is used twice')
      providers.push(provider)
    } catch (error) {
      if (!(error instanceof ProviderFault)) throw error
      return { fault: `has a fault in provider ${describe(entry, index)}: ${error.message}.` }
    }
  return { value: providers }
}

export const providerList = (text: string): Read<readonly ProviderSettings[]> => {
  try {
    const entries = parse(text)
    if (entries.length > MOST_PROVIDERS) return { fault: `has more than ${MOST_PROVIDERS} providers.` }
    return readAll(entries)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { fault: 'cannot be read. Use a JSON list, such as [{"name":"google","clientId":"…","clientSecret":"…"}].' }
  }
}
