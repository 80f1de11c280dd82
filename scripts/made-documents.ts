// The documents generated from the code: path → text. In the guides, only the values between comments are generated.
import { type Language, languages } from '../src/accounts/languages.ts'
import { faultDocument } from '../src/base/fault-document.ts'
import { readConfig } from '../src/config/config.ts'
import { configurationDocument } from '../src/config/configuration-document.ts'
import { REQUESTS_PER_MINUTE } from '../src/sandbox/request-limit.ts'
import { guideValues } from '../src/site/docs/guide-values.ts'
import { fillIn, guideFile, guideSlugs, readGuide } from '../src/site/docs/guides.ts'

/** The values of a start with the default configuration. */
const defaultValues = (language: Language) => {
  const { port, sandboxPort, statementTimeoutMs, rowsPerMinute } = readConfig({})
  const facts = {
    baseUrl: `http://localhost:${port}`,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    statementTimeoutMs,
    rowsPerMinute,
    sandboxRequestsPerMinute: REQUESTS_PER_MINUTE,
  }
  return guideValues(facts, language)
}

const guides = languages.flatMap(language =>
  guideSlugs.map(
    slug =>
      [`docs/${guideFile(slug, language)}`, () => fillIn(readGuide(slug, language), defaultValues(language))] as const,
  ),
)

export const madeDocuments: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configurationDocument,
  'docs/errors.md': faultDocument,
  ...Object.fromEntries(guides),
}
