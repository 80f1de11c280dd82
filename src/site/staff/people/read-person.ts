// The form of a person as typed → values of the API, or which fields are wrong.
import { localDateAt } from '../../../base/local-time.ts'
import { asciiDigits, isDay, isEmail, isPhone, tidy } from '../../../people/read-values.ts'
import type { FormValues } from '../../frame/form-body.ts'
import { notOffered } from '../not-offered.ts'
import { type Member, type MemberStatus, type MemberValues, statuses } from './person.ts'

export interface PersonForm {
  readonly given_name: string
  readonly family_name: string
  readonly email: string
  readonly phone: string
  readonly joined_on: string
  readonly status: string
  /** Of a new person: the household they are added to. */
  readonly household: string
  /** The one that the form was made from; empty for a new person. */
  readonly version: string
}

type PersonFault =
  | 'givenMissing'
  | 'nameTooLong'
  | 'emailWrong'
  | 'emailTaken'
  | 'phoneWrong'
  | 'dayWrong'
  | 'notOffered'
/** By the id of the field. */
export type PersonFaults = Readonly<Record<string, PersonFault>>

export const readPerson = (form: FormValues): PersonForm => ({
  given_name: form.text('given_name'),
  family_name: form.text('family_name'),
  email: form.text('email'),
  phone: form.text('phone'),
  joined_on: form.text('joined_on'),
  status: form.text('status'),
  household: form.text('household'),
  version: form.text('version'),
})

export const emptyPerson = (timezone: string, household: string, now: Date): PersonForm => ({
  given_name: '',
  family_name: '',
  email: '',
  phone: '',
  joined_on: localDateAt(now, timezone),
  status: 'active',
  household,
  version: '',
})

export const personFormOf = (member: Member): PersonForm => ({
  given_name: member.given_name,
  family_name: member.family_name ?? '',
  email: member.email ?? '',
  phone: member.phone ?? '',
  joined_on: member.joined_on,
  status: member.status,
  household: '',
  version: String(member.version),
})

const LONGEST_NAME = 100

const faultsOf = (values: MemberValues): PersonFaults => ({
  ...(values.given_name === '' ? { given_name: 'givenMissing' } : {}),
  ...(values.given_name.length > LONGEST_NAME ? { given_name: 'nameTooLong' } : {}),
  ...((values.family_name ?? '').length > LONGEST_NAME ? { family_name: 'nameTooLong' } : {}),
  ...(values.email !== null && !isEmail(values.email) ? { email: 'emailWrong' } : {}),
  ...(values.phone !== null && !isPhone(values.phone) ? { phone: 'phoneWrong' } : {}),
  ...(isDay(values.joined_on) ? {} : { joined_on: 'dayWrong' }),
})

export type CheckedPerson = { readonly values: MemberValues } | { readonly faults: PersonFaults }

export const checkPerson = (form: PersonForm, stored?: Member): CheckedPerson => {
  const values = {
    given_name: tidy(form.given_name),
    family_name: tidy(form.family_name) || null,
    email: form.email.toLowerCase() || null,
    phone: asciiDigits(tidy(form.phone)) || null,
    joined_on: form.joined_on,
    status: (form.status || 'active') as MemberStatus,
  }
  const faults = { ...faultsOf(values), ...notOffered(form, { status: ['', ...statuses] }, { ...stored }) }
  return Object.keys(faults).length > 0 ? { faults } : { values }
}
