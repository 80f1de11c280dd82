// `?done=…` → what was just done, in words.
import type { SignedInVisit } from '../../frame/page-routes.ts'

export const doneWords = ({ view, query }: SignedInVisit): string | undefined => {
  const { done } = view.texts.week
  const name = query.text('done')
  return Object.hasOwn(done, name) ? done[name as keyof typeof done] : undefined
}
