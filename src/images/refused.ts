// Why an image cannot be shown: a code, which pages explain to the image's owner.

import type { FetchReason } from '../outbound/fetch-refused.ts'

export type ImageReason = FetchReason | 'not_an_image' | 'broken' | 'animated' | 'too_many_pixels'

export interface RefusalDetails {
  /** Whether another try may succeed. */
  readonly mayPass?: boolean
  /** The HTTP status, for the reason `status`. */
  readonly status?: number
}

export class ImageRefused extends Error {
  readonly reason: ImageReason
  readonly mayPass: boolean
  readonly status: number | undefined
  constructor(reason: ImageReason, { mayPass = false, status }: RefusalDetails = {}) {
    super(`The image was refused: ${reason}`)
    this.reason = reason
    this.mayPass = mayPass
    this.status = status
  }
}
