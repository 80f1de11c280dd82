// Files and pictures that are built to do harm, sent to a running service: each is refused with words or is only what it says it is.
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { deflateRawSync, deflateSync } from 'node:zlib'
import { imageName } from '../../../src/images/images.ts'
import { uploadTo } from '../../staff/times/upload-to.ts'
import { workbookParts, xlsxFile, zipFile } from '../../staff/timetables/xlsx-file.ts'
import { makeMasjid, makeStaff, visitAs } from '../../staff/use-staff.ts'
import { type ImageHost, openImageHost } from '../../support/image-host.ts'
import { untilImage } from '../../support/image-rows.ts'
import { startTestMinaret, type TestMinaret } from '../../support/minaret.ts'
import { makePerson } from '../../support/oauth.ts'
import type { Person } from '../../support/person.ts'
import { fewPixels, png, pngChunk } from '../../support/png.ts'

let host: ImageHost
let minaret: TestMinaret
before(async () => {
  host = await openImageHost()
  minaret = await startTestMinaret({}, { dial: host.dial })
})
after(async () => {
  await minaret.stop()
  await host.close()
})

const SHEET = 'xl/worksheets/sheet1.xml'
const MARKUP = '<img src=x onerror=alert(1)>'
const table = {
  sheets: {
    Times: [
      ['Date', 'Fajr Iqamah'],
      ['2026-01-01', '06:40'],
    ],
  },
}

const parts = (changed: Readonly<Record<string, string>> = {}, more: readonly string[] = []) => [
  ...[...workbookParts(table)].map(([name, text]) => ({ name, content: Buffer.from(changed[name] ?? text) })),
  ...more.map(name => ({ name, content: Buffer.from('x') })),
]
const workbook = (changed: Readonly<Record<string, string>>, more: readonly string[] = []): Buffer =>
  zipFile(parts(changed, more))
const sheet = (rows: string): Buffer => workbook({ [SHEET]: `<worksheet><sheetData>${rows}</sheetData></worksheet>` })
const deflated = (name: string, content: Buffer) => ({ name, content, deflated: deflateRawSync(content) })

/** Says in its end that it has so many files. */
const claiming = (files: number): Buffer => {
  const bytes = xlsxFile(table)
  bytes.writeUInt16LE(files, bytes.length - 12)
  return bytes
}

/** Every entry of the directory leads to the same bytes. */
const overlapping = (): Buffer => {
  const bytes = zipFile(parts({}, ['a', 'b', 'c']))
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
    bytes.writeUInt32LE(0, at + 42)
  return bytes
}

const encrypted = (): Buffer => {
  const bytes = xlsxFile(table)
  for (let at = bytes.indexOf('PK\x01\x02'); at >= 0; at = bytes.indexOf('PK\x01\x02', at + 4))
    bytes.writeUInt16LE(1, at + 8)
  return bytes
}

const longText = 'x'.repeat(30_000)
const strings = (count: number): Buffer =>
  zipFile([
    ...parts({
      [SHEET]: `<worksheet><sheetData>${`<row>${'<c t="s"><v>0</v></c>'.repeat(50)}</row>`.repeat(count)}</sheetData></worksheet>`,
    }),
    { name: 'xl/sharedStrings.xml', content: Buffer.from(`<sst><si><t>${longText}</t></si></sst>`) },
  ])

const refused = [413, 422]
const either = [303, 413, 422]
const files: Readonly<Record<string, readonly [string, () => Buffer, readonly number[]]>> = {
  'a zip in a zip': ['a.xlsx', () => zipFile([{ name: 'b.xlsx', content: xlsxFile(table) }]), refused],
  'names that lead out of the zip': ['a.xlsx', () => workbook({}, ['../../../etc/passwd', '/etc/shadow']), refused],
  'names with backslashes': ['a.xlsx', () => workbook({}, ['..\\..\\windows\\win.ini']), refused],
  'a part twice': [
    'a.xlsx',
    () => zipFile([...parts(), { name: SHEET, content: Buffer.from('<worksheet/>') }]),
    either,
  ],
  'parts that overlap': ['a.xlsx', overlapping, refused],
  'a directory that claims 65,535 files': ['a.xlsx', () => claiming(65_535), refused],
  'a directory that claims none': ['a.xlsx', () => claiming(0), refused],
  'encrypted parts': ['a.xlsx', encrypted, refused],
  'many small bombs': [
    'a.xlsx',
    () =>
      zipFile([
        ...parts(),
        ...Array.from({ length: 30 }, (_, index) =>
          deflated(`xl/worksheets/sheet${index + 2}.xml`, Buffer.alloc(900_000, 32)),
        ),
      ]),
    either,
  ],
  'a long text in 3,000 cells': ['a.xlsx', () => strings(60), [303]],
  'cells at the end of the world': [
    'a.xlsx',
    () =>
      sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c><c r="ZZZZZZZZ9"><v>2</v></c><c r="-1"><v>3</v></c></row>'),
    refused,
  ],
  'rows without end': ['a.xlsx', () => sheet('<row/>'.repeat(50_000)), refused],
  'elements inside each other': ['a.xlsx', () => sheet(`${'<row><c>'.repeat(20_000)}`), refused],
  'thousands of attributes': [
    'a.xlsx',
    () => sheet(`<row ${Array.from({ length: 5000 }, (_, index) => `a${index}="1"`).join(' ')}/>`),
    either,
  ],
  'an external file as a sheet': [
    'a.xlsx',
    () =>
      workbook({
        'xl/_rels/workbook.xml.rels':
          '<Relationships><Relationship Id="rId1" TargetMode="External" Target="file:///etc/passwd"/></Relationships>',
      }),
    refused,
  ],
  'an entity of the machine': ['a.xlsx', () => sheet('<row><c><v>&file;&#x110000;</v></c></row>'), either],
  'a quote that is never closed': [
    'a.csv',
    () => Buffer.from(`Date,"Fajr Iqamah\n${'2026-01-01,06:40\n'.repeat(20_000)}`),
    either,
  ],
  'sixteen thousand columns': [
    'a.csv',
    () => Buffer.from(`${'Date,'.repeat(16_000)}\n${'06:40,'.repeat(16_000)}`),
    either,
  ],
  'nothing but zero bytes': ['a.csv', () => Buffer.alloc(100_000), refused],
  'a page with another name': ['a.csv', () => Buffer.from(`<!doctype html>${MARKUP}`), refused],
  'a program with another name': ['a.xlsx', () => Buffer.from('MZ\x90\0\x03'), refused],
  'markup, formulas and turned text in every cell': [
    'a.csv',
    () => Buffer.from(`Date,Fajr Iqamah,"${MARKUP} Isha Iqamah"\n2026-01-01,"=cmd|' /C calc'!A0",\u202e00:91\n`),
    either,
  ],
  'a calendar of another time zone that is a path': [
    'a.ics',
    () =>
      Buffer.from(
        'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART;TZID=../../etc/localtime:20260101T060000\r\nSUMMARY:Fajr Iqamah\r\nATTACH:file:///etc/passwd\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n',
      ),
    either,
  ],
}

describe('a file for times', () => {
  test('is refused with words, or read as the plain table it is, whatever it was built for', async () => {
    const masjid = await makeMasjid(minaret.service.database)
    const person = await visitAs(
      minaret,
      await makeStaff(minaret.service.database, { masjid, capabilities: ['times'] }),
    )
    const base = `/staff/${masjid.slug}/times`
    for (const [what, [name, content, statuses]] of Object.entries(files)) {
      const sent = await uploadTo(person, base, { name, content: content() })
      assert.ok(statuses.includes(sent.status), `${what}: ${sent.status}`)
      const shown = sent.location === undefined ? sent : await person.get(sent.location)
      assert.ok([200, 413, 422].includes(shown.status), `${what}: ${shown.status}`)
      for (const text of [MARKUP, 'root:', 'passwd', '\u202e'])
        assert.ok(!shown.text.includes(text), `${what}: ${text}`)
    }
  })

  test('may call itself what it likes: its name is neither a path nor markup', async () => {
    const masjid = await makeMasjid(minaret.service.database)
    const person = await visitAs(
      minaret,
      await makeStaff(minaret.service.database, { masjid, capabilities: ['times'] }),
    )
    for (const name of [
      '../../../../tmp/x.csv',
      `${MARKUP}.csv`,
      'con',
      '\u202evsc.exe',
      `${'n'.repeat(2000)}.csv`,
      '.',
      'a.csv%00.exe',
    ]) {
      const content = 'Date,Fajr Iqamah\n2026-01-01,06:40'
      const sent = await uploadTo(person, `/staff/${masjid.slug}/times`, { name, content })
      assert.ok(either.includes(sent.status), `${name}: ${sent.status}`)
      const shown = sent.location === undefined ? sent : await person.get(sent.location)
      assert.ok(!shown.text.includes(MARKUP) && !shown.text.includes('\u202e'), name)
    }
  })
})

const bytes =
  (content: Buffer | string, type = 'image/png') =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { 'content-type': type }).end(content)
const good = (...more: Buffer[]): Buffer => png(2, 2, fewPixels(), ...more)
const bomb = deflateSync(Buffer.alloc(50_000_000))

const pictures: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'a drawing with a script': bytes(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
  'a page': bytes('<!doctype html><script>alert(1)</script>', 'text/html'),
  'a document': bytes('%PDF-1.7 /JavaScript'),
  'pixels that unpack to 50 MB': bytes(png(2, 2, Buffer.alloc(50_000_000))),
  'a picture of 30,000 by 30,000': bytes(png(30_000, 30_000, Buffer.alloc(1000))),
  'a picture of nothing': bytes(png(0, 0, Buffer.alloc(0))),
  'half of a picture': bytes(good().subarray(0, 40)),
  'bytes that are packed once more': response =>
    void response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'deflate' }).end(bomb),
  'bytes without end': response => {
    const pour = (): void => {
      while (!response.destroyed && response.write(Buffer.alloc(65_536)));
    }
    response.on('drain', pour)
    pour()
  },
  'a redirect to our own network': response =>
    void response.writeHead(302, { location: 'https://10.0.0.1/a.png' }).end(),
}

const stripped: Readonly<Record<string, Buffer>> = {
  'a script behind the picture': Buffer.concat([good(), Buffer.from('<script>alert(1)</script>PK\x03\x04')]),
  'text that unpacks to 50 MB': good(pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), bomb]))),
  'a colour profile that unpacks to 50 MB': good(pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0'), bomb]))),
  'an animation': good(pngChunk('acTL', Buffer.from([0, 0, 0, 9, 0, 0, 0, 0]))),
  'where it was taken': good(pngChunk('eXIf', Buffer.from('GPS at home'))),
}

describe('a picture of a person', () => {
  const choose = async (person: Person, what: string): Promise<string> => {
    const address = `https://logo.test/${encodeURIComponent(what)}.png`
    await person.submit('/account', '/account/profile', { name: 'Amina', picture: address, language: 'en' })
    return address
  }
  const served = (address: string): Promise<Response> =>
    fetch(new URL(`/pictures/fetched/${imageName(address)}`, minaret.baseUrl))
  const assertInert = ({ headers }: Response): void => {
    assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
  }

  test('that is none, or does harm, is refused: a drawn one is served instead', async () => {
    const { database } = minaret.service
    const person = await visitAs(minaret, await makePerson(database))
    for (const [what, answer] of Object.entries(pictures)) {
      host.answers.set(`/${encodeURIComponent(what)}.png`, (_, response) => answer(response))
      const address = await choose(person, what)
      await untilImage(database, address, ({ state }) => state !== 'waiting')
      const response = await served(address)
      assertInert(response)
      assert.equal(response.headers.get('content-type'), 'image/svg+xml', what)
      assert.doesNotMatch(await response.text(), /<script|onload|javascript/i, what)
    }
  })

  test('is rebuilt of nothing but its pixels', async () => {
    const { database } = minaret.service
    const person = await visitAs(minaret, await makePerson(database))
    for (const [what, content] of Object.entries(stripped)) {
      host.answers.set(`/${encodeURIComponent(what)}.png`, (_, response) => bytes(content)(response))
      const address = await choose(person, what)
      await untilImage(database, address, ({ state }) => state === 'fetched')
      const response = await served(address)
      assertInert(response)
      assert.deepEqual(Buffer.from(await response.arrayBuffer()), good(), what)
    }
  })
})
