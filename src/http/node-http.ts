// Node's HTTP module. An import of it would also load undici, which nothing here uses and every start would wait for: the
// ES module facade reads all exports, also those that are loaded when first read.

export const { createServer, STATUS_CODES } = process.getBuiltinModule('node:http')
