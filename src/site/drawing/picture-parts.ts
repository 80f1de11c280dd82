// Pieces of a picture as SVG. Positions are given from the side where reading starts, so that Arabic is mirrored.
import { directionOf, type Language } from '../../accounts/languages.ts'
import { type Html, html } from '../pieces/html.ts'

export const colours = {
  ground: '#0b1a16',
  card: '#12281f',
  ink: '#f2efe6',
  soft: '#b4c2ba',
  accent: '#74d2b6',
  line: '#24382f',
}

export interface Canvas {
  readonly width: number
  readonly height: number
  readonly language: Language
}

interface TextParts {
  readonly text: string
  /** From the side where reading starts. */
  readonly x: number
  readonly y: number
  readonly size: number
  readonly bold?: boolean
  readonly colour?: string
  readonly align?: 'start' | 'middle' | 'end'
  /** The widest it may be; longer texts are set smaller. */
  readonly most?: number
}

/** About how wide a letter of the font is, in parts of its size. */
const LETTER = 0.56

const fittedSize = ({ text, size, most }: TextParts): number =>
  most === undefined ? size : Math.max(14, Math.min(size, most / (Math.max(1, text.length) * LETTER)))

/** Without `direction`, "start" is the left side everywhere: the renderer and browsers then agree. */
export const writeText = ({ width, language }: Canvas, parts: TextParts): Html => {
  const { text, x, y, bold = false, colour = colours.ink, align = 'start' } = parts
  const mirrored = directionOf(language) === 'rtl'
  // Marks of direction, so that a number at either end is placed as in a line that reads from the right.
  const words = mirrored ? `\u200f${text}\u200f` : text
  const anchor = mirrored && align !== 'middle' ? (align === 'start' ? 'end' : 'start') : align
  return html`<text x="${mirrored ? width - x : x}" y="${y}" font-family="Cairo" font-size="${fittedSize(parts).toFixed(1)}" font-weight="${bold ? 700 : 400}" fill="${colour}" text-anchor="${anchor}">${words}</text>`
}

export const band = ({ width }: Canvas, y: number, height: number): Html =>
  html`<rect x="40" y="${y}" width="${width - 80}" height="${height}" rx="12" fill="${colours.card}"/>`

export const drawing = ({ width, height }: Canvas, title: string, parts: readonly Html[]): string =>
  html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img"><title>${title}</title><rect width="${width}" height="${height}" fill="${colours.ground}"/>${parts}</svg>`
    .text
