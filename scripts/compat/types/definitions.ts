import type {
  Definition as DefinitionModel,
  MemberModel,
  ProtocolModel,
  TypeModel,
} from "../../../generator/shared/model/protocol.js";
import { type Facts, factsOf, renamed, unnamed } from "./facts.js";
import { type Definition, type Member, type Node, record, ref, references, unknown, type Version } from "./node.js";

/** The model of the newest revision with sessions, and of the newest revision. */
export interface Models {
  readonly session: ProtocolModel;
  readonly newest: ProtocolModel;
}

/** Returns what the official SDK's schemas describe in this version; each definition follows those that it refers to. */
export function definitionsOf(models: Models, version: Version): readonly Definition[] {
  const facts = factsOf(version);
  const found = new Map<string, Definition>();
  const add = (definition: DefinitionModel, inlined: Inlined): void => {
    if (unnamed.has(definition.name)) return;
    const name = renamed[definition.name] ?? definition.name;
    const node = facts.definitions[name] ?? nodeOf(definition, name, facts, inlined);
    const { text } = definition;
    found.set(name, { name, node: withFallbacks(name, node, facts), ...(text !== undefined && { text }) });
  };
  const inlined = (model: ProtocolModel): Inlined =>
    new Map(
      model.definitions.filter(({ name }) => unnamed.has(name)).map((definition) => [definition.name, definition]),
    );
  for (const definition of models.session.definitions) add(definition, inlined(models.session));
  for (const definition of models.newest.definitions) {
    if (facts.newest.includes(definition.name)) add(definition, inlined(models.newest));
  }
  for (const [name, node] of Object.entries(facts.definitions)) {
    if (!found.has(name)) found.set(name, { name, node: withFallbacks(name, node, facts) });
  }
  for (const [name, { node }] of found) {
    for (const reference of references(node)) {
      if (!found.has(reference)) throw new Error(`${version}: ${name} refers to ${reference}, which is not defined`);
    }
  }
  return sorted(found);
}

function withFallbacks(owner: string, node: Node, { fallbacks }: Facts): Node {
  if (node.kind !== "object") return node;
  const members = node.members.map((member) => {
    const value = fallbacks[`${owner}.${member.name}`];
    return value === undefined ? member : { ...member, type: { kind: "fallback" as const, type: member.type, value } };
  });
  return { ...node, members };
}

type Inlined = ReadonlyMap<string, DefinitionModel>;

function nodeOf(definition: DefinitionModel, name: string, facts: Facts, inlined: Inlined): Node {
  if (definition.kind === "alias") {
    const node = typeOf(definition.type, facts, inlined);
    const tag = facts.tags[name];
    return node.kind === "union" && tag !== undefined ? { ...node, tag } : node;
  }
  const isMessage = definition.bases.some((base) => /^(JSONRPC(Request|Notification)|PaginatedRequest)$/.test(base));
  const isEnvelope = name.startsWith("JSONRPC");
  const members: Member[] = [];
  for (const member of definition.members) {
    if (!isEnvelope && (isMessage || name.endsWith("Request")) && ["jsonrpc", "id"].includes(member.name)) continue;
    const own = memberOf(name, member, facts, inlined);
    if (own) members.push(own);
  }
  for (const [path, type] of Object.entries(facts.optional)) {
    const [owner, key] = path.split(".");
    if (owner !== name || key === undefined || members.some((member) => member.name === key)) continue;
    members.push({ name: key, optional: true, type });
  }
  const isOpen = definition.index !== undefined || name.endsWith("Result");
  return { kind: "object", mode: facts.modes[name] ?? (isOpen ? "loose" : "strip"), members };
}

function memberOf(owner: string, member: MemberModel, facts: Facts, inlined: Inlined): Member | undefined {
  const path = `${owner}.${member.name}`;
  if (path in facts.members && facts.members[path] === undefined) return undefined;
  const stated = facts.members[path] ?? facts.optional[path] ?? metaOf(owner, member, facts);
  return {
    name: member.name,
    optional: path in facts.optional || member.optional,
    type: stated ?? typeOf(member.type, facts, inlined),
    ...(member.text !== undefined && { text: member.text }),
  };
}

/** Returns the type of `_meta`, which depends on the kind of message. */
function metaOf(owner: string, member: MemberModel, facts: Facts): Node | undefined {
  if (member.name !== "_meta") return undefined;
  if (owner.endsWith("Params")) return ref("RequestMeta");
  return owner.endsWith("Result") ? facts.resultMeta : record(unknown);
}

function typeOf(type: TypeModel, facts: Facts, inlined: Inlined): Node {
  switch (type.kind) {
    case "string":
    case "boolean":
    case "null":
    case "unknown":
      return { kind: type.kind };
    case "number":
    case "integer":
      return {
        kind: "number",
        ...(type.kind === "integer" && { integer: true }),
        ...(type.minimum !== undefined && { minimum: type.minimum }),
        ...(type.maximum !== undefined && { maximum: type.maximum }),
      };
    case "object":
      return facts.anyObject;
    case "literal":
      if (typeof type.value !== "string") break;
      return { kind: "literal", value: type.value };
    case "enum":
      return { kind: "enum", values: type.values, open: type.open };
    case "reference": {
      const definition = inlined.get(type.name);
      return definition ? nodeOf(definition, type.name, facts, inlined) : ref(renamed[type.name] ?? type.name);
    }
    case "array":
      return { kind: "array", items: typeOf(type.items, facts, inlined) };
    case "map":
      return record(typeOf(type.values, facts, inlined));
    case "struct":
      return {
        kind: "object",
        mode: type.index ? "loose" : "strip",
        members: type.members.map(({ name, optional, type: inner, text }) => ({
          name,
          optional,
          type: typeOf(inner, facts, inlined),
          ...(text !== undefined && { text }),
        })),
      };
    case "union":
      return { kind: "union", members: type.members.map((member) => typeOf(member, facts, inlined)) };
    case "never":
    case "all":
    case "not":
    case "entries":
      break;
  }
  throw new Error(`The schemas of compat cannot express ${JSON.stringify(type)} yet: add a case.`);
}

function sorted(found: ReadonlyMap<string, Definition>): Definition[] {
  const result = new Map<string, Definition>();
  const add = (name: string): void => {
    const definition = found.get(name);
    if (!definition || result.has(name)) return;
    for (const reference of references(definition.node)) add(reference);
    result.set(name, definition);
  };
  for (const name of found.keys()) add(name);
  return [...result.values()];
}
