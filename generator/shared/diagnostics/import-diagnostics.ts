import type { CatalogueEntry } from "./catalogue-entry.js";

/** The diagnostics of imports in schemas. */
export const importDiagnostics = {
  "import-unsupported": {
    severity: "error",
    message: "{construct} is not part of the schema grammar",
    hint: 'Import and export types by their names: `import type { A, B as C } from "…"`.',
  },
  "import-unresolved": {
    severity: "error",
    message: "no file is given for the import {specifier}",
    hint: "Pass --import {specifier}=<path or URL>.",
  },
  "import-name-missing": {
    severity: "error",
    message: "{file}, which is imported as {specifier}, does not declare {name}",
    hint: "Correct the name, or pass another file with --import {specifier}=<path or URL>.",
  },
  "import-cycle": {
    severity: "error",
    message: "files import each other: {path}",
    hint: "Move the types that both files use to a file of their own.",
  },
  "import-collision": {
    severity: "error",
    message: "{name} is also declared at {other}, in a file that this schema imports",
    hint: "The generated code has one namespace. Rename one of them.",
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;
