// The documents that are made from the code: path → text.
import { faultDocument } from '../src/base/fault-document.ts'
import { configurationDocument } from '../src/config-document.ts'

export const madeDocuments: Readonly<Record<string, () => string>> = {
  'docs/configuration.md': configurationDocument,
  'docs/errors.md': faultDocument,
}
