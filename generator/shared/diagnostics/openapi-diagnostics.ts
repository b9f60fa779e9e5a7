import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of `mcpwright new --from-openapi`. */
export const openapiDiagnostics = {
  "openapi-not-found": {
    severity: "error",
    message: "cannot read the OpenAPI description {path}: {reason}",
    hint: "Nothing was written. Check the path or URL, or download the file and pass its path.",
  },
  "openapi-too-large": {
    severity: "error",
    message: "{path} is larger than {limit} bytes",
    hint: "Nothing was written. Check that this is an OpenAPI description; otherwise split it.",
  },
  "openapi-too-deep": {
    severity: "error",
    message: "{path} has members that nest deeper than {limit} levels: {pointer}",
    hint: "Nothing was written. Schemas that nest without end refer to themselves with $ref instead.",
  },
  "openapi-syntax": {
    severity: "error",
    message: "{path} is neither valid JSON nor valid YAML: {reason}",
    hint: "Nothing was written. Correct the file; a URL may lead to a web page instead of the description.",
  },
  "openapi-version": {
    severity: "error",
    message: "{path} {found}; only OpenAPI 3.0 and 3.1 are supported",
    hint: "Nothing was written. Convert Swagger 2.0 with `npx swagger2openapi <file>`; for other versions, ask the provider for 3.1.",
  },
  "openapi-invalid": {
    severity: "error",
    message: "{path} is not a valid OpenAPI description: {pointer} {reason}",
    hint: "Nothing was written. Correct the description at that JSON pointer.",
  },
  "openapi-reference-remote": {
    severity: "error",
    message: "{path} refers to another document at {pointer}: {reference}",
    hint: "Nothing was written. Other documents are not read: bundle them first, with `npx @redocly/cli bundle <file>`.",
  },
  "openapi-reference-broken": {
    severity: "error",
    message: "{path} has no {reference}, which {pointer} refers to",
    hint: "Nothing was written. Correct the reference.",
  },
  "openapi-nothing-picked": {
    severity: "error",
    message: "no operation of {path} matches {choice}",
    hint: "Nothing was written. {available}",
  },
  "openapi-too-many": {
    severity: "error",
    message: "{count} operations are picked, and the limit is {limit}",
    hint: "Nothing was written. Models choose badly between many tools: pick some with --tag or --path, or raise --limit. Tags: {tags}.",
  },
  "openapi-name-invalid": {
    severity: "error",
    message: "{pointer} of {path} has a {what} that cannot be used: {reason}",
    hint: "Nothing was written. Correct the description, or leave the operation out with --tag or --path.",
  },
} as const satisfies Record<string, CatalogueEntry>;
