import { fail } from "../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../shared/is-object.js";
import type { JsonLocations } from "../../shared/json/json-locations.js";
import type { ImportedName, Span } from "../../shared/model/source.js";
import { backtrackingRisk } from "../../shared/schema-code/pattern-cost.js";
import { isPattern } from "../../shared/schema-code/keywords.js";

export type Pointer = readonly string[];
export type Schema = Readonly<Record<string, unknown>>;

/** A schema that becomes a declaration. */
export interface NamedSchema {
  readonly name: string;
  readonly pointer: Pointer;
  readonly schema: unknown;
}

/** Reads the values of keywords, and reports those of a wrong type at their position. */
export class JsonReader {
  /** The names that references take from other files. */
  readonly imports: ImportedName[] = [];

  /**
   * @param container the keyword of the definitions
   * @param dialect the value of `$schema`
   */
  constructor(
    readonly container: string,
    private readonly dialect: unknown,
    private readonly named: readonly NamedSchema[],
    private readonly locations: JsonLocations,
  ) {}

  /** Before 2019-09, keywords beside a reference have no effect. */
  get ignoresSiblings(): boolean {
    return typeof this.dialect === "string" && /draft-0[3-7]\b/.test(this.dialect);
  }

  schema(value: unknown, pointer: Pointer): Schema {
    if (value === true) return {};
    if (value === false) return { not: {} };
    if (isObject(value)) return value;
    return this.invalid("a schema object", pointer);
  }

  list(value: unknown, pointer: Pointer): readonly unknown[] {
    return Array.isArray(value) && value.length > 0 ? (value as unknown[]) : this.invalid("a non-empty array", pointer);
  }

  map(schema: Schema, keyword: string, pointer: Pointer): Schema {
    const value = schema[keyword] ?? {};
    return isObject(value) ? value : this.invalid("an object", [...pointer, keyword]);
  }

  names(value: unknown, pointer: Pointer): readonly string[] {
    if (Array.isArray(value) && value.every((name) => typeof name === "string")) return value;
    return this.invalid("a list of member names", pointer);
  }

  number(value: unknown, pointer: Pointer): number {
    return typeof value === "number" && Number.isFinite(value) ? value : this.invalid("a number", pointer);
  }

  count(value: unknown, pointer: Pointer): number {
    const isCount = Number.isInteger(value) && (value as number) >= 0;
    return isCount ? (value as number) : this.invalid("a non-negative integer", pointer);
  }

  text(value: unknown, pointer: Pointer): string {
    return typeof value === "string" ? value : this.invalid("a string", pointer);
  }

  flag(value: unknown, pointer: Pointer): boolean {
    return typeof value === "boolean" ? value : this.invalid("true or false", pointer);
  }

  /** @param pointer where the pattern is: the value of a keyword, or a name */
  pattern(value: unknown, pointer: Pointer): string {
    const pattern = this.text(value, pointer);
    if (!isPattern(pattern)) return this.invalid("a regular expression of ECMAScript with the flag u", pointer);
    const reason = backtrackingRisk(pattern);
    if (reason === undefined) return pattern;
    return fail("json-unsafe-pattern", { pattern, reason, pointer: show(pointer) }, this.span(pointer));
  }

  /** The name that a reference means in this file. */
  reference(value: unknown, pointer: Pointer): { readonly name: string; readonly span: Span } {
    const reference = this.text(value, pointer);
    const span = this.span(pointer);
    const [specifier = "", fragment] = reference.split("#", 2);
    const parts = (fragment ?? "").split("/").slice(1).map(decode);
    if (specifier !== "") {
      const [container = "", name] = parts;
      if (name === undefined || parts.length !== 2 || !/^(\$defs|definitions)$/.test(container))
        return fail("json-remote-reference", { reference, pointer: show(pointer.slice(0, -1)) }, span);
      return { name: this.imported(name, specifier, span), span };
    }
    // Files that consist of several documents refer to the definitions inside a definition as if it were the file.
    const found = parts.length > 0 ? (this.at(parts) ?? this.at([...pointer.slice(0, 2), ...parts])) : undefined;
    if (found) return { name: found.name, span };
    const [container, name = "", ...more] = parts;
    const isName = container === this.container && more.length === 0;
    return isName ? { name, span } : fail("unresolved-reference", { name: reference }, span);
  }

  private at(pointer: Pointer): NamedSchema | undefined {
    return this.named.find((one) => one.pointer.join("\0") === pointer.join("\0"));
  }

  /** The local name of a definition of another file. */
  private imported(name: string, specifier: string, span: Span): string {
    const known = this.imports.find((other) => other.name === name && other.specifier === specifier);
    if (known) return known.local;
    let local = name;
    while (this.named.some((other) => other.name === local) || this.imports.some((other) => other.local === local))
      local += "_";
    this.imports.push({ name, local, specifier, span });
    return local;
  }

  /** @param keyword how the message names what is at `pointer` */
  unsupported(pointer: Pointer, keyword = pointer.at(-1) ?? ""): never {
    return fail("json-unsupported-keyword", { keyword, pointer: show(pointer.slice(0, -1)) }, this.span(pointer));
  }

  /** @param pointer where the invalid value is */
  invalid(expected: string, pointer: Pointer): never {
    const values = { keyword: pointer.at(-1) ?? "", expected, pointer: show(pointer.slice(0, -1)) };
    return fail("json-invalid-keyword", values, this.span(pointer));
  }

  span(pointer: Pointer): Span {
    return this.locations.locate(pointer);
  }
}

export function show(pointer: Pointer): string {
  return `#/${pointer.map((part) => part.replaceAll("~", "~0").replaceAll("/", "~1")).join("/")}`;
}

function decode(part: string): string {
  const text = /%[\da-f]{2}/i.test(part) ? safelyDecoded(part) : part;
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}

function safelyDecoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
