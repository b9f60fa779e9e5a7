// The facts of MCP Apps (io.modelcontextprotocol/ui), in our own words.
import type {
  CallToolResult,
  ContentBlock,
  EmbeddedResource,
  Implementation,
  RequestId,
  ResourceLink,
  Tool,
} from "../../../2026-07-28/schema.js";

/** The version of the messages between app and host. */
export declare const LATEST_PROTOCOL_VERSION = "2026-01-26";

/** Whether the host shows light or dark colours. */
export type McpUiTheme = "light" | "dark";

/** Where the host shows an app: in the conversation, over the whole screen, or in a window that floats above it. */
export type McpUiDisplayMode = "inline" | "fullscreen" | "pip";

/** The CSS variables that a host can set for its apps. */
export type McpUiStyleVariableKey =
  | "--color-background-primary"
  | "--color-background-secondary"
  | "--color-background-tertiary"
  | "--color-background-inverse"
  | "--color-background-ghost"
  | "--color-background-info"
  | "--color-background-danger"
  | "--color-background-success"
  | "--color-background-warning"
  | "--color-background-disabled"
  | "--color-text-primary"
  | "--color-text-secondary"
  | "--color-text-tertiary"
  | "--color-text-inverse"
  | "--color-text-ghost"
  | "--color-text-info"
  | "--color-text-danger"
  | "--color-text-success"
  | "--color-text-warning"
  | "--color-text-disabled"
  | "--color-border-primary"
  | "--color-border-secondary"
  | "--color-border-tertiary"
  | "--color-border-inverse"
  | "--color-border-ghost"
  | "--color-border-info"
  | "--color-border-danger"
  | "--color-border-success"
  | "--color-border-warning"
  | "--color-border-disabled"
  | "--color-ring-primary"
  | "--color-ring-secondary"
  | "--color-ring-inverse"
  | "--color-ring-info"
  | "--color-ring-danger"
  | "--color-ring-success"
  | "--color-ring-warning"
  | "--font-sans"
  | "--font-mono"
  | "--font-weight-normal"
  | "--font-weight-medium"
  | "--font-weight-semibold"
  | "--font-weight-bold"
  | "--font-text-xs-size"
  | "--font-text-sm-size"
  | "--font-text-md-size"
  | "--font-text-lg-size"
  | "--font-heading-xs-size"
  | "--font-heading-sm-size"
  | "--font-heading-md-size"
  | "--font-heading-lg-size"
  | "--font-heading-xl-size"
  | "--font-heading-2xl-size"
  | "--font-heading-3xl-size"
  | "--font-text-xs-line-height"
  | "--font-text-sm-line-height"
  | "--font-text-md-line-height"
  | "--font-text-lg-line-height"
  | "--font-heading-xs-line-height"
  | "--font-heading-sm-line-height"
  | "--font-heading-md-line-height"
  | "--font-heading-lg-line-height"
  | "--font-heading-xl-line-height"
  | "--font-heading-2xl-line-height"
  | "--font-heading-3xl-line-height"
  | "--border-radius-xs"
  | "--border-radius-sm"
  | "--border-radius-md"
  | "--border-radius-lg"
  | "--border-radius-xl"
  | "--border-radius-full"
  | "--border-width-regular"
  | "--shadow-hairline"
  | "--shadow-sm"
  | "--shadow-md"
  | "--shadow-lg";

/** CSS values by variable; a host sets those that it wants. */
export type McpUiStyles = Record<McpUiStyleVariableKey, string | undefined>;

/** Asks the host to open a page in the user's browser. */
export interface McpUiOpenLinkRequest {
  method: "ui/open-link";
  params: {
    /** The address of the page. */
    url: string;
  };
}

export interface McpUiOpenLinkResult {
  /** Set when the host did not open the page. */
  isError?: boolean;
  [key: string]: unknown;
}

/** Asks the host to let the user save files. */
export interface McpUiDownloadFileRequest {
  method: "ui/download-file";
  params: {
    /** The files: their content, or links that the host fetches. */
    contents: (EmbeddedResource | ResourceLink)[];
  };
}

export interface McpUiDownloadFileResult {
  /** Set when the user or the host did not save the files. */
  isError?: boolean;
  [key: string]: unknown;
}

/** Adds a message of the user to the conversation. */
export interface McpUiMessageRequest {
  method: "ui/message";
  params: {
    role: "user";
    content: ContentBlock[];
  };
}

export interface McpUiMessageResult {
  /** Set when the host did not add the message. */
  isError?: boolean;
  [key: string]: unknown;
}

/**
 * Reports that the outer frame of the sandbox can receive the app's HTML.
 * @internal
 */
export interface McpUiSandboxProxyReadyNotification {
  method: "ui/notifications/sandbox-proxy-ready";
  params: {};
}

/**
 * Gives the outer frame of the sandbox the app's HTML.
 * @internal
 */
export interface McpUiSandboxResourceReadyNotification {
  method: "ui/notifications/sandbox-resource-ready";
  params: {
    html: string;
    /** Replaces the `sandbox` attribute of the inner frame. */
    sandbox?: string;
    csp?: McpUiResourceCsp;
    permissions?: McpUiResourcePermissions;
  };
}

/** Reports the size of the app's content. */
export interface McpUiSizeChangedNotification {
  method: "ui/notifications/size-changed";
  params: {
    /** In CSS pixels. */
    width?: number;
    /** In CSS pixels. */
    height?: number;
  };
}

/** Gives the app the complete arguments of the tool call that it belongs to. */
export interface McpUiToolInputNotification {
  method: "ui/notifications/tool-input";
  params: {
    arguments?: Record<string, unknown>;
  };
}

/** Gives the app the part of the arguments that the model has written so far. */
export interface McpUiToolInputPartialNotification {
  method: "ui/notifications/tool-input-partial";
  params: {
    arguments?: Record<string, unknown>;
  };
}

/** Gives the app the result of the tool call that it belongs to. */
export interface McpUiToolResultNotification {
  method: "ui/notifications/tool-result";
  params: CallToolResult;
}

/** Reports that the tool call of the app was cancelled. */
export interface McpUiToolCancelledNotification {
  method: "ui/notifications/tool-cancelled";
  params: {
    reason?: string;
  };
}

/** CSS of the host. */
export interface McpUiHostCss {
  /** `@font-face` and `@import` rules of the host's fonts. */
  fonts?: string;
}

/** How the host looks. */
export interface McpUiHostStyles {
  variables?: McpUiStyles;
  css?: McpUiHostCss;
}

/** What an app can know about the place where it is shown. */
export interface McpUiHostContext {
  [key: string]: unknown;
  /** The tool call that the app belongs to. */
  toolInfo?: {
    /** The JSON-RPC id of the call. */
    id?: RequestId;
    tool: Tool;
  };
  theme?: McpUiTheme;
  styles?: McpUiHostStyles;
  displayMode?: McpUiDisplayMode;
  availableDisplayModes?: McpUiDisplayMode[];
  /** The space for the app, in CSS pixels: fixed, or a limit up to which it can grow. */
  containerDimensions?: (
    | {
        height: number;
      }
    | {
        maxHeight?: number | undefined;
      }
  ) &
    (
      | {
          width: number;
        }
      | {
          maxWidth?: number | undefined;
        }
    );
  /** A BCP 47 tag such as `en-US`. */
  locale?: string;
  /** An IANA name such as `Europe/Vienna`. */
  timeZone?: string;
  /** The name of the host. */
  userAgent?: string;
  platform?: "web" | "desktop" | "mobile";
  deviceCapabilities?: {
    touch?: boolean;
    hover?: boolean;
  };
  /** The borders that the app keeps free, in CSS pixels. */
  safeAreaInsets?: {
    top: number;
    right: number;
    bottom: number;
    left: number;
  };
}

/** Reports members of the context that have changed. */
export interface McpUiHostContextChangedNotification {
  method: "ui/notifications/host-context-changed";
  params: McpUiHostContext;
}

/** Replaces what the model knows from the app; it does not start a turn of the model. */
export interface McpUiUpdateModelContextRequest {
  method: "ui/update-model-context";
  params: {
    content?: ContentBlock[];
    structuredContent?: Record<string, unknown>;
  };
}

/** Asks the app to finish before the host removes it. */
export interface McpUiResourceTeardownRequest {
  method: "ui/resource-teardown";
  params: {};
}

export interface McpUiResourceTeardownResult {
  [key: string]: unknown;
}

/** The kinds of content that a host accepts. */
export interface McpUiSupportedContentBlockModalities {
  text?: {};
  image?: {};
  audio?: {};
  resource?: {};
  resourceLink?: {};
  structuredContent?: {};
}

/** Asks the host to remove the app; the host then sends `ui/resource-teardown`. */
export interface McpUiRequestTeardownNotification {
  method: "ui/notifications/request-teardown";
  params?: {};
}

/** What a host does for its apps. */
export interface McpUiHostCapabilities {
  experimental?: Record<string, object>;
  openLinks?: {};
  downloadFile?: {};
  /** Whether the host forwards tool calls to the MCP server. */
  serverTools?: {
    listChanged?: boolean;
  };
  /** Whether the host reads resources of the MCP server. */
  serverResources?: {
    listChanged?: boolean;
  };
  logging?: {};
  /** What the sandbox of the app allows. */
  sandbox?: {
    permissions?: McpUiResourcePermissions;
    csp?: McpUiResourceCsp;
  };
  updateModelContext?: McpUiSupportedContentBlockModalities;
  message?: McpUiSupportedContentBlockModalities;
  sampling?: {
    tools?: {};
  };
}

/** What an app offers its host. */
export interface McpUiAppCapabilities {
  experimental?: Record<string, object>;
  tools?: {
    listChanged?: boolean;
  };
  availableDisplayModes?: McpUiDisplayMode[];
}

/** Opens the connection between app and host. */
export interface McpUiInitializeRequest {
  method: "ui/initialize";
  params: {
    appInfo: Implementation;
    appCapabilities: McpUiAppCapabilities;
    protocolVersion: string;
  };
}

export interface McpUiInitializeResult {
  protocolVersion: string;
  hostInfo: Implementation;
  hostCapabilities: McpUiHostCapabilities;
  hostContext: McpUiHostContext;
  [key: string]: unknown;
}

/** Reports that the app is ready. */
export interface McpUiInitializedNotification {
  method: "ui/notifications/initialized";
  params?: {};
}

/** The origins that an app may use; the host writes its content security policy from them. */
export interface McpUiResourceCsp {
  /** Origins of requests (`connect-src`). */
  connectDomains?: string[];
  /** Origins of images, scripts, styles, fonts and media. */
  resourceDomains?: string[];
  /** Origins of nested frames (`frame-src`). */
  frameDomains?: string[];
  /** Allowed base URIs (`base-uri`). */
  baseUriDomains?: string[];
}

/** The features of the browser that an app asks for; the host need not grant them. */
export interface McpUiResourcePermissions {
  camera?: {};
  microphone?: {};
  geolocation?: {};
  clipboardWrite?: {};
}

/** `_meta.ui` of a UI resource. */
export interface McpUiResourceMeta {
  csp?: McpUiResourceCsp;
  permissions?: McpUiResourcePermissions;
  /** The origin of the app's frame, in the form that the host documents. Default: one that the host chooses. */
  domain?: string;
  /** Whether the host draws a border and a background. Default: the host decides. */
  prefersBorder?: boolean;
}

/** Asks the host to show the app elsewhere. */
export interface McpUiRequestDisplayModeRequest {
  method: "ui/request-display-mode";
  params: {
    mode: McpUiDisplayMode;
  };
}

export interface McpUiRequestDisplayModeResult {
  /** Where the app is shown now, which need not be the requested mode. */
  mode: McpUiDisplayMode;
  [key: string]: unknown;
}

/** A caller of a tool. */
export type McpUiToolVisibility = "model" | "app";

/** `_meta.ui` of a tool. */
export interface McpUiToolMeta {
  /** The `ui://` resource that the host shows for calls of the tool. */
  resourceUri?: string;
  /** Default: both. */
  visibility?: McpUiToolVisibility[];
  /** Belongs to the resource; hosts ignore it on a tool. */
  csp?: never;
  /** Belongs to the resource; hosts ignore it on a tool. */
  permissions?: never;
}

export declare const OPEN_LINK_METHOD: McpUiOpenLinkRequest["method"];
export declare const DOWNLOAD_FILE_METHOD: McpUiDownloadFileRequest["method"];
export declare const MESSAGE_METHOD: McpUiMessageRequest["method"];
export declare const SANDBOX_PROXY_READY_METHOD: McpUiSandboxProxyReadyNotification["method"];
export declare const SANDBOX_RESOURCE_READY_METHOD: McpUiSandboxResourceReadyNotification["method"];
export declare const SIZE_CHANGED_METHOD: McpUiSizeChangedNotification["method"];
export declare const TOOL_INPUT_METHOD: McpUiToolInputNotification["method"];
export declare const TOOL_INPUT_PARTIAL_METHOD: McpUiToolInputPartialNotification["method"];
export declare const TOOL_RESULT_METHOD: McpUiToolResultNotification["method"];
export declare const TOOL_CANCELLED_METHOD: McpUiToolCancelledNotification["method"];
export declare const HOST_CONTEXT_CHANGED_METHOD: McpUiHostContextChangedNotification["method"];
export declare const REQUEST_TEARDOWN_METHOD: McpUiRequestTeardownNotification["method"];
export declare const RESOURCE_TEARDOWN_METHOD: McpUiResourceTeardownRequest["method"];
export declare const INITIALIZE_METHOD: McpUiInitializeRequest["method"];
export declare const INITIALIZED_METHOD: McpUiInitializedNotification["method"];
export declare const REQUEST_DISPLAY_MODE_METHOD: McpUiRequestDisplayModeRequest["method"];

/** The settings of a client that can show apps. */
export interface McpUiClientCapabilities {
  /** The MIME types of UI resources that it shows; `text/html;profile=mcp-app` is the one of apps. */
  mimeTypes?: string[];
}
