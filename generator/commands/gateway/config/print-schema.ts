import { fieldsOfUsers } from "./check-users.js";
import { configType, serverFolders, serverType } from "./config-fields.js";
import { textPattern } from "./config-text.js";
import {
  type Field,
  type FieldType,
  namesOf,
  type ObjectType,
  type Requirement,
  type TextType,
} from "./field-types.js";

type Schema = Readonly<Record<string, unknown>>;

/**
 * The JSON Schema of the configuration, for editors: what `readGatewayConfig` reports as an error is invalid, except for repeated
 * names, ports that are too high, inputs that do not exist, tools that are renamed to the same name, an `Authorization` header beside
 * `logIn` and, in a URL, references that are not valid.
 */
export function configSchema(): Schema {
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Configuration of mcpwright gateway",
    // VS Code reads these two.
    allowComments: true,
    allowTrailingCommas: true,
    ...schemaOf(configType),
    if: { anyOf: serverFolders.map(withUsers) },
    then: { required: ["gateway"], properties: { gateway: { required: ["authorization"] } } },
    definitions: { server: objectSchema(serverType) },
  };
}

/** A configuration in which a server has a field that requires `gateway.authorization`. */
function withUsers(folder: string): Schema {
  const fields = Object.keys(fieldsOfUsers).map((name) => ({ required: [name] }));
  const withoutAny = { additionalProperties: { not: { anyOf: fields } } };
  return { required: [folder], properties: { [folder]: { not: withoutAny } } };
}

function schemaOf(type: FieldType): Schema {
  switch (type.kind) {
    case "text":
      return textSchema(type);
    case "integer":
      return { type: "integer", minimum: type.min, maximum: type.max };
    case "choice":
      return { enum: type.values };
    case "list":
      return { type: "array", items: schemaOf(type.item), ...(type.notEmpty && { minItems: 1 }) };
    case "map":
      return {
        type: "object",
        propertyNames: { pattern: type.names.pattern },
        additionalProperties: schemaOf(type.value),
      };
    case "object":
      return type === serverType ? { $ref: "#/definitions/server" } : objectSchema(type);
    case "either":
      return { anyOf: type.types.map(schemaOf) };
    case "boolean":
      return { type: "boolean" };
    case "true":
    case "false":
      return { const: type.kind === "true" };
    case "ignored":
      return {};
  }
}

function textSchema({ format, references }: TextType): Schema {
  const patterns = [...(format ? [format.pattern] : []), ...(references ? [textPattern] : [])];
  const [pattern, ...others] = patterns;
  return {
    type: "string",
    ...(pattern !== undefined && { pattern }),
    ...(others.length > 0 && { allOf: others.map((one) => ({ pattern: one })) }),
  };
}

function objectSchema({ fields, open, exactlyOne, atMostOne, atLeastOne, requirements = [] }: ObjectType): Schema {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const rules = [
    ...fields.flatMap(({ name, aliases = [] }) => aliases.map((alias) => ({ not: { required: [name, alias] } }))),
    ...(atMostOne ? [{ not: { required: atMostOne } }] : []),
    ...requirements.flatMap((requirement) => requirementSchemas(fields, requirement)),
  ];
  return {
    type: "object",
    properties: Object.fromEntries(fields.flatMap(properties)),
    ...(!open && { additionalProperties: false }),
    ...(required.length > 0 && { required }),
    ...(exactlyOne && { oneOf: exactlyOne.map((name) => ({ required: [name] })) }),
    ...(atLeastOne && { anyOf: atLeastOne.fields.map((name) => ({ required: [name] })) }),
    ...(rules.length > 0 && { allOf: rules }),
  };
}

function requirementSchemas(fields: readonly Field[], { when, is, field }: Requirement): readonly Schema[] {
  return namesOf(fields, when).map((name) => ({
    if: { required: [name], ...(is && { properties: { [name]: { enum: is } } }) },
    then: { anyOf: namesOf(fields, field).map((one) => ({ required: [one] })) },
  }));
}

function properties({ name, aliases = [], type, description }: Field): readonly (readonly [string, Schema])[] {
  const schema = schemaOf(type);
  return [
    [name, { description, ...schema }],
    ...aliases.map((alias) => [alias, { description: `The same as ${name}. ${description}`, ...schema }] as const),
  ];
}

/** The text of the published file. */
export function printSchema(): string {
  return `${JSON.stringify(configSchema(), undefined, 2)}\n`;
}
