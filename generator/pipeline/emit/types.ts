import type { Definition, ProtocolModel } from "../../shared/model/protocol.js";
import { code, docComment, join, key, literal, typeName, type Code } from "../../shared/code/code.js";
import { outcomes, type Outcome } from "./outcomes.js";
import { deprecationTags, printMembers, printType } from "./type-printer.js";

/** `types.ts`: every definition as a flat interface or alias, then the result alternatives that narrow by their tag. */
export function emitTypes(model: ProtocolModel): { readonly declarations: readonly Code[] } {
  const derived = outcomes(model);
  return { declarations: [...model.definitions.map(printDefinition), ...derived.map(printOutcome)] };
}

function printDefinition(definition: Definition): Code {
  const { name, text, link, deprecated } = definition;
  const doc = docComment({
    text,
    tags: [...(link === undefined ? [] : [`see ${link}`]), ...deprecationTags(deprecated)],
  });
  if (definition.kind === "alias") return code`${doc}export type ${typeName(name)} = ${printType(definition.type)};`;
  return code`${doc}export interface ${typeName(name)} {\n${printMembers(definition)}}`;
}

function printOutcome(outcome: Outcome): Code {
  switch (outcome.kind) {
    case "tagged": {
      const doc = docComment({ text: `\`${outcome.base}\`, recognized by its \`${outcome.member}\`.` });
      return code`${doc}export interface ${typeName(outcome.name)} extends ${typeName(outcome.base)} {\n${key(outcome.member)}: ${literal(outcome.value)};\n}`;
    }
    case "without": {
      const doc = docComment({ text: `\`${outcome.base}\`, recognized by the absence of \`${outcome.member}\`.` });
      return code`${doc}export interface ${typeName(outcome.name)} extends ${typeName(outcome.base)} {\n${key(outcome.member)}?: never;\n}`;
    }
    case "union": {
      const doc = docComment({
        text: `The results of \`${outcome.method}\`; compare \`${outcome.member}\` to narrow the type.`,
      });
      return code`${doc}export type ${typeName(outcome.name)} = ${join(outcome.members.map(typeName), " | ")};`;
    }
  }
}
