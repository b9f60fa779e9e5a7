import type { Definition, ProtocolModel, ResultModel, Side, TypeModel } from "../../shared/model/protocol.js";
import { definitionsByName, visitDefinition } from "../../shared/model/definitions.js";

export type Senders = ReadonlyMap<string, readonly Side[]>;

const sides: readonly Side[] = ["client", "server"];

/** The senders of each definition: those of the messages that contain it, or of the definitions that extend it. */
export function sendersOf(model: ProtocolModel): Senders {
  const definitions = definitionsByName(model.definitions);
  const found = new Map<string, Set<Side>>();
  const mark = (root: string | undefined, side: Side): void => {
    const todo = [root];
    while (todo.length > 0) {
      const definition = definitions.get(todo.pop() ?? "");
      const known = (definition && found.get(definition.name)) ?? new Set();
      if (!definition || known.has(side)) continue;
      found.set(definition.name, known.add(side));
      todo.push(...namesIn(definition));
    }
  };
  const answered = (asking: Side): Side => (asking === "client" ? "server" : "client");
  for (const { type, params, sender, result } of model.requests) {
    for (const name of [type, params]) mark(name, sender);
    for (const name of [result.type, ...alternativesOf(result, model)]) mark(name, answered(sender));
  }
  for (const { type, params, sender } of model.notifications) for (const name of [type, params]) mark(name, sender);
  for (const { type, params, result } of model.inputRequests) {
    for (const name of [type, params]) mark(name, "server");
    mark(result, "client");
  }
  for (const definition of model.definitions) {
    if (found.has(definition.name) || definition.kind !== "alias") continue;
    const inner = namesIn(definition).flatMap((name) => [...(found.get(name) ?? sides)]);
    if (inner.length > 0) found.set(definition.name, new Set(inner));
  }
  return new Map(
    model.definitions.map(({ name }) => [name, sides.filter((side) => found.get(name)?.has(side) ?? true)]),
  );
}

/** The types that may answer a request instead of its own result. */
export function alternativesOf(result: ResultModel, { resultTag }: ProtocolModel): readonly string[] {
  switch (result.kind) {
    case "single":
      return [];
    case "tagged":
      return (resultTag?.alternatives ?? []).flatMap(({ value, type }) =>
        result.alternatives.includes(value) ? [type] : [],
      );
    case "presence":
      return [result.alternative];
  }
}

/** What a definition refers to or extends. */
export function namesIn(definition: Definition): readonly string[] {
  return [...new Set([...(definition.kind === "struct" ? definition.bases : []), ...referencesIn(definition)])];
}

/** What a definition refers to. */
export function referencesIn(definition: Definition): readonly string[] {
  const names: string[] = [];
  visitDefinition(definition, (type: TypeModel) => {
    if (type.kind === "reference") names.push(type.name);
  });
  return names;
}
