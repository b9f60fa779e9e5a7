import { INITIALIZE, PING } from "@mcpwright/protocol/names";
import { isObject } from "../../shared/is-object.js";
import type { Side } from "../../shared/model/protocol.js";
import type { RevisionFacts } from "./revision-facts.js";
import type { Report } from "./finding-collector.js";
import type { ConversationState } from "./conversation-state.js";
import { ownMember, shownValue } from "./json-values.js";

/**
 * Whether a request opens a new session, so that earlier messages belong to the previous one. A record does not contain
 * restarts of a process or ends of HTTP sessions.
 */
export function isNewSession(
  from: Side,
  method: string,
  { opening }: ConversationState,
  facts: RevisionFacts,
): boolean {
  return facts.profile.opening === "handshake" && from === "client" && method === INITIALIZE && opening !== "none";
}

/** Discards the previous session, which the server has not accepted or may have dropped. */
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

/** Checks a request in a revision with sessions. */
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

/** Handles the response to the request that opens a session. */
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

/** Handles the server's rejection of a session; the client may try again. */
export function rejectInitialize(state: ConversationState): void {
  state.opening = "none";
  state.client.capabilities = undefined;
  state.server.capabilities = undefined;
}

/** Checks the notification that the client is ready. */
export function completeInitialization(state: ConversationState, facts: RevisionFacts, report: Report): void {
  const link = facts.link("profile", "opening");
  if (state.opening === "answered") state.opening = "open";
  else if (state.opening === "open")
    report("lifecycle-order", ["method"], "the client says a second time that it is ready", link);
  else report("lifecycle-order", ["method"], "the client reports that it is ready before the session is opened", link);
}
