// The form of a household as typed → values of the API, or which fields are wrong.

import { tidy } from '../../../people/read-values.ts'
import type { FormValues } from '../../frame/form-body.ts'
import type { Household, HouseholdValues } from './household.ts'

export type HouseholdField = keyof HouseholdValues

export type HouseholdForm = Readonly<Record<HouseholdField, string>> & {
  /** The one that the form was made from; empty for a new household. */
  readonly version: string
}

type HouseholdFault = 'householdNameMissing' | 'textTooLong'
/** By the id of the field. */
export type HouseholdFaults = Readonly<Record<string, HouseholdFault>>

const longest: Readonly<Record<HouseholdField, number>> = {
  name: 200,
  address: 500,
  city: 200,
  state: 200,
  postal_code: 50,
}

export const readHousehold = (form: FormValues): HouseholdForm => ({
  name: form.text('name'),
  address: form.text('address'),
  city: form.text('city'),
  state: form.text('state'),
  postal_code: form.text('postal_code'),
  version: form.text('version'),
})

export const emptyHousehold: HouseholdForm = {
  name: '',
  address: '',
  city: '',
  state: '',
  postal_code: '',
  version: '',
}

export const householdFormOf = (household: Household): HouseholdForm => ({
  name: household.name,
  address: household.address ?? '',
  city: household.city ?? '',
  state: household.state ?? '',
  postal_code: household.postal_code ?? '',
  version: String(household.version),
})

export type CheckedHousehold = { readonly values: HouseholdValues } | { readonly faults: HouseholdFaults }

export const checkHousehold = (form: HouseholdForm): CheckedHousehold => {
  const faults: Record<string, HouseholdFault> = {}
  for (const [field, most] of Object.entries(longest) as [HouseholdField, number][])
    if (tidy(form[field]).length > most) faults[field] = 'textTooLong'
  if (form.name === '') faults.name = 'householdNameMissing'
  if (Object.keys(faults).length > 0) return { faults }
  return {
    values: {
      name: tidy(form.name),
      address: tidy(form.address) || null,
      city: tidy(form.city) || null,
      state: tidy(form.state) || null,
      postal_code: tidy(form.postal_code) || null,
    },
  }
}
