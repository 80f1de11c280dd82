// The stream of changes of a screen, without a browser: the events that have arrived.
import type { TestMinaret } from '../support/minaret.ts'

export interface ScreenEvent {
  readonly name: string
  readonly within: number
}

export interface ScreenStream {
  readonly status: number
  readonly events: readonly ScreenEvent[]
  /** Whether the service has ended it. */
  readonly isOver: boolean
  close(): Promise<void>
}

const readEvents = async (body: ReadableStream<Uint8Array>, onEvent: (event: ScreenEvent) => void): Promise<void> => {
  let text = ''
  for await (const part of body) {
    const frames = (text + Buffer.from(part).toString()).split('\n\n')
    text = frames.pop() ?? ''
    for (const frame of frames) {
      const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(frame) ?? []
      if (name !== undefined && data !== undefined) onEvent({ name, ...(JSON.parse(data) as { within: number }) })
    }
  }
}

export const openStream = async (
  { baseUrl }: TestMinaret,
  token: string,
  onEvent: (event: ScreenEvent) => void = () => undefined,
): Promise<ScreenStream> => {
  const aborting = new AbortController()
  const events: ScreenEvent[] = []
  const response = await fetch(`${baseUrl}/screen/changes`, {
    headers: { authorization: `Bearer ${token}` },
    signal: aborting.signal,
  })
  let isOver = false
  const reading =
    response.ok && response.body !== null
      ? readEvents(response.body, event => {
          events.push(event)
          onEvent(event)
        })
      : response.arrayBuffer()
  const done = Promise.resolve(reading).then(
    () => {
      isOver = true
    },
    () => undefined,
  )
  return {
    status: response.status,
    events,
    get isOver() {
      return isOver
    },
    close: async () => {
      aborting.abort()
      await done
    },
  }
}
