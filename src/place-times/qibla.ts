// A place → the direction of the Kaaba along the great circle, in degrees from north.

const KAABA = { latitude: 21.422_487, longitude: 39.826_206 }

const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** Clockwise, 0 to 360, to the hundredth of a degree. */
export const qiblaFrom = ({
  latitude,
  longitude,
}: {
  readonly latitude: number
  readonly longitude: number
}): number => {
  const east = radians(KAABA.longitude - longitude)
  const [here, there] = [radians(latitude), radians(KAABA.latitude)]
  const bearing = Math.atan2(Math.sin(east), Math.cos(here) * Math.tan(there) - Math.sin(here) * Math.cos(east))
  return Math.round((((bearing * 180) / Math.PI + 360) % 360) * 100) / 100
}
