import {
  COMPLETION_COMPLETE,
  PROMPTS_GET,
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCES_READ,
  RESOURCES_TEMPLATES_LIST,
  TOOLS_CALL,
  TOOLS_LIST,
} from "@mcpwright/protocol/names";
import { ErrorCode, RemoteError } from "../jsonrpc/errors.js";
import { olderNotFoundCode } from "./resource-not-found.js";

/** The lists that contain the items which a request can name. */
const listsOf: Readonly<Record<string, readonly string[]>> = {
  [TOOLS_CALL]: [TOOLS_LIST],
  [PROMPTS_GET]: [PROMPTS_LIST],
  [RESOURCES_READ]: [RESOURCES_LIST, RESOURCES_TEMPLATES_LIST],
  [COMPLETION_COMPLETE]: [PROMPTS_LIST, RESOURCES_LIST, RESOURCES_TEMPLATES_LIST],
};

const codes: readonly number[] = [ErrorCode.MethodNotFound, ErrorCode.InvalidParams, olderNotFoundCode];

/** The list methods whose cached results may be out of date, because the server does not know what a request names. */
export function outdatedLists(method: string, error: unknown): readonly string[] {
  return error instanceof RemoteError && codes.includes(error.code) ? (listsOf[method] ?? []) : [];
}
