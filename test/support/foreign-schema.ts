/** Any schema, through the whole generator: its model, and the predicates and checks that are generated for it. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build as bundle } from "esbuild";
import type { Issue } from "@mcpwright/protocol/issues";
import { emitRevision } from "../../generator/pipeline/emit/revision-files.js";
import { emitShared } from "../../generator/pipeline/emit/shared-files.js";
import { createRenderer } from "../../generator/pipeline/render/render.js";
import type { ProtocolModel } from "../../generator/shared/model/protocol.js";
import { build, ping } from "../generator/pipeline/passes/build.js";
import { temporaryFolder } from "./temporary-folder.js";

type Definitions = Readonly<Record<string, unknown>>;

export interface ForeignSchema {
  readonly model: ProtocolModel;
  /** The folder with the generated files; the revision is `r2`. */
  readonly folder: string;
  is(name: string, value: unknown): boolean;
  check(name: string, value: unknown): readonly Issue[];
}

/** A protocol needs a request, so there is one beside the definitions. */
const request: Definitions = {
  PingRequest: { type: "object", properties: { method: { const: "ping" } }, required: ["method"] },
  PingResult: { type: "object" },
  ClientRequest: { $ref: "#/definitions/PingRequest" },
};
const own = { methods: { client: { ping: { capability: null, spec: "x" } } } };

const preamble = "// Generated for a test.";

/** @param schema the definitions of a JSON Schema, or the text of a schema in TypeScript */
export function foreignModel(schema: Definitions | string): ProtocolModel {
  const whole = typeof schema === "string" ? `${schema}\n${ping}` : { definitions: { ...request, ...schema } };
  return build(whole, { own }).model;
}

export async function foreignSchema(schema: Definitions | string): Promise<ForeignSchema> {
  const model = foreignModel(schema);
  const folder = temporaryFolder("foreign");
  const render = await createRenderer(resolve(import.meta.dirname, "../../templates"));
  const choice = { methods: [], issues: ["r2"], conversions: [], standardSchemas: [] };
  const shared = emitShared(
    [model],
    [],
    choice,
    { steps: [], customFunctions: new Map() },
    { name: undefined, version: "0.0.0" },
    render,
  );
  const outputs = new Set(["types", "validate", "model", "schema", "corpus"] as const);
  const texts = [
    ...shared,
    ...[...emitRevision(model, outputs, render)].map(([file, text]) => [`r2/${file}`, text] as const),
    ["all.ts", `${preamble}\nexport * from "./r2/validate.js";\nexport * from "./r2/issues.js";\n`] as const,
  ];
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const outfile = join(folder, "all.mjs");
  await bundle({ entryPoints: [join(folder, "all.ts")], bundle: true, format: "esm", outfile, logLevel: "error" });
  const all = (await import(pathToFileURL(outfile).href)) as Readonly<Record<string, (value: unknown) => unknown>>;
  const named = (name: string): ((value: unknown) => unknown) => {
    const found = all[name];
    if (!found) throw new Error(`no ${name}`);
    return found;
  };
  return {
    model,
    folder,
    is: (name, value) => named(`is${name}`)(value) === true,
    check: (name, value) => named(`check${name}`)(value) as readonly Issue[],
  };
}
