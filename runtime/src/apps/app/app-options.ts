import type { McpUiAppCapabilities, McpUiHostContext } from "@mcpwright/protocol/extensions/apps";
import type { CallToolRequestParams, CallToolResult, ListToolsResult } from "../../authoring.js";

export interface AppOptions {
  /** What the app can do, such as the display modes that it supports. Default: `{}`. */
  readonly capabilities?: McpUiAppCapabilities;
  /** Called once with the complete arguments of the tool call that the app belongs to. */
  readonly onToolInput?: (args: Readonly<Record<string, unknown>>) => void;
  /**
   * Called with the arguments that the model has written so far. Members can be incomplete, or change later: show them, but do
   * nothing else with them.
   */
  readonly onToolInputPartial?: (args: Readonly<Record<string, unknown>>) => void;
  /** Called with the result of the tool call that the app belongs to. */
  readonly onToolResult?: (result: CallToolResult) => void;
  /** Called when that tool call was cancelled. */
  readonly onToolCancelled?: (reason: string | undefined) => void;
  /** Called with the members of the host context that have changed; `hostContext` of the app has all members. */
  readonly onContextChange?: (changed: McpUiHostContext) => void;
  /** Called before the host removes the app. The host waits for the returned promise, but only for a time of its choice. */
  readonly onTeardown?: () => void | Promise<void>;
  /** Lists the tools of the app for the host; declare `capabilities.tools`, too. */
  readonly onListTools?: () => Omit<ListToolsResult, "resultType"> | Promise<Omit<ListToolsResult, "resultType">>;
  /** Runs a tool of the app for the host. */
  readonly onCallTool?: (
    params: Omit<CallToolRequestParams, "_meta">,
    signal: AbortSignal,
  ) => Omit<CallToolResult, "resultType"> | Promise<Omit<CallToolResult, "resultType">>;
  /** Called when the connection has ended. */
  readonly onclose?: (error?: Error) => void;
  /** Called with errors that concern no call of yours: those of your handlers, and messages that were ignored. */
  readonly onerror?: (error: Error) => void;
  /** Whether to report the size of the content when it changes. Default: `true`. */
  readonly autoResize?: boolean;
  /** The origin of the window that the app is shown in; messages of others are ignored. Default: that of its first message. */
  readonly hostOrigin?: string;
}
