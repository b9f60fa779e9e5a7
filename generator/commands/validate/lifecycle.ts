import { INITIALIZE, PING } from "@mcpwright/protocol/names";
import { isObject } from "../../shared/is-object.js";
import type { Side } from "../../shared/model/protocol.js";
import type { Facts } from "./facts.js";
import type { Tell } from "./finding.js";
import type { State } from "./state.js";
import { own, shown } from "./values.js";

/**
 * Whether a request opens a session that has been opened before: what was said until then belongs to the earlier one. A record
 * does not say when a process was started again, or a session was dropped over HTTP.
 */
export function opensAgain(from: Side, method: string, { opening }: State, facts: Facts): boolean {
  return facts.profile.opening === "handshake" && from === "client" && method === INITIALIZE && opening !== "none";
}

/** Forgets the earlier session, which nobody has answered, or the server may have dropped. */
export function beginAgain(state: State, facts: Facts, tell: Tell): void {
  const link = facts.link("profile", "opening");
  if (state.opening !== "asked")
    tell(
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
  refused(state);
}

/** A request in a revision that opens sessions. */
export function openingRequest(
  { from, method, params }: { readonly from: Side; readonly method: string; readonly params: unknown },
  inBatch: boolean,
  state: State,
  facts: Facts,
  tell: Tell,
): void {
  const link = facts.link("profile", "opening");
  const { opening } = state;
  if (method === INITIALIZE && from === "client") {
    if (inBatch) tell("lifecycle-order", ["method"], "the session is opened in a batch", link);
    state.opening = "asked";
    const capabilities = own(params, "capabilities");
    state.client.capabilities = isObject(capabilities) ? capabilities : {};
    return;
  }
  if (method === PING || opening === "open") return;
  if (from === "server")
    return tell(
      "lifecycle-haste",
      ["method"],
      `the server asks for ${method} before the client has said that it is ready`,
      link,
    );
  switch (opening) {
    case "none":
      return tell("lifecycle-order", ["method"], `${method} comes before the session is opened`, link);
    case "asked":
      return tell("lifecycle-haste", ["method"], `${method} comes before the server has opened the session`, link);
    case "answered":
      return tell("lifecycle-order", ["method"], `${method} comes before the client has said that it is ready`, link);
  }
}

/** The server has answered the request that opens a session. */
export function opened(result: unknown, state: State, facts: Facts, tell: Tell): void {
  state.opening = "answered";
  const capabilities = own(result, "capabilities");
  state.server.capabilities = isObject(capabilities) ? capabilities : {};
  const version = own(result, "protocolVersion");
  if (version !== facts.revision)
    tell(
      "revision-differs",
      ["result", "protocolVersion"],
      `the session is opened in ${shown(version)}, and held against ${facts.revision}`,
      facts.link("profile", "opening"),
    );
}

/** The server has refused to open a session: the client may ask again. */
export function refused(state: State): void {
  state.opening = "none";
  state.client.capabilities = undefined;
  state.server.capabilities = undefined;
}

/** The client says that it is ready. */
export function ready(state: State, facts: Facts, tell: Tell): void {
  const link = facts.link("profile", "opening");
  if (state.opening === "answered") state.opening = "open";
  else if (state.opening === "open")
    tell("lifecycle-order", ["method"], "the client says a second time that it is ready", link);
  else tell("lifecycle-order", ["method"], "the client says that it is ready before the session is opened", link);
}
