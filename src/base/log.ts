// The log: JSON lines for programs, readable lines on a terminal; secrets, tokens and email addresses are redacted, and
// errors that repeat counted.
import { type DestinationStream, type LoggerOptions, type Logger as PinoLogger, pino } from 'pino'
import pretty, { prettyFactory } from 'pino-pretty'
import { countRepeats } from './count-repeats.ts'

export type Logger = PinoLogger
export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug'

const secretKeys = [
  'password',
  'secret',
  'client_secret',
  'token',
  'access_token',
  'refresh_token',
  'id_token',
  'code',
  'code_verifier',
  'key',
  'authorization',
  'cookie',
  'email',
]
const redactPaths = secretKeys.flatMap(key => [key, `*.${key}`, `*.*.${key}`])

const patterns: readonly (readonly [RegExp, string])[] = [
  [/\b(mk_(?:live|test)_)[0-9A-Za-z]+/g, '$1…'],
  [/\b(rt_)[\w-]{20,}/g, '$1…'],
  [/\b(whsec_)[\w+/=-]+/g, '$1…'],
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, 'eyJ…'],
  [/(bearer|basic)\s+[\w.~+/=-]+/gi, '$1 …'],
  [/[\w.+-]+@[\w-]+\.[\w.-]+/g, '…@…'],
  [/(postgres(?:ql)?:\/\/[^:/@\s]*):[^@\s]*@/g, '$1:…@'],
]

/** Free text with everything that looks like a secret or an email address redacted. */
export const redactText = (text: string): string =>
  patterns.reduce((result, [pattern, blot]) => result.replace(pattern, blot), text)

const onTerminals = { ignore: 'pid,hostname', translateTime: 'HH:MM:ss' }

/** A line of the log as terminals show it. */
export const prettyLine = (line: string): string => prettyFactory(onTerminals)(line)

const standardError = (): DestinationStream =>
  process.stderr.isTTY ? pretty({ ...onTerminals, destination: 2, sync: true }) : process.stderr

const WARN = 40

type LogMethod = NonNullable<NonNullable<LoggerOptions['hooks']>['logMethod']>

/** An outage fails every request: a stack for each would hide everything else. */
const withoutRepeats = (): LogMethod => {
  const repeats = countRepeats()
  return function writeOrCount(line, method, level) {
    const [details, message] = line as unknown as [unknown, unknown]
    const isError = level >= WARN && typeof details === 'object' && details !== null && 'err' in details
    const write = (...words: [object, string]): void =>
      method.apply(this, words as unknown as Parameters<typeof method>)
    if (isError && typeof message === 'string' && !repeats.isNew({ level, details, message, write })) return
    method.apply(this, line)
  }
}

/** @param destination by default standard error */
export const createLogger = (level: LogLevel, destination: DestinationStream = standardError()): Logger => {
  const options = {
    level,
    base: null,
    redact: { paths: redactPaths, censor: '…' },
    hooks: {
      // Strings can carry a secret too, for instance in a driver's message.
      streamWrite: redactText,
      logMethod: withoutRepeats(),
    },
  }
  return pino(options, destination)
}
