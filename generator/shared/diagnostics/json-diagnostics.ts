import type { CatalogueEntry } from "./catalogue-entry.js";

/** The diagnostics of schemas in JSON Schema. */
export const jsonDiagnostics = {
  "json-malformed": {
    severity: "error",
    message: "invalid JSON: {reason}",
    hint: "The file may be truncated; fetch it again.",
  },
  "json-not-schema": {
    severity: "error",
    message: "no `definitions` or `$defs` object found",
    hint: "Pass a JSON Schema of the protocol (draft-07 `definitions` or 2020-12 `$defs`).",
  },
  "json-unsupported-keyword": {
    severity: "error",
    message: "keyword {keyword} at {pointer} is not part of the schema grammar",
    hint: "Supported: $ref, type, const, enum, anyOf, oneOf, allOf, not, if/then/else, the keywords about members of objects and their dependencies, items, bounds, and x-… for notes. Express it with these, or remove it.",
  },
  "json-invalid-keyword": {
    severity: "error",
    message: "{keyword} at {pointer} must be {expected}",
    hint: "Correct the schema.",
  },
  "json-remote-reference": {
    severity: "error",
    message: "$ref {reference} at {pointer} does not name a definition of the other file",
    hint: "Refer to one of its definitions, as in `other.json#/$defs/Name`, and pass the file with --import.",
  },
  "json-ignored-sibling": {
    severity: "error",
    message: "draft-07 ignores {keyword} beside $ref at {pointer}",
    hint: "Remove it, put both into `allOf`, or declare the dialect 2020-12 in `$schema`.",
  },
  "json-unsafe-pattern": {
    severity: "error",
    message: "a check of the pattern {pattern} at {pointer} may take exponential time: {reason}",
    hint: "Rewrite it so that a repeated part matches each text in one way only, without backreferences, or remove it.",
  },
  "json-too-deep": {
    severity: "error",
    message: "schemas nest deeper than {limit} levels at {pointer}",
    hint: "A protocol schema nests less than ten levels; check that this is the right file.",
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;
