import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type {
  CreateMessageRequest,
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequest,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  InputRequests,
  InputResponses,
  ListRootsRequest,
  ListRootsResult,
  Root,
} from "../authoring.js";
import { ownMember } from "../jsonrpc/guards.js";
import type { InferOutput, StandardSchema } from "../schema/standard-schema.js";
import { isPromiseLike } from "../timing/is-promise-like.js";

/** The response to one input request. */
export type InputResponseTo<Question> = Question extends ElicitRequest
  ? ElicitResult
  : Question extends CreateMessageRequest
    ? CreateMessageResult
    : ListRootsResult;

/** The responses to input requests, by the same keys; a request that was not sent has none. */
export type InputResponsesFor<Requests extends InputRequests = InputRequests> = string extends keyof Requests
  ? InputResponses
  : {
      readonly [Key in Requests extends unknown ? keyof Requests : never]?: Requests extends unknown
        ? Key extends keyof Requests
          ? InputResponseTo<NonNullable<Requests[Key]>>
          : never
        : never;
    };

/** The keys of responses: the names of the input requests; any string where those are not known. */
export type InputResponseKey<Responses> = Extract<keyof Responses, string>;

/** A page for the user to visit. */
export interface UrlElicitationParams extends ElicitRequestURLParams {
  /**
   * A unique id; pass it to `context.connection.completeElicitation` when the user is done. Only clients of 2025-11-25 are
   * notified. Default: a generated id.
   */
  readonly elicitationId?: string;
}

/** The result of a handler that needs input before it can continue. */
export interface InputRequiredSpec {
  /** The input requests; each response has the key of its request. */
  readonly inputRequests?: InputRequests;
  /** A JSON value that the handler receives again with the responses. It is sealed for the client. */
  readonly requestState?: unknown;
}

/** An `InputRequiredResult` before the runtime has sealed its state. */
export interface InputRequired extends InputRequiredSpec {
  readonly resultType: "input_required";
}

/** Creates what a handler returns to request input from the user; its members create the requests. */
export interface InputRequiredFactory {
  (spec: InputRequiredSpec): InputRequired;
  /** Creates an input request that shows a form to the user. */
  readonly elicit: (params: Omit<ElicitRequestFormParams, "mode">) => ElicitRequest;
  /** Creates an input request that asks the user to visit a URL; the client does not see what the user enters there. */
  readonly elicitUrl: (params: Omit<UrlElicitationParams, "mode">) => ElicitRequest;
  /**
   * Creates an input request for a completion by the client's model.
   * @deprecated since 2026-07-28: call the provider's API from the server.
   */
  readonly createMessage: (params: CreateMessageRequestParams) => CreateMessageRequest;
  /**
   * Creates an input request for the folders that the client works in.
   * @deprecated since 2026-07-28: take them as tool parameters.
   */
  readonly listRoots: () => ListRootsRequest;
}

/**
 * Creates the result of a handler that needs input from the user. The handler is called again with the responses: in the
 * stateless era when the client retries, in the handshake era after the runtime has sent the requests.
 * @example
 * ```ts
 * const requestedSchema = { type: "object", properties: { sure: { type: "boolean" } } } as const;
 * server.registerTool("delete", {}, ({ inputResponses }) => {
 *   if (inputResponses) {
 *     const isSure = acceptedContent(inputResponses, "confirm")?.["sure"] === true;
 *     return { content: [{ type: "text", text: isSure ? "Deleted" : "Kept" }] };
 *   }
 *   return inputRequired({ inputRequests: { confirm: inputRequired.elicit({ message: "Sure?", requestedSchema }) } });
 * });
 * ```
 */
export const inputRequired: InputRequiredFactory = /* @__PURE__ */ Object.assign(requireInput, {
  elicit: (params: object) => ({ method: ELICITATION_CREATE, params: { ...params, mode: "form" } }) as ElicitRequest,
  elicitUrl: (params: object) => ({ method: ELICITATION_CREATE, params: { ...params, mode: "url" } }) as ElicitRequest,
  createMessage: (params: CreateMessageRequestParams) => ({ method: SAMPLING_CREATE_MESSAGE, params }) as const,
  listRoots: () => ({ method: ROOTS_LIST }) as const,
});

/** `inputRequired` without the functions for input requests, which few servers need. */
export function requireInput(spec: InputRequiredSpec): InputRequired {
  return { ...spec, resultType: "input_required" };
}

export function isInputRequired(result: unknown): result is InputRequired {
  return (result as { readonly resultType?: unknown } | null | undefined)?.resultType === "input_required";
}

/**
 * Returns the content of the form with this key; undefined unless the user accepted it. `Content` is not checked: the
 * runtime has checked the content only against the schema of the input request.
 * @param key a key of `responses`; any string if you name `Content` without `Responses`
 */
export function acceptedContent<
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the same signature as in the official SDK
  Content extends object = NonNullable<ElicitResult["content"]>,
  Responses extends InputResponses = InputResponses,
>(responses: Responses | undefined, key: InputResponseKey<Responses>): Content | undefined;
/**
 * Returns the content as validated by a schema; also undefined when the content does not match.
 * @throws TypeError for a schema that validates asynchronously
 */
export function acceptedContent<Schema extends StandardSchema, Responses extends InputResponses = InputResponses>(
  responses: Responses | undefined,
  key: InputResponseKey<Responses>,
  schema: Schema,
): InferOutput<Schema> | undefined;
export function acceptedContent(responses: InputResponses | undefined, key: string, schema?: StandardSchema): unknown {
  const view = inputResponse(responses, key);
  if (view.kind !== "elicit" || view.action !== "accept") return undefined;
  const content = view.content ?? {};
  if (!schema) return content;
  const result = schema["~standard"].validate(content);
  if (isPromiseLike(result)) throw new TypeError("acceptedContent needs a schema that validates synchronously");
  return result.issues ? undefined : result.value;
}

/** A response to an input request, discriminated by `kind`. */
export type InputResponseView =
  | { readonly kind: "missing" }
  | { readonly kind: "elicit"; readonly action: ElicitResult["action"]; readonly content?: ElicitResult["content"] }
  | { readonly kind: "sampling"; readonly result: CreateMessageResult }
  | { readonly kind: "roots"; readonly roots: readonly Root[] };

/** Returns the response with this key. */
export function inputResponse<Responses extends InputResponses = InputResponses>(
  responses: Responses | undefined,
  key: InputResponseKey<Responses>,
): InputResponseView {
  const response = ownMember(responses, key);
  if (!response) return { kind: "missing" };
  if ("action" in response) {
    const { action, content } = response;
    return { kind: "elicit", action, ...(content && { content }) };
  }
  if ("roots" in response) return { kind: "roots", roots: response.roots };
  return { kind: "sampling", result: response };
}
