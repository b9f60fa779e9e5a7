import type {
  CreateMessageRequest,
  CreateMessageResult,
  ElicitRequest,
  ElicitResult,
  ListRootsRequest,
  ListRootsResult,
  Result,
} from "./core-messages.js";

/** A request to the client that is part of a result. */
export type InputRequest = CreateMessageRequest | ListRootsRequest | ElicitRequest;
/** The client's response to one of them, without an envelope. */
export type InputResponse = CreateMessageResult | ListRootsResult | ElicitResult;

/** Requests by a key that the server chooses. */
export type InputRequests = Record<string, InputRequest>;

/** Responses by the key of their request. */
export type InputResponses = Record<string, InputResponse>;

/** What a handler returns to request input from the user. At least one of its members must be present. */
export interface InputRequiredResult extends Result {
  resultType: "input_required";
  inputRequests?: InputRequests;
  /** Comes back with the retry. Clients can change it, unless it is sealed. */
  requestState?: string;
}
