import { ELICITATION_CREATE, ROOTS_LIST, SAMPLING_CREATE_MESSAGE } from "@mcpwright/protocol/names";
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
  InputRequest,
  InputRequests,
  InputResponses,
  Root,
} from "../authoring.js";

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
 */
export function inputRequired(spec: InputRequiredSpec): InputRequired {
  return { ...spec, resultType: "input_required" };
}

/** A form for the user. */
inputRequired.elicit = (params: Omit<ElicitRequestFormParams, "mode">): InputRequest => ({
  method: ELICITATION_CREATE,
  params: { ...params, mode: "form" },
});

/** A page for the user to visit; what happens there does not pass the client. */
inputRequired.elicitUrl = (params: Omit<ElicitRequestURLParams, "mode">): InputRequest => ({
  method: ELICITATION_CREATE,
  params: { ...params, mode: "url" },
});

/**
 * A completion by the client's model.
 * @deprecated since 2026-07-28: call the provider's API from the server.
 */
inputRequired.createMessage = (params: CreateMessageRequestParams): InputRequest => ({
  method: SAMPLING_CREATE_MESSAGE,
  params,
});

/**
 * The folders that the client works in.
 * @deprecated since 2026-07-28: take them as tool parameters.
 */
inputRequired.listRoots = (): InputRequest => ({ method: ROOTS_LIST });

export function isInputRequired(result: object): result is InputRequired {
  return (result as { readonly resultType?: unknown }).resultType === "input_required";
}

/** The content of the form answered under `key`; undefined unless the user accepted it. */
export function acceptedContent(responses: InputResponses | undefined, key: string): ElicitResult["content"] {
  const view = inputResponse(responses, key);
  return view.kind === "elicit" && view.action === "accept" ? (view.content ?? {}) : undefined;
}

/** An answer, told apart. */
export type InputResponseView =
  | { readonly kind: "missing" }
  | { readonly kind: "elicit"; readonly action: ElicitResult["action"]; readonly content?: ElicitResult["content"] }
  | { readonly kind: "sampling"; readonly result: CreateMessageResult }
  | { readonly kind: "roots"; readonly roots: readonly Root[] };

/** The answer under `key`. */
export function inputResponse(responses: InputResponses | undefined, key: string): InputResponseView {
  const answer = responses && Object.hasOwn(responses, key) ? responses[key] : undefined;
  if (!answer) return { kind: "missing" };
  if ("action" in answer) {
    const { action, content } = answer;
    return { kind: "elicit", action, ...(content && { content }) };
  }
  if ("roots" in answer) return { kind: "roots", roots: answer.roots };
  return { kind: "sampling", result: answer };
}
