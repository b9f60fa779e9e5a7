import type { CatalogueEntry } from "./catalogue-entry.js";

/** What can go wrong with projects that `mcpwright new` makes and `mcpwright update` merges into. */
export const projectDiagnostics = {
  "skeleton-name-invalid": {
    severity: "error",
    message: "{name} cannot be the name of a package: {reason}",
    hint: "Give another one with --name, for instance my-server or @my-scope/my-server.",
  },
  "skeleton-folder-is-file": {
    severity: "error",
    message: "{path} is a file, not a folder",
    hint: "Name another folder for the project.",
  },
  "skeleton-conflict": {
    severity: "error",
    message: "in {path}, these are in the way: {files}",
    hint: "Nothing was written. Choose another folder, or move them away.",
  },
  "skeleton-record-missing": {
    severity: "error",
    message: "{path} does not exist",
    hint: "Only what `mcpwright new` made can be updated, and only with this file. If it was deleted, restore it from the history of the project.",
  },
  "skeleton-record-malformed": {
    severity: "error",
    message: "{path} is not what mcpwright wrote: {reason}",
    hint: "Nothing was changed. Restore the file from the history of the project.",
  },
  "skeleton-newer": {
    severity: "error",
    message: "{path} was made by mcpwright {made}, and this is {version}",
    hint: "Nothing was changed. Update with that version or a later one: npx mcpwright@latest update.",
  },
  "skeleton-merge-conflict": {
    severity: "finding",
    message: "{path} was changed both by you and by mcpwright, in the same lines",
    hint: "Yours is untouched. {proposal} has both, marked: take from it what you want, then delete it.",
  },
  "skeleton-unresolved": {
    severity: "finding",
    message: "{path} was left alone, because {proposal} is still there",
    hint: "Take from it what you want, delete it, and update again.",
  },
  "skeleton-obstacle": {
    severity: "finding",
    message: "{path} was left alone: {at} is a link, or not what mcpwright made",
    hint: "Links are not followed. Put a file there, or delete it, and update again.",
  },
} as const satisfies Record<string, CatalogueEntry>;
