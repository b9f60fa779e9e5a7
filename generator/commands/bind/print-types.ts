import type { JSONSchema } from "json-schema-to-typescript";
import { code, typeName, type Code } from "../../shared/code/code.js";
import { copySchema } from "./copy-schema.js";
import { pascalCase } from "./module-names.js";
import { UnusableSchema } from "../../shared/schema-code/unusable-schema.js";
import { createPlaceholders } from "./placeholders.js";

/**
 * Prints the types of a peer's JSON Schema: `name`, and one for each referenced schema.
 * json-schema-to-typescript never sees a string of the peer, and resolves nothing.
 * @param take reserves a name of the module, derived from the argument
 * @throws UnusableSchema
 */
export async function printTypes(name: string, schema: unknown, take: (wish: string) => string): Promise<Code> {
  const words = createPlaceholders();
  const nameOf = (reference: string): string =>
    take(`${name}${pascalCase(reference.split("/").slice(1).at(-1) ?? "", "part")}`);
  const copied = copySchema(schema, words, nameOf);
  if (Object.keys(copied.schema).every((keyword) => !telling.has(keyword)))
    return code`export type ${typeName(name)} = unknown;\n`;
  const { compile } = await import("json-schema-to-typescript");
  const printed = await compile(copied.schema as JSONSchema, name, {
    additionalProperties: false,
    bannerComment: "",
    declareExternallyReferenced: true,
    enableConstEnums: false,
    format: false,
    inferStringEnumKeysFromValues: false,
    strictIndexSignatures: false,
    unknownAny: true,
    unreachableDefinitions: false,
    $refOptions: { resolve: { external: false, file: false, http: false } },
  }).catch((error: unknown) => {
    throw new UnusableSchema(error instanceof Error ? error.message : String(error));
  });
  const allowed = new Set([name, ...copied.definitions]);
  const declared = [...printed.matchAll(/^export (?:interface|type|enum|const enum) (\w+)/gm)].map(
    ([, one]) => one ?? "",
  );
  if (!declared.includes(name) || declared.some((one) => !allowed.has(one)))
    throw new UnusableSchema("it cannot be printed as a type");
  return compact(words.restore(printed.replace(bounds, "")));
}

/** Prints short comments on one line. */
function compact(printed: Code): Code {
  return printed.replace(/^\/\*\*\n \* ([^\n]{1,100})\n \*\/$/gm, "/** $1 */") as Code;
}

/** Keywords that describe a type. */
const telling = new Set(["type", "enum", "anyOf", "allOf", "$ref"]);

/** Comments that json-schema-to-typescript prints for tuple bounds, which the types express already. */
const bounds = /\/\*\*\n(?: \* @m(?:in|ax)Items \d+\n)+ \*\/\n/g;
