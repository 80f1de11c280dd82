// Where links in mail lead when a command sends it.
import type { Config } from '../config/config.ts'

/** As the service itself finds it. */
export const baseUrlOf = ({ baseUrl, port }: Pick<Config, 'baseUrl' | 'port'>): string =>
  baseUrl ?? `http://localhost:${port}`
