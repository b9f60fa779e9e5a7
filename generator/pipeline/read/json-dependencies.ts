import type { Member, TypeExpression } from "../../shared/model/source.js";
import type { JsonReader, Pointer, Schema } from "./json-reader.js";

/**
 * `dependentRequired`, `dependentSchemas`, and `dependencies` of draft-07: an object that has a member also has others,
 * or fits another schema.
 */
export function readDependencies(
  schema: Schema,
  pointer: Pointer,
  reader: JsonReader,
  nested: (value: unknown, pointer: Pointer) => TypeExpression,
): readonly TypeExpression[] {
  const having = (names: readonly string[], at: Pointer): TypeExpression => ({
    kind: "object",
    members: names.map((name): Member => {
      return { name, optional: false, type: { kind: "primitive", name: "unknown" }, tags: {}, span: reader.span(at) };
    }),
  });
  return (["dependentRequired", "dependentSchemas", "dependencies"] as const).flatMap((keyword) =>
    Object.entries(reader.map(schema, keyword, pointer)).map(([name, value]): TypeExpression => {
      const at = [...pointer, keyword, name];
      const isList = keyword === "dependentRequired" || (keyword === "dependencies" && Array.isArray(value));
      const then = isList ? having(reader.names(value, at), at) : nested(value, at);
      return { kind: "union", members: [{ kind: "not", type: having([name], at) }, then] };
    }),
  );
}
