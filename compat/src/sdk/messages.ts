// The messages of version 1, and what transports know about them.
import type { CreateMessageRequestParams, Tool } from "../types/sdk-messages.js";

export type * from "../types/sdk-messages.js";
export type { AuthInfo } from "../types/message-info.js";

export type CreateMessageRequestParamsBase = Omit<CreateMessageRequestParams, "tools" | "toolChoice">;
export interface CreateMessageRequestParamsWithTools extends CreateMessageRequestParams {
  tools: Tool[];
}
