// Why something on the web could not be fetched: a code, which pages explain.

export type FetchReason =
  | 'not_https'
  | 'port'
  | 'no_host'
  | 'host_not_found'
  | 'not_public'
  | 'unreachable'
  | 'too_slow'
  | 'redirect'
  | 'status'
  | 'too_many_bytes'

export class FetchRefused extends Error {
  readonly reason: FetchReason
  /** Whether another try may succeed. */
  readonly mayPass: boolean
  /** The HTTP status, for the reason `status`. */
  readonly status: number | undefined
  constructor(reason: FetchReason, { mayPass = false, status }: { mayPass?: boolean; status?: number } = {}) {
    super(`The address was refused: ${reason}`)
    this.reason = reason
    this.mayPass = mayPass
    this.status = status
  }
}
