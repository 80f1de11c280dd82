// `prompt` and `max_age`: when the person must be asked again (OpenID Connect Core section 3.1.2.1).
import { invalidRequest } from '../oauth-fault.ts'
import type { Parameters } from '../parameters.ts'
import { type Prompt, prompts } from './authorization-request.ts'

const isPrompt = (word: string): word is Prompt => (prompts as readonly string[]).includes(word)

/** "If this parameter contains none with any other value, an error is returned." */
export const checkPrompt = (parameters: Parameters): readonly Prompt[] => {
  const words = (parameters.prompt ?? '').split(' ').filter(word => word !== '')
  if (!words.every(isPrompt)) throw invalidRequest(`The prompt can be: ${prompts.join(', ')}.`)
  if (words.includes('none') && words.length > 1)
    throw invalidRequest('The prompt "none" cannot be combined with others.')
  return words
}

export const checkMaxAge = (parameters: Parameters): number | undefined => {
  const { max_age: maxAge } = parameters
  if (maxAge === undefined) return undefined
  if (!/^\d{1,9}$/.test(maxAge)) throw invalidRequest('The max_age must be a whole number of seconds.')
  return Number(maxAge)
}
