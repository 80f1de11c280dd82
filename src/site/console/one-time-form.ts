// A form names the id of what it creates, so that it creates nothing the second time, as when its result is reloaded.
import { randomUUID } from 'node:crypto'
import { Fault } from '../../base/fault.ts'
import { isUuid } from '../../base/uuid.ts'
import { type Answer, redirectTo } from '../frame/page-reply.ts'
import type { SignedInVisit } from '../frame/page-routes.ts'

/** The hidden field of such a form. */
export const newId = (): { readonly new_id: string } => ({ new_id: randomUUID() })

export const chosenId = ({ form }: SignedInVisit): string | undefined => {
  const id = form.text('new_id')
  return isUuid(id) ? id : undefined
}

/** @param elsewhere the page that says so if it was created before: it cannot be shown again. */
export const createOnce = async (elsewhere: string, create: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'created_before')) throw error
    return redirectTo(elsewhere)
  }
}
