// A response body → its entity tag, for conditional requests.
import { hash } from 'node:crypto'

export const entityTag = (body: string | Buffer): string => `W/"${hash('sha256', body, 'base64url').slice(0, 27)}"`

const strong = (tag: string): string => tag.trim().replace(/^W\//, '')

/** RFC 9110, section 13.1.2: any of the tags, compared weakly. */
export const isKnown = (ifNoneMatch: string | undefined, tag: string): boolean =>
  ifNoneMatch !== undefined &&
  (ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').some(one => strong(one) === strong(tag)))

/** Of a copy in one encoding: caches that keep several tell them apart by it. */
export const encodedTag = (tag: string, encoding: string | undefined): string =>
  encoding === undefined ? tag : `${tag.slice(0, -1)}-${encoding}"`
