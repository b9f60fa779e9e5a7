import type { Definition } from "../../shared/model/protocol.js";
import { visitDefinition } from "../../shared/model/definitions.js";

/** RECURSION: marks the definitions that contain themselves. */
export function markRecursion(definitions: readonly Definition[]): Definition[] {
  const edges = new Map(
    definitions.map((definition) => {
      const targets = new Set<string>();
      visitDefinition(definition, (type) => {
        if (type.kind === "reference") targets.add(type.name);
      });
      return [definition.name, targets] as const;
    }),
  );
  const reaches = (start: string): boolean => {
    const pending = [...(edges.get(start) ?? [])];
    const seen = new Set<string>();
    for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
      if (name === start) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      pending.push(...(edges.get(name) ?? []));
    }
    return false;
  };
  return definitions.map((definition) => (reaches(definition.name) ? { ...definition, recursive: true } : definition));
}
