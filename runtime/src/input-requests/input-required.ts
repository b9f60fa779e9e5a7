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

/** The answers to questions, under the same keys; a question that was not asked has none. */
export type InputResponsesFor<Requests extends InputRequests = InputRequests> = string extends keyof Requests
  ? InputResponses
  : {
      readonly [Key in Requests extends unknown ? keyof Requests : never]?: Requests extends unknown
        ? Key extends keyof Requests
          ? InputResponseTo<NonNullable<Requests[Key]>>
          : never
        : never;
    };

/** A page for the user to visit. */
export interface UrlElicitationParams extends ElicitRequestURLParams {
  /**
   * Unique; `context.connection.completeElicitation` says by it that the user is done there. Default: one that is made up.
   * For clients of 2025-11-25; others know no such notice.
   */
  readonly elicitationId?: string;
}

/** What a handler returns that needs answers before it can go on. */
export interface InputRequiredSpec {
  /** The questions, each under a key that its answer comes back under. */
  readonly inputRequests?: InputRequests;
  /** Whatever the handler wants to know again when the answers are there; JSON. It is sealed on the way. */
  readonly requestState?: unknown;
}

/** An `InputRequiredResult` before the runtime has sealed its state. */
export interface InputRequired extends InputRequiredSpec {
  readonly resultType: "input_required";
}

/**
 * Return it from a handler that needs input from the user. The handler is entered again with the answers: in the
 * stateless era when the client retries, in the handshake era after the runtime has asked.
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
export function inputRequired(spec: InputRequiredSpec): InputRequired {
  return { ...spec, resultType: "input_required" };
}

/** A form for the user. */
inputRequired.elicit = (params: Omit<ElicitRequestFormParams, "mode">): ElicitRequest => ({
  method: ELICITATION_CREATE,
  params: { ...params, mode: "form" },
});

/** A page for the user to visit; what happens there does not pass the client. */
inputRequired.elicitUrl = (params: Omit<UrlElicitationParams, "mode">): ElicitRequest => ({
  method: ELICITATION_CREATE,
  params: { ...params, mode: "url" },
});

/**
 * A completion by the client's model.
 * @deprecated since 2026-07-28: call the provider's API from the server.
 */
inputRequired.createMessage = (params: CreateMessageRequestParams): CreateMessageRequest => ({
  method: SAMPLING_CREATE_MESSAGE,
  params,
});

/**
 * The folders that the client works in.
 * @deprecated since 2026-07-28: take them as tool parameters.
 */
inputRequired.listRoots = (): ListRootsRequest => ({ method: ROOTS_LIST });

export function isInputRequired(result: unknown): result is InputRequired {
  return (result as { readonly resultType?: unknown } | null | undefined)?.resultType === "input_required";
}

/**
 * The content of the form answered under `key`; undefined unless the user accepted it. `Content` is taken on trust: what the
 * question's own schema says has been checked, no more.
 */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as those who come from the official SDK write it
export function acceptedContent<Content extends object = NonNullable<ElicitResult["content"]>>(
  responses: InputResponses | undefined,
  key: string,
): Content | undefined;
/**
 * The same as what a schema makes of it; undefined, too, when it does not fit.
 * @throws TypeError for a schema that answers later
 */
export function acceptedContent<Schema extends StandardSchema>(
  responses: InputResponses | undefined,
  key: string,
  schema: Schema,
): InferOutput<Schema> | undefined;
export function acceptedContent(responses: InputResponses | undefined, key: string, schema?: StandardSchema): unknown {
  const view = inputResponse(responses, key);
  if (view.kind !== "elicit" || view.action !== "accept") return undefined;
  const content = view.content ?? {};
  if (!schema) return content;
  const result = schema["~standard"].validate(content);
  if (isPromiseLike(result)) throw new TypeError("acceptedContent needs a schema that answers at once");
  return result.issues ? undefined : result.value;
}

/** An answer, told apart. */
export type InputResponseView =
  | { readonly kind: "missing" }
  | { readonly kind: "elicit"; readonly action: ElicitResult["action"]; readonly content?: ElicitResult["content"] }
  | { readonly kind: "sampling"; readonly result: CreateMessageResult }
  | { readonly kind: "roots"; readonly roots: readonly Root[] };

/** The answer under `key`. */
export function inputResponse(responses: InputResponses | undefined, key: string): InputResponseView {
  const response = ownMember(responses, key);
  if (!response) return { kind: "missing" };
  if ("action" in response) {
    const { action, content } = response;
    return { kind: "elicit", action, ...(content && { content }) };
  }
  if ("roots" in response) return { kind: "roots", roots: response.roots };
  return { kind: "sampling", result: response };
}
