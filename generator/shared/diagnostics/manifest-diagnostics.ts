import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of `mcpwright manifest`. */
export const manifestDiagnostics = {
  "manifest-no-project": {
    severity: "error",
    message: "{path} {reason}",
    hint: "Run the command in the folder of a server, or pass its folder.",
  },
  "manifest-fact-missing": {
    severity: "error",
    message: '{path} has no usable "{key}", which the registry requires',
    hint: 'Add it, for example: npm pkg set {key}="{example}"',
  },
  "manifest-no-name": {
    severity: "error",
    message: "the server has no name in the registry",
    hint: 'Add it to {path}: npm pkg set mcpName="{example}", or pass it with --name. io.github.<owner>/ needs a log-in at GitHub as that user or organization; com.example/ needs a proof that you own example.com.',
  },
  "manifest-description-long": {
    severity: "error",
    message: "the description in {path} has {length} characters; the registry allows {most}",
    hint: "Shorten it, or pass a shorter one with --description.",
  },
  "manifest-nothing": {
    severity: "error",
    message: "there is nothing to install or connect to: {path} is private",
    hint: 'Remove "private" to publish the package at npm, or pass a bundle with --mcpb, or the URL of a public server with --url.',
  },
  "manifest-remote-private": {
    severity: "error",
    message: "{url} is not the URL of a public server",
    hint: "The registry accepts https URLs with a public host name. For a package that serves over HTTP on the machine of the user, pass --http.",
  },
  "manifest-invalid": {
    severity: "error",
    message: "{path} would be invalid by the schema of {version}: {place} {problem}",
    hint: "Nothing was written. Correct the package.json, the options, or that member of the file.",
  },
  "manifest-unreadable": {
    severity: "error",
    message: "{path} {reason}",
    hint: "Nothing was written. Correct the file or its permissions, or choose another one.",
  },
  "manifest-private": {
    severity: "finding",
    message: "{path} is private, so the entry has no npm package",
    hint: 'Remove "private" if you publish it at npm.',
  },
  "manifest-name-unproved": {
    severity: "finding",
    message: "{path} does not prove that the package is that of {name} (mcpName: {found})",
    hint: 'Before you publish the package at npm, run: npm pkg set mcpName="{name}". Otherwise the registry rejects the entry.',
  },
  "manifest-no-entry": {
    severity: "error",
    message: "{path} does not say which file starts the server",
    hint: 'Build the project, add "bin" to it, or pass the command: mcpwright manifest --tools -- node path/to/main.js',
  },
  "manifest-not-built": {
    severity: "error",
    message: "{path}, which starts the server, does not exist",
    hint: "Build the project first, or pass another command after --.",
  },
  "manifest-lock-missing": {
    severity: "error",
    message: "{path} does not exist",
    hint: "Write it first, without --check.",
  },
  "manifest-lock-invalid": {
    severity: "error",
    message: "{path} cannot be used: {reason}",
    hint: "Review what the server lists, and write the file again without --check.",
  },
  "manifest-list-invalid": {
    severity: "error",
    message: "the lists of the server cannot be locked: {reason}",
    hint: "Nothing was written. Correct the server.",
  },
} as const satisfies Record<string, CatalogueEntry>;
