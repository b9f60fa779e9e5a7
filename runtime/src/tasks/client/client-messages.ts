import type { ClientConnection } from "../../client/client-connection.js";
import type { ClientHost, ClientInternals } from "../../client/client-extension.js";
import type { InputRequest } from "../../client/client-request-handlers.js";
import type { SendOptions } from "../../client/send-options.js";
import { reportTo } from "../../connection/error-reporting.js";

/** A checked result in the form of the revision in use. */
export type RawResult = Record<string, unknown>;

/** What tasks send over a client, and receive from it. */
export class ClientMessages {
  constructor(
    readonly client: ClientHost,
    readonly internals: ClientInternals,
  ) {}

  /** @throws SdkError `NOT_CONNECTED` */
  get connection(): ClientConnection {
    return this.client.connection;
  }

  /** The open connection, if there is one. */
  get openConnection(): ClientConnection | undefined {
    return this.client.era && this.client.connection;
  }

  /** Sends a request. Waits while the client reconnects. */
  send(method: string, params: object, options?: SendOptions): Promise<RawResult> {
    return this.internals.requests.sendUnchanged(method, params, { ...options, isRaw: true }) as Promise<RawResult>;
  }

  /**
   * Checks and converts a result that did not arrive in the response to its request.
   * @throws SdkError `INVALID_RESULT`
   */
  readResult(method: string, params: object, result: unknown): RawResult {
    return this.internals.pipeline().read(this.connection.resultRow(method), method, params, result);
  }

  /**
   * Runs the program's handler of an input request.
   * @param method what asks for the input
   * @throws SdkError `INPUT_REQUIRED_UNSUPPORTED` when there is none
   */
  handleInput(method: string, request: InputRequest, signal: AbortSignal): Promise<object> {
    return this.internals.requestHandlers.handleInput(this.connection.side, method, request, { signal });
  }

  /** Reports an error to `onerror`. */
  report(error: unknown): void {
    reportTo(this.client.options, error);
  }
}
