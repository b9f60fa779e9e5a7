import type { RequestId, Side } from "@mcpwright/protocol/contract";
import { NOTIFICATIONS_CANCELLED, NOTIFICATIONS_INITIALIZED } from "@mcpwright/protocol/names";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage, JSONRPCNotification } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import { assertNumberOptions } from "../options/assert-options.js";
import { markHandled } from "../timing/mark-handled.js";
import type { Transport } from "../transport/transport.js";
import { AuthorizedFetch } from "./authorized-fetch.js";
import { linkEventsFor, reportError } from "./link-events.js";
import type { StreamableHTTPClientTransportOptions } from "./options.js";
import { RequestHeaders } from "./request-headers.js";
import { parseServerUrl } from "./server-url.js";
import { StreamableLink } from "./streamable-link.js";

/**
 * The client's end of Streamable HTTP, for every revision that has it (MCP, transports). If a server rejects the handshake
 * because it has only the HTTP+SSE of 2024-11-05, the transport falls back to it.
 *
 * When the server has dropped the session, `onclose` gets an `SdkError` `SESSION_LOST`. You may then call `start` again.
 *
 * @example
 * ```ts
 * const authProvider = { token: () => "secret" };
 * const transport = new StreamableHTTPClientTransport("https://example.com/mcp", { authProvider });
 * await client.connect(transport);
 * ```
 */
export class StreamableHTTPClientTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onwait?: Transport["onwait"];
  onclose?: Transport["onclose"];
  ongap?: Transport["ongap"];
  readonly alwaysAnswers = true;

  readonly #options: StreamableHTTPClientTransportOptions;
  readonly #fetch: AuthorizedFetch;
  readonly #headers = new RequestHeaders();
  #link: StreamableLink | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` for a URL that is not an HTTP URL, or an invalid number */
  constructor(url: URL | string, options: StreamableHTTPClientTransportOptions = {}) {
    assertNumberOptions(options, options.reconnectionOptions);
    this.#options = options;
    this.#fetch = new AuthorizedFetch(parseServerUrl(url), options, (id) => this.onwait?.(id));
  }

  /** The URL of the server. */
  get serverId(): string {
    return this.#fetch.url.href;
  }

  /** The session that the server has opened. */
  get sessionId(): string | undefined {
    return this.#link?.sessionId;
  }

  /** The version that the handshake negotiated. */
  get protocolVersion(): string | undefined {
    return this.#headers.version;
  }

  /** Opens the transport without sending anything. @throws SdkError `ALREADY_CONNECTED` */
  start(): Promise<void> {
    if (this.#link)
      return Promise.reject(new SdkError("ALREADY_CONNECTED", "the transport is already open; close it first"));
    const { sessionId, protocolVersion } = this.#options;
    this.#headers.version = protocolVersion;
    const receiver = linkEventsFor(
      this,
      () => this.#link === link,
      (error) => this.#shut(link, error),
    );
    const link = new StreamableLink(this.#fetch, this.#options, this.#headers, receiver, sessionId);
    this.#link = link;
    return Promise.resolve();
  }

  /**
   * Posts a message. The promise settles when the exchange is over; for a request, with its response.
   * @throws SdkError `SEND_FAILED`, `HTTP_ERROR`, `RESPONSE_LOST`, `SESSION_LOST`, `LIMIT_EXCEEDED`, `NOT_CONNECTED`,
   *   `REQUEST_TIMEOUT`, `INVALID_CONFIGURATION`
   */
  async send(message: JSONRPCMessage | readonly JSONRPCMessage[]): Promise<void> {
    const link = this.#open;
    const body = serialize(message);
    const { method, params } = message as JSONRPCNotification;
    try {
      await link.post(message, body);
    } finally {
      // A cancelled request's stream is not read any further.
      if (method === NOTIFICATIONS_CANCELLED) link.cancel(params?.["requestId"] as RequestId);
    }
    if (method === NOTIFICATIONS_INITIALIZED && this.#headers.side?.profile.getStream) void link.listen();
  }

  cancelRequest(id: RequestId): void {
    this.#link?.cancel(id);
  }

  setRevision(side: Side): void {
    this.#headers.side = side;
  }

  setProtocolVersion(version: string): void {
    this.#headers.version = version;
  }

  cacheIdentity(): unknown {
    return this.#fetch.token();
  }

  checkTool(tool: unknown): string | undefined {
    return this.#headers.learnTool(tool);
  }

  /** Closes all streams, and ends the session if the server allows it. */
  async close(): Promise<void> {
    const link = this.#link;
    if (!link) return;
    const deleted = link.delete();
    this.#shut(link);
    await deleted.catch((error: unknown) => reportError(this, error));
  }

  /**
   * Ends the session, if the server allows it; the transport stays open.
   * @throws SdkError `HTTP_ERROR`, `SEND_FAILED`
   */
  terminateSession(): Promise<void> {
    return markHandled(this.#terminateSession());
  }

  async #terminateSession(): Promise<void> {
    const link = this.#open;
    await link.delete();
    link.sessionId = undefined;
  }

  /**
   * Fetches the messages that a stream had after an event, and passes them to `onmessage`.
   * @throws SdkError `HTTP_ERROR`, `SEND_FAILED`, `SESSION_LOST`
   */
  resumeStream(lastEventId: string): Promise<void> {
    return markHandled(this.#open.resume(lastEventId));
  }

  get #open(): StreamableLink {
    if (!this.#link) throw new SdkError("NOT_CONNECTED", "the transport is not open");
    return this.#link;
  }

  #shut(link: StreamableLink, error?: Error): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    link.abandon();
    this.onclose?.(error);
  }
}
