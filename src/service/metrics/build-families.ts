// The running program → its version and commit, and the number of migrations that it brings.
import { readdirSync } from 'node:fs'
import type { OwnBuild } from '../../base/build/own-build.ts'
import { type Family, gaugeFamily } from '../../metrics/family.ts'

const at = (path: string): URL => new URL(`../../../${path}`, import.meta.url)

const countFiles = (folder: 'identity' | 'data'): number =>
  readdirSync(at(`migrations/${folder}`)).filter(name => /^\d+.*\.sql$/.test(name)).length

/** Read once: neither changes while the process runs. */
export const createBuildFamilies = ({ version, commit }: OwnBuild): (() => Family[]) => {
  // The data tables exist twice: the live ones, and the sandbox's.
  const migrations = countFiles('identity') + 2 * countFiles('data')
  const labels = { version, commit, node: process.versions.node }
  const families = [
    gaugeFamily({ name: 'minaret_build_info', help: 'The running version and its commit.', aggregator: 'max' }, [
      { labels, value: 1 },
    ]),
    gaugeFamily({ name: 'minaret_migrations_known', help: 'Migrations that this version brings.', aggregator: 'max' }, [
      { labels: {}, value: migrations },
    ]),
  ]
  return () => families
}
