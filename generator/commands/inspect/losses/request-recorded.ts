import { PROMPTS_LIST, RESOURCES_LIST, TOOLS_LIST } from "@mcpwright/protocol/names";
import { type GatewayLoss, META_LOSSES } from "@mcpwright/runtime/gateway/losses";
import { diagnostic, type Diagnostic } from "../../../shared/diagnostics/diagnostic.js";
import { isObject } from "../../../shared/is-object.js";
import { listOrNote } from "../../../shared/sessions/list-all.js";
import type { ServerSession } from "../../../shared/sessions/open-session.js";

const lists = [
  ["tools", TOOLS_LIST],
  ["resources", RESOURCES_LIST],
  ["prompts", PROMPTS_LIST],
] as const;

/**
 * Requests what a gateway has recorded so far, together with one of its lists.
 * @returns undefined if the server is not a gateway that records losses
 */
export async function requestRecorded(
  session: ServerSession,
  note: (one: Diagnostic) => void,
): Promise<readonly GatewayLoss[] | undefined> {
  const capabilities = session.client.getServerCapabilities() ?? {};
  const [, method] = lists.find(([name]) => capabilities[name]) ?? [];
  if (method === undefined) return undefined;
  let recorded: readonly GatewayLoss[] | undefined;
  const request = async (): Promise<readonly GatewayLoss[]> => {
    const { _meta } = await session.client.request(method, { _meta: { [META_LOSSES]: true } });
    const losses: unknown = _meta?.[META_LOSSES];
    if (!Array.isArray(losses)) return [];
    const invalid: unknown = losses.find((loss) => !isLoss(loss));
    if (invalid !== undefined)
      note(diagnostic("server-item-invalid", { method, name: JSON.stringify(invalid).slice(0, 200) }));
    return (recorded = losses.filter(isLoss));
  };
  await listOrNote(session, "losses", request, note);
  return recorded;
}

const kinds: ReadonlySet<unknown> = new Set<GatewayLoss["kind"]>(["drop", "change", "refuse", "unsupported"]);

/** Whether a value of the server has the members that are shown. */
function isLoss(value: unknown): value is GatewayLoss {
  if (!isObject(value)) return false;
  const { from, to, kind, direction } = value;
  return (
    ["server", "method", "at", "text"].every((name) => typeof value[name] === "string") &&
    [from, to].every((revision) => revision === undefined || typeof revision === "string") &&
    kinds.has(kind) &&
    (direction === "toClient" || direction === "toServer")
  );
}
