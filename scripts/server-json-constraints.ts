import { createHash } from "node:crypto";

type Schema = Readonly<Record<string, unknown>>;

/** SHA-256 of what a schema requires. Its texts, the order of members and that of lists without an order do not matter. */
export function constraintsDigest(schema: unknown): string {
  return createHash("sha256")
    .update(sortedText(constraintsOf(schema)))
    .digest("hex");
}

function sortedText(value: unknown): string {
  return JSON.stringify(value, (key, member: unknown): unknown => {
    if (Array.isArray(member)) {
      const items = member as readonly unknown[];
      return key === "required" || key === "enum" ? [...items].sort() : items;
    }
    if (typeof member !== "object" || member === null) return member;
    return Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

const forPeople = new Set(["$comment", "$id", "$schema", "default", "description", "example", "examples", "title"]);

/** A schema without the texts for people. */
export function constraintsOf(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(constraintsOf);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.entries(schema as Schema).filter(([key]) => !forPeople.has(key));
  return Object.fromEntries(
    members.map(([key, value]) => {
      // Their keys are names of members, such as `description`.
      const isNamed = key === "properties" || key === "definitions";
      return [key, isNamed ? mapValues(value as Schema, constraintsOf) : constraintsOf(value)];
    }),
  );
}

function mapValues(values: Schema, change: (value: unknown) => unknown): Schema {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]));
}
