import { type HttpErrorData, SSEClientTransport as NativeTransport } from "@mcpwright/runtime/client/http";
import { toOfficialError } from "../shared/errors.js";
import type { JSONRPCMessage } from "../types/index.js";
import type { FetchLike, Transport } from "../shared/transport.js";
import { UnauthorizedError } from "./auth/errors.js";
import { HttpAuth } from "./auth/http-auth.js";
import type { HttpTransportOptions } from "./http-options.js";
import { carry } from "./transport-port.js";

type Constructor = abstract new (...args: never[]) => unknown;

/** The event of an error of a stream. */
export interface ErrorEvent {
  readonly type: string;
  readonly message?: string | undefined;
  /** The status of the response. */
  readonly code?: number | undefined;
}

/** The stream of HTTP+SSE cannot be opened. */
export class SseError extends Error {
  override name = "SseError";

  constructor(
    readonly code: number | undefined,
    message: string | undefined,
    readonly event: ErrorEvent,
  ) {
    super(`SSE error: ${message}`);
  }

  static isInstance<Class extends Constructor>(this: Class, value: unknown): value is InstanceType<Class> {
    return value instanceof this;
  }
}

export type SSEClientTransportOptions = HttpTransportOptions & {
  /** The `fetch` of the stream, and its options. */
  eventSourceInit?: { fetch?: FetchLike; withCredentials?: boolean };
};

/**
 * The client's end of HTTP+SSE.
 * @deprecated since 2025-03-26: use `StreamableHTTPClientTransport`
 */
export class SSEClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #native: NativeTransport;
  readonly #auth: HttpAuth | undefined;

  constructor(url: URL, opts: SSEClientTransportOptions = {}) {
    const { authProvider, requestInit, eventSourceInit } = opts;
    this.#auth = authProvider && new HttpAuth(authProvider, url, opts);
    this.#native = new NativeTransport(url, {
      fetch: (input, init) => {
        const own = init.method === "GET" ? eventSourceInit?.fetch : undefined;
        return (own ?? opts.fetch ?? fetch)(input, init);
      },
      ...(this.#auth && { authProvider: this.#auth }),
      ...(requestInit && { requestInit }),
    });
    carry(this, this.#native);
  }

  /** @throws SseError when the server does not open the stream */
  async start(): Promise<void> {
    try {
      await this.#native.start();
    } catch (error) {
      const { code, data, message } = error as { code?: unknown; data?: HttpErrorData; message: string };
      if (code !== "HTTP_ERROR") throw toOfficialError(error);
      const status = data?.status;
      throw new SseError(status, `Non-200 status code (${status})`, { type: "error", code: status, message });
    }
  }

  async close(): Promise<void> {
    await this.#native.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#native.send(message as Parameters<NativeTransport["send"]>[0]);
    } catch (error) {
      throw toOfficialError(error);
    }
  }

  setProtocolVersion(version: string): void {
    this.#native.setProtocolVersion(version);
  }

  /** Completes a log-in with the params of the callback, or with the code in them. */
  async finishAuth(callback: URLSearchParams | string, iss?: string): Promise<void> {
    if (!this.#auth) throw new UnauthorizedError("No auth provider");
    await this.#auth.finish(callback, iss);
  }
}
