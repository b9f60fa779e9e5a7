import { join } from "node:path";
import { compile, type JSONSchema } from "json-schema-to-typescript";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { emitJsonSchema } from "../../generator/pipeline/emit/json-schema.js";
import { emitRevision } from "../../generator/pipeline/emit/revision-files.js";
import type { ProtocolModel } from "../../generator/shared/model/protocol.js";
import { packageRoot } from "../../generator/shared/package-root.js";
import { createRenderer } from "../../generator/pipeline/render/render.js";
import { readModel } from "../../generator/pipeline/read-model.js";
import { knownRevisions, readDocsText, readKnown, readOverlays } from "../../generator/shared/sources/schema-folder.js";

/**
 * An independent witness: json-schema-to-typescript converts our schema.json to types, and the compiler must find each
 * of them identical to the one in types.ts. An error in only one of the two outputs is noticed.
 */
const revisions = knownRevisions();
const files = new Map<string, string>();
const render = await createRenderer(join(packageRoot().folder, "templates"));
for (const revision of revisions) {
  const [schema, overlays, docs] = [await readKnown(revision), await readOverlays(), await readDocsText()];
  const { model } = await readModel({ revision, schema, overlays, docs });
  files.set(`${revision}/types.ts`, printedTypes(model));
  files.set(`${revision}/witness.ts`, await witnessTypes(model));
  files.set(`${revision}/check.ts`, comparison(
    model.definitions.map(({ name }) => name),
    "./witness.js",
  ));
}

/** One fact of types.ts is changed; the comparison must name the type. */
const changes: readonly (readonly [change: string, type: string, from: string, to: string])[] = [
  ["an optional member became required", "Implementation", "title?: string", "title: string"],
  ["an optional member is missing", "ModelHint", "name?: string;", ""],
  ["a nested optional member is missing", "ServerCapabilities", "subscribe?: boolean;", ""],
  ["null is missing", "JSONValue", "| null", ""],
  ["a literal differs", "TextContent", 'type: "text"', 'type: "words"'],
  ["an index signature is missing", "Result", "[key: string]: unknown;", ""],
  ["unknown became any", "CallToolResult", "structuredContent?: unknown", "structuredContent?: any"],
];
const [newest = ""] = revisions.slice(-1);
changes.forEach(([, type, from, to], at) => {
  const printed = files.get(`${newest}/types.ts`) ?? "";
  const start = printed.search(new RegExp(`^export \\w+ ${type}\\b`, "m"));
  const end = printed.indexOf("\nexport ", start + 1);
  const declaration = printed.slice(start, end);
  if (!declaration.includes(from)) throw new Error(`${type} does not contain ${from}`);
  const changed = declaration.replace(from, () => to);
  files.set(`change-${at}/types.ts`, printed.slice(0, start) + changed + printed.slice(end));
  files.set(`change-${at}/check.ts`, comparison([type], `../${newest}/witness.js`));
});
const differing = compare();

test.each(revisions)("types.ts and schema.json of %s agree on every definition", (revision) => {
  expect(differing.get(`${revision}/check.ts`) ?? []).toEqual([]);
});

describe("the comparison notices that", () => {
  test.each(changes.map(([change, type], at) => [change, type, at] as const))("%s in %s", (_, type, at) => {
    expect(differing.get(`change-${at}/check.ts`)).toEqual([type]);
  });
});

/**
 * `(string & {})` next to literals is a hint for editors; the compiler treats it as a string that does not absorb the
 * literals.
 */
function printedTypes(model: ProtocolModel): string {
  return (emitRevision(model, new Set(["types"]), render).get("types.ts") ?? "").replaceAll("(string & {})", "string");
}

/** An interface `Witness` with one member per definition. */
async function witnessTypes(model: ProtocolModel): Promise<string> {
  const schema: JSONSchema = emitJsonSchema(model);
  const names = model.definitions.map(({ name }) => name);
  const properties = Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }]));
  const root = explicit({ ...schema, title: "Witness", type: "object", properties, required: names });
  return compile(root, "Witness", { additionalProperties: false, bannerComment: "", format: false });
}

type Schemas = Readonly<Record<string, JSONSchema>>;

/** The keywords of our schema.json that contain schemas. */
interface Nested {
  readonly $defs?: Schemas;
  readonly properties?: Schemas;
  readonly items?: JSONSchema;
  readonly anyOf?: readonly JSONSchema[];
  readonly additionalProperties?: JSONSchema | boolean;
}

/**
 * json-schema-to-typescript reads a schema without `type` as an object and, with the option that closes the types of
 * listed members, an object without `properties` as an empty one. In JSON Schema they mean any value and any object.
 */
function explicit(schema: JSONSchema): JSONSchema {
  const each = (schemas: Schemas): Schemas =>
    Object.fromEntries(Object.entries(schemas).map(([name, inner]) => [name, explicit(inner)]));
  const { $defs, properties, items, anyOf, additionalProperties } = schema as Nested;
  const isAnything = !["type", "$ref", "anyOf", "enum", "const"].some((keyword) => keyword in schema);
  const isAnyObject = schema.type === "object" && !properties && additionalProperties === undefined;
  return {
    ...schema,
    ...($defs && { $defs: each($defs) }),
    ...(properties && { properties: each(properties) }),
    ...(items && { items: explicit(items) }),
    ...(anyOf && { anyOf: anyOf.map(explicit) }),
    ...(typeof additionalProperties === "object" && { additionalProperties: explicit(additionalProperties) }),
    ...(isAnyObject && { additionalProperties: true }),
    ...(isAnything && { tsType: "unknown" }),
  };
}

/** One line per definition that compiles only when both types are identical, not merely assignable. */
function comparison(types: readonly string[], witness: string): string {
  return [
    'import type * as Printed from "./types.js";',
    `import type { Witness } from "${witness}";`,
    "type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;",
    ...types.map((name) => `export const same_${name}: Same<Printed.${name}, Witness["${name}"]> = true;`),
  ].join("\n");
}

/** Compiles all files at once; returns, by file, the definitions whose line does not compile. */
function compare(): ReadonlyMap<string, readonly string[]> {
  const root = "/witness";
  const options: ts.CompilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    lib: ["lib.es2023.d.ts"],
    types: [],
    skipLibCheck: true,
    noEmit: true,
  };
  const host = ts.createCompilerHost(options);
  const own = (path: string): string | undefined => (path.startsWith(`${root}/`) ? files.get(path.slice(root.length + 1)) : undefined);
  const disk = { ...host };
  host.readFile = (path) => own(path) ?? disk.readFile(path);
  host.fileExists = (path) => own(path) !== undefined || disk.fileExists(path);
  host.directoryExists = (path) => path.startsWith(root) || disk.directoryExists?.(path) === true;
  const program = ts.createProgram([...files.keys()].map((path) => `${root}/${path}`), options, host);

  const found = new Map<string, string[]>();
  for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const line = file?.text.slice(start).split("\n", 1)[0] ?? "";
    const name = /^same_(\w+)/.exec(line)?.[1];
    if (!file || name === undefined) throw new Error(`${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
    const path = file.fileName.slice(root.length + 1);
    found.set(path, [...(found.get(path) ?? []), name]);
  }
  return found;
}
