// Newline-delimited GeoJSON, piece by piece → its rows. Each line is a feature; a record separator before it (RFC 8142) is left out.
import { readFeature } from './feature-row.ts'
import { importRefused, LONGEST_ROW, type RawRow } from './raw-row.ts'

export const RECORD_SEPARATOR = '\u001e'

const longLine = (line: number): Error =>
  importRefused(
    `Line ${line} is longer than ${LONGEST_ROW.toLocaleString('en')} characters: this is no list of features.`,
  )

export async function* readFeatureLines(texts: AsyncIterable<string>): AsyncGenerator<readonly RawRow[]> {
  let rest = ''
  let line = 1
  const take = (lines: readonly string[]): RawRow[] => {
    const rows: RawRow[] = []
    for (const text of lines) {
      const feature = text.replaceAll(RECORD_SEPARATOR, '').trim()
      if (feature.length > LONGEST_ROW) throw longLine(line)
      if (feature !== '') rows.push(readFeature(feature, line))
      line += 1
    }
    return rows
  }
  for await (const text of texts) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    yield take(lines)
    if (rest.length > LONGEST_ROW) throw longLine(line)
  }
  yield take([rest])
}
