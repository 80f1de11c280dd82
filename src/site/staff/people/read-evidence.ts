// How people agreed, as typed → where, when and how; or which fields are wrong.
import { localDateAt } from '../../../base/local-time.ts'
import { type ConsentWay, consentWays } from '../../../people/consent-records.ts'
import { isDay } from '../../../people/read-values.ts'
import type { FormValues } from '../../frame/form-body.ts'

export interface EvidenceForm {
  readonly given_on: string
  readonly given_how: string
  readonly evidence: string
}

type EvidenceFault = 'howMissing' | 'givenOnWrong' | 'evidenceMissing' | 'evidenceTooLong'
/** By the id of the field. */
type EvidenceFaults = Readonly<Record<string, EvidenceFault>>

export const emptyEvidence: EvidenceForm = { given_on: '', given_how: '', evidence: '' }

export const readEvidence = (form: FormValues): EvidenceForm => ({
  given_on: form.text('given_on'),
  given_how: form.text('given_how'),
  evidence: form.text('evidence'),
})

const LONGEST = 500

const isWay = (text: string): text is ConsentWay => consentWays.some(way => way === text)

/** Not in the future, by the masjid's calendar. */
const isPast = (day: string, timezone: string): boolean =>
  isDay(day) && day >= '1950-01-01' && day <= localDateAt(new Date(), timezone)

export const checkEvidence = (form: EvidenceForm, timezone: string): EvidenceFaults => ({
  ...(isWay(form.given_how) ? {} : { given_how: 'howMissing' }),
  ...(isPast(form.given_on, timezone) ? {} : { given_on: 'givenOnWrong' }),
  ...(form.evidence === '' ? { evidence: 'evidenceMissing' } : {}),
  ...(form.evidence.length > LONGEST ? { evidence: 'evidenceTooLong' } : {}),
})
