// The documents generated from the code: path → text. In the guides, only the values between comments are generated.
import { faultDocument } from '../src/base/fault-document.ts'
import { readConfig } from '../src/config.ts'
import { configurationDocument } from '../src/config-document.ts'
import { REQUESTS_PER_MINUTE } from '../src/sandbox/request-limit.ts'
import { guideValues } from '../src/site/docs/guide-values.ts'
import { fillIn, guideSlugs, readGuide } from '../src/site/docs/guides.ts'

/** The values of a start with the default configuration. */
const defaultValues = () => {
  const { port, sandboxPort, statementTimeoutMs, rowsPerMinute } = readConfig({})
  return guideValues({
    baseUrl: `http://localhost:${port}`,
    sandboxUrl: `http://localhost:${sandboxPort}`,
    statementTimeoutMs,
    rowsPerMinute,
    sandboxRequestsPerMinute: REQUESTS_PER_MINUTE,
  })
}

const guides = guideSlugs.map(
  slug => [`docs/guides/${slug}.md`, () => fillIn(readGuide(slug), defaultValues())] as const,
)

export const madeDocuments: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configurationDocument,
  'docs/errors.md': faultDocument,
  ...Object.fromEntries(guides),
}
