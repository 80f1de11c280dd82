// The one error type: what the caller may know (code, status, message) is separate from what only the log may contain (detail, cause).

import type { FaultCode } from './fault-catalogue.ts'

export interface FaultInput {
  readonly code: FaultCode
  readonly status: number
  /** Shown to the caller. Never contains SQL, a stack or a secret. */
  readonly message: string
  /** Written to the log only. */
  readonly detail?: unknown
  readonly cause?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export class Fault extends Error {
  readonly code: FaultCode
  readonly status: number
  readonly detail: unknown
  readonly headers: Readonly<Record<string, string>>

  constructor(input: FaultInput) {
    super(input.message, input.cause === undefined ? undefined : { cause: input.cause })
    this.name = 'Fault'
    this.code = input.code
    this.status = input.status
    this.detail = input.detail
    this.headers = input.headers ?? {}
  }
}
