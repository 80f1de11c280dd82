// The form for an app's keys → the keys, or what is wrong with them.
import { checkJwks } from '../../../apps/check-jwks.ts'
import type { AppKeys } from '../../../apps/signing-keys.ts'
import { type Asking, mayBeReached } from '../../../outbound/check-saved-address.ts'
import type { FormValues } from '../../frame/form-body.ts'
import type { SigningTyped } from './part.ts'

export type ReadKeys =
  | { readonly kind: 'keys'; readonly keys: AppKeys }
  | { readonly kind: 'faulty'; readonly typed: SigningTyped }

export const readKeys = async (form: FormValues, { dial }: Pick<Asking, 'dial'>): Promise<ReadKeys> => {
  const [jwks, jwksUri] = [form.text('jwks').trim(), form.text('jwks_uri').trim()]
  const faulty = (fault: SigningTyped['fault']): ReadKeys => ({ kind: 'faulty', typed: { jwks, jwksUri, fault } })
  if (jwks !== '' && jwksUri !== '') return faulty('both')
  if (jwks === '' && jwksUri === '') return faulty('neither')
  if (jwksUri !== '') {
    if (!(await mayBeReached(jwksUri, { dial }))) return faulty('not_web_address')
    return { kind: 'keys', keys: { jwks: null, jwksUri } }
  }
  const checked = await checkJwks(jwks)
  // A private key is not sent back to the page.
  if (checked.kind === 'faulty' && checked.fault === 'private_key')
    return { kind: 'faulty', typed: { jwks: '', jwksUri, fault: checked.fault } }
  return checked.kind === 'faulty'
    ? faulty(checked.fault)
    : { kind: 'keys', keys: { jwks: checked.jwks, jwksUri: null } }
}
