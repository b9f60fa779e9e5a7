import { assertNever } from "../../shared/assert-never.js";
import type { Definition, EntriesModel, MemberModel, ProtocolModel, TypeModel } from "../../shared/model/protocol.js";

type Schema = Readonly<Record<string, unknown>>;

/** `schema.json`: the model as JSON Schema 2020-12. It keeps null, numbers, open enumerations and deprecations. */
export function emitJsonSchema(model: ProtocolModel): Schema {
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `Model Context Protocol, revision ${model.revision}`,
    $defs: Object.fromEntries(model.definitions.map((definition) => [definition.name, definitionSchema(definition)])),
  };
}

function definitionSchema(definition: Definition): Schema {
  const { text, deprecated, annotations } = definition;
  const prose = {
    ...(text !== undefined && { description: text }),
    ...(deprecated && { deprecated: true }),
    ...annotations,
  };
  return { ...prose, ...(definition.kind === "alias" ? typeSchema(definition.type) : structSchema(definition)) };
}

function typeSchema(type: TypeModel): Schema {
  switch (type.kind) {
    case "string": {
      const { kind, template: _template, ...constraints } = type;
      return { type: kind, ...constraints };
    }
    case "number":
    case "integer": {
      const { kind, ...constraints } = type;
      return { type: kind, ...constraints };
    }
    case "boolean":
    case "null":
    case "object":
      return { type: type.kind };
    case "unknown":
      return {};
    case "never":
      return { not: {} };
    case "literal":
      return { const: type.value };
    case "enum":
      return type.open ? { anyOf: [{ enum: type.values }, { type: "string" }] } : { type: "string", enum: type.values };
    case "reference":
      return { $ref: `#/$defs/${type.name}` };
    case "array": {
      const { items, minItems, maxItems, uniqueItems } = type;
      return {
        type: "array",
        items: typeSchema(items),
        ...(minItems !== undefined && { minItems }),
        ...(maxItems !== undefined && { maxItems }),
        ...(uniqueItems && { uniqueItems }),
      };
    }
    case "map":
      return { type: "object", additionalProperties: typeSchema(type.values) };
    case "struct":
      return structSchema(type);
    case "union":
      return { [type.exclusive ? "oneOf" : "anyOf"]: type.members.map(typeSchema) };
    case "all":
      return { allOf: type.members.map(typeSchema) };
    case "not":
      return { not: typeSchema(type.type) };
    case "entries":
      return entriesSchema(type);
    default:
      return assertNever(type);
  }
}

function structSchema({
  members,
  index,
}: {
  readonly members: readonly MemberModel[];
  readonly index?: TypeModel;
}): Schema {
  const required = members.filter(({ optional }) => !optional).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(members.map((member) => [member.name, memberSchema(member)])),
    ...(required.length > 0 && { required }),
    ...(index && { additionalProperties: typeSchema(index) }),
  };
}

function entriesSchema({ patterns, rest, listed, names, minProperties, maxProperties }: EntriesModel): Schema {
  const byPattern = patterns.map(({ pattern, type }) => [pattern, typeSchema(type)] as const);
  return {
    type: "object",
    ...(rest && listed.length > 0 && { properties: Object.fromEntries(listed.map((name) => [name, {}])) }),
    ...(byPattern.length > 0 && { patternProperties: Object.fromEntries(byPattern) }),
    ...(rest && { additionalProperties: typeSchema(rest) }),
    ...(names && { propertyNames: typeSchema(names) }),
    ...(minProperties !== undefined && { minProperties }),
    ...(maxProperties !== undefined && { maxProperties }),
  };
}

function memberSchema({ type, text, deprecated, annotations, default: value }: MemberModel): Schema {
  return {
    ...(text !== undefined && { description: text }),
    ...(deprecated && { deprecated: true }),
    ...(value !== undefined && { default: value }),
    ...annotations,
    ...typeSchema(type),
  };
}
