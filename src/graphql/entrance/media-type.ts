// The Accept header → the media type of the response. https://graphql.github.io/graphql-over-http/draft/#sec-Accept
import { fault } from '../errors.ts'
import { preferencesOf } from './preferences.ts'

export type MediaType = 'application/graphql-response+json' | 'application/json'

const ours: readonly MediaType[] = ['application/graphql-response+json', 'application/json']

const matches = (type: string, media: MediaType): boolean =>
  type === media || (media === 'application/json' && (type === '*/*' || type === 'application/*'))

/** `*` alone means JSON: what clients that do not know the newer type expect. */
const choose = (accept: string): MediaType => {
  const ranges = preferencesOf(accept)
    .filter(({ quality }) => quality > 0)
    .sort((left, right) => right.quality - left.quality)
  for (const { name } of ranges) {
    const media = ours.find(one => matches(name, one))
    if (media !== undefined) return media
  }
  throw fault(
    'not-acceptable',
    'Answers are application/graphql-response+json or application/json; accept one of them.',
  )
}

/** @throws {Fault} `not-acceptable` */
export const mediaTypeFor = (accept: string | undefined): MediaType => {
  if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json')
    return 'application/json'
  return choose(accept)
}

/** For a response that reports an error in the request, perhaps in this very header. */
export const mediaOrJson = (accept: string | undefined): MediaType => {
  try {
    return mediaTypeFor(accept)
  } catch {
    return 'application/json'
  }
}
