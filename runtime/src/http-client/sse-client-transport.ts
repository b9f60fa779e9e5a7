import type { Side } from "@mcpwright/protocol/contract";
import { SdkError } from "../jsonrpc/errors.js";
import type { JSONRPCMessage } from "../jsonrpc/message-types.js";
import { serialize } from "../jsonrpc/serialize.js";
import { assertNumberOptions } from "../options/assert-options.js";
import type { Transport } from "../transport/transport.js";
import { AuthorizedFetch } from "./authorized-fetch.js";
import { LegacyLink } from "./legacy-link.js";
import { linkEventsFor } from "./link-events.js";
import type { HttpClientOptions } from "./options.js";
import { RequestHeaders } from "./request-headers.js";
import { parseServerUrl } from "./server-url.js";

let isReported = false;

/**
 * The client's end of HTTP+SSE, the transport of servers of 2024-11-05. If you do not know which transport a server has, use
 * `StreamableHTTPClientTransport`, which detects it.
 *
 * When the stream ends, `onclose` gets an `SdkError` `CONNECTION_CLOSED`. You may then call `start` again.
 * @deprecated since 2025-03-26, together with HTTP+SSE: use `StreamableHTTPClientTransport`
 */
export class SSEClientTransport implements Transport {
  onmessage?: Transport["onmessage"];
  onerror?: Transport["onerror"];
  onwait?: Transport["onwait"];
  onclose?: Transport["onclose"];

  readonly #fetch: AuthorizedFetch;
  readonly #headers = new RequestHeaders();
  #link: LegacyLink | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` for a URL that is not an HTTP URL, or an invalid number */
  constructor(url: URL | string, options: HttpClientOptions = {}) {
    assertNumberOptions(options);
    this.#fetch = new AuthorizedFetch(parseServerUrl(url), options, (id) => this.onwait?.(id));
  }

  /**
   * Opens the stream and waits until the server has sent the endpoint to post to.
   * @throws SdkError `ALREADY_CONNECTED`, `HTTP_ERROR`, `SEND_FAILED`, `RESPONSE_LOST`, `LIMIT_EXCEEDED`
   */
  async start(): Promise<void> {
    if (this.#link) throw new SdkError("ALREADY_CONNECTED", "the transport is already open; close it first");
    this.#reportDeprecated();
    const receiver = linkEventsFor(
      this,
      () => this.#link === link,
      (error) => this.#shut(link, error),
    );
    const link = new LegacyLink(this.#fetch, receiver);
    this.#link = link;
    this.#headers.version = undefined;
    try {
      await link.open();
    } catch (error) {
      if (this.#link === link) this.#link = undefined;
      throw error;
    }
  }

  /** @throws SdkError `NOT_CONNECTED`, `HTTP_ERROR`, `SEND_FAILED` */
  async send(message: JSONRPCMessage | readonly JSONRPCMessage[]): Promise<void> {
    if (!this.#link) throw new SdkError("NOT_CONNECTED", "the transport is not open");
    await this.#link.send(message, this.#headers.forMessage(message), serialize(message));
  }

  setRevision(side: Side): void {
    this.#headers.side = side;
  }

  setProtocolVersion(version: string): void {
    this.#headers.version = version;
  }

  close(): Promise<void> {
    if (this.#link) this.#shut(this.#link);
    return Promise.resolve();
  }

  /** Once per process, because each use has the same remedy. */
  #reportDeprecated(): void {
    if (isReported) return;
    isReported = true;
    const remedy = "use StreamableHTTPClientTransport, which also connects to servers of HTTP+SSE";
    this.onerror?.(new SdkError("DEPRECATED", `SSEClientTransport is deprecated: ${remedy}`));
  }

  #shut(link: LegacyLink, error?: Error): void {
    if (this.#link !== link) return;
    this.#link = undefined;
    link.close();
    this.onclose?.(error);
  }
}
