// Words typed into a search field → the filter of the API: every word is part of a name, an address or a number.
import { contains } from '../../../base/like.ts'
import { type MemberStatus, statuses } from './person.ts'

const MOST_WORDS = 6
const MOST_CHARACTERS = 100

type Filter = Readonly<Record<string, unknown>>

const wordsOf = (text: string): string[] =>
  text.slice(0, MOST_CHARACTERS).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)

const everyWord = (text: string, columns: readonly string[]): Filter[] =>
  wordsOf(text).map(word => ({ _or: columns.map(column => ({ [column]: { _ilike: contains(word) } })) }))

export interface PeopleFilters {
  readonly words: string
  readonly status: MemberStatus | undefined
}

export const statusOf = (text: string): MemberStatus | undefined => statuses.find(status => status === text)

export const peopleFilter = (masjid: string, { words, status }: PeopleFilters): Filter => ({
  masjid_id: { _eq: masjid },
  ...(status === undefined ? {} : { status: { _eq: status } }),
  _and: everyWord(words, ['given_name', 'family_name', 'email', 'phone']),
})

export const householdFilter = (masjid: string, words: string): Filter => ({
  masjid_id: { _eq: masjid },
  _and: everyWord(words, ['name', 'address', 'city', 'postal_code']),
})
