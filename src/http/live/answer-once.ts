// A query or mutation that arrived on an open connection → its result, by the same entrance as any other.
import { randomUUID } from 'node:crypto'
import { stringifyExact } from '../../base/exact-json.ts'
import type { Abandonment } from '../../db/reader-connection.ts'
import type { Entrance } from '../../graphql/entrance/transport.ts'
import { PATH } from '../graphql/paths.ts'

export interface AskedOnce {
  /** The parameters of the request, as they were parsed. */
  readonly parameters: unknown
  readonly authorization: string | undefined
  readonly address: string
  readonly abandoned: Abandonment
}

/** The response as JSON in one line: `{"data":…}` or `{"errors":…}`. */
export const answerOnce = async (
  entrance: Entrance,
  { parameters, authorization, address, abandoned }: AskedOnce,
): Promise<string> => {
  const { body } = await entrance({
    id: randomUUID(),
    method: 'POST',
    url: PATH,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: { kind: 'bytes', bytes: Buffer.from(stringifyExact(parameters)) },
    clientAddress: () => address,
    abandoned,
  })
  return body.toString().replaceAll('\n', '')
}
