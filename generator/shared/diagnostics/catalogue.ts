import type { CatalogueEntry } from "./catalogue-entry.js";
import { compileDiagnostics } from "./compile-diagnostics.js";
import { sessionDiagnostics } from "./session-diagnostics.js";
import { projectDiagnostics } from "./project-diagnostics.js";

/**
 * The error catalogue: every message the generator can print, by stable id.
 * `{name}` in a pattern is filled from the diagnostic's values.
 */
export const catalogue = {
  ...compileDiagnostics,
  ...sessionDiagnostics,
  ...projectDiagnostics,
  "input-not-found": {
    severity: "error",
    message: "cannot read {path}: {reason}",
    hint: "Check the path or URL.",
  },
  "input-too-large": {
    severity: "error",
    message: "the schema has {bytes} bytes; at most {limit} are read",
    hint: "A protocol schema is well below 1 MB; check that this is the right file.",
  },
  "input-type-unknown": {
    severity: "error",
    message: "{path} is neither TypeScript (.ts) nor JSON (.json)",
    hint: "Give a schema.ts, a .d.ts or a schema.json.",
  },
  "syntax-error": {
    severity: "error",
    message: "syntax error: {reason}",
    hint: "Correct the file; nothing was generated.",
  },
  "unsupported-construct": {
    severity: "error",
    message: "{construct} is not part of the schema grammar",
    hint: 'Use interfaces, type aliases, constants, unions, intersections, arrays, literals, Record<string, T> or Omit<X, "k">.',
  },
  "duplicate-declaration": {
    severity: "error",
    message: "{name} is declared twice; first at {first}",
    hint: "Remove or rename one of them.",
  },
  "duplicate-member": {
    severity: "error",
    message: "member {name} is declared twice in {owner}",
    hint: "Remove one of them.",
  },
  "name-case-collision": {
    severity: "error",
    message: "{name} and {other} differ only in case",
    hint: "Such names collide on case-insensitive file systems; rename one of them.",
  },
  "name-not-identifier": {
    severity: "error",
    message: "{name} cannot be a type name",
    hint: "A definition's name has to be a TypeScript identifier that is not a reserved word.",
  },
  "name-collision": {
    severity: "error",
    message: "the derived name {name} is already a declaration",
    hint: "It is derived from {owner}; rename one of them. What is not yours to change gets another name in the overlay, under `names`.",
  },
  "unresolved-reference": {
    severity: "error",
    message: "{name} is not declared in this schema",
    hint: "Declare it, or correct the spelling; imports are not followed.",
  },
  "wrong-reference": {
    severity: "error",
    message: "{name} cannot stand here, being of kind {kind}",
    hint: "Extend and Omit take interfaces; typeof takes a constant.",
  },
  "cyclic-extends": {
    severity: "error",
    message: "{name} extends itself: {path}",
    hint: "Break the cycle.",
  },
  "cyclic-alias": {
    severity: "error",
    message: "{name} is an alias of itself: {path}",
    hint: "A recursive type needs an object, array or record between its name and itself.",
  },
  "member-conflict": {
    severity: "error",
    message: "{member} of {owner} has one type in {first} and another in {second}",
    hint: "Give it one type; where bases differ, redeclare it in {owner}.",
  },
  "role-member-not-message": {
    severity: "error",
    message: "{member} in {role} is not a message: it has no literal `method`",
    hint: "A role union lists requests or notifications, each with a literal method.",
  },
  "role-method-repeated": {
    severity: "error",
    message: "{first} and {second} in {role} have the same method {method}",
    hint: "Members of a role union must differ in `method`.",
  },
  "role-missing": {
    severity: "error",
    message: "the schema has none of the role unions {roles}",
    hint: "Direction is taken from the role unions; without them no method table can be made.",
  },
  "json-malformed": {
    severity: "error",
    message: "not valid JSON: {reason}",
    hint: "The file may be truncated; fetch it again.",
  },
  "json-not-schema": {
    severity: "error",
    message: "no `definitions` or `$defs` object found",
    hint: "Give a JSON Schema of the protocol (draft-07 `definitions` or 2020-12 `$defs`).",
  },
  "json-unsupported-keyword": {
    severity: "error",
    message: "keyword {keyword} at {pointer} is not part of the schema grammar",
    hint: "Supported: $ref, type, const, enum, properties, required, additionalProperties, items, anyOf, allOf, format and bounds.",
  },
  "json-invalid-keyword": {
    severity: "error",
    message: "{keyword} at {pointer} must be {expected}",
    hint: "Correct the schema.",
  },
  "json-remote-reference": {
    severity: "error",
    message: "$ref {reference} at {pointer} leaves the file",
    hint: "References must point into the file's own definitions; nothing is fetched.",
  },
  "json-too-deep": {
    severity: "error",
    message: "schemas nest deeper than {limit} levels at {pointer}",
    hint: "A protocol schema nests less than ten levels; check that this is the right file.",
  },
  "result-missing": {
    severity: "error",
    message: "no result type found for {request}",
    hint: "Declare {expected}, or name the result in the overlay under `results`.",
  },
  "params-not-object": {
    severity: "error",
    message: "the params of {message} are not an object type",
    hint: "JSON-RPC params of MCP messages are objects; declare an interface.",
  },
  "intersection-not-object": {
    severity: "error",
    message: "an intersection in {owner} joins something that is not an object type",
    hint: "Intersections may join interfaces and object literals only.",
  },
  "revision-unknown": {
    severity: "error",
    message: "unknown revision {revision}; known are {known}",
    hint: "Use one of them, or give a schema file with --schema.",
  },
  "revision-unstated": {
    severity: "error",
    message: "{path} does not say which revision it is",
    hint: "Give its id with --revision.",
  },
  "revision-invalid": {
    severity: "error",
    message: "{revision} cannot be a revision id",
    hint: "Use letters, digits, dots, underscores and hyphens, beginning with a letter or digit; not the name of another file of the output.",
  },
  "revision-or-file-unknown": {
    severity: "error",
    message: "{name} is neither a revision nor a schema; known are {known}",
    hint: "Name one of them, or the path or URL of a schema.ts, schema.json or model.json.",
  },
  "model-malformed": {
    severity: "error",
    message: "{path} cannot be compared: {reason}",
    hint: "Print it again with `mcpwright model`, or name the schema.ts.",
  },
  "name-unknown": {
    severity: "error",
    message: "{name} is neither a type nor a method of any revision",
    hint: "{hint}",
  },
  "name-not-in-revision": {
    severity: "error",
    message: "{name} is not in {revision}",
    hint: "It is in {revisions}.",
  },
  "report-foreign": {
    severity: "error",
    message: "{path} is no report of mcpwright",
    hint: "It is not overwritten: move it away, or name another file with --out.",
  },
  "ignore-malformed": {
    severity: "error",
    message: "{reason}",
    hint: 'An ignore list is [{ "rule": "member-added", "at": "Tool.*", "reason": "why" }]; the rules are listed in docs/reference/revisions/rules.md.',
  },
  "vendor-not-typescript": {
    severity: "error",
    message: "{path} is not a schema.ts: {reason}",
    hint: "Name the raw schema.ts of the specification's repository, as a file or a URL, with --from.",
  },
  "vendor-other-revision": {
    severity: "error",
    message: "{path} says that it is {declared}, not {revision}",
    hint: "Vendor it as {declared} with --from {path}, or name another file.",
  },
  "vendor-target-refused": {
    severity: "error",
    message: "{path} cannot be the schema folder: {reason}",
    hint: "Choose another folder with --to.",
  },
  "vendor-foreign": {
    severity: "error",
    message: "{path} is not what was vendored",
    hint: "It is not overwritten: move it away, or choose another folder with --to. What the schema does not say belongs in an overlay.json beside it.",
  },
  "pin-mismatch": {
    severity: "error",
    message: "{path} is not the {revision} that mcpwright knows: {changes}",
    hint: "Nothing was written. Published revisions do not change: check where the file comes from. A schema of your own is for generate --schema.",
  },
  "pin-changed": {
    severity: "error",
    message: "{path} is no longer the {revision} that {pins} pins: {changes}",
    hint: "Nothing was overwritten. To take the new text, remove the vendored schema.ts and its pin, then vendor again.",
  },
  "pins-malformed": {
    severity: "error",
    message: "{path} does not hold pins: {reason}",
    hint: "Restore the file, or choose another folder with --to.",
  },
  "overlay-malformed": {
    severity: "error",
    message: "{reason}",
    hint: "See the overlay format in docs/reference/overlay.md.",
  },
  "docs-malformed": {
    severity: "error",
    message: "{reason}",
    hint: "docs.json maps a type and a member path to a text, or to texts by revision.",
  },
  "overlay-base-unknown": {
    severity: "error",
    message: "extends {base}, which has no overlay or leads back here",
    hint: "Extend one of {known}.",
  },
  "overlay-stale": {
    severity: "error",
    message: "{entry} matches nothing in the schema",
    hint: "Remove the entry or correct its key.",
  },
  "overlay-redundant": {
    severity: "error",
    message: "{entry} repeats what the schema says",
    hint: "Remove the entry.",
  },
  "output-is-file": {
    severity: "error",
    message: "{path} is a file, not a folder",
    hint: "Choose another folder with --out.",
  },
  "output-foreign": {
    severity: "error",
    message: "{path} holds files that were not generated: {files}",
    hint: "Choose an empty folder, or move those files away.",
  },
  "manifest-malformed": {
    severity: "error",
    message: "{path}, the list of the generated files, cannot be read any more",
    hint: "A merge may have left both sides in it. Restore it from version control, or delete its folder and generate again.",
  },
  "manifest-newer": {
    severity: "error",
    message: "{path} was written by mcpwright {generator}, in a format that this version does not know",
    hint: "Use that version or a later one; or choose another folder with --out.",
  },
  "file-foreign": {
    severity: "error",
    message: "{path} is there already, and was not made by mcpwright {maker}",
    hint: "It is not overwritten: move it away, or choose another file with --out.",
  },
  "file-not-readable": {
    severity: "error",
    message: "cannot read {path}: {reason}",
    hint: "Choose another file with --out.",
  },
  "output-edited": {
    severity: "error",
    message: "{path} was changed by hand since it was generated",
    hint: "It is not overwritten: delete or restore it first. {source}",
  },
  "output-not-writable": {
    severity: "error",
    message: "cannot write {path}: {reason}",
    hint: "Nothing was changed. See that the folder is there, can be written and has space left, and run again.",
  },
  "output-half-written": {
    severity: "error",
    message: "cannot write {path}: {reason}; and not every file could be put back",
    hint: "Run again as soon as the folder can be written: that repairs it.",
  },
  "output-incomplete": {
    severity: "error",
    message: "{path} lists revision {revision}, but its model.json is missing or unreadable",
    hint: "Generate that revision again: with `model` if you use --only, and with --schema if it was made of a schema of your own.",
  },
  "output-drift": {
    severity: "finding",
    message: "{path} differs from what the schema gives",
    hint: "Run generate without --check.",
  },
  "schema-json-lossy": {
    severity: "finding",
    message:
      "{path} is a JSON Schema, which has lost what {revision} declares: constants, among them error codes {lost}",
    hint: "Numbers may stand there as integers, null and open values may be missing, too. Generate from its schema.ts instead.",
  },
  "draft-revision": {
    severity: "finding",
    message: "{revision} is a draft, which may change at any time",
    hint: "Use it to try things out, and generate again when it is published; until then `latestRevision` and the sides put published revisions first.",
  },
  "capability-unstated": {
    severity: "finding",
    message: "no overlay says which capability {method} (sent by the {side}) needs",
    hint: "Add it to the overlay under methods.{side}; until then no capability is required.",
  },
  "capability-unknown": {
    severity: "finding",
    message: "capability {path} of the {side} is new: no overlay mentions it",
    hint: "Add it to the overlay under capabilities.{side}, and to the methods that need it.",
  },
  "result-alternative-unstated": {
    severity: "finding",
    message: "{request} may also be answered by {alternatives}, and no overlay says how to tell",
    hint: "Add it to the overlay under resultTag: the member that tells results apart, and its values; until then only the method's own result is read.",
  },
  "pages-unstated": {
    severity: "finding",
    message: "{result} is a page with several lists: {members}; no overlay says which one holds the items",
    hint: "Add it to the overlay under methods, as `pages`; until then there is no iterator over them.",
  },
  "in-band-unstated": {
    severity: "finding",
    message: "{union} lists messages that no side sends by themselves: {messages}",
    hint: "If they travel inside results, name this union in the overlay under inBand, with the union of their answers; until then they are types and no methods.",
  },
  "error-code-unstated": {
    severity: "finding",
    message: "no overlay says what error {code} ({name}) means",
    hint: "Add it to the overlay under errors.",
  },
  "deprecation-unstated": {
    severity: "finding",
    message: "{name} is deprecated, but nothing says what to use instead",
    hint: "Add it to the overlay under deprecated.",
  },
  "profile-unstated": {
    severity: "finding",
    message: "no overlay states the profile field {field}",
    hint: "Add it to the overlay under profile; until then the field is absent.",
  },
  "profile-inherited": {
    severity: "finding",
    message: "revision {revision} has no overlay of its own; {count} profile fields are those of {base}",
    hint: "Read the specification's changelog, then write an overlay.json beside the schema (an empty one with `extends` confirms them).",
  },
  "conversion-unstated": {
    severity: "finding",
    message: "{at} of {from} {problem}: nothing says how it becomes a value of {to}",
    hint: "Add it to the overlay of {overlay} under conversions.{direction}, as fill, drop, substitute, function or unsupported; until then messages with it are not converted.",
  },
  "conversion-hole-missing": {
    severity: "error",
    message:
      "the overlay names a function {name} for {at}, which is neither in conversions/ beside it nor in mcpwright's {path}",
    hint: "Write the file, such as conversions/cut-off.ts for cutOff: one exported function of that name, which imports nothing but others of the folder.",
  },
  "conversion-hole-repeated": {
    severity: "error",
    message: "the function {name} of conversions/ beside the overlay of {revision} is called like another one",
    hint: "All revisions of an output share one file of such functions: give it a name of its own.",
  },
  "conversion-hole-differs": {
    severity: "finding",
    message: "the function {name} of {revision} is not that of {other}, which stands in its place for both",
    hint: "All revisions of an output share one file of such functions. If you have changed both, generate the other revision again, too; else give one of them a name of its own.",
  },
} as const satisfies Record<string, CatalogueEntry>;

export type DiagnosticId = keyof typeof catalogue;
