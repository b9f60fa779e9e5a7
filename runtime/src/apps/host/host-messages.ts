import { hostRole, serverMcpUiResourceTeardownResult } from "@mcpwright/protocol/extensions/apps";
import { NOTIFICATIONS_MESSAGE, RESOURCES_READ, TOOLS_CALL, UI_RESOURCE_TEARDOWN } from "@mcpwright/protocol/names";
import { isObject } from "../../jsonrpc/guards.js";
import type { FrameMessages } from "../bridge/frame-messages.js";

const { requests, notifications } = hostRole.receives;
const required = (params: (value: unknown) => boolean): FrameMessages["params"][string] => ({
  params,
  paramsOptional: false,
});

/** The messages that a host receives: those of the extension, and those of MCP that apps can send (SEP-1865, standard MCP messages). */
export const hostMessages: FrameMessages = {
  params: {
    ...requests,
    ...notifications,
    [TOOLS_CALL]: required(
      (value) =>
        isObject(value) &&
        typeof value["name"] === "string" &&
        (value["arguments"] === undefined || isObject(value["arguments"])),
    ),
    [RESOURCES_READ]: required((value) => isObject(value) && typeof value["uri"] === "string"),
    [NOTIFICATIONS_MESSAGE]: required(
      (value) => isObject(value) && typeof value["level"] === "string" && "data" in value,
    ),
  },
  results: { [UI_RESOURCE_TEARDOWN]: serverMcpUiResourceTeardownResult },
};
