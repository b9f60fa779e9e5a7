import { INITIALIZE, PING } from "@mcpwright/protocol/names";
import { isObject } from "../../shared/is-object.js";
import type { Side } from "../../shared/model/protocol.js";
import type { RevisionFacts } from "./revision-facts.js";
import type { Report } from "./finding-collector.js";
import type { ConversationState } from "./conversation-state.js";
import { ownMember, shownValue } from "./json-values.js";

/**
 * Whether a request opens a session that has been opened before: what was said until then belongs to the earlier one. A record
 * does not say when a process was started again, or a session was dropped over HTTP.
 */
export function isNewSession(
  from: Side,
  method: string,
  { opening }: ConversationState,
  facts: RevisionFacts,
): boolean {
  return facts.profile.opening === "handshake" && from === "client" && method === INITIALIZE && opening !== "none";
}

/** Forgets the earlier session, which nobody has answered, or the server may have dropped. */
export function resetSession(state: ConversationState, facts: RevisionFacts, report: Report): void {
  const link = facts.link("profile", "opening");
  if (state.opening !== "asked")
    report(
      "lifecycle-again",
      ["method"],
      "the session is opened a second time; right only if the server has dropped it",
      link,
    );
  for (const side of [state.client, state.server]) {
    side.open.clear();
    side.answered.clear();
    side.tokens.clear();
  }
  rejectInitialize(state);
}

/** A request in a revision that opens sessions. */
export function checkInitializeRequest(
  { from, method, params }: { readonly from: Side; readonly method: string; readonly params: unknown },
  inBatch: boolean,
  state: ConversationState,
  facts: RevisionFacts,
  report: Report,
): void {
  const link = facts.link("profile", "opening");
  const { opening } = state;
  if (method === INITIALIZE && from === "client") {
    if (inBatch) report("lifecycle-order", ["method"], "the session is opened in a batch", link);
    state.opening = "asked";
    const capabilities = ownMember(params, "capabilities");
    state.client.capabilities = isObject(capabilities) ? capabilities : {};
    return;
  }
  if (method === PING || opening === "open") return;
  if (from === "server")
    return report(
      "lifecycle-haste",
      ["method"],
      `the server asks for ${method} before the client has said that it is ready`,
      link,
    );
  switch (opening) {
    case "none":
      return report("lifecycle-order", ["method"], `${method} comes before the session is opened`, link);
    case "asked":
      return report("lifecycle-haste", ["method"], `${method} comes before the server has opened the session`, link);
    case "answered":
      return report("lifecycle-order", ["method"], `${method} comes before the client has said that it is ready`, link);
  }
}

/** The server has answered the request that opens a session. */
export function acceptInitializeResult(
  result: unknown,
  state: ConversationState,
  facts: RevisionFacts,
  report: Report,
): void {
  state.opening = "answered";
  const capabilities = ownMember(result, "capabilities");
  state.server.capabilities = isObject(capabilities) ? capabilities : {};
  const version = ownMember(result, "protocolVersion");
  if (version !== facts.revision)
    report(
      "revision-differs",
      ["result", "protocolVersion"],
      `the session is opened in ${shownValue(version)}, and held against ${facts.revision}`,
      facts.link("profile", "opening"),
    );
}

/** The server has refused to open a session: the client may ask again. */
export function rejectInitialize(state: ConversationState): void {
  state.opening = "none";
  state.client.capabilities = undefined;
  state.server.capabilities = undefined;
}

/** The client says that it is ready. */
export function completeInitialization(state: ConversationState, facts: RevisionFacts, report: Report): void {
  const link = facts.link("profile", "opening");
  if (state.opening === "answered") state.opening = "open";
  else if (state.opening === "open")
    report("lifecycle-order", ["method"], "the client says a second time that it is ready", link);
  else report("lifecycle-order", ["method"], "the client says that it is ready before the session is opened", link);
}
