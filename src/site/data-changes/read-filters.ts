// Filters as typed in the form or the URL → filters of the audit trail, and back into a URL.
import { type LogKey, writeLogKey } from '../../audit/log-key.ts'
import { type WrittenFilters, writtenKinds } from '../../audit/read-written-rows.ts'
import type { FormValues } from '../frame/form-body.ts'

const filterNames = ['table', 'record', 'masjid', 'person', 'app', 'kind', 'from', 'to'] as const
export type ChangesFormValues = Readonly<Record<(typeof filterNames)[number], string>>

export const CHANGES_PATH = '/admin/changes'
const DAY_MS = 86_400_000

export const readValues = (from: Pick<FormValues, 'text'>): ChangesFormValues =>
  Object.fromEntries(filterNames.map(name => [name, from.text(name).slice(0, 300)])) as ChangesFormValues

const dayOf = (text: string): Date | undefined => {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00Z`) : undefined
  return day === undefined || Number.isNaN(day.getTime()) ? undefined : day
}

export const filtersOf = (values: ChangesFormValues): WrittenFilters => {
  const to = dayOf(values.to)
  return {
    table: values.table || undefined,
    record: values.record || undefined,
    masjid: values.masjid || undefined,
    personEmail: values.person || undefined,
    app: values.app || undefined,
    kind: writtenKinds.find(kind => kind === values.kind),
    from: dayOf(values.from),
    // The end date is inclusive.
    to: to === undefined ? undefined : new Date(to.getTime() + DAY_MS),
  }
}

export const addressOf = (values: Partial<ChangesFormValues>, before?: LogKey): string => {
  const given = Object.entries(values).filter(([, value]) => value !== '')
  const query = new URLSearchParams([...given, ...(before ? [['before', writeLogKey(before)]] : [])] as [
    string,
    string,
  ][])
  return query.size === 0 ? CHANGES_PATH : `${CHANGES_PATH}?${query}`
}
