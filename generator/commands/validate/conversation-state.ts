import type { Side } from "../../shared/model/protocol.js";
import type { Members } from "./json-values.js";

/** A request that was sent. */
export interface SentRequest {
  readonly method: string;
  readonly line: number;
  readonly params: unknown;
  /** The progress token, as a key. */
  readonly token: string | undefined;
  /** Whether it requests another revision; then its shape and its response are not checked. */
  readonly isForeign: boolean;
  isCancelled: boolean;
}

export interface ProgressToken {
  readonly line: number;
  last: number | undefined;
  isOver: boolean;
}

/** The state of one side as a sender of requests. */
export interface SideState {
  /** Requests by the key of the id. */
  readonly open: Map<string, SentRequest>;
  /** The lines of responses by the key of the id. */
  readonly answered: Map<string, number>;
  readonly tokens: Map<string, ProgressToken>;
  /** Undefined until they are declared. */
  capabilities: Members | undefined;
}

/** The state of the conversation. */
export interface ConversationState {
  readonly client: SideState;
  readonly server: SideState;
  /** The progress of the handshake, in revisions with sessions. */
  opening: "none" | "asked" | "answered" | "open";
  /** Input requests in results by their key: the method and the line. */
  readonly questions: Map<string, { readonly method: string; readonly line: number }>;
  /** Acknowledged subscriptions by the key of the request's id. */
  readonly acknowledged: Set<string>;
  /** Deprecated methods that were reported. */
  readonly deprecated: Set<string>;
}

export function createConversationState(): ConversationState {
  const side = (): SideState => ({ open: new Map(), answered: new Map(), tokens: new Map(), capabilities: undefined });
  return {
    client: side(),
    server: side(),
    opening: "none",
    questions: new Map(),
    acknowledged: new Set(),
    deprecated: new Set(),
  };
}

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}
