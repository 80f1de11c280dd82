// Arabic: tokens that are bound to a key.
import type { Texts } from '../../texts/en.ts'

export const boundTokens: Texts['boundTokens'] = {
  heading: 'رموز مرتبطة بمفتاح',
  text: 'مع DPoP (‏RFC 9449) لا ينفع الرمز المسروق دون المفتاح الخاص بتطبيقك. يمكن لكل تطبيق أن يرسل إثباتًا؛ وهنا تقرر هل تُصدر الرموز من دونه.',
  label: 'الرموز',
  fact: 'رموز مرتبطة بمفتاح (DPoP)',
  choices: { optional: 'بإثبات أو من دونه', required: 'بإثبات فقط (dpop_bound_access_tokens)' },
  saved: 'يسري ذلك على الرموز التي تُصدر من الآن.',
}
