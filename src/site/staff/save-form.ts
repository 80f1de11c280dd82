// A form that was sent → saved, or shown again with what was typed and what is wrong: the same for everything that staff edit.
import { type Answer, redirectTo, showPage } from '../frame/page-reply.ts'
import type { Html } from '../pieces/html.ts'
import { ask, type Refused } from './ask.ts'
import type { StaffVisit } from './at-masjid.ts'
import { type Mutation, REFUSED } from './form-steps.ts'
import type { StaffParts } from './staff-parts.ts'

type Checked<Values, Faults> = { readonly values: Values } | { readonly faults: Faults }

/** Why a form comes back. */
interface Why<Faults> {
  readonly faults?: Faults
  /** In words. */
  readonly refusal?: string
  /** Somebody else saved it meanwhile. */
  readonly conflict?: boolean
}

interface Saving<Values, Faults> {
  readonly checked: Checked<Values, Faults>
  readonly show: (why: Why<Faults>) => Html
  /** Its field is called `written`, and has an `id`. */
  readonly mutation: (values: Values) => Mutation | Promise<Mutation>
  /** Where to go then; the id is that of what was written. */
  readonly saved: (id: string) => string
  /** A refusal that belongs to a field. */
  readonly faultsOf?: (refused: Refused) => Faults | undefined
}

const whyRefused = <Faults>(refused: Refused, faultsOf: Saving<unknown, Faults>['faultsOf']): Why<Faults> => {
  const faults = faultsOf?.(refused)
  if (faults !== undefined) return { faults }
  return refused.code === 'conflict' ? { conflict: true } : { refusal: refused.message }
}

export const saveForm = async <Values, Faults>(
  { graphql }: StaffParts,
  { visit }: StaffVisit,
  { checked, show, mutation, saved, faultsOf }: Saving<Values, Faults>,
): Promise<Answer> => {
  if ('faults' in checked) return showPage(show({ faults: checked.faults }), REFUSED)
  const written = await ask<{ written: { id: string } | null }>(graphql, visit, await mutation(checked.values))
  if ('refused' in written) return showPage(show(whyRefused(written.refused, faultsOf)), REFUSED)
  return redirectTo(saved(written.data.written?.id ?? ''))
}
