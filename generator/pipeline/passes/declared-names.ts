import type { Declaration } from "../../shared/model/source.js";

/** The kinds of nodes whose `name` is that of a declaration; the names of members are not. */
const named: ReadonlySet<unknown> = new Set([
  "interface",
  "alias",
  "constant",
  "derived-constant",
  "reference",
  "omit",
]);

/** A copy in which declarations, and all that refers to them, have other names. */
export function withNames<T>(value: T, renamed: ReadonlyMap<string, string>): T {
  return rename(value, renamed) as T;
}

function rename(value: unknown, renamed: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => rename(item, renamed));
  if (typeof value !== "object" || value === null) return value;
  const copy: Record<string, unknown> = Object.fromEntries(
    Object.entries(value).map(
      ([key, item]: [string, unknown]) => [key, isData(key) ? item : rename(item, renamed)] as const,
    ),
  );
  const other = renamed.get(nameOf(copy) ?? "");
  return other === undefined ? copy : { ...copy, name: other };
}

/** The names of declarations that a declaration refers to, without its own. */
export function referredNames(declaration: Declaration): ReadonlySet<string> {
  const names = new Set<string>();
  const pending: unknown[] = Object.values(declaration);
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value !== "object" || value === null) continue;
    const name = Array.isArray(value) ? undefined : nameOf(value as Readonly<Record<string, unknown>>);
    if (name !== undefined) names.add(name);
    pending.push(...Object.entries(value).flatMap(([key, item]: [string, unknown]) => (isData(key) ? [] : [item])));
  }
  return names;
}

/** Whether a member holds a value of the schema's author, which may look like a type. */
function isData(key: string): boolean {
  return key === "annotations" || key === "default";
}

function nameOf({ kind, name, omit }: Readonly<Record<string, unknown>>): string | undefined {
  return typeof name === "string" && (named.has(kind) || Array.isArray(omit)) ? name : undefined;
}
