// Durations → how many were below each bound, in plain numbers: observing one takes some ten nanoseconds.
import type { Labels, Sample } from './family.ts'

export interface Histogram {
  /** In seconds. */
  observe(seconds: number): void
  samples(name: string, labels: Labels): Sample[]
}

/** In seconds. OpenTelemetry's bounds for requests, with fewer in the middle and two for responses from memory. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

export const createHistogram = (): Histogram => {
  const counts = new Float64Array(BOUNDS.length + 1)
  let sum = 0
  return {
    observe: seconds => {
      let at = 0
      while (at < BOUNDS.length && seconds > (BOUNDS[at] as number)) at += 1
      counts[at] = (counts[at] as number) + 1
      sum += seconds
    },
    samples: (name, labels) => {
      let below = 0
      const buckets = Array.from(counts, (count, at) => {
        below += count
        const le = BOUNDS[at] ?? '+Inf'
        return { labels: { ...labels, le }, value: below, metricName: `${name}_bucket` }
      })
      return [
        ...buckets,
        { labels, value: sum, metricName: `${name}_sum` },
        { labels, value: below, metricName: `${name}_count` },
      ]
    },
  }
}
