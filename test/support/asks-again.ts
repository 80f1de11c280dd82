// Whether a form was answered with the page that asks again who one is, with the form waiting inside.
import type { Shown } from './person.ts'

export const asksAgain = ({ status, text }: Pick<Shown, 'status' | 'text'>): boolean =>
  status === 403 && text.includes('name="held_form"')
