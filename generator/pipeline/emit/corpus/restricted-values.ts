import { isObject } from "../../../shared/is-object.js";
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

/** The values, and what they are together when they are objects: parts of one value. */
export function joined(values: readonly unknown[]): readonly unknown[] {
  const objects = values.filter(isObject);
  const whole = objects.length > 1 ? [Object.assign({}, ...objects) as unknown] : [];
  return [...whole, ...values];
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
