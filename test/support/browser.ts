// A real Chromium; tests are skipped, with the reason, only where none is installed.
import { existsSync } from 'node:fs'
import { before } from 'node:test'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const places = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
]

const browserPath = places.find(path => path !== undefined && path !== '' && existsSync(path))

/** For the options of a test: `test('…', { skip: noBrowser }, …)`. */
export const noBrowser: string | false =
  browserPath === undefined ? 'There is no Chromium on this machine; set CHROMIUM_PATH.' : false

const isLong = process.env.MINARET_LONG !== undefined

const launchArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The files that share a process share its browser, which ends with the process. Each page has a context of its own. */
let launched: Promise<Browser> | undefined

/** For the top of a test file: `const browser = useBrowser()`, then `browser()` inside tests. */
export const useBrowser = (): (() => Browser) => {
  let running: Browser | undefined
  before(async () => {
    if (browserPath === undefined) return
    launched ??= chromium.launch({ executablePath: browserPath, args: launchArguments })
    running = await launched
  })
  return () => {
    if (running === undefined) throw new Error('The browser is not running yet.')
    return running
  }
}

/** A page in its own context, which is closed when `work` is done. */
export const inPage = async <T>(
  browser: Browser,
  options: BrowserContextOptions,
  work: (page: Page) => Promise<T>,
): Promise<T> => {
  const context = await browser.newContext(options)
  // Two cores, three test files at once: a click may be slow.
  context.setDefaultTimeout(90_000)
  try {
    return await work(await context.newPage())
  } finally {
    await context.close()
  }
}

const faultsFoundBy = async (axe: AxeBuilder): Promise<string[]> => {
  // Our pages have no frames; the other mode would open a second page each time to support them.
  const { violations } = await axe.setLegacyMode(true).analyze()
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} (${help}) at ${target.join(' ')}: ${failureSummary}`),
  )
}

/** axe's violations on the page, one line each; empty when there are none. */
export const accessibilityFaults = (page: Page): Promise<string[]> => faultsFoundBy(new AxeBuilder({ page }))

/** Only what depends on colours: the other rules were checked in the light look. In a long run, all rules. */
export const contrastFaults = (page: Page): Promise<string[]> =>
  isLong ? accessibilityFaults(page) : faultsFoundBy(new AxeBuilder({ page }).withRules(['color-contrast']))

/** Appearances to test on every page: light, dark, on a phone, in Arabic. */
export const looks = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: 'light', locale: 'en' },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark', locale: 'en' },
  phone: { viewport: { width: 360, height: 740 }, colorScheme: 'light', locale: 'en', hasTouch: true, isMobile: true },
  arabic: { viewport: { width: 1280, height: 900 }, colorScheme: 'light', locale: 'ar' },
  'arabic-phone': {
    viewport: { width: 360, height: 740 },
    colorScheme: 'dark',
    locale: 'ar',
    hasTouch: true,
    isMobile: true,
  },
} as const satisfies Record<string, BrowserContextOptions>

export type Look = keyof typeof looks

/** Both colour schemes, both languages and both widths; a long run opens pages in all looks, whose other two combine these. */
export const openedLooks = (Object.keys(looks) as Look[]).filter(look => isLong || !['phone', 'arabic'].includes(look))

/** The width that the opened look leaves out in its language. */
const otherWidth: Readonly<Partial<Record<Look, Look>>> = { light: 'phone', 'arabic-phone': 'arabic' }

const overflowOf = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

export const scrollsSideways = async (page: Page): Promise<boolean> => (await overflowOf(page)) > 1

/** What is wrong with the page in this look, and whether it is wider than the screen, there and in the other width. */
export const faultsInLook = async (page: Page, look: Look): Promise<string[]> => {
  const faults = look === 'dark' ? await contrastFaults(page) : await accessibilityFaults(page)
  for (const size of [look, otherWidth[look] ?? look]) {
    await page.setViewportSize(looks[size].viewport)
    const overflow = await overflowOf(page)
    if (overflow > 0) faults.push(`${overflow} pixels wider than the screen (${size})`)
  }
  await page.setViewportSize(looks[look].viewport)
  return faults
}

/** Nothing compares screenshots, so they are taken only on request: `SCREENSHOTS=on`, into a folder that git ignores. */
export const takeScreenshot = async (page: Page, name: string): Promise<void> => {
  if (process.env.SCREENSHOTS !== 'on') return
  const take = () => page.screenshot({ path: `screenshots/${name}.png`, fullPage: true })
  await take().catch(error => {
    if (!/Unable to capture screenshot/.test(String(error))) throw error
    return take()
  })
}
