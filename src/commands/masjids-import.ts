// `minaret masjids import`: a directory from elsewhere, as a file, into the masjids of this one.
import { resolve } from 'node:path'
import { isPlainLine } from '../base/plain-text.ts'
import type { Imported } from '../directory/import-directory.ts'
import { countsText } from '../directory/progress.ts'
import type { ReportLine } from '../directory/storing/import-source.ts'
import { type Command, type Options, type Outcome, optionalText, textOption, UsageFault } from './command.ts'
import { withDatabase } from './with-database.ts'

/** One holds the lock, one looks rows up, one writes those before. */
const CONNECTIONS = 3

const plainOption = (options: Options, name: string, most: number): string => {
  const text = textOption(options, name).trim()
  if (text === '' || text.length > most || !isPlainLine(text))
    throw new UsageFault(`--${name} takes one line of at most ${most} characters.`)
  return text
}

const readMost = (options: Options): number | undefined => {
  const text = optionalText(options, 'delete-gone')
  if (text === undefined) return undefined
  if (!/^\d{1,9}$/.test(text))
    throw new UsageFault('--delete-gone takes the number of masjids that may be deleted at most.')
  return Number(text)
}

const lineOf = ({ happened, line, sourceId, reason }: ReportLine): string =>
  `  ${happened}  ${line === null ? '' : `line ${line}  `}${sourceId === '' ? '' : `${sourceId}  `}${reason}`

const outcomeOf = ({ counts, seconds, lines }: Imported, isTrial: boolean, report: string | undefined): Outcome => {
  const rest = counts.refused + counts.duplicates + counts.kept + counts.gone
  const shown = lines.map(lineOf)
  if (rest > lines.length)
    shown.push(
      `  … ${rest - lines.length} more; ${report === undefined ? '--report FILE lists all' : `all are in ${report}`}`,
    )
  const done = isTrial ? 'Nothing was written. It would be' : 'Imported'
  return {
    text: [`${done}: ${countsText(counts)} in ${Math.ceil(seconds)} s.`, ...shown].join('\n'),
    json: { dry_run: isTrial, ...counts, seconds: Math.round(seconds * 10) / 10 },
  }
}

export const masjidsImportCommand: Command = {
  name: 'masjids import',
  summary: 'Import a directory of masjids from a file: CSV or GeoJSON.',
  usage:
    'masjids import FILE --source NAME --licence TEXT [--dry-run] [--report FILE] [--delete-gone MOST] [--json]\n' +
    '    Adds and updates masjids of this source; never those that somebody edited, verified, claims or looks after.\n' +
    '    --report writes every row that was not taken, and why, as CSV. --delete-gone deletes masjids that the file no\n' +
    '    longer has, if they are no more than MOST. It can be run again at any time: see docs/directory-import.md.',
  options: {
    source: { type: 'string' },
    licence: { type: 'string' },
    'dry-run': { type: 'boolean' },
    report: { type: 'string' },
    'delete-gone': { type: 'string' },
  },
  positional: 'file',
  required: ['file', 'source', 'licence'],
  run: async (options, config) => {
    const [isTrial, report] = [options['dry-run'] === true, optionalText(options, 'report')]
    const source = { name: plainOption(options, 'source', 100), licence: plainOption(options, 'licence', 300) }
    const deleteMost = readMost(options)
    const file = resolve(textOption(options, 'file'))
    // Loaded here: other commands start faster without it.
    const { importDirectory } = await import('../directory/import-directory.ts')
    return withDatabase(
      config,
      async database =>
        outcomeOf(
          await importDirectory({ database, file, source, isTrial, deleteMost, report, say: config.say }),
          isTrial,
          report,
        ),
      CONNECTIONS,
    )
  },
}
