import type { RequestId } from "@mcpwright/protocol/contract";
import type { Principal } from "./principal.js";
import type { RequestChecks } from "./request-checks.js";

/** What a transport knows of a message besides its text. */
export interface MessageExtra {
  /** Whom the transport has authenticated. */
  readonly principal?: Principal | undefined;
  /** The sent request on whose stream the message came. */
  readonly relatedRequestId?: RequestId;
  /** The HTTP request that brought the message. */
  readonly http?: HttpRequestInfo;
  /** What the transport itself asks of a request. */
  readonly requestChecks?: RequestChecks;
  /** Has the transport notice when the peer goes away, where that costs something; it is called when it matters. */
  watchDisconnect?(): void;
}

/** What handlers may know of the HTTP request that they serve, and do to its answer. */
export interface HttpRequestInfo {
  /** The path and query, as far as the server sees them. */
  readonly url: string;
  /** The value of a header, by its name in lower case; of several with that name, all, joined by commas. */
  header(name: string): string | undefined;
  /**
   * Ends the response stream for now; work goes on, and the client comes back for the rest (MCP 2025-11-25, transports:
   * polling). Absent where the revision or the server's options do not have that.
   * @param retryMs milliseconds after which the client shall come back. Default: the server's option
   */
  readonly closeSSE?: ((retryMs?: number) => void) | undefined;
  /** The same for the session's stream of unrelated messages. */
  readonly closeStandaloneSSE?: ((retryMs?: number) => void) | undefined;
}
