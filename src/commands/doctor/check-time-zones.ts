// The offsets that Minaret shows times with, in the zones in use, beside those of this version's rules and of the server's own.
import { isOlderVersion } from '../../base/is-older-version.ts'
import {
  type Disagreement,
  describeDisagreements,
  disagreements,
  readUsedZones,
  type UsedZone,
} from '../../db/zone-offsets/compare-offsets.ts'
import { readServerOffsets } from '../../db/zone-offsets/server-offsets.ts'
import { readStoredRules, runtimeRules } from '../../db/zone-offsets/stored-rules.ts'
import { type Finding, ok, skipped, warning } from './finding.ts'
import type { Check, Subject } from './subject.ts'

const NAME = 'time-zones'

/** `2026c` */
const named = (rules: string | undefined): string => rules?.split('.')[0] ?? 'of the server'

const unknownZones = (used: readonly UsedZone[]): Finding[] => {
  const unknown = used.filter(({ stored, ours }) => stored === null || ours === null).map(({ zone }) => zone)
  return unknown.length === 0
    ? []
    : [
        warning(
          NAME,
          `This version of Minaret does not know ${unknown.slice(0, 5).join(', ')}: times there are missing, or may be off.`,
          'Give these masjids and events another time zone, or update Minaret.',
        ),
      ]
}

/** What pages and feeds use is this version's; what the API shows is stored. */
const compareRules = (differing: readonly Disagreement[], stored: string | undefined): Finding => {
  const ours = runtimeRules()
  const zones = describeDisagreements(differing)
  if (stored !== undefined && isOlderVersion(ours, stored))
    return differing.length === 0
      ? ok(
          NAME,
          `Times follow the time zone rules ${named(stored)}; those of this version (${named(ours)}) are older, alike for all zones in use.`,
        )
      : warning(
          NAME,
          `The time zone rules of this version of Minaret (${named(ours)}) are older than those stored (${named(stored)}), and differ for ${zones}: where it serves, pages and calendars show other times than the API.`,
          'Finish the upgrade: end the processes of the earlier version. After a restore, install the version that the backup came from, or a later one.',
        )
  if (differing.length > 0 || stored !== ours)
    return warning(
      NAME,
      `The stored time zone rules (${named(stored)}) are not those of this version (${named(ours)})${zones === '' ? '' : `, and differ for ${zones}`}.`,
      'Start the service or run `minaret migrate`: either stores them, and what is to come keeps its local time.',
    )
  return ok(NAME, `Times follow the time zone rules ${named(stored)}, everywhere alike.`)
}

/** Not a fault: nothing of ours asks the server. */
const compareServer = async ({ client }: Subject, used: readonly UsedZone[], now: Date): Promise<Finding[]> => {
  const found = disagreements(await readServerOffsets(client, used, now))
  return found.length === 0
    ? []
    : [
        ok(
          NAME,
          `The database server's own rules are others for ${describeDisagreements(found)}. Nothing that Minaret shows or stores follows them; in SQL of your own, use local_time() and local_instant() instead of "at time zone". Updating the server's time zone data (the embedded server's comes with Minaret) ends the difference.`,
        ),
      ]
}

const hasOffsets = async ({ client, isMigrated }: Subject): Promise<boolean> =>
  isMigrated && (await client.query(`select to_regclass('public.zone_offsets') is not null as there`)).rows[0].there

/** Every change of offset within the days that are calculated, in the zones of masjids and events. */
export const checkTimeZones: Check = {
  name: NAME,
  look: async subject => {
    const { client, clock } = subject
    if (!(await hasOffsets(subject)))
      return [skipped(NAME, 'There are no offsets to compare before the migrations have run.')]
    const now = clock.now()
    const used = await readUsedZones(client, 'public', now)
    return [
      compareRules(disagreements(used), await readStoredRules(client, 'public')),
      ...unknownZones(used),
      ...(await compareServer(subject, used, now)),
    ]
  },
}
