// Values in SQL → a text that clients hand back without reading it: base64url of a JSON array. Cursors and global ids are made so.

/** Neither padding nor line breaks, so that it can stand in a URL. */
export const opaqueText = (values: readonly string[]): string => {
  const array = `json_build_array(${values.join(', ')})`
  return `translate(encode(convert_to(${array}::text, 'UTF8'), 'base64'), E'+/=\\n', '-_')`
}
