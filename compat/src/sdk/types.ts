import * as schemas from "../types/sdk-public-schemas.js";
import { addRuntimeSchemas } from "./server/runtime-schemas.js";

addRuntimeSchemas(schemas);

export * from "../types/sdk-public-schemas.js";
export type * from "../types/sdk-messages.js";
export type { CreateMessageRequestParamsBase, CreateMessageRequestParamsWithTools } from "./messages.js";
export type {
  CompleteRequestPrompt,
  CompleteRequestResourceTemplate,
  ListChangedCallback,
  ListChangedHandlers,
  ListChangedOptions,
} from "../types/message-info.js";
export {
  DEFAULT_NEGOTIATED_PROTOCOL_VERSION,
  JSONRPC_VERSION,
  LATEST_PROTOCOL_VERSION,
  RELATED_TASK_META_KEY,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "../types/constants.js";
export {
  assertCompleteRequestPrompt,
  assertCompleteRequestResourceTemplate,
  isInitializedNotification,
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCErrorResponse as isJSONRPCError,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  isJSONRPCResultResponse as isJSONRPCResponse,
  isTaskAugmentedRequestParams,
} from "../types/guards.js";
export { ErrorCode } from "../types/error-code.js";
export { McpError, UrlElicitationRequiredError } from "./errors.js";
export type { IsomorphicHeaders, MessageExtraInfo, RequestInfo } from "./shared/transport.js";
