import {
  type HttpErrorData,
  type ReconnectionScheduler as NativeScheduler,
  StreamableHTTPClientTransport as NativeTransport,
} from "@mcpwright/runtime/client/http";
import { SdkErrorCode, SdkHttpError, toOfficialError } from "../shared/errors.js";
import type { JSONRPCMessage, RequestId } from "../types/index.js";
import type { Transport, TransportSendOptions } from "../shared/transport.js";
import { HttpAuth } from "./auth/http-auth.js";
import { UnauthorizedError } from "./auth/errors.js";
import type { HttpTransportOptions } from "./http-options.js";
import { reportingIds } from "./reporting-ids.js";
import { carry } from "./transport-port.js";

/** Where a stream is resumed. */
export interface StartSSEOptions {
  resumptionToken?: string;
  onresumptiontoken?: (token: string) => void;
  replayMessageId?: string | number;
  requestSignal?: AbortSignal;
  onRequestStreamEnd?: () => void;
}

/** When and how often a broken stream is opened again. */
export interface StreamableHTTPReconnectionOptions {
  /** Milliseconds. */
  maxReconnectionDelay: number;
  /** Milliseconds. */
  initialReconnectionDelay: number;
  reconnectionDelayGrowFactor: number;
  maxRetries: number;
}

/** Calls `reconnect` at the right time. May return a function that cancels the call. */
export type ReconnectionScheduler = (
  reconnect: () => void,
  delay: number,
  attemptCount: number,
  // eslint-disable-next-line @typescript-eslint/no-invalid-void-type -- the signature of the official SDK
) => (() => void) | void;

export type StreamableHTTPClientTransportOptions = HttpTransportOptions & {
  reconnectionOptions?: StreamableHTTPReconnectionOptions;
  reconnectionScheduler?: ReconnectionScheduler;
  /** A session to continue. */
  sessionId?: string;
  /** The version of that session. */
  protocolVersion?: string;
  /** What a response 403 with `insufficient_scope` does. Default: `reauthorize`. */
  onInsufficientScope?: "reauthorize" | "throw";
  maxStepUpRetries?: number;
};

const defaultReconnection: StreamableHTTPReconnectionOptions = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
};

/** The client's end of Streamable HTTP. */
export class StreamableHTTPClientTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly hasPerRequestStream = true;
  readonly #native: NativeTransport;
  readonly #auth: HttpAuth | undefined;
  readonly #tokenListeners = new Map<RequestId, (token: string) => void>();
  #sessionId: string | undefined;
  #protocolVersion: string | undefined;
  #isTerminating = false;

  constructor(url: URL, opts: StreamableHTTPClientTransportOptions = {}) {
    const { authProvider, requestInit, reconnectionOptions, reconnectionScheduler, sessionId, protocolVersion } = opts;
    this.#sessionId = sessionId;
    this.#protocolVersion = protocolVersion;
    this.#auth = authProvider && new HttpAuth(authProvider, url, opts);
    const send = (input: string | URL, init?: RequestInit): Promise<Response> => (opts.fetch ?? fetch)(input, init);
    this.#native = new NativeTransport(url, {
      fetch: (input, init) => {
        // The runtime ends the session when it closes the transport; programs do that with `terminateSession`.
        if (init.method === "DELETE" && !this.#isTerminating)
          return Promise.resolve(new Response(null, { status: 405 }));
        return this.#tokenListeners.size > 0
          ? reportingIds(send, this.#tokenListeners)(input, init)
          : send(input, init);
      },
      reconnectionOptions: reconnectionOptions ?? defaultReconnection,
      ...(reconnectionScheduler && { reconnectionScheduler: reconnectionScheduler as NativeScheduler }),
      ...(this.#auth && { authProvider: this.#auth }),
      ...(requestInit && { requestInit }),
      ...(sessionId !== undefined && { sessionId }),
      ...(protocolVersion !== undefined && { protocolVersion }),
    });
    carry(this, this.#native);
  }

  async start(): Promise<void> {
    await this.#native.start();
  }

  async close(): Promise<void> {
    this.#sessionId = this.sessionId;
    await this.#native.close();
  }

  /** Sends a message. With a `resumptionToken`, the messages that came after it are fetched instead. */
  async send(message: JSONRPCMessage | JSONRPCMessage[], options: TransportSendOptions = {}): Promise<void> {
    const { id } = message as { readonly id?: RequestId };
    const { resumptionToken, onresumptiontoken } = options;
    try {
      if (id !== undefined && onresumptiontoken) this.#tokenListeners.set(id, onresumptiontoken);
      if (resumptionToken !== undefined) await this.resumeStream(resumptionToken);
      else await this.#native.send(message as Parameters<NativeTransport["send"]>[0]);
    } catch (error) {
      throw toOfficialError(error);
    } finally {
      if (id !== undefined) this.#tokenListeners.delete(id);
    }
  }

  get sessionId(): string | undefined {
    return this.#native.sessionId ?? this.#sessionId;
  }

  /** Ends the session, if the server allows it. */
  async terminateSession(): Promise<void> {
    if (this.sessionId === undefined) return;
    this.#isTerminating = true;
    try {
      await this.#native.terminateSession();
    } catch (error) {
      const { status } = ((error as { readonly data?: HttpErrorData }).data ?? {}) as Partial<HttpErrorData>;
      if (status === undefined) throw toOfficialError(error);
      throw new SdkHttpError(
        SdkErrorCode.ClientHttpFailedToTerminateSession,
        `Failed to terminate session: status ${status}`,
        { status },
      );
    } finally {
      this.#isTerminating = false;
    }
    this.#sessionId = undefined;
  }

  setProtocolVersion(version: string): void {
    this.#protocolVersion = version;
    this.#native.setProtocolVersion(version);
  }

  get protocolVersion(): string | undefined {
    return this.#protocolVersion;
  }

  /** Fetches the messages that a stream had after an event. */
  async resumeStream(lastEventId: string, options?: { onresumptiontoken?: (token: string) => void }): Promise<void> {
    const key = `resume:${lastEventId}`;
    if (options?.onresumptiontoken) this.#tokenListeners.set(key, options.onresumptiontoken);
    try {
      await this.#native.resumeStream(lastEventId);
    } catch (error) {
      throw toOfficialError(error);
    } finally {
      this.#tokenListeners.delete(key);
    }
  }

  /** Completes a log-in with the params of the callback, or with the code in them. */
  async finishAuth(callback: URLSearchParams | string, iss?: string): Promise<void> {
    if (!this.#auth) throw new UnauthorizedError("No auth provider");
    await this.#auth.finish(callback, iss);
  }
}
