// A GraphQL document → its data as anybody may see it: the public scopes, nobody's rights, through the same plans and policies as apps.
import { anonymousGrant } from '../../access/anonymous-grant.ts'
import { publicScopes } from '../../access/scopes.ts'
import { networkOf } from '../../base/ip-address.ts'
import { mayHaveUnseen, withoutUnseen } from '../../base/plain-text.ts'
import { knownReads } from '../../db/changes/known-reads.ts'
import type { AnswerMoment } from '../../graphql/answers/answer-moment.ts'
import { noteAnswer } from '../../graphql/answers/trace-reads.ts'
import type { Engine } from '../../graphql/create-graphql.ts'
import { runOperations } from '../../graphql/entrance/entrance.ts'

interface Question {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
  /** Of the client, whose share of the database's time it takes. */
  readonly address: string
  /** Whether masjids are only listed: nobody asks for the days of each to be stored. */
  readonly listed?: boolean
}

const grant = anonymousGrant(publicScopes, { environment: 'live', masjids: [] })

/** Texts end up in titles, pictures and calendars, where nothing isolates a mark that turns the direction around. */
const clean = (_name: string, value: unknown): unknown => (typeof value === 'string' ? withoutUnseen(value) : value)

/** @throws whatever went wrong: nothing a visitor sends can make one of these documents invalid. */
export const askPublic = async <Data>(
  engine: Engine,
  { query, variables, address, listed }: Question,
): Promise<Data> => {
  const structure = engine.structures.current()
  const moment: AnswerMoment = { point: undefined, values: [] }
  const asking = { grant, who: `page ${networkOf(address)}`, since: performance.now(), moment, listed }
  const operation = { query, variables, operationName: undefined }
  const [outcome] = await knownReads.untraced(() => runOperations(engine, [operation], asking))
  noteAnswer(engine, { structure, moment, outcome })
  if (outcome === undefined) throw new Error('an operation without an outcome')
  if ('error' in outcome) throw outcome.error
  const { data } = outcome.result
  return JSON.parse(data, mayHaveUnseen(data) ? clean : undefined)
}
