import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of `mcpwright new` and `mcpwright update`. */
export const projectDiagnostics = {
  "skeleton-name-invalid": {
    severity: "error",
    message: "{name} is not a valid package name: {reason}",
    hint: "Pass another one with --name, for example my-server or @my-scope/my-server.",
  },
  "skeleton-options-invalid": {
    severity: "error",
    message: "{options} are not valid options of a project",
    hint: "Pass a `start` that `mcpwright new --list` lists, and only options that apply to it.",
  },
  "skeleton-folder-is-file": {
    severity: "error",
    message: "{path} is a file, not a folder",
    hint: "Choose another folder for the project.",
  },
  "skeleton-conflict": {
    severity: "error",
    message: "{path} already contains {files}",
    hint: "Nothing was written. Choose another folder, or move these files away.",
  },
  "skeleton-record-missing": {
    severity: "error",
    message: "{path} does not exist",
    hint: "Only projects created by `mcpwright new` can be updated, and only with this file. If it was deleted, restore it from version control.",
  },
  "skeleton-record-malformed": {
    severity: "error",
    message: "{path} is not a valid mcpwright file: {reason}",
    hint: "Nothing was changed. Restore the file from version control.",
  },
  "skeleton-newer": {
    severity: "error",
    message: "{path} was written by mcpwright {made}, which is newer than this version ({version})",
    hint: "Nothing was changed. Update with that version or a later one: npx mcpwright@latest update.",
  },
  "skeleton-merge-conflict": {
    severity: "finding",
    message: "{path} was changed by you and by mcpwright in the same lines",
    hint: "Your file was not changed. {proposal} contains both versions, with conflict markers: copy the lines you want to keep, then delete it.",
  },
  "skeleton-unresolved": {
    severity: "finding",
    message: "{path} was skipped, because {proposal} still exists",
    hint: "Copy the lines you want to keep, delete {proposal}, and update again.",
  },
  "skeleton-obstacle": {
    severity: "finding",
    message: "{path} was skipped: {at} is a link, or was not created by mcpwright",
    hint: "Links are not followed. Replace it with a file, or delete it, and update again.",
  },
} as const satisfies Record<string, CatalogueEntry>;
