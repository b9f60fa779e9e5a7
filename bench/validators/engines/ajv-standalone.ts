import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import type { Engine, Predicate } from "../contract.js";
import { importBuilt } from "./built.js";
import { schemaOf } from "./json-schema.js";

export const ajvStandalone: Engine = {
  name: "ajv standalone",
  packageName: "ajv",
  load: async (revision, definitions) => {
    const instance = new Ajv2020({ strict: false, validateFormats: false, code: { source: true, esm: true } });
    instance.addSchema(schemaOf(revision), "mcp");
    const refs = Object.fromEntries(definitions.map((name) => [name, `mcp#/$defs/${name}`]));
    const code = standalone.default(instance, refs);
    const built = await importBuilt(`ajv-${revision}.mjs`, withRequire(code));
    return (definition) => built[definition] as Predicate | undefined;
  },
};

/** Ajv's output loads its helpers with `require`, even as an ES module. */
function withRequire(code: string): string {
  return `import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\n${code}`;
}
