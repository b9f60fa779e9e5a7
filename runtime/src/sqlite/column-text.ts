/** Returns a text as it is stored: texts of SQLite end at the character NUL, so that two ids would be one. */
export function toColumn(text: string): string {
  return text.replaceAll("\u0001", "\u00011").replaceAll("\u0000", "\u00010");
}

export function fromColumn(text: string): string {
  return text.replaceAll("\u00010", "\u0000").replaceAll("\u00011", "\u0001");
}
