// The address of a search → what is looked for; whatever makes no sense is as if it had not been said.
import type { FormValues } from '../frame/form-body.ts'

export interface Place {
  readonly latitude: number
  readonly longitude: number
}

export interface FindWishes {
  readonly name: string
  readonly city: string
  /** `13:30`; empty: at any time. */
  readonly jumuah: string
  readonly near: Place | undefined
  readonly radius: number
  /** From 1. */
  readonly page: number
}

/** All that a search understands. */
export const searchParameters = ['q', 'city', 'jumuah', 'lat', 'lon', 'radius', 'page'] as const

const LONGEST_TEXT = 100
export const radii = [10, 25, 50, 100, 250] as const
const USUAL_RADIUS = 25
const MOST_PAGES = 50

const readNumber = (text: string, most: number): number | undefined => {
  const value = /^-?\d{1,3}(\.\d{1,12})?$/.test(text) ? Number(text) : Number.NaN
  return Math.abs(value) <= most ? value : undefined
}

const readPlace = (query: FormValues): Place | undefined => {
  const [latitude, longitude] = [readNumber(query.text('lat'), 90), readNumber(query.text('lon'), 180)]
  return latitude === undefined || longitude === undefined ? undefined : { latitude, longitude }
}

const readPage = (text: string): number => {
  const page = /^\d{1,3}$/.test(text) ? Number(text) : 1
  return Math.min(MOST_PAGES, Math.max(1, page))
}

export const readWishes = (query: FormValues): FindWishes => ({
  name: query.text('q').slice(0, LONGEST_TEXT),
  city: query.text('city').slice(0, LONGEST_TEXT),
  jumuah: /^([01]\d|2[0-3]):[0-5]\d$/.test(query.text('jumuah')) ? query.text('jumuah') : '',
  near: readPlace(query),
  radius: radii.find(radius => String(radius) === query.text('radius')) ?? USUAL_RADIUS,
  page: readPage(query.text('page')),
})

export const isSearch = ({ name, city, near }: FindWishes): boolean => name !== '' || city !== '' || near !== undefined

/** The address of the same search, with what changes. */
export const findPath = (
  wishes: FindWishes,
  language: string | undefined,
  change: Partial<FindWishes> = {},
): string => {
  const { name, city, jumuah, near, radius, page } = { ...wishes, ...change }
  const said = {
    q: name,
    city,
    jumuah,
    lat: near?.latitude,
    lon: near?.longitude,
    radius: near === undefined || radius === USUAL_RADIUS ? '' : radius,
    page: page === 1 ? '' : page,
    lang: language,
  }
  const given = Object.entries(said).filter(([, value]) => value !== undefined && value !== '')
  return `/find?${new URLSearchParams(given.map(([key, value]) => [key, String(value)]))}`
}
