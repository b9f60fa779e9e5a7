import {
  APPS_PROTOCOL_VERSION,
  type McpUiAppCapabilities,
  type McpUiHostContext,
  type McpUiInitializeRequestParams,
} from "@mcpwright/protocol/extensions/apps";
import {
  NOTIFICATIONS_MESSAGE,
  UI_INITIALIZE,
  UI_NOTIFICATIONS_HOST_CONTEXT_CHANGED,
  UI_NOTIFICATIONS_INITIALIZED,
  UI_NOTIFICATIONS_REQUEST_TEARDOWN,
  UI_NOTIFICATIONS_SIZE_CHANGED,
  UI_NOTIFICATIONS_TOOL_CANCELLED,
  UI_NOTIFICATIONS_TOOL_INPUT,
  UI_NOTIFICATIONS_TOOL_INPUT_PARTIAL,
  UI_NOTIFICATIONS_TOOL_RESULT,
  UI_RESOURCE_TEARDOWN,
} from "@mcpwright/protocol/names";
import type { CallToolResult, Implementation } from "../../authoring.js";
import { isSdkError, toError } from "../../jsonrpc/error-conversion.js";
import { ErrorCode, ProtocolError, SdkError } from "../../jsonrpc/errors.js";
import type { Transport } from "../../transport/transport.js";
import { FrameConnection, type FrameHandler, type FrameRequestOptions } from "../bridge/frame-connection.js";
import { AppRequests } from "./app-requests.js";
import { hostMessages } from "./host-messages.js";
import type { AppHostOptions } from "./host-options.js";

type Arguments = Readonly<Record<string, unknown>>;

export interface CloseOptions {
  /** Sent to the app. */
  readonly reason?: string | undefined;
  /** Milliseconds to wait for the app, which may save its state. Default: `1_000`. */
  readonly timeoutMs?: number | undefined;
}

/**
 * One app, seen by its host, on any transport. In a web page, `mountApp` creates it together with its frame.
 *
 * Messages to the app wait until it is ready.
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx#lifecycle
 */
export class HostedApp {
  readonly #options: AppHostOptions;
  readonly #connection: FrameConnection;
  readonly #requests: AppRequests;
  #context: McpUiHostContext;
  #app: McpUiInitializeRequestParams | undefined;
  #isReady = false;
  /** Messages for an app that is not ready: the last one of each method. */
  readonly #waiting = new Map<string, object>();
  /** How far the tool call has come. */
  #call: "begun" | "input" | "ended" = "begun";
  #closing: Promise<boolean> | undefined;

  /** @throws SdkError `INVALID_CONFIGURATION` when `consent` is missing */
  constructor(transport: Transport, options: AppHostOptions) {
    if (typeof options.consent !== "function")
      throw new SdkError("INVALID_CONFIGURATION", "consent must be a function that decides what the app may do");
    this.#options = options;
    this.#context = options.context ?? {};
    this.#requests = new AppRequests(options, {
      modes: () => ({
        shown: this.#context.displayMode ?? "inline",
        offered: this.#context.availableDisplayModes ?? [],
        supported: this.#app?.appCapabilities.availableDisplayModes,
      }),
      setDisplayMode: (displayMode) => this.setContext({ displayMode }),
      notify: (method, params) => this.#notify(method, params),
    });
    this.#connection = new FrameConnection(transport, {
      messages: hostMessages,
      handlers: this.#handlers(),
      onerror: options.onerror,
      onclose: (error) => options.onclose?.(error),
      maxConcurrentRequests: options.maxConcurrentRequests ?? 20,
    });
  }

  /** Starts to listen to the app. @throws errors of the transport */
  open(): Promise<void> {
    return this.#connection.open();
  }

  /** The name and version of the app; undefined before it has introduced itself. */
  get info(): Implementation | undefined {
    return this.#app?.appInfo;
  }

  /** What the app can do; `{}` before it has introduced itself. */
  get capabilities(): McpUiAppCapabilities {
    return this.#app?.appCapabilities ?? {};
  }

  /** Whether the app has said that it is ready. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** The place where the app is shown, with all changes so far. */
  get context(): McpUiHostContext {
    return this.#context;
  }

  /** Changes members of the context, and sends them to the app. */
  setContext(changes: McpUiHostContext): void {
    this.#context = { ...this.#context, ...changes };
    // An app that has not introduced itself gets the whole context when it does.
    if (!this.#app) return;
    this.#notify(UI_NOTIFICATIONS_HOST_CONTEXT_CHANGED, {
      ...this.#waiting.get(UI_NOTIFICATIONS_HOST_CONTEXT_CHANGED),
      ...changes,
    });
  }

  /** Sends the arguments that the model has written so far. @throws SdkError `INVALID_CONFIGURATION` after `sendToolInput` */
  sendToolInputPartial(args: Arguments): void {
    if (this.#call !== "begun") throw outOfOrder("the arguments are complete: partial ones come before sendToolInput");
    this.#notify(UI_NOTIFICATIONS_TOOL_INPUT_PARTIAL, { arguments: args });
  }

  /** Sends all arguments of the tool call. @throws SdkError `INVALID_CONFIGURATION` when it was called before */
  sendToolInput(args: Arguments): void {
    if (this.#call !== "begun") throw outOfOrder("the arguments were sent before");
    this.#call = "input";
    this.#waiting.delete(UI_NOTIFICATIONS_TOOL_INPUT_PARTIAL);
    this.#notify(UI_NOTIFICATIONS_TOOL_INPUT, { arguments: args });
  }

  /**
   * Sends the result of the tool call.
   * @throws SdkError `INVALID_CONFIGURATION` before `sendToolInput`, and when the call has ended
   */
  sendToolResult(result: Omit<CallToolResult, "resultType">): void {
    if (this.#call !== "input") throw outOfOrder("the result comes once, after sendToolInput");
    this.#call = "ended";
    this.#notify(UI_NOTIFICATIONS_TOOL_RESULT, result);
  }

  /** Notifies the app that the tool call was cancelled. @throws SdkError `INVALID_CONFIGURATION` when the call has ended */
  sendToolCancelled(reason?: string): void {
    if (this.#call === "ended") throw outOfOrder("the call has ended");
    this.#call = "ended";
    this.#notify(UI_NOTIFICATIONS_TOOL_CANCELLED, { ...(reason !== undefined && { reason }) });
  }

  /**
   * Sends a request to the app, such as `tools/call` to one that declares `tools`.
   * @returns the result, which is not checked
   * @throws SdkError `NOT_CONNECTED` before the app is ready, `REQUEST_TIMEOUT`, `CONNECTION_CLOSED`; RemoteError of the app
   */
  async request(method: string, params?: object, options?: FrameRequestOptions): Promise<unknown> {
    if (!this.#isReady) throw new SdkError("NOT_CONNECTED", "the app is not ready (see isReady, onInitialized)");
    return this.#connection.request(method, params, options);
  }

  /**
   * Asks the app to finish, waits for it, and ends the connection. Further calls return the same promise.
   * @returns whether the app has finished; false if it was not ready, failed, or did not answer in time
   */
  close(options: CloseOptions = {}): Promise<boolean> {
    this.#closing ??= this.#close(options);
    return this.#closing;
  }

  async #close({ reason, timeoutMs = 1_000 }: CloseOptions): Promise<boolean> {
    try {
      if (!this.#isReady || !this.#connection.isOpen) return false;
      const params = reason === undefined ? {} : { reason };
      await this.#connection.request(UI_RESOURCE_TEARDOWN, params, { timeoutMs });
      return true;
    } catch (error) {
      if (!isSdkError(error, "CONNECTION_CLOSED")) this.#options.onerror?.(toError(error));
      return false;
    } finally {
      await this.#connection.close();
    }
  }

  #notify(method: string, params: object): void {
    if (this.#isReady) void this.#connection.notify(method, params).catch(ignore);
    else this.#waiting.set(method, params);
  }

  #handlers(): Record<string, FrameHandler> {
    const { onSizeChange, onLog, onRequestTeardown } = this.#options;
    const handlers: Record<string, FrameHandler> = {
      [UI_INITIALIZE]: (params: McpUiInitializeRequestParams) => {
        if (this.#app) throw new ProtocolError(ErrorCode.InvalidRequest, "The app was initialized before");
        this.#app = params;
        return {
          protocolVersion: APPS_PROTOCOL_VERSION,
          hostInfo: this.#options.info,
          hostCapabilities: this.#requests.capabilities,
          hostContext: this.#context,
        };
      },
      [UI_NOTIFICATIONS_INITIALIZED]: () => this.#ready(),
      ...(onSizeChange && { [UI_NOTIFICATIONS_SIZE_CHANGED]: onSizeChange }),
      ...(onRequestTeardown && { [UI_NOTIFICATIONS_REQUEST_TEARDOWN]: () => onRequestTeardown() }),
      ...(onLog && { [NOTIFICATIONS_MESSAGE]: onLog }),
    };
    const introduced =
      (method: string, handler: FrameHandler): FrameHandler =>
      (params, signal) => {
        if (!this.#app) throw new ProtocolError(ErrorCode.InvalidRequest, `Send ${UI_INITIALIZE} before ${method}`);
        return handler(params, signal);
      };
    const requests = Object.entries(this.#requests.handlers);
    const wrapped = requests.map(([method, handler]) => [method, introduced(method, handler)] as const);
    return { ...handlers, ...Object.fromEntries(wrapped) };
  }

  #ready(): void {
    if (!this.#app || this.#isReady) return;
    this.#isReady = true;
    for (const [method, params] of this.#waiting) this.#notify(method, params);
    this.#waiting.clear();
    this.#options.onInitialized?.();
  }
}

function outOfOrder(problem: string): SdkError {
  return new SdkError("INVALID_CONFIGURATION", problem);
}

function ignore(): void {
  // The end of the connection was reported to `onclose`.
}
