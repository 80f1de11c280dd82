// A request that wrote → the header that says where its writes are in the write-ahead log. A client that sends it back reads
// what it wrote, whichever replica answers.
import type { Engine } from '../create-graphql.ts'
import type { Outcome } from '../outcome.ts'

const wrote = (outcome: Outcome): boolean =>
  'result' in outcome && outcome.result.cached.mutation !== undefined && outcome.result.dryRun !== true

export const hasWritten = (outcomes: readonly Outcome[]): boolean => outcomes.some(wrote)

/** Without the position the write is done all the same, so that nothing here fails it. */
export const positionAfter = async ({
  reader,
}: Pick<Engine, 'reader'>): Promise<Readonly<Record<string, string>> | undefined> => {
  const position = await reader.position().catch(() => undefined)
  return position === undefined ? undefined : { 'x-minaret-position': position }
}
