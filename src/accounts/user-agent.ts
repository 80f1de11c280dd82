// A User-Agent header → browser and system, as people call them.

const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdgA?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/.*Safari\//, 'Safari'],
  [/\bcurl\//, 'curl'],
]

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
]

const firstMatch = (patterns: readonly (readonly [RegExp, string])[], text: string): string | undefined =>
  patterns.find(([pattern]) => pattern.test(text))?.[1]

/** Undefined if either is unknown. */
export const readUserAgent = (header: string): { browser: string; system: string } | undefined => {
  const browser = firstMatch(browsers, header)
  const system = firstMatch(systems, header)
  return browser === undefined || system === undefined ? undefined : { browser, system }
}
