// The contents of the documentation → /llms.txt: what there is, in the order in which a language model should read it.
// https://llmstxt.org
import { type DocsContents, groupLinks } from './docs-contents.ts'
import type { GuideValues } from './guides.ts'
import { markdownPath } from './markdown-page.ts'
import { blocks } from './write-markdown.ts'

export const llmsText = (contents: DocsContents, values: GuideValues): string => {
  const { base_url: baseUrl = '', sandbox_url: sandboxUrl = '' } = values
  const summaries = new Map(contents.guides.map(({ title, summary }) => [title, summary]))
  const line = ({ path, title }: { readonly path: string; readonly title: string }): string => {
    const summary = summaries.get(title) ?? ''
    return `- [${title}](${baseUrl}${markdownPath(path, 'en')})${summary === '' ? '' : `: ${summary}`}`
  }
  return blocks(
    '# Minaret',
    '> Identity and data access for masjids: a directory, prayer times, events, donations and members, over one GraphQL endpoint with OAuth 2.0.',
    `The sandbox at ${sandboxUrl}/v1/graphql answers GraphQL queries over fixture data without a credential. The service at ${baseUrl}/v1/graphql needs an API key or an access token. The whole schema: ${baseUrl}/v1/schema.graphql. Every page of the documentation is also Markdown, under its address with \`.md\`.`,
    ...groupLinks(contents, 'en').map(({ title, links }) =>
      blocks(`## ${title}`, links.map(line).join('\n')).trimEnd(),
    ),
  )
}
