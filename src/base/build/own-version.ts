// The version of Minaret, as its package says.
import { readFileSync } from 'node:fs'

export const readOwnVersion = (): string => {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  return version
}
