import type { CatalogueEntry } from "./catalogue-entry.js";

/** The diagnostics of extensions. */
export const extensionDiagnostics = {
  "extension-id-invalid": {
    severity: "error",
    message: '"{id}" is not the id of an extension',
    hint: 'Ids are a domain that you own, a slash and a name: "com.example/ranking".',
  },
  "extension-name-invalid": {
    severity: "error",
    message: '"{name}" cannot be the name of an extension\'s folder',
    hint: 'State a `name` in the overlay: lower-case words with hyphens between them, such as "ranking". Windows refuses names of devices, such as "aux".',
  },
  "extension-overlay-missing": {
    severity: "error",
    message: "{path} does not state the id of its extension, and has no overlay.json beside it",
    hint: 'Declare `export const EXTENSION_ID = "com.example/ranking";` in the schema, or write an overlay.json with `id` and `over`.',
  },
  "extension-id-differs": {
    severity: "error",
    message: "the schema states the id {stated}, and the overlay {id}",
    hint: "Make EXTENSION_ID in the schema and `id` in the overlay equal.",
  },
  "extension-role-differs": {
    severity: "error",
    message: "{method} is {type} in a role union of the schema, and {stated} in the overlay",
    hint: "Name the same type in both; the overlay needs the method only for facts that the schema does not state.",
  },
  "extension-unknown": {
    severity: "error",
    message: "mcpwright does not have the extension {id}",
    hint: "It has {known}. For another one, pass the path of its schema.",
  },
  "extension-ambiguous": {
    severity: "error",
    message: "{name} is the short name of several extensions",
    hint: "Pass one of their ids: {ids}.",
  },
  "extension-id-unstated": {
    severity: "error",
    message: "{path} {states}",
    hint: "Pass the id of the extension with --id, such as com.example/ranking.",
  },
  "extension-id-other": {
    severity: "error",
    message: "{path} is the schema of {declared}, not of {id}",
    hint: "Leave out --id, or correct the overlay beside the schema.",
  },
  "extension-source-unknown": {
    severity: "error",
    message: "mcpwright does not know where {id} was published",
    hint: "Pass the path or URL of its schema with --extension.",
  },
  "extension-not-generated": {
    severity: "error",
    message: "{path} is not the generated code of an extension: {reason}",
    hint: "Generate it with generate --extension <schema> --out <folder>, and pass <folder>/extensions/<name>.",
  },
  "extension-fact-assumed": {
    severity: "finding",
    message: "the new overlay assumes {fact}",
    hint: "A schema does not state such facts. Compare the overlay with the specification of the extension, and correct it.",
  },
  "extension-fact-open": {
    severity: "finding",
    message: "the new overlay does not state {fact}",
    hint: "Add it to the overlay if the specification of the extension says so; the page of overlays in the reference describes the keys.",
  },
  "extension-base-unknown": {
    severity: "error",
    message: "{id} cannot be laid over {revision}: its overlay states {over}",
    hint: "Pass one of these with --over, or add the revision to `over` in the overlay.",
  },
  "extension-base-lacks": {
    severity: "error",
    message: "revision {revision} does not have {part}, which the extension extends",
    hint: "Lay the extension over a revision that has it, or correct the overlay.",
  },
  "extension-name-collision": {
    severity: "error",
    message: "{name} is also a type of revision {revision}, and differs from it",
    hint: "Rename it, or import the type of the revision instead of declaring it again.",
  },
  "extension-import-differs": {
    severity: "error",
    message: "{name} of the imported file differs from the type {name} of revision {revision}",
    hint: "Leave out --import to use the types of the revision, or lay the extension over the schema that the file is a copy of.",
  },
  "extension-method-collision": {
    severity: "error",
    message: "{method} is also a method of revision {revision}",
    hint: "Rename the method; extensions usually prefix theirs with their name.",
  },
  "extension-tag-collision": {
    severity: "error",
    message: "the result tag {tag} has a meaning in revision {revision}",
    hint: "Use another tag for the result of the extension.",
  },
  "extension-type-missing": {
    severity: "error",
    message: "the overlay of {id} names the type {type}, which the schema does not declare or use",
    hint: "Correct the name in the overlay, or declare the type.",
  },
  "extension-member-missing": {
    severity: "error",
    message: "{type} does not declare the member {member}",
    hint: "Correct the overlay, or add the member to the type.",
  },
  "extension-method-mismatch": {
    severity: "error",
    message: "the overlay states {method} for {type}, which declares {declared}",
    hint: "Make the overlay and the `method` of the type equal.",
  },
  "extension-method-unstated": {
    severity: "error",
    message: "the overlay refers to the notification {method}, which it does not state",
    hint: "Add it to `notifications.server`.",
  },
  "extension-collision": {
    severity: "error",
    message: "{first} and {second} both have {part}",
    hint: "Generate them into different folders, or rename one of them.",
  },
} as const satisfies Readonly<Record<string, CatalogueEntry>>;
