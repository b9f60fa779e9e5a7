/**
 * Corrects the official schema.json of an extension, so that a validator compiled from it can be compared with the
 * predicates, which have the meaning of the schema.ts.
 */
import { isObject } from "../../generator/shared/is-object.js";

type Schema = Record<string, unknown>;

/** What the printer of the official files changes, with the change back. */
export interface PrinterRule {
  readonly id: string;
  readonly sentence: string;
  /** Corrects one schema; the same object if the rule does not apply to it. */
  readonly correct: (schema: Schema) => Schema;
}

export const printerRules: readonly PrinterRule[] = [
  {
    id: "integer-with-safe-bounds",
    sentence: "An integer has the bounds of those that JavaScript can represent.",
    correct: (schema) => {
      const { minimum, maximum, ...rest } = schema;
      return minimum === Number.MIN_SAFE_INTEGER && maximum === Number.MAX_SAFE_INTEGER ? rest : schema;
    },
  },
  {
    id: "object-closed",
    sentence: "An interface, which allows further members, is printed as an object that forbids them.",
    correct: (schema) => {
      const { additionalProperties, ...rest } = schema;
      return additionalProperties === false ? rest : schema;
    },
  },
  {
    id: "record-of-keys",
    sentence:
      "A record with listed keys, whose values may be undefined, is printed as an object that must have all of them.",
    correct: (schema) => {
      const { propertyNames, additionalProperties, required, ...rest } = schema;
      const names = constants(propertyNames);
      if (names.length === 0 || required === undefined) return schema;
      return { ...rest, properties: Object.fromEntries(names.map((name) => [name, additionalProperties])) };
    },
  },
  {
    id: "undefined-as-anything",
    sentence: "`undefined` in a union is printed as a schema that accepts every value.",
    correct: (schema) => {
      const anyOf = alternatives(schema).filter((alternative) => Object.keys(alternative).length > 0);
      return anyOf.length > 0 && anyOf.length < alternatives(schema).length ? { ...schema, anyOf } : schema;
    },
  },
];

function alternatives(schema: unknown): readonly Schema[] {
  return isObject(schema) && Array.isArray(schema["anyOf"]) ? schema["anyOf"].filter(isObject) : [];
}

function constants(schema: unknown): readonly string[] {
  return alternatives(schema).flatMap(({ const: name }) => (typeof name === "string" ? [name] : []));
}

/**
 * Places where the printed file has a copy of a core type, as the SDK of its authors declares it: the type that the
 * schema.ts imports there. Paths lead from a definition's name through its keywords.
 */
export const importedTypes: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  apps: {
    "McpUiDownloadFileRequest/properties/params/properties/contents/items/anyOf/0": "EmbeddedResource",
    "McpUiDownloadFileRequest/properties/params/properties/contents/items/anyOf/1": "ResourceLink",
    "McpUiHostContext/properties/toolInfo/properties/id": "RequestId",
    "McpUiHostContext/properties/toolInfo/properties/tool": "Tool",
    "McpUiHostContextChangedNotification/properties/params/properties/toolInfo/properties/id": "RequestId",
    "McpUiHostContextChangedNotification/properties/params/properties/toolInfo/properties/tool": "Tool",
    "McpUiInitializeRequest/properties/params/properties/appInfo": "Implementation",
    "McpUiInitializeResult/properties/hostContext/properties/toolInfo/properties/id": "RequestId",
    "McpUiInitializeResult/properties/hostContext/properties/toolInfo/properties/tool": "Tool",
    "McpUiInitializeResult/properties/hostInfo": "Implementation",
    "McpUiMessageRequest/properties/params/properties/content/items": "ContentBlock",
    "McpUiToolResultNotification/properties/params": "CallToolResult",
    "McpUiUpdateModelContextRequest/properties/params/properties/content/items": "ContentBlock",
  },
};

export interface CorrectedExtension {
  readonly definitions: Readonly<Record<string, unknown>>;
  /** The ids of the rules that changed a definition. */
  readonly applied: readonly string[];
}

/**
 * @param definitions those of the official file
 * @param core the definitions of the revision that the extension is laid over
 * @param places see `importedTypes`
 * @throws Error when a place does not exist
 */
export function correctExtension(
  definitions: Readonly<Record<string, unknown>>,
  core: Readonly<Record<string, unknown>>,
  places: Readonly<Record<string, string>> = {},
): CorrectedExtension {
  const copy = structuredClone(definitions) as Schema;
  for (const [path, type] of Object.entries(places)) {
    const steps = path.split("/");
    const key = steps.pop() ?? "";
    const holder = steps.reduce<unknown>((value, step) => (value as Schema | undefined)?.[step], copy) as
      Schema | undefined;
    if (!holder || !Object.hasOwn(holder, key) || !Object.hasOwn(core, type)) throw new Error(`${path}: not found`);
    holder[key] = { $ref: `#/$defs/${type}` };
  }
  const applied = new Set<string>();
  const own = Object.fromEntries(Object.entries(copy).filter(([name]) => !Object.hasOwn(core, name)));
  return { definitions: { ...core, ...(corrected(own, applied) as Schema) }, applied: [...applied].sort() };
}

function corrected(value: unknown, applied: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => corrected(item, applied));
  if (!isObject(value)) return value;
  let schema: Schema = value;
  for (const { id, correct } of printerRules) {
    const next = correct(schema);
    if (next !== schema) applied.add(id);
    schema = next;
  }
  return Object.fromEntries(Object.entries(schema).map(([key, inner]) => [key, corrected(inner, applied)]));
}
