// A day of the year and a latitude → the minutes between twilight and sun by the Moonsighting Committee's seasonal function.

/** Its observations at 0° and 55° of latitude, at the winter solstice, after 91, 137 and 183 days. */
const fajr = [28.65, 19.44, 32.74, 48.1] as const
/** For the Shafaq between red and white. */
const isha = [25.6, 2.05, -9.21, 6.14] as const

const isLeap = (year: number): boolean => (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0

const sinceWinter = (latitude: number, day: number): number => {
  const year = new Date(day * 86_400_000).getUTCFullYear()
  const length = isLeap(year) ? 366 : 365
  const number = day - Date.UTC(year, 0, 1) / 86_400_000 + 1
  const shift = latitude >= 0 ? 10 : length - (isLeap(year) ? 173 : 172)
  return (number + shift) % length
}

export const seasonalMinutes = (side: 'fajr' | 'isha', latitude: number, day: number): number => {
  const [winter, first, second, summer] = (side === 'fajr' ? fajr : isha).map(
    minutes => 75 + (minutes / 55) * Math.abs(latitude),
  ) as [number, number, number, number]
  const corners: readonly (readonly [number, number])[] = [
    [0, winter],
    [91, first],
    [137, second],
    [183, summer],
    [229, second],
    [275, first],
    [366, winter],
  ]
  const days = sinceWinter(latitude, day)
  const next = corners.findIndex(([from]) => from > days)
  const [[from, start], [until, end]] = [corners[next - 1], corners[next]] as [[number, number], [number, number]]
  return start + ((end - start) * (days - from)) / (until - from)
}
