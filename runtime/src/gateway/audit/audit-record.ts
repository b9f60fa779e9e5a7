import type { Principal } from "../../transport/principal.js";

/** One request that a client sent to a server through the gateway. */
export interface AuditRecord {
  /** When it arrived, in milliseconds since 1970. */
  readonly time: number;
  readonly client: AuditClient;
  /** The name of the server; undefined when the request reached none, such as the call of an unknown tool. */
  readonly server?: string | undefined;
  readonly method: string;
  /** The name of the tool or prompt, or the URI of the resource. */
  readonly item?: string | undefined;
  /** Milliseconds until the outcome. */
  readonly durationMs: number;
  readonly outcome: AuditOutcome;
  /** The size of the result, in bytes of JSON. */
  readonly bytes?: number | undefined;
  /** The arguments of the request. They are written only by the option `arguments`. */
  readonly arguments?: unknown;
}

export interface AuditClient {
  /**
   * A name for the session that only the log uses, such as a number. Not its `Mcp-Session-Id`: a reader of the log could use the session
   * with it.
   */
  readonly session?: string | undefined;
  readonly principal?: Principal | undefined;
  /** The name that the client states. */
  readonly name?: string | undefined;
}

/**
 * How a request ended: `tool-error` is a result with `isError`, `input-required` one that asks the user, `error` a JSON-RPC error or an
 * error of the gateway, with its code.
 */
export type AuditOutcome =
  | { readonly kind: "ok" | "tool-error" | "input-required" | "cancelled" | "timeout" }
  | { readonly kind: "error"; readonly code: number | string };

/** Receives the lines of an audit log, each without a line break at its end. */
export type AuditSink = (line: string) => void;
