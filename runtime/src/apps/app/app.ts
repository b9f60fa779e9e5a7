import {
  APPS_PROTOCOL_VERSION,
  type McpUiDisplayMode,
  type McpUiDownloadFileRequestParams,
  type McpUiDownloadFileResult,
  type McpUiHostCapabilities,
  type McpUiHostContext,
  type McpUiInitializeResult,
  type McpUiMessageRequestParams,
  type McpUiMessageResult,
  type McpUiOpenLinkResult,
  type McpUiRequestDisplayModeResult,
  type McpUiSizeChangedNotificationParams,
  type McpUiToolCancelledNotificationParams,
  type McpUiToolInputNotificationParams,
  type McpUiUpdateModelContextRequestParams,
} from "@mcpwright/protocol/extensions/apps";
import {
  NOTIFICATIONS_MESSAGE,
  RESOURCES_READ,
  TOOLS_CALL,
  TOOLS_LIST,
  UI_DOWNLOAD_FILE,
  UI_INITIALIZE,
  UI_MESSAGE,
  UI_NOTIFICATIONS_HOST_CONTEXT_CHANGED,
  UI_NOTIFICATIONS_INITIALIZED,
  UI_NOTIFICATIONS_REQUEST_TEARDOWN,
  UI_NOTIFICATIONS_SIZE_CHANGED,
  UI_NOTIFICATIONS_TOOL_CANCELLED,
  UI_NOTIFICATIONS_TOOL_INPUT,
  UI_NOTIFICATIONS_TOOL_INPUT_PARTIAL,
  UI_NOTIFICATIONS_TOOL_RESULT,
  UI_OPEN_LINK,
  UI_REQUEST_DISPLAY_MODE,
  UI_RESOURCE_TEARDOWN,
  UI_UPDATE_MODEL_CONTEXT,
} from "@mcpwright/protocol/names";
import type {
  CallToolResult,
  Implementation,
  LoggingMessageNotificationParams,
  ReadResourceResult,
} from "../../authoring.js";
import { FrameConnection, type FrameHandler, type FrameRequestOptions } from "../bridge/frame-connection.js";
import { withResultTag } from "../bridge/frame-messages.js";
import { PostMessageTransport } from "../bridge/post-message-transport.js";
import { SdkError } from "../../jsonrpc/errors.js";
import type { Transport } from "../../transport/transport.js";
import { appMessages } from "./app-messages.js";
import type { AppOptions } from "./app-options.js";
import { watchContentSize } from "./content-size.js";
import { pageWindow } from "./page.js";

type Sized = McpUiSizeChangedNotificationParams;

/**
 * An app: the page that a host shows for calls of a tool (MCP Apps, SEP-1865). Create it when the page loads, and connect it to
 * the host once your handlers are ready, because the host sends the tool call right afterwards.
 * @example
 * ```ts
 * const app = new App(
 *   { name: "weather-chart", version: "1.0.0" },
 *   { onToolResult: ({ structuredContent }) => draw(structuredContent) },
 * );
 * await app.connect();
 * ```
 * @see https://github.com/modelcontextprotocol/ext-apps/blob/main/specification/2026-01-26/apps.mdx
 */
export class App {
  readonly #options: AppOptions;
  #connection: FrameConnection | undefined;
  #initialized: McpUiInitializeResult | undefined;
  #context: McpUiHostContext = {};
  #stopWatching: (() => void) | undefined;

  constructor(
    readonly info: Implementation,
    options: AppOptions = {},
  ) {
    this.#options = options;
  }

  /** The name and version of the host; undefined before the app is connected. */
  get hostInfo(): Implementation | undefined {
    return this.#initialized?.hostInfo;
  }

  /** What the host does for the app; `{}` before it is connected. */
  get hostCapabilities(): McpUiHostCapabilities {
    return this.#initialized?.hostCapabilities ?? {};
  }

  /** What the host says about the place where it shows the app, with all changes so far; `{}` before it is connected. */
  get hostContext(): McpUiHostContext {
    return this.#context;
  }

  /**
   * Connects to the host and waits until the app is initialized.
   * @param transport Default: messages to the window that contains the frame of the page
   * @throws SdkError `ALREADY_CONNECTED`, `REQUEST_TIMEOUT` when no host responds, `INVALID_RESULT`; RemoteError when the host refuses
   */
  async connect(transport?: Transport, options?: FrameRequestOptions): Promise<void> {
    if (this.#connection) throw new SdkError("ALREADY_CONNECTED", "connect was called before; create another App");
    const { capabilities = {}, autoResize = true, hostOrigin, onerror } = this.#options;
    const connection = new FrameConnection(
      transport ?? new PostMessageTransport({ peer: pageWindow().parent, origin: hostOrigin }),
      {
        messages: appMessages,
        handlers: this.#handlers(),
        onerror,
        onclose: (error) => this.#ended(error),
      },
    );
    this.#connection = connection;
    try {
      await connection.open();
      const params = { appInfo: this.info, appCapabilities: capabilities, protocolVersion: APPS_PROTOCOL_VERSION };
      this.#initialized = (await connection.request(UI_INITIALIZE, params, options)) as McpUiInitializeResult;
      this.#context = { ...this.#initialized.hostContext, ...this.#context };
      await connection.notify(UI_NOTIFICATIONS_INITIALIZED);
    } catch (error) {
      await connection.close();
      throw error;
    }
    // The host may have ended the connection in the meantime.
    if (autoResize && connection.isOpen)
      this.#stopWatching = watchContentSize(pageWindow(), (size) => void this.reportSize(size).catch(() => undefined));
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    await this.#connection?.close();
  }

  /**
   * Calls a tool of the app's MCP server. The host may ask its user first.
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED`, `REQUEST_TIMEOUT`, `CONNECTION_CLOSED`; RemoteError when the host or the server refuses
   */
  async callTool(
    params: { readonly name: string; readonly arguments?: Readonly<Record<string, unknown>> },
    options?: FrameRequestOptions,
  ): Promise<CallToolResult> {
    return (await this.#ask("serverTools", TOOLS_CALL, params, options)) as CallToolResult;
  }

  /** Reads a resource of the app's MCP server. @throws as `callTool` */
  async readResource(params: { readonly uri: string }, options?: FrameRequestOptions): Promise<ReadResourceResult> {
    return (await this.#ask("serverResources", RESOURCES_READ, params, options)) as ReadResourceResult;
  }

  /** Asks the host to open a page in the user's browser. A result with `isError` means that it did not. @throws as `callTool` */
  async openLink(url: string, options?: FrameRequestOptions): Promise<McpUiOpenLinkResult> {
    return (await this.#ask("openLinks", UI_OPEN_LINK, { url }, options)) as McpUiOpenLinkResult;
  }

  /** Asks the host to let the user save files. A result with `isError` means that none were saved. @throws as `callTool` */
  async downloadFile(
    contents: McpUiDownloadFileRequestParams["contents"],
    options?: FrameRequestOptions,
  ): Promise<McpUiDownloadFileResult> {
    return (await this.#ask("downloadFile", UI_DOWNLOAD_FILE, { contents }, options)) as McpUiDownloadFileResult;
  }

  /**
   * Adds a message of the user to the conversation, which the model answers. A result with `isError` means that it was not added.
   * @throws as `callTool`
   */
  async sendMessage(
    content: string | McpUiMessageRequestParams["content"],
    options?: FrameRequestOptions,
  ): Promise<McpUiMessageResult> {
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
    return (await this.request(UI_MESSAGE, { role: "user", content: blocks }, options)) as McpUiMessageResult;
  }

  /** Replaces what the model knows from the app; it does not start a turn of the model. @throws as `callTool` */
  async updateModelContext(params: McpUiUpdateModelContextRequestParams, options?: FrameRequestOptions): Promise<void> {
    await this.request(UI_UPDATE_MODEL_CONTEXT, params, options);
  }

  /**
   * Asks the host to show the app elsewhere.
   * @returns where it is shown now, which need not be the requested mode
   * @throws SdkError `CAPABILITY_NOT_SUPPORTED` when the host does not offer the mode; as `callTool`
   */
  async requestDisplayMode(mode: McpUiDisplayMode, options?: FrameRequestOptions): Promise<McpUiDisplayMode> {
    const offered = this.#context.availableDisplayModes ?? [];
    if (!offered.includes(mode)) {
      const list = offered.join(", ") || "no display modes";
      throw new SdkError("CAPABILITY_NOT_SUPPORTED", `the host offers ${list}, but not ${mode}`);
    }
    const result = await this.request(UI_REQUEST_DISPLAY_MODE, { mode }, options);
    return (result as McpUiRequestDisplayModeResult).mode;
  }

  /** Asks the host to remove the app. If it does, it calls `onTeardown` first. */
  async requestTeardown(): Promise<void> {
    await this.#open.notify(UI_NOTIFICATIONS_REQUEST_TEARDOWN, {});
  }

  /** Reports the size of the content, in CSS pixels; with `autoResize` the app does it itself. */
  async reportSize(size: Sized): Promise<void> {
    await this.#open.notify(UI_NOTIFICATIONS_SIZE_CHANGED, size);
  }

  /** Sends a log message to the host. */
  async log(params: Omit<LoggingMessageNotificationParams, "_meta">): Promise<void> {
    await this.#open.notify(NOTIFICATIONS_MESSAGE, params);
  }

  /**
   * Sends a request that has no function of its own, such as those that only some hosts support.
   * @returns the result, checked if the method is known
   * @throws as `callTool`
   */
  async request(method: string, params?: object, options?: FrameRequestOptions): Promise<unknown> {
    return this.#open.request(method, params, options);
  }

  get #open(): FrameConnection {
    if (this.#initialized && this.#connection?.isOpen) return this.#connection;
    throw new SdkError("NOT_CONNECTED", "the app is not connected to a host; await connect()");
  }

  async #ask(
    capability: keyof McpUiHostCapabilities,
    method: string,
    params: object,
    options: FrameRequestOptions | undefined,
  ): Promise<unknown> {
    const connection = this.#open;
    if (this.hostCapabilities[capability] === undefined)
      throw new SdkError("CAPABILITY_NOT_SUPPORTED", `the host does not declare ${capability}, which ${method} needs`);
    return connection.request(method, params, options);
  }

  #handlers(): Record<string, FrameHandler> {
    const { onToolInput, onToolInputPartial, onToolResult, onToolCancelled, onTeardown, onListTools, onCallTool } =
      this.#options;
    return {
      [UI_NOTIFICATIONS_TOOL_INPUT]: ({ arguments: args = {} }: McpUiToolInputNotificationParams) =>
        onToolInput?.(args),
      [UI_NOTIFICATIONS_TOOL_INPUT_PARTIAL]: ({ arguments: args = {} }: McpUiToolInputNotificationParams) =>
        onToolInputPartial?.(args),
      [UI_NOTIFICATIONS_TOOL_RESULT]: (result: object) => onToolResult?.(withResultTag(result) as CallToolResult),
      [UI_NOTIFICATIONS_TOOL_CANCELLED]: ({ reason }: McpUiToolCancelledNotificationParams) =>
        onToolCancelled?.(reason),
      [UI_NOTIFICATIONS_HOST_CONTEXT_CHANGED]: (changed: McpUiHostContext) => {
        this.#context = { ...this.#context, ...changed };
        this.#options.onContextChange?.(changed);
      },
      [UI_RESOURCE_TEARDOWN]: async () => {
        await onTeardown?.();
        return {};
      },
      ...(onListTools && { [TOOLS_LIST]: () => onListTools() }),
      ...(onCallTool && { [TOOLS_CALL]: onCallTool }),
    };
  }

  #ended(error: Error | undefined): void {
    this.#stopWatching?.();
    this.#options.onclose?.(error);
  }
}
