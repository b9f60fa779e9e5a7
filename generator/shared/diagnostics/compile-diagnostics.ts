import type { CatalogueEntry } from "./catalogue-entry.js";

/** What can go wrong when tools are made of TypeScript, and validators of JSON Schema. */
export const compileDiagnostics = {
  "compile-not-typescript": {
    severity: "error",
    message: "{path} is no TypeScript file of your own",
    hint: "Give a .ts or .mts file with functions that have the doc tag @tool; what is compiled goes to another file, <name>.mcp.ts.",
  },
  "compile-out-refused": {
    severity: "error",
    message: "{path} cannot be the output: {reason}",
    hint: "Name another .ts or .mts file with --out, or leave it out: <name>.mcp.ts stands beside the tools.",
  },
  "compile-no-tools": {
    severity: "error",
    message: "{path} has no tools",
    hint: "Write the tag @tool into the doc comment of each exported function that is one.",
  },
  "compile-tool": {
    severity: "error",
    message: "{name} cannot become a tool: it {problem}",
    hint: "A tool is an exported function of its arguments, as one object, and the context: (args: Input, context: ServerContext) => Promise<Output>.",
  },
  "compile-unsupported-type": {
    severity: "error",
    message: "{type} has no JSON Schema",
    hint: "{hint}",
  },
  "compile-tag": {
    severity: "error",
    message: "the doc tag @{tag} {problem}",
    hint: "The tags are listed in docs/cli/compile.md.",
  },
  "compile-drift": {
    severity: "finding",
    message: "{path} is out of date",
    hint: "Run mcpwright compile without --check.",
  },
  "schema-malformed": {
    severity: "error",
    message: "the JSON Schema {schema} is malformed: {keyword} at {pointer} {problem}",
    hint: "Correct the schema; see json-schema.org, draft 2020-12. A schema of draft-07 says so in $schema.",
  },
  "schema-unsupported": {
    severity: "error",
    message: "the JSON Schema {schema} cannot become code: {keyword} at {pointer} {problem}",
    hint: "Write it with $ref to a definition under $defs of the same schema.",
  },
  "schema-unresolved": {
    severity: "error",
    message: "the JSON Schema {schema} refers to nothing: {keyword} at {pointer} is {problem}",
    hint: "References have to stay inside of the schema: # followed by a JSON Pointer or the name of an $anchor.",
  },
  "schema-circular": {
    severity: "error",
    message:
      "the JSON Schema {schema} cannot be checked: {keyword} at {pointer} {problem} without going into the value",
    hint: "Put a property or an item between the schema and the reference to it.",
  },
  "schema-too-large": {
    severity: "error",
    message: "the JSON Schema {schema} is too large: it has more than {limit}",
    hint: "Split it, or leave out what need not be checked.",
  },
} as const satisfies Record<string, CatalogueEntry>;
