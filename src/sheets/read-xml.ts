// XML of a workbook → its elements, one after the other. Without a document type: an entity could stand for gigabytes.
import { SaxesParser } from 'saxes'
import { SheetRefused } from './sheet.ts'

export interface XmlHandler {
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly close?: (name: string) => void
  readonly text?: (text: string) => void
}

/** Names lose their prefix: programs disagree about it. */
const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

export const readXml = (xml: string, handler: XmlHandler): void => {
  if (/<!DOCTYPE|<!ENTITY/i.test(xml)) throw new SheetRefused('dangerous')
  const parser = new SaxesParser()
  parser.on('error', () => {
    throw new SheetRefused('broken')
  })
  parser.on('opentag', ({ name, attributes }) => handler.open(localName(name), attributes as Record<string, string>))
  parser.on('closetag', ({ name }) => handler.close?.(localName(name)))
  parser.on('text', text => handler.text?.(text))
  parser.write(xml).close()
}
