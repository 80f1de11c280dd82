// The payload of `connection_init` → the credential in it.
import { isMap, type Payload } from './dialects/read-envelope.ts'

/** A member under its name in any capitals. */
const memberOf = (payload: Payload, name: string): unknown =>
  Object.entries(payload).find(([key]) => key.toLowerCase() === name)?.[1]

/** `{"Authorization": "Bearer …"}`, or the same within `headers`, as Hasura's clients send it. */
export const authorizationIn = (payload: Payload): string | undefined => {
  const headers = memberOf(payload, 'headers')
  const found = memberOf(payload, 'authorization') ?? (isMap(headers) ? memberOf(headers, 'authorization') : undefined)
  return typeof found === 'string' ? found : undefined
}
