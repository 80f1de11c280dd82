// The text of a module → its loops over dates: those that count days until they meet one, in their head or in their body, and functions
// that call themselves with another day. A loop of so many steps, known before the first, is none.

const ofDates = /\b(day|date|month|year|until)s?\b|\baddDays\b|\bDAY_MS\b/i
/** What leads from one day to another. */
const steps = /\b(addDays|dateOf|dayNumberOf|startOfDay|DAY_MS|set(UTC)?(Date|Month|FullYear))\b|\b86_?400_?000\b/
/** The clock goes on by itself. */
const byTheClock = /\b(performance|Date)\.now\(/
const ofList = /^\s*(const|let)\s[^;]*\s(of|in)\s/
const counted = /^\s*let (\w+) = [^;]*;\s*\1 <=? [^;]*;\s*\1 \+= 1\s*$/

const closing: Readonly<Record<string, string>> = { '(': ')', '{': '}' }

/** From behind a bracket to the one that closes it. */
const insideAt = (text: string, from: number): string => {
  const open = text[from - 1] ?? ''
  let depth = 1
  let at = from
  for (; at < text.length && depth > 0; at += 1) depth += text[at] === open ? 1 : text[at] === closing[open] ? -1 : 0
  return text.slice(from, at - 1)
}

/** A block, or one statement. */
const bodyAt = (text: string, from: number): string => {
  const start = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0)
  if (text[start] === '{') return insideAt(text, start + 1)
  return /^(.*\n)(?:[ \t]+\..*\n)*/.exec(`${text.slice(start)}\n`)?.[0] ?? ''
}

interface Loop {
  readonly index: number
  readonly head: string
  readonly body: string
}

const loopsIn = (text: string): Loop[] =>
  [...text.matchAll(/\b(?:for|while) ?\(|\bdo \{/g)].map(({ index, 0: begin }) => {
    const from = index + begin.length
    const inside = insideAt(text, from)
    if (begin === 'do {') return { index, head: '', body: inside }
    return { index, head: inside, body: bodyAt(text, from + inside.length + 1) }
  })

const isOverDates = ({ head, body }: Loop): boolean => {
  if (ofList.test(head) || byTheClock.test(head)) return false
  return ofDates.test(head) || (!counted.test(head) && steps.test(body))
}

/** Of a module's functions: a definition ends where the next line begins at the margin. */
const recursionsIn = (text: string): Loop[] =>
  [...text.matchAll(/^(?:export )?(?:const|(?:async )?function\*?) (\w+)\b.*(?:\n(?:[ \t})\]].*)?)*/gm)].flatMap(
    ({ index, 0: definition, 1: name = '' }) => {
      const calls = [...definition.matchAll(new RegExp(`(?<=\\W)${name}\\(`, 'g'))].slice(
        /^.*function/.test(definition) ? 1 : 0,
      )
      const again = calls
        .map(call => insideAt(definition, call.index + call[0].length))
        .find(given => steps.test(given))
      return again === undefined ? [] : [{ index, head: `${name}(${again})`, body: '' }]
    },
  )

export interface DateLoop {
  readonly line: number
  readonly head: string
}

export const findDateLoops = (text: string): DateLoop[] =>
  [...loopsIn(text).filter(isOverDates), ...recursionsIn(text)].map(({ index, head }) => ({
    line: text.slice(0, index).split('\n').length,
    head,
  }))
