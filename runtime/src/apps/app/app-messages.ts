import {
  clientMcpUiDownloadFileResult,
  clientMcpUiMessageResult,
  clientMcpUiOpenLinkResult,
  clientMcpUiRequestDisplayModeResult,
  clientMcpUiUpdateModelContextResult,
  isMcpUiHostCapabilities,
  isMcpUiToolCancelledNotificationParams,
  isMcpUiToolInputNotificationParams,
  isMcpUiToolInputPartialNotificationParams,
  isMcpUiToolResultNotification,
} from "@mcpwright/protocol/extensions/apps";
import {
  RESOURCES_READ,
  TOOLS_CALL,
  UI_DOWNLOAD_FILE,
  UI_INITIALIZE,
  UI_MESSAGE,
  UI_NOTIFICATIONS_HOST_CONTEXT_CHANGED,
  UI_NOTIFICATIONS_TOOL_CANCELLED,
  UI_NOTIFICATIONS_TOOL_INPUT,
  UI_NOTIFICATIONS_TOOL_INPUT_PARTIAL,
  UI_NOTIFICATIONS_TOOL_RESULT,
  UI_OPEN_LINK,
  UI_REQUEST_DISPLAY_MODE,
  UI_UPDATE_MODEL_CONTEXT,
} from "@mcpwright/protocol/names";
import { type FrameMessages, withResultTag } from "../bridge/frame-messages.js";
import { isObject } from "../../jsonrpc/guards.js";

/**
 * The messages that an app receives. It has the predicates one by one, not the role of the extension, so that pages do not contain those
 * for the frame around them.
 */
export const appMessages: FrameMessages = {
  params: {
    [UI_NOTIFICATIONS_TOOL_INPUT]: { params: isMcpUiToolInputNotificationParams, paramsOptional: false },
    [UI_NOTIFICATIONS_TOOL_INPUT_PARTIAL]: { params: isMcpUiToolInputPartialNotificationParams, paramsOptional: false },
    [UI_NOTIFICATIONS_TOOL_RESULT]: { params: isToolResult, paramsOptional: false },
    [UI_NOTIFICATIONS_TOOL_CANCELLED]: { params: isMcpUiToolCancelledNotificationParams, paramsOptional: false },
    [UI_NOTIFICATIONS_HOST_CONTEXT_CHANGED]: { params: isObject, paramsOptional: false },
  },
  results: {
    [UI_INITIALIZE]: { result: isInitializeResult },
    [UI_OPEN_LINK]: clientMcpUiOpenLinkResult,
    [UI_DOWNLOAD_FILE]: clientMcpUiDownloadFileResult,
    [UI_MESSAGE]: clientMcpUiMessageResult,
    [UI_UPDATE_MODEL_CONTEXT]: clientMcpUiUpdateModelContextResult,
    [UI_REQUEST_DISPLAY_MODE]: clientMcpUiRequestDisplayModeResult,
    [TOOLS_CALL]: { result: isToolResult },
    [RESOURCES_READ]: { result: isReadResourceResult },
  },
};

/**
 * The host context is not checked member by member: with the CSS variables and the tool in it, the predicate would be a sixth of the
 * app side. `applyHostStyles` accepts any context.
 */
function isInitializeResult(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { protocolVersion, hostInfo, hostCapabilities, hostContext } = value;
  return (
    typeof protocolVersion === "string" &&
    isObject(hostInfo) &&
    typeof hostInfo["name"] === "string" &&
    typeof hostInfo["version"] === "string" &&
    isMcpUiHostCapabilities(hostCapabilities) &&
    isObject(hostContext)
  );
}

/** Whether a value is the result of a tool, of any revision. */
function isToolResult(value: unknown): boolean {
  return isMcpUiToolResultNotification({ method: UI_NOTIFICATIONS_TOOL_RESULT, params: withResultTag(value) });
}

/** The extension has no type for this result: it is that of the MCP server. */
function isReadResourceResult(value: unknown): boolean {
  return isObject(value) && Array.isArray(value["contents"]) && value["contents"].every(isContents);
}

function isContents(part: unknown): boolean {
  if (!isObject(part)) return false;
  const { uri, text, blob } = part;
  return typeof uri === "string" && (typeof text === "string" || typeof blob === "string");
}
