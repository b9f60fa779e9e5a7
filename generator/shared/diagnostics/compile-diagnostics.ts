import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of compiling TypeScript functions to tools, and JSON Schema to validators. */
export const compileDiagnostics = {
  "compile-not-typescript": {
    severity: "error",
    message: "{path} is not a TypeScript source file",
    hint: "Pass a .ts or .mts file that exports functions with the doc tag @tool. The output goes to another file, <name>.mcp.ts.",
  },
  "compile-out-refused": {
    severity: "error",
    message: "{path} cannot be the output: {reason}",
    hint: "Pass another .ts or .mts file with --out. Without --out, the output is <name>.mcp.ts beside the source file.",
  },
  "compile-no-tools": {
    severity: "error",
    message: "{path} exports no tools",
    hint: "Add the tag @tool to the doc comment of each exported function that is a tool.",
  },
  "compile-tool": {
    severity: "error",
    message: "{name} cannot become a tool: it {problem}",
    hint: "A tool is an exported function that takes its arguments as one object, and the context: (args: Input, context: ServerContext) => Promise<Output>.",
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
    hint: "Correct the schema; see json-schema.org, draft 2020-12. A draft-07 schema must declare it in $schema.",
  },
  "schema-unsupported": {
    severity: "error",
    message: "the JSON Schema {schema} cannot be compiled: {keyword} at {pointer} {problem}",
    hint: "Use $ref to a definition under $defs of the same schema.",
  },
  "schema-unresolved": {
    severity: "error",
    message: "the JSON Schema {schema} has a reference that does not resolve: {keyword} at {pointer} is {problem}",
    hint: "References must stay inside the schema: # followed by a JSON Pointer or the name of an $anchor.",
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
    hint: "Split it, or remove parts that need not be checked.",
  },
} as const satisfies Record<string, CatalogueEntry>;
