/** A string of the configuration. Its references are replaced only when the server starts, so that secrets are not in this object. */
export interface ConfigText {
  /** The string as it is written. */
  readonly source: string;
  /** The literal parts and the references, in order. */
  readonly parts: readonly (string | Reference)[];
}

/** A reference in a string of the configuration. */
export type Reference = VariableReference | FileReference | InputReference | PlaceReference;

/** `${env:NAME}`, `${NAME}` or `${NAME:-default}`: a variable of the gateway's environment. */
export interface VariableReference {
  readonly kind: "variable";
  readonly name: string;
  /** Replaces a variable that is not set or empty. */
  readonly fallback?: string;
}

/** `${file:path}`: the content of a file, without the line break at its end. */
export interface FileReference {
  readonly kind: "file";
  /** Relative to the folder of the configuration; `~/` means the home folder. */
  readonly path: string;
}

/** `${input:id}`: a value that VS Code asks for. */
export interface InputReference {
  readonly kind: "input";
  readonly id: string;
}

/** `${workspaceFolder}` and other facts that do not depend on the environment of the gateway. */
export interface PlaceReference {
  readonly kind: "place";
  readonly name: Place;
}

export type Place = (typeof places)[number];

export const places = ["workspaceFolder", "workspaceFolderBasename", "userHome", "pathSeparator", "/"] as const;

/** A reference that cannot be understood. */
export interface InvalidReference {
  readonly reference: string;
  readonly reason: string;
  readonly hint: string;
}

/**
 * The strings that `readText` accepts. A `$` without a brace is literal; `$${` stands for `${`. For editors, which cannot know
 * which inputs exist.
 */
export const textPattern = (() => {
  const names = places.map((name) => name.replace("/", "\\/")).join("|");
  const reference = `env:[^\\s{}=:]+|file:[^{}]+|input:[^{}]+|${names}|[A-Za-z_]\\w*(?::-[^{}]*)?`;
  return `^(?:[^$]|\\$(?!\\{|\\$\\{)|\\$\\$\\{|\\$\\{(?:${reference})\\})*$`;
})();

/** Splits a string into literal parts and references. */
export function readText(source: string): { readonly text: ConfigText; readonly invalid: readonly InvalidReference[] } {
  const parts: (string | Reference)[] = [];
  const invalid: InvalidReference[] = [];
  let literal = "";
  let done = 0;
  for (const match of source.matchAll(/\$\$\{|\$\{([^{}]*)(\}?)/g)) {
    const [word, content = "", end] = match;
    literal += source.slice(done, match.index);
    done = match.index + word.length;
    if (word === "$${") {
      literal += "${";
      continue;
    }
    const found = end === "" ? unclosed : readReference(content);
    if ("reason" in found) invalid.push({ reference: word, ...found });
    else {
      if (literal !== "") parts.push(literal);
      parts.push(found);
      literal = "";
    }
  }
  literal += source.slice(done);
  if (literal !== "") parts.push(literal);
  return { text: { source, parts }, invalid };
}

const literalHint = "To pass ${…} on as it is, write $${…}.";
const unclosed = {
  reason: "which has no closing brace of its own",
  hint: `References are not nested. ${literalHint}`,
};

function readReference(content: string): Reference | Omit<InvalidReference, "reference"> {
  const place = places.find((name) => name === content);
  if (place !== undefined) return { kind: "place", name: place };
  const [, kind, value = ""] = /^([a-z]+):(?!-)(.*)$/is.exec(content) ?? [];
  if (kind === undefined) {
    const [, name, fallback] = /^([a-z_]\w*)(?::-(.*))?$/is.exec(content) ?? [];
    if (name !== undefined) return { kind: "variable", name, ...(fallback !== undefined && { fallback }) };
    return { reason: "which is not a reference", hint: `${known} ${literalHint}` };
  }
  if (kind === "env" && /^[^\s=:]+$/.test(value)) return { kind: "variable", name: value };
  if (kind === "file" && value !== "") return { kind: "file", path: value };
  if (kind === "input" && value !== "") return { kind: "input", id: value };
  if (kinds.includes(kind)) return { reason: `which does not name ${named[kind] ?? ""}`, hint: known };
  return { reason: `but ${kind} is not a kind of reference`, hint: `${known} ${literalHint}` };
}

const kinds = ["env", "file", "input"];
const named: Readonly<Record<string, string>> = { env: "a variable", file: "a file", input: "an input" };
const known =
  "References are ${env:NAME}, ${NAME}, ${NAME:-default}, ${file:path}, ${input:id}, ${workspaceFolder} and ${userHome}.";
