import { binding, code, data, docComment, join, literal, type Code } from "../../shared/code/code.js";
import { authorizationFields, type AuthorizationFieldType } from "../../shared/model/authorization.js";
import type { ProtocolModel } from "../../shared/model/protocol.js";

/** `authorization.ts`: the rules of each revision that states all of them. */
export function emitAuthorization(newestFirst: readonly ProtocolModel[]): {
  readonly fields: readonly Code[];
  readonly rows: readonly { readonly revision: Code; readonly fields: readonly Code[] }[];
} {
  return {
    fields: authorizationFields.map(
      ({ name, type, text }) => code`${docComment({ text })}readonly ${binding(name)}: ${printType(type)};`,
    ),
    rows: newestFirst.flatMap(({ revision, authorization = [] }) =>
      authorization.length < authorizationFields.length
        ? []
        : [{ revision: literal(revision), fields: authorization.map(printValue) }],
    ),
  };
}

function printValue({ field, value, link }: NonNullable<ProtocolModel["authorization"]>[number]): Code {
  return code`${docComment({ text: undefined, tags: [`see ${link}`] })}${binding(field)}: ${data(value)},`;
}

function printType(type: AuthorizationFieldType): Code {
  if (type === "boolean") return code`boolean`;
  if ("list" in type)
    return code`readonly (${join(
      type.list.map((value) => literal(value)),
      " | ",
    )})[]`;
  const members = type.paths.map((name) => code`readonly ${binding(name)}: string`);
  return code`{ ${join(members, "; ")} } | null`;
}
