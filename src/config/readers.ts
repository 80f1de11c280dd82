// Text of an environment variable → the value of a setting, or what is wrong with it.
import { resolve } from 'node:path'
import { capabilityNames } from '../base/capability-names.ts'
import { type Scope, scopeDescriptions } from '../base/scope-table.ts'
import { readTrustedProxies, type TrustedProxies } from '../base/trusted-proxies.ts'
import type { Read } from './setting.ts'

export const text = (value: string): Read<string> => ({ value })

export const folder = (value: string): Read<string> => ({ value: resolve(value) })

export const mode = (value: string): Read<'production' | 'development'> => ({
  value: value === 'production' ? 'production' : 'development',
})

export const choice =
  <const Name extends string>(...allowed: readonly Name[]) =>
  (value: string): Read<Name> => {
    const chosen = allowed.find(name => name === value)
    return chosen !== undefined ? { value: chosen } : { fault: `is "${value}". Use one of: ${allowed.join(', ')}.` }
  }

export const onOff = (value: string): Read<boolean> =>
  value === 'on' || value === 'off' ? { value: value === 'on' } : { fault: `is "${value}". Use on or off.` }

export const wholeNumber =
  (least: number, most: number) =>
  (value: string): Read<number> => {
    const number = Number(value)
    return Number.isInteger(number) && number >= least && number <= most
      ? { value: number }
      : { fault: `is "${value}". Use a whole number from ${least} to ${most}.` }
  }

const namesOf = (wanted: (scope: (typeof scopeDescriptions)[number]) => boolean): readonly Scope[] =>
  scopeDescriptions.filter(wanted).map(({ name }) => name)

const namesAmong =
  <Name extends string>(allowed: readonly Name[], kind: string) =>
  (value: string): Read<readonly Name[]> => {
    const names = value.split(/[\s,]+/).filter(name => name !== '')
    const isAllowed = (name: string): name is Name => (allowed as readonly string[]).includes(name)
    const wrong = names.find(name => !isAllowed(name))
    return wrong === undefined
      ? { value: names.filter(isAllowed) }
      : { fault: `has "${wrong}". Use ${kind}: ${allowed.join(', ')}.` }
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

export const trustedProxies = (value: string): Read<TrustedProxies> => {
  const proxies = readTrustedProxies(value)
  return proxies === undefined
    ? { fault: `is "${value}". Use off, on, a number of proxies up to 16, or networks such as 10.0.0.0/8.` }
    : { value: proxies }
}

export const secret = (value: string): Read<string> =>
  value.length >= 32
    ? { value }
    : {
        fault: `has ${value.length} characters. Use at least 32 random ones, for example from: openssl rand -base64 32.`,
      }

export const share = (value: string): Read<number> => {
  const number = Number(value)
  return value !== '' && number >= 0 && number <= 1
    ? { value: number }
    : { fault: `is "${value}". Use a number from 0 to 1.` }
}

/** https://opentelemetry.io/docs/specs/otel/protocol/exporter/#specifying-headers-via-environment-variables */
export const headerList = (value: string): Read<Readonly<Record<string, string>>> => {
  const pairs = value.split(',').map(pair => pair.split('=', 2).map(part => decodeURIComponent(part.trim())))
  return pairs.every(([name = '', text]) => /^[\w-]+$/.test(name) && text !== undefined && /^[\t -~]*$/.test(text))
    ? { value: Object.fromEntries(pairs) }
    : { fault: 'cannot be read. Use name=value, separated by commas.' }
}
