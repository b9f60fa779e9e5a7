import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of `mcpwright install`. */
export const installDiagnostics = {
  "install-config-unreadable": {
    severity: "error",
    message: "cannot read {path}: {reason}",
    hint: "Nothing was changed. Correct the path or its permissions.",
  },
  "install-config-syntax": {
    severity: "error",
    message: "invalid configuration: {reason}",
    hint: "Nothing was changed. Correct the file and run the command again.",
  },
  "install-config-shape": {
    severity: "error",
    message: "{what} must be {expected}",
    hint: "Nothing was changed. Correct the file and run the command again.",
  },
  "install-config-repeated": {
    severity: "error",
    message: '"{name}" occurs twice; first in line {line}',
    hint: "Nothing was changed. Remove one of them and run the command again.",
  },
  "install-config-read-only": {
    severity: "error",
    message: "{path} is read-only",
    hint: "Nothing was changed. If no other program manages the file, make it writable and run the command again.",
  },
  "install-config-changed": {
    severity: "error",
    message: "another program changed {name} in {path} at the same time",
    hint: "Nothing was changed. Run the command again to see the new state.",
  },
  "install-host-missing": {
    severity: "error",
    message: "no host was found on this machine",
    hint: "Name one: {hosts}. Its file is created if needed.",
  },
  "install-scope-missing": {
    severity: "error",
    message: "{host} has no servers of projects",
    hint: "Omit --project.",
  },
  "install-no-project": {
    severity: "error",
    message: "{path} {reason}",
    hint: "Run the command in the folder of a server, or pass a command after --, or --url.",
  },
  "install-no-entry": {
    severity: "error",
    message: "{path} does not say which file starts the server",
    hint: 'Add "bin" to it, or pass the command: mcpwright install --name a-name -- node path/to/main.js',
  },
  "install-not-built": {
    severity: "error",
    message: "{path}, which starts the server, does not exist",
    hint: "Build the project first, correct the path of --dev, or pass another command after --.",
  },
  "install-name-invalid": {
    severity: "error",
    message: "{name} cannot be the name of a server: use 1 to 64 letters, digits, hyphens and underscores",
    hint: "Pass another one with --name.",
  },
  "install-variable-kept": {
    severity: "error",
    message: "{host} cannot refer to the variable {name} of its environment",
    hint: "Pass {name}=value to write the value into {path}, or run the command on a terminal, which asks for it.",
  },
} as const satisfies Record<string, CatalogueEntry>;
