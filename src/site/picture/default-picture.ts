// A user identifier → a picture for people who have chosen none: an eight-pointed star whose colour depends on the identifier.
import { sha256 } from '../../base/secrets.ts'

const square = (size: number, turn: number): string =>
  `<rect x="${64 - size / 2}" y="${64 - size / 2}" width="${size}" height="${size}" transform="rotate(${turn} 64 64)"/>`

/** Two squares, the second rotated by 45°, drawn twice; the identifier decides sizes and rotation. */
const star = (size: number, turn: number): string => square(size, turn) + square(size, turn + 45)

export const defaultPicture = (userId: string): string => {
  const [hue = 0, size = 0, turn = 0] = sha256(userId)
  const colour = (lightness: number): string => `hsl(${Math.round((hue * 360) / 256)} 45% ${lightness}%)`
  const outer = 56 + (size % 5) * 4
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 128 128" width="128" height="128">
<rect width="128" height="128" fill="${colour(32)}"/>
<g fill="${colour(58)}">${star(outer, 0)}</g>
<g fill="${colour(88)}">${star(outer / 2, (turn % 3) * 15)}</g>
</svg>
`
}
