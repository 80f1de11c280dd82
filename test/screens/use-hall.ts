// A paired screen in Chromium, the clock of its device, and what it should show when.
import assert from 'node:assert/strict'
import type { Browser, BrowserContext, BrowserContextOptions, Frame, Page, Request } from 'playwright-core'
import { insertRule } from '../support/iqamah.ts'
import type { TestMinaret } from '../support/minaret.ts'
import { type Tokens, within } from '../support/oauth.ts'
import { type Keeper, makeKeeper, pairScreen, readState } from './pair-screen.ts'

export const television = { width: 1920, height: 1080 }

interface Row {
  readonly names: readonly string[]
  readonly adhan: number | null
  readonly iqamah: number | null
}
export interface Day {
  readonly date: string
  readonly rows: readonly Row[]
}
interface State {
  readonly timezone: string
  readonly days: readonly Day[]
}

export interface HallMasjid {
  readonly keeper: Keeper
  readonly state: State
  /** Of today for 0. */
  dayAhead(days: number): Day
}

const hasIqamah = ({ rows }: Day): boolean => rows.some(({ iqamah }) => iqamah !== null)

/** A masjid whose iqamah is a quarter of an hour after each adhan, with its times a month ahead. */
export const makeHallMasjid = async (minaret: TestMinaret): Promise<HallMasjid> => {
  const keeper = await makeKeeper(minaret)
  for (const prayer of ['fajr', 'dhuhr', 'asr', 'maghrib', 'isha'])
    await insertRule(minaret.service.database, keeper.masjid.id, { prayer, rule: 'offset', offset_minutes: 15 })
  const { access_token: token } = await pairScreen(minaret, keeper, 'Reader')
  let state: State = { timezone: '', days: [] }
  await within(90_000, 'the times are there', async () => {
    state = (await (await readState(minaret, token)).json()) as State
    return state.days.length >= 35 && state.days.every(hasIqamah)
  })
  const dayAhead = (days: number): Day => {
    // Yesterday is the first.
    const day = state.days[days + 1]
    if (day === undefined) throw new Error(`no day ${days} ahead`)
    return day
  }
  return { keeper, state, dayAhead }
}

export interface Hall {
  readonly page: Page
  readonly context: BrowserContext
  /** Without a network from here on; an answer that was still on its way, and says the time, has arrived or never will. */
  cutOff(): Promise<void>
}

const watchQuestions = (page: Page): (() => boolean) => {
  let open = 0
  const isQuestion = (request: Request): boolean => request.url().endsWith('/screen/state')
  const ended = (request: Request): void => {
    open -= Number(isQuestion(request))
  }
  page.on('request', request => {
    open += Number(isQuestion(request))
  })
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  return () => open > 0
}

/** Puts tokens where the screen keeps them. */
export const keepTokens = (tokens: Tokens): string => `new Promise((resolve, reject) => {
  const opening = indexedDB.open('minaret-screen', 1)
  opening.onerror = () => reject(opening.error)
  opening.onupgradeneeded = () => opening.result.createObjectStore('kept')
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('kept', 'readwrite')
    transaction.objectStore('kept').put(${JSON.stringify(tokens)}, 'tokens')
    transaction.oncomplete = () => {
      opening.result.close()
      resolve()
    }
  }
})`

/** The tokens are put where the screen keeps them, as if it had been paired. */
export const enterHall = async ({ baseUrl }: TestMinaret, page: Page, tokens: Tokens): Promise<void> => {
  await page.goto(`${baseUrl}/screen/screen.css`)
  await page.evaluate(keepTokens(tokens))
  await page.goto(`${baseUrl}/screen`)
  await shown(page)
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
}

/** Something of the masjid is on the screen. */
export const shown = (page: Page | Frame): Promise<void> =>
  page.locator('body:not([data-part=pairing]):not([data-part=starting]):not([data-part=unreachable])').waitFor()

/** The frame with the screen in a page of others. */
export const frameOf = async ({ baseUrl }: TestMinaret, page: Page): Promise<Frame> => {
  let found: Frame | undefined
  await within(90_000, 'the frame is there', async () => {
    found = page.frames().find(frame => frame.url().startsWith(baseUrl))
    return found !== undefined
  })
  if (found === undefined) throw new Error('no frame')
  return found
}

/** A context of its own, closed at the end. */
export const inContext = async <T>(
  browser: Browser,
  options: BrowserContextOptions,
  work: (hall: Hall) => Promise<T>,
): Promise<T> => {
  const context = await browser.newContext({ viewport: television, ...options })
  context.setDefaultTimeout(90_000)
  try {
    const page = await context.newPage()
    const isAsking = watchQuestions(page)
    const cutOff = async (): Promise<void> => {
      await context.setOffline(true)
      await within(90_000, 'no answer is on its way', async () => !isAsking())
      await within(90_000, 'the network is away', () =>
        page.evaluate<boolean>("fetch('/screen/state', { cache: 'no-store' }).then(() => false, () => true)"),
      )
    }
    return await work({ page, context, cutOff })
  } finally {
    await context.close()
  }
}

const clockScript = (moment: number): string => `globalThis.deviceTime = ${moment}
Date.now = () => globalThis.deviceTime`

/** The clock of the device stands at this moment, also after it is started again. What counts time goes on. */
export const setDeviceClock = async (page: Page | Frame, moment: number): Promise<void> => {
  if ('addInitScript' in page) await page.addInitScript(clockScript(moment))
  await page.evaluate(clockScript(moment))
}

export const clockIn = (moment: number, timeZone = 'America/New_York'): string =>
  new Intl.DateTimeFormat('en', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(moment)

const rowOf = (day: Day, ...names: readonly string[]): Row => {
  const row = day.rows.find(found => names.includes(found.names[0] ?? ''))
  if (row === undefined) throw new Error(`no ${names} on ${day.date}`)
  return row
}

export const adhanOf = (day: Day, ...names: readonly string[]): number => rowOf(day, ...names).adhan ?? 0

export const iqamahOf = (day: Day, ...names: readonly string[]): number => rowOf(day, ...names).iqamah ?? 0

/** Ten minutes before Dhuhr or Jumu'ah. */
export const noonOf = (day: Day): number => adhanOf(day, 'Dhuhr', 'Jumu’ah') - 10 * 60_000

/** As people see it: the table has the times of this day. */
export const expectDay = async (page: Page | Frame, day: Day): Promise<void> => {
  await page.locator('body[data-part=hall]').waitFor()
  const fajr = clockIn(adhanOf(day, 'Fajr'))
  const rows = page.locator('#day tbody tr')
  await rows.filter({ hasText: new RegExp(`^\\s*Fajr\\s+${fajr}`) }).waitFor()
  const [first = ''] = await rows.allInnerTexts()
  assert.ok(first.replaceAll(/\s+/g, ' ').startsWith(`Fajr ${fajr}`), first)
}
