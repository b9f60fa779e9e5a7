import { escapeJson, sliceWhole } from "../review/escape-hidden.js";
import { pointerTo } from "../../schema/pointer.js";
import { toJson } from "../pinning/canonical-text.js";
import { isSecretName, plainName } from "./secret-names.js";
import { redacted, withoutSecrets } from "./without-secrets.js";

/** Deeper arguments are not logged. */
const maxDepth = 10;
/** Characters of one string. */
const maxString = 1_000;

/** Characters beyond a budget that is used up: a last member, and a note for each level. */
const slack = 500;

/** Copies values for the log, without secrets and within a length. */
export class Redaction {
  readonly #names = new Set<string>();
  readonly #paths: RegExp[] = [];
  readonly #patterns: RegExp[] = [];

  /** @param rules see the option `redact` of `AuditOptions` */
  constructor(rules: readonly (string | RegExp)[]) {
    for (const rule of rules)
      if (typeof rule !== "string") this.#patterns.push(rule);
      else if (rule.startsWith("/")) this.#paths.push(pathPattern(rule));
      else this.#names.add(plainName(rule));
  }

  /** The JSON of a value that has at most `most` characters. */
  jsonOf(value: unknown, most: number): string {
    const budget = { left: most - slack };
    const json = encode(this.#copy(value, "", 0, budget));
    return json.length <= most ? json : encode("[too long]");
  }

  #copy(value: unknown, path: string, depth: number, budget: { left: number }): unknown {
    if (typeof value === "string") return take(shorten(value, Math.min(maxString, Math.max(20, budget.left))), budget);
    if (typeof value !== "object" || value === null) return take(toJson(value) ?? null, budget);
    if (depth >= maxDepth) return take("[deeper]", budget);
    // Brackets and separators.
    budget.left -= 4;
    const isArray = Array.isArray(value);
    const copied: [name: string, value: unknown][] = [];
    for (const key of isArray ? value.keys() : Object.keys(value)) {
      if (budget.left <= 0) {
        copied.push(["…", "[more]"]);
        break;
      }
      const member = toJson((value as Members)[key]);
      if (!isArray && member === undefined) continue;
      const name = String(key);
      const at = pointerTo(path, name);
      const isSecret = isArray ? this.#isSecretPath(at) : this.#isSecret(name, at);
      const shownName = shorten(name, 100);
      if (!isArray) take(shownName, budget);
      copied.push([shownName, isSecret ? take(redacted, budget) : this.#copy(member, at, depth + 1, budget)]);
    }
    return isArray ? copied.map(([, member]) => member) : Object.fromEntries(copied);
  }

  #isSecret(name: string, path: string): boolean {
    return (
      isSecretName(name) ||
      this.#names.has(plainName(name)) ||
      this.#patterns.some((pattern) => matches(pattern, name)) ||
      this.#isSecretPath(path)
    );
  }

  #isSecretPath(path: string): boolean {
    return (
      this.#paths.some((pattern) => pattern.test(path)) || this.#patterns.some((pattern) => matches(pattern, path))
    );
  }
}

/**
 * The start of a text, without secrets, and with at most `most` characters between the quotes of its JSON. If it is cut, the length of
 * the whole text follows.
 */
export function shorten(text: string, most: number): string {
  const safe = withoutSecrets(text);
  if (encode(safe).length - 2 <= most) return safe;
  const note = `… (${text.length} characters)`;
  for (let length = Math.min(safe.length, most); length > 0;) {
    const cut = `${sliceWhole(safe, 0, length)}${note}`;
    const over = encode(cut).length - 2 - most;
    if (over <= 0) return cut;
    // A character has at most six in JSON.
    length -= Math.max(1, Math.floor(over / 6));
  }
  return "…";
}

/** JSON in one line: characters that end lines elsewhere are escaped, as are those that terminals interpret. */
export function encode(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

type Members = Readonly<Record<string | number, unknown>>;

/** Counts a value with its separators. */
function take<Value>(value: Value, budget: { left: number }): Value {
  budget.left -= encode(value).length + 2;
  return value;
}

/** A regular expression with the flag `g` begins where the last match ended. */
function matches(pattern: RegExp, text: string): boolean {
  pattern.lastIndex = 0;
  return pattern.test(text);
}

/** The pattern of a JSON Pointer, in which `*` stands for any name or index. */
function pathPattern(pointer: string): RegExp {
  const parts = pointer
    .split("/")
    .map((part) => (part === "*" ? "[^/]*" : part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")));
  return new RegExp(`^${parts.join("/")}$`, "u");
}
