import type { INTERNAL_ERROR, INVALID_PARAMS, INVALID_REQUEST, METHOD_NOT_FOUND, PARSE_ERROR } from "./constants.js";
import type { ClientCapabilities } from "./core-messages.js";

interface ErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

export interface ParseError extends ErrorObject {
  code: typeof PARSE_ERROR;
}
export interface InvalidRequestError extends ErrorObject {
  code: typeof INVALID_REQUEST;
}
export interface MethodNotFoundError extends ErrorObject {
  code: typeof METHOD_NOT_FOUND;
}
export interface InvalidParamsError extends ErrorObject {
  code: typeof INVALID_PARAMS;
}
export interface InternalError extends ErrorObject {
  code: typeof INTERNAL_ERROR;
}

/** The data of the error with which a server refuses a request of a client without these capabilities. */
export interface MissingRequiredClientCapabilityErrorData {
  requiredCapabilities: ClientCapabilities;
}

/** The data of the error with which a server refuses a request of another protocol version. */
export interface UnsupportedProtocolVersionErrorData {
  supported: string[];
  requested: string;
}
