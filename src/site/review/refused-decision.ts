// Why a decision was refused → message and status of the page that shows the current state.
import { Fault } from '../../base/fault.ts'
import { refusalOf } from '../console/parts.ts'
import type { SignedInVisit } from '../frame/page-routes.ts'

export interface RefusedDecision {
  readonly refusal: string
  readonly status: number
}

/** Anything but a refusal is rethrown. */
export const refusedDecision = ({ view }: SignedInVisit, error: unknown): RefusedDecision => {
  const { review } = view.texts
  if (error instanceof Fault && error.code === 'own_app') return { refusal: review.ownApp, status: 403 }
  refusalOf(error)
  return { refusal: review.meanwhile, status: 409 }
}
