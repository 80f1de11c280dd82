// A reporter for node's test runner: the files in which something failed, one a line.
const failedFiles = async function* (source) {
  for await (const { type, data } of source) if (type === 'test:fail' && data.file) yield `${data.file}\n`
}

// biome-ignore lint/style/noDefaultExport: the test runner takes a reporter's default export
export default failedFiles
