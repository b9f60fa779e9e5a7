import type { Side } from "@mcpwright/protocol/contract";
import { isObject } from "../../../shared/is-object.js";
import type { KnownServer } from "./known-server.js";
import type { FoundLoss } from "./revision-losses.js";

/** The capabilities of a server of whose methods the other revision has none. */
export function lostCapabilities({ capabilities }: KnownServer, from: Side, to: Side): readonly FoundLoss[] {
  const known = new Set([...Object.keys(to.receives.results), ...Object.keys(to.receives.notifications)]);
  return Object.keys(capabilities)
    .filter((name) => isObject(capabilities[name]))
    .flatMap((name): readonly FoundLoss[] => {
      const methods = methodsOf(name, from);
      const [method] = methods;
      if (method === undefined || methods.some((one) => known.has(one))) return [];
      const text = `${to.revision} has none of its methods.`;
      const at = `capabilities.${name}`;
      return [{ direction: "toClient", method, kind: "unsupported", at, text, certainty: "certain" }];
    });
}

/** The methods of requests and notifications that need a capability, or a part of it. */
function methodsOf(capability: string, { receives: { results, notifications } }: Side): readonly string[] {
  const path = `server.${capability}`;
  return [...Object.entries(results), ...Object.entries(notifications)]
    .filter(([, { capability: needed }]) => needed === path || needed?.startsWith(`${path}.`))
    .map(([method]) => method);
}
