import {
  isContentBlock,
  isInitializeRequestParams,
  isJSONRPCErrorResponse as isErrorResponse,
  isJSONRPCNotification as isNotification,
  isJSONRPCRequest as isRequest,
  isJSONRPCResultResponse as isResultResponse,
  isRelatedTaskMetadata,
  isTaskMetadata,
} from "@mcpwright/protocol/2025-11-25";
import { INITIALIZE, META_RELATED_TASK, NOTIFICATIONS_INITIALIZED } from "@mcpwright/protocol/names";
import type {
  CallToolResult,
  CompleteRequest,
  InitializedNotification,
  InitializeRequest,
  JSONRPCErrorResponse,
  JSONRPCMessage,
  JSONRPCNotification,
  JSONRPCRequest,
  JSONRPCResponse,
  JSONRPCResultResponse,
  TaskAugmentedRequestParams,
} from "./core-messages.js";
import type { InputRequiredResult } from "./input-requests.js";
import type { CompleteRequestPrompt, CompleteRequestResourceTemplate } from "./message-info.js";

type Fields = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Whether the value is absent or metadata with a valid progress token and a valid link to a task, if it has them. */
function isMeta(meta: unknown): boolean {
  if (meta === undefined) return true;
  if (!isObject(meta)) return false;
  const { progressToken, [META_RELATED_TASK]: task } = meta;
  return (
    (progressToken === undefined || typeof progressToken === "string" || Number.isSafeInteger(progressToken)) &&
    (task === undefined || isRelatedTaskMetadata(task))
  );
}

function isParams(params: unknown): boolean {
  return params === undefined || (isObject(params) && isMeta(params["_meta"]));
}

function hasOnly(value: object, ...keys: readonly string[]): boolean {
  for (const key in value) if (!keys.includes(key)) return false;
  return true;
}

/** Whether an id is one that JSON can carry without loss. */
function isId(id: unknown): boolean {
  return typeof id === "string" || Number.isSafeInteger(id);
}

export function isJSONRPCRequest(value: unknown): value is JSONRPCRequest {
  return (
    isRequest(value) && isId(value.id) && isParams(value.params) && hasOnly(value, "jsonrpc", "id", "method", "params")
  );
}

export function isJSONRPCNotification(value: unknown): value is JSONRPCNotification {
  return isNotification(value) && isParams(value.params) && hasOnly(value, "jsonrpc", "method", "params");
}

export function isJSONRPCResultResponse(value: unknown): value is JSONRPCResultResponse {
  return isResultResponse(value) && isId(value.id) && hasOnly(value, "jsonrpc", "id", "result");
}

export function isJSONRPCErrorResponse(value: unknown): value is JSONRPCErrorResponse {
  return (
    isErrorResponse(value) &&
    (value.id === undefined || isId(value.id)) &&
    Number.isSafeInteger(value.error.code) &&
    hasOnly(value, "jsonrpc", "id", "error")
  );
}

export function isJSONRPCResponse(value: unknown): value is JSONRPCResponse {
  return isJSONRPCResultResponse(value) || isJSONRPCErrorResponse(value);
}

/**
 * Returns a value that is a valid message.
 * @throws TypeError for other values
 */
export function parseJSONRPCMessage(value: unknown): JSONRPCMessage {
  if (isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value)) return value;
  throw new TypeError(
    "Not a JSON-RPC message: a request, a notification or a response needs `jsonrpc`, `id`, `method`, `params`, `result` or `error` as JSON-RPC 2.0 describes them, and nothing else.",
  );
}

export function isCallToolResult(value: unknown): value is CallToolResult {
  if (!isObject(value)) return false;
  const { content, _meta, isError } = value;
  return (
    Array.isArray(content) &&
    content.every(isContentBlock) &&
    (_meta === undefined || isObject(_meta)) &&
    (isError === undefined || typeof isError === "boolean")
  );
}

/** Whether a result asks for input. What it asks for is not checked. */
export function isInputRequiredResult(value: unknown): value is InputRequiredResult {
  return isObject(value) && value["resultType"] === "input_required";
}

export function isTaskAugmentedRequestParams(value: unknown): value is TaskAugmentedRequestParams {
  return isObject(value) && isMeta(value["_meta"]) && (value["task"] === undefined || isTaskMetadata(value["task"]));
}

export function isInitializeRequest(value: unknown): value is InitializeRequest {
  return (
    isObject(value) &&
    value["method"] === INITIALIZE &&
    isInitializeRequestParams(value["params"]) &&
    isMeta(value["params"]._meta)
  );
}

export function isInitializedNotification(value: unknown): value is InitializedNotification {
  return isObject(value) && value["method"] === NOTIFICATIONS_INITIALIZED && isParams(value["params"]);
}

/** @throws TypeError if the request is not about the argument of a prompt */
export function assertCompleteRequestPrompt(request: CompleteRequest): asserts request is CompleteRequestPrompt {
  assertReference(request, "ref/prompt", "CompleteRequestPrompt");
}

/** @throws TypeError if the request is not about a variable of a resource template */
export function assertCompleteRequestResourceTemplate(
  request: CompleteRequest,
): asserts request is CompleteRequestResourceTemplate {
  assertReference(request, "ref/resource", "CompleteRequestResourceTemplate");
}

function assertReference({ params }: CompleteRequest, type: string, expected: string): void {
  if (params.ref.type !== type) throw new TypeError(`Expected ${expected}, but got ${params.ref.type}`);
}
