import type { RequestId } from "@mcpwright/protocol/contract";
import type { Principal } from "./principal.js";
import type { RequestChecks } from "./request-checks.js";

/** What a transport knows about a message in addition to its content. */
export interface MessageExtra {
  /** The principal that the transport has authenticated. */
  readonly principal?: Principal | undefined;
  /** The id of the sent request on whose response stream the message was received. */
  readonly relatedRequestId?: RequestId;
  /** The HTTP request that contained the message. */
  readonly http?: HttpRequestInfo;
  /** The transport's own checks of a request. */
  readonly requestChecks?: RequestChecks;
  /** The content of the `requestState`, which another node has opened and passed on with the request. @internal */
  readonly openedState?: unknown;
  /**
   * Called when the call is suspended: keeps its place and its memory after the response.
   * @param giveWay ends the call; called when it must make room for another one
   * @returns a function that frees the place
   */
  suspend?(giveWay: () => void): () => void;
  /** Makes the transport watch for a disconnect of the peer, where watching has a cost. Called only when needed. */
  watchDisconnect?(): void;
}

/** The HTTP request that a handler serves, and control over its response stream. */
export interface HttpRequestInfo {
  /** The path and query, as the server received them. */
  readonly url: string;
  /** The network address of the client or proxy that sent the request, where the host knows it. */
  readonly remoteAddress?: string | undefined;
  /** The port of that client or proxy, where the host knows it. */
  readonly remotePort?: number | undefined;
  /** The version of HTTP, where the host knows it. @example `"1.1"` */
  readonly httpVersion?: string | undefined;
  /** Returns a header by its name in lower case; several headers with that name are joined by commas. */
  header(name: string): string | undefined;
  /**
   * Closes the response stream while the handler continues; the client reconnects for the remaining messages (MCP
   * 2025-11-25, transports: polling). Undefined where the revision or the server's options do not support polling.
   * @param retryMs milliseconds after which the client should reconnect. Default: the option `retryInterval`
   */
  readonly closeSSE?: ((retryMs?: number) => void) | undefined;
  /** Closes the session's streams for messages that belong to no request, in the same way. */
  readonly closeStandaloneSSE?: ((retryMs?: number) => void) | undefined;
}
