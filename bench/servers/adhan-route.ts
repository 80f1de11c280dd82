// The least work for times of a place: Fastify that reads coordinates and a date, calls adhan, and sends six times as JSON.
import { CalculationMethod, Coordinates, PrayerTimes } from 'adhan'
import Fastify from 'fastify'
import { serveAsPeer } from './peer-program.ts'

interface Query {
  readonly latitude: string
  readonly longitude: string
  readonly date: string
}

const prayers = ['fajr', 'sunrise', 'dhuhr', 'asr', 'maghrib', 'isha'] as const

const server = Fastify()

server.get<{ Querystring: Query }>('/v1/times', (request, reply) => {
  const { latitude, longitude, date } = request.query
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const coordinates = new Coordinates(Number(latitude), Number(longitude))
  const times = new PrayerTimes(coordinates, new Date(year, month - 1, day), CalculationMethod.MuslimWorldLeague())
  const sent = Object.fromEntries(prayers.map(prayer => [prayer, times[prayer]]))
  return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify({ days: [sent] }))
})

await server.ready()
serveAsPeer(server.server)
