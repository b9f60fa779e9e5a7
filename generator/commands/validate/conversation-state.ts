import type { Side } from "../../shared/model/protocol.js";
import type { Members } from "./json-values.js";

/** A request that was sent. */
export interface SentRequest {
  readonly method: string;
  readonly line: number;
  readonly params: unknown;
  /** What its sender asked for progress with, as a key. */
  readonly token: string | undefined;
  /** It asks for another revision: its shape and its answer are not looked at. */
  readonly isForeign: boolean;
  isCancelled: boolean;
}

export interface ProgressToken {
  readonly line: number;
  last: number | undefined;
  isOver: boolean;
}

/** What is known of one side, as the sender of requests. */
export interface SideState {
  /** By the key of the id. */
  readonly open: Map<string, SentRequest>;
  /** The lines of answers, by the key of the id. */
  readonly answered: Map<string, number>;
  readonly tokens: Map<string, ProgressToken>;
  /** Undefined as long as nobody has told. */
  capabilities: Members | undefined;
}

/** What has been said so far. */
export interface ConversationState {
  readonly client: SideState;
  readonly server: SideState;
  /** How far a session has been opened, in revisions that have sessions. */
  opening: "none" | "asked" | "answered" | "open";
  /** Questions inside of results, by their key: the method, and the line. */
  readonly questions: Map<string, { readonly method: string; readonly line: number }>;
  /** Subscriptions that were acknowledged, by the key of the request's id. */
  readonly acknowledged: Set<string>;
  /** Deprecated methods that were mentioned. */
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
