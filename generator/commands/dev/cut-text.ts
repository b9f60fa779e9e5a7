/** The first characters of a text, without the memory of the rest: a slice keeps the whole text. */
export function firstCharacters(text: string, length: number): string {
  return text.length <= length ? text : copy(text.slice(0, length));
}

/** The last characters of a text, without the memory of the rest. */
export function lastCharacters(text: string, length: number): string {
  return text.length <= length ? text : copy(text.slice(-length));
}

function copy(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
