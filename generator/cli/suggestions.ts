import { closestName } from "../shared/names/closest.js";

/** Commands of other programs, and the equivalents here. */
const verbs: Readonly<Record<string, string>> = {
  build: "compile",
  call: "inspect --call",
  changes: "diff",
  check: "generate --check",
  client: "bind",
  codegen: "generate",
  compare: "diff",
  connect: "inspect",
  create: "new",
  fetch: "vendor",
  init: "new",
  lint: "validate",
  list: "revisions",
  read: "inspect --read",
  scaffold: "new",
  show: "explain",
  types: "bind",
  upgrade: "update",
  versions: "revisions",
  watch: "generate --watch",
};

const options: Readonly<Record<string, string>> = {
  arguments: "args",
  directory: "out",
  dry: "dry-run",
  file: "out",
  input: "schema",
  output: "out",
  template: "start",
  kind: "start",
  type: "start",
  url: "from",
  verify: "check",
};

/** The closest verb, possibly with an option. */
export function suggestVerb(given: string, known: readonly string[]): string | undefined {
  return suggest(given, known, verbs);
}

/** The closest option, without hyphens. */
export function suggestOption(given: string, known: readonly string[]): string | undefined {
  // All single letters are equally close.
  if (given.length === 1) return undefined;
  return suggest(
    given,
    known.filter(({ length }) => length > 1),
    options,
  );
}

function suggest(given: string, known: readonly string[], words: Readonly<Record<string, string>>): string | undefined {
  const fitting = Object.keys(words).filter((word) => known.includes((words[word] ?? "").split(" ", 1)[0] ?? ""));
  const found = closestName(given, [...known, ...fitting]);
  return found === undefined || known.includes(found) ? found : words[found];
}
