import { bundleDiagnostics } from "./bundle-diagnostics.js";
import type { CatalogueEntry } from "./catalogue-entry.js";
import { compileDiagnostics } from "./compile-diagnostics.js";
import { devDiagnostics } from "./dev-diagnostics.js";
import { extensionDiagnostics } from "./extension-diagnostics.js";
import { gatewayDiagnostics } from "./gateway-diagnostics.js";
import { importDiagnostics } from "./import-diagnostics.js";
import { installDiagnostics } from "./install-diagnostics.js";
import { jsonDiagnostics } from "./json-diagnostics.js";
import { manifestDiagnostics } from "./manifest-diagnostics.js";
import { migrateDiagnostics } from "./migrate-diagnostics.js";
import { sessionDiagnostics } from "./session-diagnostics.js";
import { outputDiagnostics } from "./output-diagnostics.js";
import { openapiDiagnostics } from "./openapi-diagnostics.js";
import { projectDiagnostics } from "./project-diagnostics.js";

/**
 * The diagnostics of the generator by stable id.
 * `{name}` in a message or hint is replaced by the diagnostic's value of that name.
 */
export const catalogue = {
  ...bundleDiagnostics,
  ...compileDiagnostics,
  ...devDiagnostics,
  ...extensionDiagnostics,
  ...gatewayDiagnostics,
  ...importDiagnostics,
  ...installDiagnostics,
  ...jsonDiagnostics,
  ...manifestDiagnostics,
  ...migrateDiagnostics,
  ...outputDiagnostics,
  ...sessionDiagnostics,
  ...projectDiagnostics,
  ...openapiDiagnostics,
  "input-not-found": {
    severity: "error",
    message: "cannot read {path}: {reason}",
    hint: "Check the path or URL.",
  },
  "input-too-large": {
    severity: "error",
    message: "the schema has {bytes} bytes; the limit is {limit}",
    hint: "A protocol schema is well below 1 MB; check that this is the right file.",
  },
  "input-type-unknown": {
    severity: "error",
    message: "{path} is neither TypeScript (.ts) nor JSON (.json)",
    hint: "Pass a schema.ts, a .d.ts or a schema.json.",
  },
  "syntax-error": {
    severity: "error",
    message: "syntax error: {reason}",
    hint: "Correct the file. Nothing was generated.",
  },
  "unsupported-construct": {
    severity: "error",
    message: "{construct} is not part of the schema grammar",
    hint: 'Use interfaces, type aliases, enums, constants, generics, unions, intersections, arrays, literals, `text${string}`, T["member"], keyof, Record, Pick, Omit, Partial, Required or Readonly.',
  },
  "type-arguments": {
    severity: "error",
    message: "{name} takes {expected} type arguments, not {found}",
    hint: "Pass one type per parameter that has no default.",
  },
  "generic-unbounded": {
    severity: "error",
    message: "{name} needs too many types when its arguments are written out",
    hint: "A generic type that refers to itself must pass on its parameters unchanged; others must not be nested as deeply.",
  },
  "member-unknown": {
    severity: "error",
    message: "{type} has no member {name}",
    hint: "Correct the name of the member.",
  },
  "member-never": {
    severity: "error",
    message: "{member} of {owner} is required, but no value has its type",
    hint: "Make it optional: then it must be absent. Or give it another type.",
  },
  "duplicate-declaration": {
    severity: "error",
    message: "{name} is declared twice; the first declaration is at {first}",
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
    hint: "A definition's name must be a TypeScript identifier and not a reserved word.",
  },
  "name-collision": {
    severity: "error",
    message: "the derived name {name} is already declared",
    hint: "It is derived from {owner}. Rename one of them; if you cannot change the schema, rename it in the overlay under `names`.",
  },
  "unresolved-reference": {
    severity: "error",
    message: "{name} is not declared in this schema",
    hint: "Declare it, import it or correct the spelling.",
  },
  "wrong-reference": {
    severity: "error",
    message: "{name} is of kind {kind}, which is not allowed here",
    hint: "Extend and Omit take interfaces; typeof takes a constant.",
  },
  "cyclic-extends": {
    severity: "error",
    message: "{name} extends itself: {path}",
    hint: "Break the cycle.",
  },
  "cyclic-operand": {
    severity: "error",
    message: "an operator such as Omit needs the members of {name} to read {name}: {path}",
    hint: "Declare the members that it needs as a type of their own, and let both refer to that type.",
  },
  "cyclic-alias": {
    severity: "error",
    message: "{name} is an alias of itself: {path}",
    hint: "A recursive type needs an object, array or record between its name and the reference to it.",
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
    hint: "The generator reads the direction of each message from the role unions and cannot build method tables without them.",
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
  "intersection-empty": {
    severity: "error",
    message: "no value has all types of an intersection in {owner}",
    hint: "Remove one of its types, or change it.",
  },
  "operand-not-object": {
    severity: "error",
    message: "a base or an operand in {owner} is not an object type",
    hint: "Only object types have members: extend them, or apply Omit, Pick, Partial, Required or keyof to them.",
  },
  "revision-unknown": {
    severity: "error",
    message: "unknown revision {revision}; known revisions: {known}",
    hint: "Use a known revision. For a revision of your own, pass its schema to generate, model, explain or validate with --schema.",
  },
  "revision-unstated": {
    severity: "error",
    message: "{path} does not declare its revision",
    hint: "Pass the revision id with --revision.",
  },
  "revision-invalid": {
    severity: "error",
    message: "{revision} is not a valid revision id",
    hint: "Use letters, digits, dots, underscores and hyphens, starting with a letter or digit. The name of another output file is not allowed.",
  },
  "revision-or-file-unknown": {
    severity: "error",
    message: "{name} is neither a known revision nor a schema file; known revisions: {known}",
    hint: "Pass a known revision, or the path or URL of a schema.ts, schema.json or model.json.",
  },
  "model-malformed": {
    severity: "error",
    message: "{path} cannot be compared: {reason}",
    hint: "Print the model again with `mcpwright model`, or pass the schema.ts.",
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
    message: "{path} exists and is not a report of mcpwright",
    hint: "The file was not overwritten. Move it away, or pass another path with --out.",
  },
  "ignore-malformed": {
    severity: "error",
    message: "{reason}",
    hint: 'An ignore list is [{ "rule": "member-added", "at": "Tool.*", "reason": "why" }]; the rules are listed in docs/reference/revisions/rules.md.',
  },
  "vendor-not-typescript": {
    severity: "error",
    message: "{path} is not a schema.ts: {reason}",
    hint: "Pass the path or URL of the raw schema.ts of the specification's repository with --from.",
  },
  "vendor-not-schema": {
    severity: "error",
    message: "{path} looks like a web page",
    hint: "Pass the path or URL of the raw schema file with --extension.",
  },
  "vendor-other-revision": {
    severity: "error",
    message: "{path} declares revision {declared}, not {revision}",
    hint: "Vendor it as {declared} with --from {path}, or pass another file.",
  },
  "vendor-target-refused": {
    severity: "error",
    message: "{path} cannot be the schema folder: {reason}",
    hint: "Choose another folder with --to.",
  },
  "vendor-foreign": {
    severity: "error",
    message: "{path} differs from the vendored file",
    hint: "The file was not overwritten. Move it away, or choose another folder with --to. Put facts that the schema does not state into an overlay.json beside it.",
  },
  "pin-mismatch": {
    severity: "error",
    message: "{path} differs from the {revision} that mcpwright pins: {changes}",
    hint: "Nothing was written. Published revisions do not change, so check where the file comes from. For a schema of your own, use generate --schema.",
  },
  "pin-changed": {
    severity: "error",
    message: "{path} differs from the {revision} that {pins} pins: {changes}",
    hint: "Nothing was overwritten. To accept the new file, remove the vendored schema.ts and its pin, then vendor again.",
  },
  "pins-malformed": {
    severity: "error",
    message: "{path} is not a valid pins file: {reason}",
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
    hint: "docs.json maps a type and a member path to a string, or to strings by revision.",
  },
  "overlay-base-unknown": {
    severity: "error",
    message: "extends {base}, which has no overlay or extends this one",
    hint: "Extend one of {known}.",
  },
  "overlay-stale": {
    severity: "error",
    message: "{entry} matches nothing in the schema",
    hint: "Remove the entry or correct its key.",
  },
  "overlay-redundant": {
    severity: "error",
    message: "{entry} repeats a fact that the schema states",
    hint: "Remove the entry.",
  },
  "schema-json-lossy": {
    severity: "finding",
    message: "{path} is a JSON Schema and lacks declarations of {revision}: constants, including error codes {lost}",
    hint: "Numbers may appear as integers, and null and open values may be missing as well. Generate from the schema.ts instead.",
  },
  "draft-revision": {
    severity: "finding",
    message: "{revision} is a draft and may change at any time",
    hint: "Use it for experiments, and generate again when it is published. Until then, `latestRevision` and the sides list published revisions first.",
  },
  "capability-unstated": {
    severity: "finding",
    message: "no overlay states which capability {method} (sent by the {side}) needs",
    hint: "Add it to the overlay under methods.{side}; until then no capability is required.",
  },
  "capability-unknown": {
    severity: "finding",
    message: "no overlay mentions the new capability {path} of the {side}",
    hint: "Add it to the overlay under capabilities.{side}, and to the methods that need it.",
  },
  "result-alternative-unstated": {
    severity: "finding",
    message: "{request} also has the results {alternatives}, and no overlay states how to distinguish them",
    hint: "Add the member that distinguishes the results, and its values, to the overlay under resultTag. Until then, only the method's own result is read.",
  },
  "pages-unstated": {
    severity: "finding",
    message: "{result} is a page with several lists ({members}); no overlay states which list contains the items",
    hint: "Add it to the overlay under methods, as `pages`. Until then, no iterator is generated.",
  },
  "in-band-unstated": {
    severity: "finding",
    message: "{union} lists messages that no side sends as requests: {messages}",
    hint: "If they are embedded in results, add this union to the overlay under inBand, with the union of their responses. Until then, they are generated as types without methods.",
  },
  "error-code-unstated": {
    severity: "finding",
    message: "no overlay states the meaning of error {code} ({name})",
    hint: "Add it to the overlay under errors.",
  },
  "deprecation-unstated": {
    severity: "finding",
    message: "{name} is deprecated, but its replacement is not stated",
    hint: "Add it to the overlay under deprecated.",
  },
  "profile-unstated": {
    severity: "finding",
    message: "no overlay states the profile field {field}",
    hint: "Add it to the overlay under profile. Until then, the field is absent.",
  },
  "profile-inherited": {
    severity: "finding",
    message: "revision {revision} has no overlay of its own; it inherits {count} profile fields from {base}",
    hint: "Read the specification's changelog, then write an overlay.json beside the schema. An empty overlay with `extends` confirms the inherited fields.",
  },
  "authorization-unstated": {
    severity: "finding",
    message: "the overlays state some authorization fields, but not {field}",
    hint: "Add it to the overlay under authorization. Until then, authorization.ts has no row for the revision.",
  },
  "conversion-unstated": {
    severity: "finding",
    message: "{at} of {from} {problem}: no overlay states how to convert it to {to}",
    hint: "Add it to the overlay of {overlay} under conversions.{direction}, as fill, drop, substitute, function or unsupported. Until then, messages that contain it are not converted.",
  },
  "conversion-hole-missing": {
    severity: "error",
    message:
      "the overlay names the function {name} for {at}, but neither conversions/ beside the overlay nor {path} of mcpwright contains it",
    hint: "Write the file, such as conversions/cut-off.ts for cutOff, with one exported function of that name. It may import only other files of the folder.",
  },
  "conversion-hole-repeated": {
    severity: "error",
    message: "the function {name} in conversions/ beside the overlay of {revision} has the name of another function",
    hint: "All revisions of an output share one file of conversion functions: rename this one.",
  },
  "conversion-hole-differs": {
    severity: "finding",
    message: "the function {name} of {revision} differs from that of {other}, which is used for both",
    hint: "All revisions of an output share one file of conversion functions. If you changed both, generate the other revision again; otherwise rename one of them.",
  },
} as const satisfies Record<string, CatalogueEntry>;

export type DiagnosticId = keyof typeof catalogue;
