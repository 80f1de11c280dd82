// Request durations as a histogram: precise enough for percentiles, small enough to store for every minute.

/** Upper bounds in milliseconds; the last bucket has everything slower. */
export const bucketBounds: readonly number[] = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000]

export const emptyBuckets = (): number[] => new Array<number>(bucketBounds.length + 1).fill(0)

export const bucketOf = (milliseconds: number): number => {
  const place = bucketBounds.findIndex(bound => milliseconds <= bound)
  return place === -1 ? bucketBounds.length : place
}

/** The upper bound of the bucket that holds this percentile; undefined without requests. */
export const percentile = (buckets: readonly number[], share: number): number | undefined => {
  const total = buckets.reduce((sum, count) => sum + count, 0)
  if (total === 0) return undefined
  let seen = 0
  const place = buckets.findIndex(count => {
    seen += count
    return seen >= total * share
  })
  return bucketBounds[place] ?? bucketBounds.at(-1)
}
