// The text of a query → its first operation, and the fields in it. Pure.

const withoutComments = text => text.replace(/#.*$/gm, '')

/** @returns nothing while the text is not a document. Without an operation there is nothing in it yet. */
export const readQuery = (text, parse) => {
  if (withoutComments(text).trim() === '') return { text, operation: undefined }
  try {
    const { definitions } = parse(text)
    return { text, operation: definitions.find(({ kind }) => kind === 'OperationDefinition') }
  } catch {
    return undefined
  }
}

export const kindOf = ({ operation }) => operation?.operation ?? 'query'

export const fieldIn = (node, name) =>
  node?.selectionSet?.selections.find(selection => selection.kind === 'Field' && selection.name.value === name)

/** The field at the end of a path of names, or nothing if it is not in the query. */
export const fieldAt = ({ operation }, path) => path.reduce((node, name) => fieldIn(node, name), operation)

export const argumentOf = (field, name) => field?.arguments?.find(argument => argument.name.value === name)
