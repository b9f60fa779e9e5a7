import type { Needs } from "@mcpwright/protocol/contract";
import { isObject } from "../../shared/is-object.js";
import type { Side } from "../../shared/model/protocol.js";
import type { RevisionFacts } from "./revision-facts.js";
import type { MessagePath, Report } from "./finding-collector.js";
import type { ConversationState } from "./conversation-state.js";
import { capabilitiesOf, namesOf } from "./layered-modules.js";
import { type Members, ownMember } from "./json-values.js";

/** The known capabilities of both sides. */
export type Declared = Readonly<Record<Side, Members | undefined>>;

/** The capabilities declared so far; in the stateless era, each request declares those of the client. */
export function declaredBy(
  state: ConversationState,
  client: Members | undefined = state.client.capabilities,
): Declared {
  return { client, server: state.server.capabilities };
}

/** Reports each required capability that is not declared. Unknown capabilities are not reported. */
export function checkCapabilities(
  what: string,
  needs: Needs,
  params: unknown,
  declared: Declared,
  { facts, report, path }: { readonly facts: RevisionFacts; readonly report: Report; readonly path: MessagePath },
): void {
  const { conditions = [] } = needs;
  const used = conditions.flatMap(({ member, values, capability: needed }) => {
    const value = ownMember(params, member);
    return value !== undefined && (values === undefined || values.includes(value as string))
      ? [{ member, needed }]
      : [];
  });
  const missing = used.filter(({ needed }) => isMissing(needed, declared));
  for (const { member, needed } of missing)
    report(
      "capability",
      [...path, "params", member],
      sentence(`${what} with ${member}`, needed),
      facts.link("capability", needed),
    );
  if (missing.length > 0) return;
  reportUndeclared(what, capabilitiesOf(needs), declared, { facts, report, path: [...path, "method"] });
}

/** Reports each of these capabilities that is not declared. */
export function reportUndeclared(
  what: string,
  capabilities: readonly string[],
  declared: Declared,
  { facts, report, path }: { readonly facts: RevisionFacts; readonly report: Report; readonly path: MessagePath },
): void {
  for (const capability of capabilities.filter((needed) => isMissing(needed, declared)))
    report("capability", path, sentence(what, capability), facts.link("capability", capability));
}

function isMissing(path: string, declared: Declared): boolean {
  const [owner, ...names] = namesOf(path);
  let node: unknown = declared[owner === "client" ? "client" : "server"];
  if (node === undefined) return false;
  for (const name of names) node = ownMember(node, name);
  return !isObject(node) && node !== true;
}

function sentence(what: string, path: string): string {
  const [owner = "", ...names] = namesOf(path);
  return `${what} needs ${names.join(".")}, which the ${owner} has not declared`;
}
