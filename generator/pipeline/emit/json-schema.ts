import { assertNever } from "../../shared/assert-never.js";
import type { Definition, MemberModel, ProtocolModel, TypeModel } from "../../shared/model/protocol.js";

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
  const { text, deprecated } = definition;
  const prose = { ...(text !== undefined && { description: text }), ...(deprecated && { deprecated: true }) };
  return { ...prose, ...(definition.kind === "alias" ? typeSchema(definition.type) : structSchema(definition)) };
}

function typeSchema(type: TypeModel): Schema {
  switch (type.kind) {
    case "string":
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
    case "literal":
      return { const: type.value };
    case "enum":
      return type.open ? { anyOf: [{ enum: type.values }, { type: "string" }] } : { type: "string", enum: type.values };
    case "reference":
      return { $ref: `#/$defs/${type.name}` };
    case "array": {
      const { items, minItems, maxItems } = type;
      return {
        type: "array",
        items: typeSchema(items),
        ...(minItems !== undefined && { minItems }),
        ...(maxItems !== undefined && { maxItems }),
      };
    }
    case "map":
      return { type: "object", additionalProperties: typeSchema(type.values) };
    case "struct":
      return structSchema(type);
    case "union":
      return { anyOf: type.members.map(typeSchema) };
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

function memberSchema({ type, text, deprecated, default: value }: MemberModel): Schema {
  return {
    ...(text !== undefined && { description: text }),
    ...(deprecated && { deprecated: true }),
    ...(value !== undefined && { default: value }),
    ...typeSchema(type),
  };
}
