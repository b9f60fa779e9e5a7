import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of `mcpwright bundle`. */
export const bundleDiagnostics = {
  "bundle-no-project": {
    severity: "error",
    message: "{path} {reason}",
    hint: "Run the command in the folder of a server, or pass its folder.",
  },
  "bundle-fact-missing": {
    severity: "error",
    message: '{path} has no usable "{key}", which every bundle has',
    hint: 'Add it, for example: npm pkg set {key}="{example}"',
  },
  "bundle-author-missing": {
    severity: "finding",
    message: '{path} has no usable "author", so hosts show "{author}"',
    hint: 'Before you pass the bundle on, add it: npm pkg set author="Your Name"',
  },
  "bundle-no-entry": {
    severity: "error",
    message: "{path} does not say which file starts the server",
    hint: 'Build the project, add "bin" to it, or pass the file, also a source: mcpwright bundle --entry src/main.ts',
  },
  "bundle-not-built": {
    severity: "error",
    message: "{path}, which starts the server, does not exist",
    hint: "Build the project first, or pass another file with --entry, for example the source: --entry src/main.ts",
  },
  "bundle-entry-outside": {
    severity: "error",
    message: "{path}, which starts the server, is not inside of {folder}",
    hint: "Pass a file of the project with --entry.",
  },
  "bundle-esbuild-missing": {
    severity: "error",
    message: "bundles are made with esbuild, which is not installed",
    hint: "Run npm install --save-dev esbuild in {folder}.",
  },
  "bundle-failed": {
    severity: "error",
    message: "{reason}",
    hint: "{remedy} Nothing was written.",
  },
  "bundle-native-module": {
    severity: "error",
    message: "{name} has native code, which cannot be in one file with the rest (imported in {importer})",
    hint: "Add its files with --include node_modules/{name}, and those of the packages that it needs. The bundle then runs on this platform only.",
  },
  "bundle-include-unusable": {
    severity: "error",
    message: "{path} of --include or --icon {reason}",
    hint: "Pass files and folders of the project. Nothing was written.",
  },
  "bundle-not-started": {
    severity: "error",
    message: "the bundle was started in an empty folder{note}, and did not answer",
    hint: "Set the variables that the server needs and name them with --env or --secret, add files that it reads with --include, or pass --no-start to bundle it without trying. Nothing was written.",
  },
  "bundle-own-place": {
    severity: "finding",
    message: "{name} uses the place of its own file, which is another one in the bundle ({input})",
    hint: "If it reads files at run time, call what reads them and see that it works; a package can be added as it is with --include node_modules/<name>.",
  },
} as const satisfies Record<string, CatalogueEntry>;
