import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepPictures } from './kept-pictures.ts'

test('a picture is drawn once, however many ask for it, and again only if it is another', async () => {
  const drawn: string[] = []
  const pictures = keepPictures(async svg => {
    drawn.push(svg)
    await new Promise(resolve => setImmediate(resolve))
    return Buffer.from(`png of ${svg}`)
  })
  const answers = await Promise.all(Array.from({ length: 50 }, () => pictures('one')))
  assert.ok(answers.every(png => png.toString() === 'png of one'))
  await pictures('one')
  await pictures('two')
  assert.deepEqual(drawn, ['one', 'two'])
})

test('one that fails is drawn again, and nobody waits for it forever', async () => {
  let failures = 1
  const pictures = keepPictures(async () => {
    failures -= 1
    if (failures >= 0) throw new Error('no memory')
    return Buffer.from('png')
  })
  await assert.rejects(pictures('x'), /no memory/)
  assert.equal((await pictures('x')).toString(), 'png')
})
