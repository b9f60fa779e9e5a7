import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of `mcpwright dev`. */
export const devDiagnostics = {
  "dev-entry-not-found": {
    severity: "error",
    message: "{path} does not exist",
    hint: "Pass the source file that starts the server, such as src/main.ts. Relative paths start at {cwd}.",
  },
  "dev-entry-folder": {
    severity: "error",
    message: "{path} is a folder",
    hint: "Pass the source file that starts the server, such as {example}.",
  },
  "dev-entry-url": {
    severity: "error",
    message: "{url} is a URL, and dev starts a server from its source",
    hint: "Pass a source file such as src/main.ts. To call a running server, use: mcpwright inspect {url}",
  },
  "dev-entry-type": {
    severity: "error",
    message: "{path} is neither TypeScript nor JavaScript",
    hint: "Pass a .ts, .mts, .cts, .tsx, .js, .mjs or .cjs file.",
  },
  "dev-tsx-missing": {
    severity: "error",
    message: "Node {version} does not run {path} without tsx, which is not installed",
    hint: "Run npm install --save-dev tsx in {folder}.",
  },
  "dev-watch-not-found": {
    severity: "error",
    message: "--watch: {path} does not exist",
    hint: "Pass a file or folder. Relative paths start at {cwd}.",
  },
  "dev-not-listening": {
    severity: "error",
    message: "cannot listen: {reason}",
    hint: "Pass another port: --{option} 3001, or --{option} 0 for any free one.",
  },
} as const satisfies Record<string, CatalogueEntry>;
