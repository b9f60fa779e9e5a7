import type {
  McpUiDisplayMode,
  McpUiDownloadFileRequestParams,
  McpUiHostCapabilities,
  McpUiHostContext,
  McpUiMessageRequestParams,
  McpUiSizeChangedNotificationParams,
  McpUiUpdateModelContextRequestParams,
} from "@mcpwright/protocol/extensions/apps";
import type {
  CallToolResult,
  Implementation,
  LoggingMessageNotificationParams,
  ReadResourceResult,
  Tool,
} from "../../authoring.js";
import type { FrameLimitOptions } from "./frame-limits.js";

/** The part of a connected client that apps use; a `Client` is one. */
export interface AppClient {
  listTools(): Promise<{ readonly tools: readonly Tool[] }>;
  callTool(
    params: { readonly name: string; readonly arguments?: Record<string, unknown> },
    options?: { readonly signal?: AbortSignal; readonly onProgress?: (progress: AppProgress) => void },
  ): Promise<CallToolResult>;
  readResource(
    params: { readonly uri: string },
    options?: { readonly signal?: AbortSignal },
  ): Promise<ReadResourceResult>;
}

export interface AppProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** Something that an app wants to do, for which the host asks `consent`; compare `kind` to narrow the type. */
export type AppAction =
  | { readonly kind: "callTool"; readonly tool: Tool; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly kind: "readResource"; readonly uri: string }
  | { readonly kind: "openLink"; readonly url: string }
  | { readonly kind: "downloadFile"; readonly contents: McpUiDownloadFileRequestParams["contents"] }
  | { readonly kind: "sendMessage"; readonly content: McpUiMessageRequestParams["content"] }
  | ({ readonly kind: "updateModelContext" } & McpUiUpdateModelContextRequestParams)
  | { readonly kind: "requestDisplayMode"; readonly mode: McpUiDisplayMode };

export interface AppHostOptions extends FrameLimitOptions {
  /** The name and version of the host. */
  readonly info: Implementation;
  /**
   * Decides whether the app may do something. It can ask the user; the app waits. Called after the checks of the host: never for a tool
   * that is not for apps, for example. False refuses.
   */
  readonly consent: (action: AppAction, signal: AbortSignal) => boolean | Promise<boolean>;
  /** The connected client of the MCP server that the app comes from. Without it, the app cannot call tools and read resources. */
  readonly client?: AppClient | undefined;
  /** The place where the app is shown. Default: `{}`. */
  readonly context?: McpUiHostContext | undefined;
  /** What the sandbox of the app allows; `mountApp` states it. */
  readonly sandbox?: McpUiHostCapabilities["sandbox"];
  /** Opens a page in the user's browser, an http: or https: URL. Without it, apps cannot open links. */
  readonly openLink?: ((url: string) => void | Promise<void>) | undefined;
  /** Lets the user save files. Without it, apps cannot offer files. */
  readonly downloadFile?: ((contents: McpUiDownloadFileRequestParams["contents"]) => void | Promise<void>) | undefined;
  /** Adds a message of the user to the conversation, and lets the model answer. Without it, apps cannot send messages. */
  readonly sendMessage?: ((content: McpUiMessageRequestParams["content"]) => void | Promise<void>) | undefined;
  /** Replaces what the model knows from the app, for its next turn. Without it, apps cannot change that. */
  readonly updateModelContext?: ((update: McpUiUpdateModelContextRequestParams) => void | Promise<void>) | undefined;
  /** Shows the app elsewhere. Returns where it is shown now. Without it, the app stays where it is. */
  readonly requestDisplayMode?: ((mode: McpUiDisplayMode) => McpUiDisplayMode | Promise<McpUiDisplayMode>) | undefined;
  /** Called when the app is ready. */
  readonly onInitialized?: (() => void) | undefined;
  /** Called with the size of the app's content, in CSS pixels. */
  readonly onSizeChange?: ((size: McpUiSizeChangedNotificationParams) => void) | undefined;
  /** Called with the log messages of the app. */
  readonly onLog?: ((message: LoggingMessageNotificationParams) => void) | undefined;
  /** Called when the app asks to be removed: call `close`, or do nothing. */
  readonly onRequestTeardown?: (() => void) | undefined;
  /** Called once when the connection to the app has ended, with the reason if `close` was not called. */
  readonly onclose?: ((error?: Error) => void) | undefined;
  /** Called with errors that do not end the connection: those of your functions, and messages that were ignored. */
  readonly onerror?: ((error: Error) => void) | undefined;
  /** Requests of the app that run at a time; more are refused. Default: `20`. */
  readonly maxConcurrentRequests?: number | undefined;
}
