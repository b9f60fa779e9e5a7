import type { Definition, MemberModel, ProtocolModel, RequestModel, TypeModel } from "../../shared/model/protocol.js";
import {
  resolveAliases,
  definitionsByName,
  visitDefinition,
  type Definitions,
} from "../../shared/model/definitions.js";

/**
 * Members of results that hold data of any shape, in which a null has a meaning. The value is true when the member
 * itself may be null. In all other members, null can only mean absence.
 */
export function openMembers(model: ProtocolModel): Readonly<Record<string, boolean>> {
  const definitions = definitionsByName(model.definitions);
  const open: Record<string, boolean> = {};
  for (const definition of reachable(resultTypes(model), definitions)) {
    visitDefinition(definition, (type) => {
      if (type.kind === "struct")
        for (const { name, type: held } of type.members)
          if (isOpen(held, definitions)) open[name] = open[name] === true || admitsNull(held, definitions);
    });
  }
  return open;
}

function resultTypes({ requests, inputRequests, resultTag }: ProtocolModel): readonly string[] {
  const named = ({ result }: RequestModel): readonly string[] =>
    result.kind === "presence" ? [result.type, result.alternative] : [result.type];
  const others = resultTag?.alternatives.map(({ type }) => type) ?? [];
  return [...requests.flatMap(named), ...inputRequests.map(({ result }) => result), ...others];
}

function reachable(names: readonly string[], definitions: Definitions): ReadonlySet<Definition> {
  const found = new Set<Definition>();
  const add = (name: string): void => {
    const definition = definitions.get(name);
    if (!definition || found.has(definition)) return;
    found.add(definition);
    visitDefinition(definition, (type) => {
      if (type.kind === "reference") add(type.name);
    });
  };
  names.forEach(add);
  return found;
}

function isOpen(type: TypeModel, definitions: Definitions, inside: readonly TypeModel[] = []): boolean {
  const target = resolveAliases(type, definitions);
  if (inside.includes(target)) return false;
  switch (target.kind) {
    case "unknown":
    case "object":
      return true;
    case "array":
      return isOpen(target.items, definitions, [...inside, target]);
    case "map":
      return isOpen(target.values, definitions, [...inside, target]);
    case "struct":
      return (target.index !== undefined && target.index.kind !== "never") || isJsonSchema(target.members);
    case "not":
    case "entries":
      return true;
    case "union":
    case "all":
      return target.members.some((member) => isOpen(member, definitions, [...inside, target]));
    default:
      return admitsNull(target, definitions);
  }
}

/** JSON Schema has more keywords than the protocol's types list. */
function isJsonSchema(members: readonly MemberModel[]): boolean {
  const type = members.find(({ name }) => name === "type")?.type;
  return type?.kind === "literal" && type.value === "object" && members.some(({ name }) => name === "properties");
}

function admitsNull(type: TypeModel, definitions: Definitions): boolean {
  const target = resolveAliases(type, definitions);
  if (target.kind === "union") return target.members.some((member) => admitsNull(member, definitions));
  if (target.kind === "all") return target.members.every((member) => admitsNull(member, definitions));
  if (target.kind === "not") return !admitsNull(target.type, definitions);
  return target.kind === "unknown" || target.kind === "null";
}
