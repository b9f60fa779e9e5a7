import type { FieldType, TextFormat } from "./field-types.js";

/** Formats of texts that fields of several objects have. */

export const notEmpty: TextFormat = { pattern: "\\S", expected: "a string that is not empty" };

/** A text that is not empty, and in which references are replaced. */
export const filledText: FieldType = { kind: "text", references: true, format: notEmpty };
