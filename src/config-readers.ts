// Text of an environment variable → the value of a setting, or what is wrong with it.

import { scopeDescriptions } from './base/scope-table.ts'
import { readTrustedProxies } from './base/trusted-proxies.ts'
import { capabilityNames } from './capabilities/staffed-masjids.ts'
import { splitHosts } from './db/split-hosts.ts'

type Read = { readonly value: unknown } | { readonly fault: string }

export interface Declaration {
  readonly name: string
  readonly fallback: unknown
  /** The default as the documentation shows it. */
  readonly shown: string
  readonly meaning: string
  /** A secret, or a URL that contains one: can also be in a file, which `NAME_FILE` names. */
  readonly secret?: true
  readonly read: (text: string) => Read
}

export const text = (value: string): Read => ({ value })

export const choice =
  (...allowed: readonly string[]) =>
  (value: string): Read =>
    allowed.includes(value) ? { value } : { fault: `is "${value}". Use one of: ${allowed.join(', ')}.` }

export const onOff = (value: string): Read =>
  value === 'on' || value === 'off' ? { value: value === 'on' } : { fault: `is "${value}". Use on or off.` }

export const wholeNumber =
  (least: number, most: number) =>
  (value: string): Read => {
    const number = Number(value)
    return Number.isInteger(number) && number >= least && number <= most
      ? { value: number }
      : { fault: `is "${value}". Use a whole number from ${least} to ${most}.` }
  }

/** Issuers are compared character by character, so a trailing slash would matter; it is removed here. */
export const httpAddress = (value: string): Read => {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    return { fault: `is "${value}". Use a URL that begins with http:// or https://.` }
  if (url.search !== '' || url.hash !== '' || url.username !== '')
    return { fault: `is "${value}". Leave out user, query and fragment.` }
  return { value: value.replace(/\/+$/, '') }
}

export const databaseAddress = (value: string): Read =>
  /^postgres(ql)?:\/\//.test(value) && splitHosts(value).every(one => URL.canParse(one))
    ? { value }
    : { fault: 'cannot be read. Use postgres://user:password@host:5432/database.' }

export const databaseAddresses = (value: string): Read => {
  const addresses = value.split(',').map(address => address.trim())
  const faulty = addresses.map(databaseAddress).find(read => 'fault' in read)
  return faulty ?? { value: addresses }
}

const namesOf = (wanted: (scope: (typeof scopeDescriptions)[number]) => boolean): readonly string[] =>
  scopeDescriptions.filter(wanted).map(({ name }) => name)

const namesAmong =
  (allowed: readonly string[], kind: string) =>
  (value: string): Read => {
    const names = value.split(/[\s,]+/).filter(name => name !== '')
    const wrong = names.find(name => !allowed.includes(name))
    return wrong === undefined ? { value: names } : { fault: `has "${wrong}". Use ${kind}: ${allowed.join(', ')}.` }
  }

export const openScopes = namesAmong(
  namesOf(({ access, personal }) => access === 'read' && !personal),
  'scopes that read no data about people',
)

export const dataScopes = namesAmong(
  namesOf(({ access }) => access === 'read' || access === 'write'),
  'scopes of data',
)

export const capabilityList = namesAmong(capabilityNames, 'capabilities')

export const mailAddress = (value: string): Read =>
  /^smtps?:\/\//.test(value) && URL.canParse(value)
    ? { value }
    : { fault: 'cannot be read. Use smtp://user:password@host:587 or smtps://…:465.' }

export const trustedProxies = (value: string): Read => {
  const proxies = readTrustedProxies(value)
  return proxies === undefined
    ? { fault: `is "${value}". Use off, on, a number of proxies up to 16, or networks such as 10.0.0.0/8.` }
    : { value: proxies }
}

export const secret = (value: string): Read =>
  value.length >= 32
    ? { value }
    : {
        fault: `has ${value.length} characters. Use at least 32 random ones, for example from: openssl rand -base64 32.`,
      }

export const share = (value: string): Read => {
  const number = Number(value)
  return value !== '' && number >= 0 && number <= 1
    ? { value: number }
    : { fault: `is "${value}". Use a number from 0 to 1.` }
}

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables */
export const headerList = (value: string): Read => {
  const pairs = value.split(',').map(pair => pair.split('=', 2).map(part => decodeURIComponent(part.trim())))
  return pairs.every(([name = '', text]) => /^[\w-]+$/.test(name) && text !== undefined && /^[\t -~]*$/.test(text))
    ? { value: Object.fromEntries(pairs) }
    : { fault: 'cannot be read. Use name=value, separated by commas.' }
}
