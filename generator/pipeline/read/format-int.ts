import type { Tags, TypeExpression } from "../../shared/model/source.js";

interface Typed {
  readonly type: TypeExpression;
  readonly tags: Tags;
}

/** `@format int` restricts numbers to integers. All other formats are those of strings. */
export function applyFormatInt<T extends Typed>(typed: T): T {
  const { format, ...tags } = typed.tags;
  if (format !== "int") return typed;
  const type = integers(typed.type);
  return type === typed.type ? typed : { ...typed, type, tags };
}

function integers(type: TypeExpression): TypeExpression {
  if (type.kind === "primitive" && type.name === "number") return { ...type, name: "integer" };
  if (type.kind === "array") {
    const items = integers(type.items);
    return items === type.items ? type : { ...type, items };
  }
  if (type.kind !== "union") return type;
  const members = type.members.map(integers);
  return members.every((member, at) => member === type.members[at]) ? type : { ...type, members };
}
