// The server scenarios of @modelcontextprotocol/conformance: those that apply, and why each of the others does not.

export const applicable = [
  'server-initialize',
  'ping',
  'tools-list',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
]

const FIXTURE = 'calls a tool of the suite’s own example server'
const NO_LOGGING = 'we have no logging over the protocol, which 2026-07-28 deprecates'
const NO_COMPLETION = 'we have no prompts or resource templates to complete'
const NO_RESOURCES = 'we offer tools only, no resources'
const NO_PROMPTS = 'we offer tools only, no prompts'
const NO_ELICITATION = 'we ask clients for nothing: people decide in the browser'

export const leftOut: Readonly<Record<string, string>> = {
  'logging-set-level': NO_LOGGING,
  'completion-complete': NO_COMPLETION,
  'tools-call-simple-text': FIXTURE,
  'tools-call-image': FIXTURE,
  'tools-call-audio': FIXTURE,
  'tools-call-embedded-resource': FIXTURE,
  'tools-call-mixed-content': FIXTURE,
  'tools-call-with-logging': FIXTURE,
  'tools-call-error': FIXTURE,
  'tools-call-with-progress': FIXTURE,
  'tools-call-sampling': NO_ELICITATION,
  'tools-call-elicitation': NO_ELICITATION,
  'json-schema-2020-12': FIXTURE,
  'elicitation-sep1034-defaults': NO_ELICITATION,
  'elicitation-sep1330-enums': NO_ELICITATION,
  'server-sse-polling': FIXTURE,
  'resources-list': NO_RESOURCES,
  'resources-read-text': NO_RESOURCES,
  'resources-read-binary': NO_RESOURCES,
  'resources-templates-read': NO_RESOURCES,
  'resources-subscribe': NO_RESOURCES,
  'resources-unsubscribe': NO_RESOURCES,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
}
