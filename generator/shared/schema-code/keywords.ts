import { isObject } from "../is-object.js";
import { hasOwn } from "./pointer.js";
import type { Named, StringKeywords } from "./schema-node.js";

type Raw = Readonly<Record<string, unknown>>;

/** Whether a string is a regular expression of ECMAScript with the flag `u`. */
export function isPattern(text: string): boolean {
  try {
    new RegExp(text, "u");
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the keywords of one schema and checks the type of their values. Invalid ones are reported and then treated as
 * absent.
 */
export class Keywords {
  constructor(
    private readonly raw: Raw,
    private readonly report: (keyword: string, problem: string) => void,
  ) {}

  text(keyword: string): string | undefined {
    const value = this.value(keyword);
    if (value === undefined || typeof value === "string") return value;
    this.report(keyword, "must be a string");
    return undefined;
  }

  flag(keyword: string): boolean {
    const value = this.value(keyword);
    if (value !== undefined && typeof value !== "boolean") this.report(keyword, "must be true or false");
    return value === true;
  }

  pattern(): Pick<StringKeywords, "pattern"> {
    const pattern = this.text("pattern");
    if (pattern === undefined) return {};
    if (isPattern(pattern)) return { pattern };
    this.report("pattern", "is not a regular expression of ECMAScript with the flag u");
    return {};
  }

  numbers<Name extends string>(names: readonly Name[]): Readonly<Partial<Record<Name, number>>> {
    const found: Partial<Record<Name, number>> = {};
    for (const name of names) {
      const value = this.value(name);
      if (value === undefined) continue;
      if (typeof value !== "number" || !Number.isFinite(value)) this.report(name, "must be a number");
      else if (name === "multipleOf" && value <= 0) this.report(name, "must be greater than 0");
      else found[name] = value;
    }
    return found;
  }

  /** Counts, by their new names. */
  counts<Name extends string>(names: Readonly<Record<string, Name>>): Readonly<Partial<Record<Name, number>>> {
    const found: Partial<Record<Name, number>> = {};
    for (const [keyword, name] of Object.entries(names)) {
      const value = this.value(keyword);
      if (value === undefined) continue;
      if (Number.isInteger(value) && (value as number) >= 0) found[name] = value as number;
      else this.report(keyword, "must be a non-negative integer");
    }
    return found;
  }

  list(keyword: string, mayBeEmpty = keyword === "prefixItems" || keyword === "items"): readonly unknown[] {
    const value = this.value(keyword);
    if (value === undefined) return [];
    if (Array.isArray(value) && (mayBeEmpty || value.length > 0)) return value;
    this.report(keyword, "must be a non-empty list");
    return [];
  }

  map(keyword: string): Named<unknown> {
    const value = this.value(keyword);
    if (value === undefined) return [];
    if (isObject(value)) return Object.entries(value);
    this.report(keyword, "must be an object");
    return [];
  }

  strings(keyword: string, value: unknown): readonly string[] {
    if (value === undefined) return [];
    if (Array.isArray(value) && value.every((one) => typeof one === "string")) return [...new Set(value)];
    this.report(keyword, "must be a list of strings");
    return [];
  }

  private value(keyword: string): unknown {
    return hasOwn(this.raw, keyword) ? this.raw[keyword] : undefined;
  }
}
