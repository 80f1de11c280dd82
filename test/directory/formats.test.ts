// The formats of a directory's file, and files that are none: every bad row is told by line and column, and the others are imported.
import assert from 'node:assert/strict'
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { sql } from '../../src/db/sql.ts'
import { useMinaret } from '../support/minaret.ts'
import { runCommand } from '../support/process.ts'
import { csv, HEADER, happened, rowOf, useImports } from './use-imports.ts'

const minaret = useMinaret()
const { importText, importFile, environment, pathOf } = useImports(minaret)
const database = () => minaret().service.database

const feature = (id: string, longitude: number, properties: object = {}): object => ({
  type: 'Feature',
  id,
  geometry: { type: 'Point', coordinates: [longitude, -20.5] },
  properties: { name: `Masjid {"[${id}`, address: '1 Road', city: `Town ${id}`, country: 'ZA', ...properties },
})

test('GeoJSON, as one collection or line by line, gives the same rows', async () => {
  const features = [feature('a', 20), feature('b', 21, { capacity: 300, languages: ['en', 'zu'] }), feature('c', 22)]
  const collection = { type: 'FeatureCollection', meta: { features: [1, '"]'] }, features, crs: null }
  const lines = features.map(each => `\u001e${JSON.stringify(each)}\n`).join('')
  assert.deepEqual(happened(await importText(JSON.stringify(collection), 'Geo')), { read: 3, added: 3 })
  assert.deepEqual(happened(await importText(JSON.stringify(collection, null, 2), 'Geo')), { read: 3, unchanged: 3 })
  assert.deepEqual(happened(await importText(lines, 'Geo')), { read: 3, unchanged: 3 })
  const row = await database().first(sql`
    select name, longitude, capacity, languages from public.up_masjids where city = 'Town b'`)
  assert.deepEqual(row, { name: 'Masjid {"[b', longitude: 21, capacity: 300, languages: ['en', 'zu'] })
})

test('features that are no points, or no features, are refused by their line', async () => {
  const lines = [
    feature('ok', 25),
    { ...feature('line', 26), geometry: { type: 'LineString', coordinates: [] } },
    { type: 'Point' },
  ]
  const { counts, report } = await importText(
    `${lines.map(each => JSON.stringify(each)).join('\n')}\n{"broken"\n`,
    'Shapes',
  )
  assert.deepEqual([counts.added, counts.refused], [1, 3])
  assert.deepEqual(report, [
    'refused,2,line,geometry,the geometry is no point,',
    'refused,3,,type,this is no GeoJSON feature,',
    'refused,4,,,this is no JSON object,',
  ])
})

test('semicolons, tabs, a byte order mark, Windows lines, quoted line breaks and blank lines are read', async () => {
  const [semicolons, tabs] = [';', '\t'].map(delimiter => csv(rowOf('w', 45)).replaceAll(',', delimiter))
  assert.deepEqual(happened(await importText(`\ufeff${semicolons?.replaceAll('\n', '\r\n')}`, 'Windows')), {
    read: 1,
    added: 1,
  })
  assert.deepEqual(happened(await importText(`sep=\t\n${tabs}`, 'Windows')), { read: 1, unchanged: 1 })
  const broken = `${HEADER}\n\n"x","Quoted ""Name""","1 Road\nSecond line",Town,PK,33.5,46\n\ny,,1 Road,Town,PK,33.5,47\n`
  const { counts, report } = await importText(broken, 'Quoted')
  assert.deepEqual([counts.added, counts.refused], [1, 1])
  assert.deepEqual(report, ['refused,6,y,name,name is missing,'])
})

test('each bad row is refused with its line, column and reason; the others are imported', async () => {
  const header = `${HEADER},timezone,calculation_method,facilities,website,capacity,isha_minutes,adjustments`
  const row = (id: string, change: Record<string, string>, longitude: string): string => {
    const values: Record<string, string> = {
      source_id: id,
      name: 'N',
      address: 'A',
      city: id,
      country: 'PK',
      latitude: '33.5',
      longitude,
      ...change,
    }
    return header
      .split(',')
      .map(name => values[name] ?? '')
      .join(',')
  }
  const bad: readonly (readonly [Record<string, string>, string, RegExp])[] = [
    [{ latitude: '91' }, 'latitude', /from -90 to 90/],
    [{ latitude: '-33.5' }, 'timezone', /at sea/],
    [{ longitude: '74,3' }, '', /has 15 values, and the header 14/],
    [{ longitude: 'east' }, 'longitude', /is no number/],
    [{ country: 'Pakistan' }, 'country', /two capital letters/],
    [{ timezone: 'Mars/Olympus' }, 'timezone', /IANA/],
    [{ calculation_method: 'Mine' }, 'calculation_method', /is none of MuslimWorldLeague, Egyptian/],
    [{ calculation_method: 'Other' }, 'calculation_method', /angles/],
    [{ facilities: 'wudu;pool' }, 'facilities', /is none of women_space/],
    [{ name: 'x'.repeat(201) }, 'name', /200 characters/],
    [{ name: 'a\u202eb' }, 'name', /one line/],
    [{ name: 'a\ufffdb' }, 'name', /no UTF-8/],
    [{ name: 'a\0b' }, 'name', /NUL/],
    [{ website: 'http://example.org' }, 'website', /https/],
    [{ capacity: '1.5' }, 'capacity', /whole number/],
    [{ isha_minutes: '99999' }, 'isha_minutes', /too large/],
    [{ adjustments: '{}x' }, 'adjustments', /no JSON/],
    [{ adjustments: '["\\u0000"]'.replaceAll('"', '""') }, 'adjustments', /JSON/],
    [{ source_id: '' }, 'source_id', /is missing/],
    [{ source_id: 'good' }, 'source_id', /given before, on line 2/],
  ]
  const rows = bad.map(([change], index) => row(`bad${index}`, change, String(40 + index)))
  const file = [header, row('good', {}, '39'), ...rows, row('last', {}, '70')].join('\n')
  const { counts, report, status } = await importText(file, 'Bad')
  assert.deepEqual([status, counts.added, counts.refused], [0, 2, bad.length])
  for (const [index, [, column, reason]] of bad.entries()) {
    const line = report.find(each => each.split(',')[1] === String(index + 3))
    assert.match(line ?? `no line for ${index}`, reason)
    assert.equal(line?.split(',')[3], column)
  }
})

test('bytes that are no UTF-8 are refused with their row', async () => {
  const file = Buffer.concat([
    Buffer.from(`${HEADER}\nb,Caf`),
    Buffer.from([0xe9]),
    Buffer.from(`,A,T,PK,33.5,75\n${rowOf('ok', 76)}\n`),
  ])
  assert.deepEqual((await importText(file, 'Latin')).report, ['refused,2,b,name,name has bytes that are no UTF-8,'])
})

test('a value that a spreadsheet would run is stored as it is, and harmless in the report', async () => {
  const formula = '=HYPERLINK(1)'
  const { report } = await importText(csv(rowOf(formula, 999)), 'Formula')
  assert.match(report[0] ?? '', /^refused,2,'=HYPERLINK/)
})

test('what is no directory stops with a sentence; rows before that are imported', async () => {
  const stops = async (text: string | Buffer, sentence: RegExp, added = 0): Promise<void> => {
    const source = `Stop ${sentence.source.slice(0, 50)}`
    const { status, stderr } = await importText(text, source)
    assert.equal(status, 1)
    assert.match(stderr, sentence)
    const rows = await database().query(sql`select from public.up_masjid_origins where source = ${source}`)
    assert.equal(rows.length, added, stderr)
  }
  await stops(gzipSync(csv(rowOf('z', 80))), /compressed with gzip/)
  await stops(Buffer.from(`\ufeff${HEADER}`, 'utf16le'), /UTF-16/)
  await stops(Buffer.from('PK\u0003\u0004'), /ZIP archive or a workbook/)
  await stops('', /is empty/)
  await stops(`${HEADER}\n`, /has no rows/)
  await stops('name,city\nx,y\n', /lacks the columns source_id, address/)
  await stops(`${HEADER},name\n`, /"name" twice/)
  await stops(`${csv(rowOf('before', 81))}q,"open,A,T,PK,33.5,82\n${rowOf('r', 83)}\n`, /Line 3: a quoted value/, 1)
  await stops(`${csv(rowOf('long', 84))}x,${'y'.repeat(1_500_000)}`, /Line 3: the row is longer than 1,000,000/, 1)
  const cut = JSON.stringify({ type: 'FeatureCollection', features: [feature('whole', 27), feature('cut', 28)] })
  await stops(cut.slice(0, -40), /was cut off/, 1)
  await stops('{"type":"FeatureCollection"}', /no "features"/)
  await stops('{"features":[1]}', /something else than a feature/)
  await stops(`{"features":[{"a":"${'y'.repeat(1_500_000)}"}]}`, /longer than 1,000,000/)
  await stops(`{"features":[${'['.repeat(2000)}`, /a list stands where a feature belongs/)
})

test('a missing file, a folder, and a report over the file itself are refused', async () => {
  const base = ['--source', 'None', '--licence', 'None']
  const refusal = async (...words: readonly string[]): Promise<string> => {
    const { status, stderr } = await runCommand(['masjids', 'import', ...words], environment())
    assert.notEqual(status, 0)
    return stderr
  }
  assert.match(await refusal(pathOf('nowhere.csv'), ...base), /There is no file/)
  assert.match(await refusal(pathOf('.'), ...base), /is a folder/)
  assert.match(await refusal(...base), /Missing: FILE/)
  assert.match(await refusal('one', 'two', ...base), /Unexpected argument 'two'/)
  const path = pathOf('own.csv')
  writeFileSync(path, csv(rowOf('own', 90)))
  assert.match(await refusal(path, ...base, '--report', path), /would overwrite the file/)
  assert.equal(readFileSync(path, 'utf8'), csv(rowOf('own', 90)))
  assert.match(await refusal(path, ...base, '--delete-gone', 'all'), /takes the number/)
  assert.match(await refusal(path, '--source', 'a\u202eb', '--licence', 'x'), /--source/)
})

test('memory does not grow with a line that never ends', async () => {
  const path = pathOf('endless.csv')
  const stream = createWriteStream(path)
  stream.write(`${HEADER}\n"`)
  for (let piece = 0; piece < 40; piece += 1) stream.write('y'.repeat(1 << 20))
  await new Promise<void>(done => void stream.end(() => done()))
  const { status, stderr } = await importFile(path, 'Endless')
  assert.equal(status, 1)
  assert.match(stderr, /Line 2: the row is longer than/)
})
