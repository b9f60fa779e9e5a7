import { createHash } from "node:crypto";
import { constraintsOf } from "../generator/commands/manifest/server-schema.js";

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
