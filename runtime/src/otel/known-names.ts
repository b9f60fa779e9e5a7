import type { Attributes } from "@opentelemetry/api";
import * as names from "@mcpwright/protocol/names";
import type { ObservedConnection } from "../connection/telemetry.js";
import { type Outcome, resultOf } from "./observed-message.js";

const protocolNames: ReadonlySet<string> = new Set(Object.values(names));

/** How many names are known besides those of the protocol, and how many characters each may have. */
const limits = { names: 1_000, length: 500 };

const methodKey = "mcp.method.name";
const versionKey = "mcp.protocol.version";
const nameKeys: readonly string[] = [methodKey, "gen_ai.tool.name", "gen_ai.prompt.name"];

/**
 * The names in received messages that metrics may contain. A peer can make up names and versions, and each one would be a series of its
 * own. So a name counts once a request with it has got a result.
 */
export class KnownNames {
  readonly #answered = new Set<string>();

  /** Returns the attributes of a received message for a metric: without the tools, prompts and versions that are not known. */
  bounded(attributes: Attributes, connection: ObservedConnection, outcome: Outcome): Attributes {
    const isAnswered = resultOf(outcome) !== undefined;
    const known: Attributes = {};
    for (const [key, value] of Object.entries(attributes)) {
      const isKnown =
        key === versionKey ? isVersionOf(connection, value) : this.#isKnown(key, String(value), isAnswered);
      if (isKnown) known[key] = value;
      else if (key === methodKey) known[key] = "_OTHER";
    }
    return known;
  }

  #isKnown(key: string, value: string, isAnswered: boolean): boolean {
    if (!nameKeys.includes(key) || (key === methodKey && protocolNames.has(value))) return true;
    const name = `${key} ${value}`;
    if (isAnswered && this.#answered.size < limits.names && value.length <= limits.length) this.#answered.add(name);
    return this.#answered.has(name);
  }
}

/** Whether this side of a connection supports a version. */
function isVersionOf({ side, server }: ObservedConnection, version: unknown): boolean {
  return version === side?.revision || !!server?.revisions.ids.includes(version as string);
}
