/**
 * The regular expression (flag `u`) of a template literal type, whose texts have any string between each and the next.
 * Undefined when an engine that backtracks could need quadratic time for it.
 */
export function templatePattern(texts: readonly string[]): string | undefined {
  const [first = "", ...rest] = texts.map(escape);
  const last = rest.pop() ?? "";
  if (rest.length > (last === "" ? 1 : 0)) return undefined;
  const start = first === "" ? "" : `^${first}`;
  const [middle = ""] = rest;
  const gap = start !== "" && middle + last !== "" ? "[\\s\\S]*" : "";
  return `${start}${gap}${middle}${last === "" ? "" : `${last}$`}`;
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
