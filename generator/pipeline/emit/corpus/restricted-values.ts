import { resolveAliases, type Definitions } from "../../../shared/model/definitions.js";
import type { EntriesModel, NumberBounds, TextBounds, TypeModel } from "../../../shared/model/protocol.js";
import { sampleOf } from "../../../shared/schema-code/pattern-sample.js";

/** A string within its bounds, the usual one if that fits. */
export function textFor({ minLength = 0, maxLength = Infinity, pattern }: TextBounds, usual: string): string {
  const own = pattern === undefined ? usual : (sampleOf(pattern, minLength) ?? usual);
  const isUsual = pattern === undefined || new RegExp(pattern, "u").test(usual);
  const text = isUsual ? usual : own;
  const padded = text.length < minLength && isUsual ? text.padEnd(minLength, "x") : text;
  return padded.length > maxLength ? Array.from(padded).slice(0, maxLength).join("") : padded;
}

/** A number within its bounds, the usual one if that fits. */
export function numberFor(bounds: { readonly kind: "number" | "integer" } & NumberBounds, usual: number): number {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, kind } = bounds;
  const least = Math.max(minimum ?? -Infinity, exclusiveMinimum ?? -Infinity);
  const most = Math.min(maximum ?? Infinity, exclusiveMaximum ?? Infinity);
  const between = least > -Infinity && most < Infinity ? (least + most) / 2 : least > -Infinity ? least + 1 : most - 1;
  const unit = multipleOf ?? 1;
  const candidates = [usual, least, most, between, Math.ceil(least), Math.floor(most), 0];
  const multiples = candidates.flatMap((value) => [
    value,
    Math.ceil(value / unit) * unit,
    Math.floor(value / unit) * unit,
  ]);
  const fits = (value: number): boolean =>
    Number.isFinite(value) &&
    value >= (minimum ?? -Infinity) &&
    value <= (maximum ?? Infinity) &&
    value > (exclusiveMinimum ?? -Infinity) &&
    value < (exclusiveMaximum ?? Infinity) &&
    (kind === "number" || Number.isInteger(value)) &&
    (multipleOf === undefined || Number.isInteger(value / multipleOf));
  return multiples.find(fits) ?? usual;
}

const maxVariants = 8;

/** The parts of a type, once with each alternative of the unions among them. */
export function variants(parts: readonly TypeModel[], definitions: Definitions): readonly (readonly TypeModel[])[] {
  let found: readonly (readonly TypeModel[])[] = [[]];
  for (const part of parts) {
    const type = resolveAliases(part, definitions);
    const alternatives = type.kind === "union" ? type.members : [part];
    found = alternatives.flatMap((one) => found.map((before) => [...before, one])).slice(0, maxVariants);
  }
  return found;
}

/** Names that a part of a type expects. */
export function namesIn(part: TypeModel, definitions: Definitions): readonly string[] {
  const type = resolveAliases(part, definitions);
  return type.kind === "entries" ? names(type) : type.kind === "struct" ? type.members.map(({ name }) => name) : [];
}

/** What a part of a type demands of a member. */
export function typesOfMember(part: TypeModel, name: string, definitions: Definitions): readonly TypeModel[] {
  const type = resolveAliases(part, definitions);
  switch (type.kind) {
    case "entries":
      return [typeOfEntry(type, name)];
    case "map":
      return [type.values];
    case "struct": {
      const found = type.members.find((member) => member.name === name)?.type ?? type.index;
      return found ? [found] : [];
    }
    default:
      return [];
  }
}

/** Names of members that an `entries` type may have: one for each pattern, and others. */
export function names(type: EntriesModel): readonly string[] {
  const selected = type.patterns.flatMap(({ pattern }) => sampleOf(pattern) ?? []);
  const others = Array.from({ length: Math.max(1, type.minProperties ?? 0) }, (_, at) =>
    type.names?.kind === "enum"
      ? (type.names.values[at] ?? "")
      : type.names?.kind === "string"
        ? textFor(type.names, `key ${at + 1}`)
        : `key ${at + 1}`,
  );
  const allowed = type.rest?.kind === "never" ? type.listed : others;
  return [...new Set([...selected, ...allowed])].slice(0, type.maxProperties);
}

export function fewest(type: EntriesModel): readonly string[] {
  return names(type).slice(0, type.minProperties ?? 0);
}

/** The type of the member of an `entries` type. */
export function typeOfEntry({ patterns, rest, listed }: EntriesModel, name: string): TypeModel {
  const found = patterns.filter(({ pattern }) => new RegExp(pattern, "u").test(name)).map(({ type }) => type);
  const [only, ...more] = found;
  if (only) return more.length === 0 ? only : { kind: "all", members: found };
  return listed.includes(name) ? { kind: "unknown" } : (rest ?? { kind: "unknown" });
}
