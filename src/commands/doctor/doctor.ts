// `minaret doctor`: checks the installation and everything it depends on, and says what to do.
import { styleText } from 'node:util'
import type { Command } from '../command.ts'
import { checkInstallation } from '../which-installation.ts'
import { diagnose } from './diagnose.ts'
import type { Finding } from './finding.ts'

const signs = {
  ok: ['✔', 'green'],
  warning: ['!', 'yellow'],
  fault: ['✘', 'red'],
  skipped: ['–', 'gray'],
} as const

const NAME_WIDTH = 18

/** `styleText` leaves the colours out if standard output is not a terminal, or NO_COLOR is set. */
const lineOf = ({ check, status, found, remedy }: Finding): string => {
  const [sign, colour] = signs[status]
  const line = `${styleText(colour, sign)} ${check.padEnd(NAME_WIDTH)}${found}`
  return remedy === undefined ? line : `${line}\n${' '.repeat(NAME_WIDTH + 2)}→ ${remedy}`
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`

const summaryOf = (findings: readonly Finding[]): string => {
  const faults = findings.filter(({ status }) => status === 'fault').length
  const warnings = findings.filter(({ status }) => status === 'warning').length
  if (faults > 0)
    return `${count(faults, 'fault')} must be mended${warnings > 0 ? `; ${count(warnings, 'warning')}` : ''}.`
  return warnings > 0 ? `No fault; ${count(warnings, 'warning')}.` : 'Everything is in order.'
}

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Check database, secret, mail, URLs, replicas and more, and say what to do. Changes nothing.',
  usage: 'doctor [--json]',
  options: {},
  required: [],
  run: async (_options, config) => {
    checkInstallation(config)
    const findings = await diagnose(config, { say: config.say })
    const healthy = findings.every(({ status }) => status !== 'fault')
    return {
      text: [...findings.map(lineOf), '', summaryOf(findings)].join('\n'),
      json: { healthy, findings },
      status: healthy ? 0 : 1,
    }
  },
}
