import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of `mcpwright migrate`. */
export const migrateDiagnostics = {
  "migrate-no-package": {
    severity: "error",
    message: "{path} does not exist, or is not a file",
    hint: "Pass the folder of a package: mcpwright migrate path/to/project.",
  },
  "migrate-package-invalid": {
    severity: "error",
    message: "not a valid package.json: {reason}",
    hint: "Nothing was changed. Correct the file and run the command again.",
  },
  "migrate-workspace-invalid": {
    severity: "error",
    message: "cannot read {path}: {reason}",
    hint: "Nothing was changed. Correct the file and run the command again.",
  },
  "migrate-no-sdk": {
    severity: "error",
    message: "{path} does not use the official SDK: no package.json and no lockfile names one of its packages",
    hint: "Pass the folder of a package that depends on @modelcontextprotocol/sdk, /server or /client. In a monorepo, pass its root, or one package.",
  },
  "migrate-no-git": {
    severity: "error",
    message: "{path} is not in a git repository: {reason}",
    hint: "Nothing was changed. Commit the project first, so that you can see and undo the changes, or pass --force. --dry-run shows them.",
  },
  "migrate-dirty": {
    severity: "error",
    message: "{path} has changes that are not committed: {files}",
    hint: "Nothing was changed. Commit or stash them first, so that you can see and undo the changes of migrate, or pass --force. --dry-run shows them.",
  },
  "migrate-changed": {
    severity: "error",
    message: "{path} was changed by another program during the run",
    hint: "Nothing was changed. Run the command again.",
  },
  "migrate-unparsable": {
    severity: "error",
    message: "cannot parse this file: {reason}",
    hint: "Nothing was changed. Correct the file and run the command again.",
  },
  "migrate-range-kept": {
    severity: "finding",
    message: '{path}: {name} has the specifier "{range}", which is not a range of versions',
    hint: "It was not changed. To use mcpwright, replace it with {alias}.",
  },
  "migrate-peer-kept": {
    severity: "finding",
    message: "{path}: {name} is only a peer dependency",
    hint: "It was not changed: the application that installs this package chooses. For your own tests, add the devDependency {alias}.",
  },
  "migrate-override-kept": {
    severity: "finding",
    message: "{path}: {section} already contains an entry of {name} that is not a range",
    hint: "It was not changed. Packages that depend on {name} get compat with {alias}.",
  },
  "migrate-pnpm-overrides": {
    severity: "finding",
    message: "{path}: pnpm reads the overrides from this file",
    hint: "It was not changed. Add under `overrides`: {lines}.",
  },
  "migrate-file-skipped": {
    severity: "finding",
    message: "{path} was skipped: {reason}",
    hint: "Migrate it by hand if it uses the official SDK.",
  },
} as const satisfies Record<string, CatalogueEntry>;
