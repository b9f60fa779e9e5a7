import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  CreateMessageResultWithTools,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  InputRequest,
  InputRequests,
  InputRequiredResult,
  InputResponses,
  Root,
} from "../types/index.js";
import {
  isStandardSchema,
  type StandardSchemaV1,
  type StandardSchemaWithJSON,
  toJsonSchema,
} from "./standard-schema.js";

export interface InputRequiredSpec {
  inputRequests?: InputRequests;
  /** Comes back with the responses, as it is. */
  requestState?: string;
}

/** The params of a form, whose fields may be described by a schema of a library. */
export type ElicitInputParams = Omit<ElicitRequestFormParams, "requestedSchema"> & {
  requestedSchema: ElicitRequestFormParams["requestedSchema"] | StandardSchemaWithJSON;
};

/** Creates what a handler returns to request input from the user; its members create the requests. */
export interface InputRequiredBuilder {
  (spec: InputRequiredSpec): InputRequiredResult;
  elicit(params: ElicitInputParams): InputRequest;
  elicitUrl(params: Omit<ElicitRequestURLParams, "mode" | "elicitationId">): InputRequest;
  createMessage(params: CreateMessageRequestParams): InputRequest;
  listRoots(): InputRequest;
}

type Responses = InputResponses | Record<string, unknown> | undefined;

function requireInput(spec: InputRequiredSpec): InputRequiredResult {
  const { inputRequests, requestState } = spec;
  if (Object.keys(inputRequests ?? {}).length === 0 && typeof requestState !== "string")
    throw new TypeError(
      "inputRequired() requires at least one of inputRequests (with at least one entry) or requestState",
    );
  return {
    resultType: "input_required",
    ...(inputRequests && { inputRequests }),
    ...(requestState !== undefined && { requestState }),
  };
}

export const inputRequired: InputRequiredBuilder = /* @__PURE__ */ Object.assign(requireInput, {
  elicit: (params: ElicitInputParams): InputRequest => ({
    method: "elicitation/create",
    params: { ...params, mode: "form", requestedSchema: toRequestedSchema(params.requestedSchema) },
  }),
  // Clients of 2026-07-28 get no id; the runtime creates one for older clients.
  elicitUrl: (params: Omit<ElicitRequestURLParams, "mode" | "elicitationId">): InputRequest => ({
    method: "elicitation/create",
    params: { ...params, mode: "url" } as ElicitRequestURLParams,
  }),
  createMessage: (params: CreateMessageRequestParams): InputRequest => ({ method: "sampling/createMessage", params }),
  listRoots: (): InputRequest => ({ method: "roots/list" }),
});

const keywordsOfForms = new Set([
  ...["type", "title", "description", "default", "enum", "enumNames", "oneOf", "anyOf", "items", "const"],
  ...["format", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems"],
]);

/** The schema of a form: that of a library is reduced to the keywords that forms have. */
function toRequestedSchema(given: ElicitInputParams["requestedSchema"]): ElicitRequestFormParams["requestedSchema"] {
  if (!isStandardSchema(given)) return given;
  const { properties = {}, required } = toJsonSchema(given, "input") as {
    readonly properties?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
    readonly required?: readonly string[];
  };
  const fields = Object.entries(properties).map(([name, field]) => {
    const kept = Object.entries(field).filter(([keyword]) => keywordsOfForms.has(keyword));
    return [name, Object.fromEntries(kept)];
  });
  const schema: object = {
    type: "object",
    properties: Object.fromEntries(fields) as unknown,
    ...(required && { required }),
  };
  return schema as ElicitRequestFormParams["requestedSchema"];
}

/** Returns the content of a form that the user accepted. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- the signature of the official SDK
export function acceptedContent<T extends Record<string, unknown> = Record<string, unknown>>(
  responses: Responses,
  key: string,
): T | undefined;
/** Returns the content as validated by a schema; undefined when it does not match. */
export function acceptedContent<Schema extends StandardSchemaV1>(
  responses: Responses,
  key: string,
  schema: Schema,
): StandardSchemaV1.InferOutput<Schema> | undefined;
export function acceptedContent(responses: Responses, key: string, schema?: StandardSchemaV1): unknown {
  const view = inputResponse(responses, key);
  if (view.kind !== "elicit" || view.action !== "accept" || !view.content) return undefined;
  if (!schema) return view.content;
  const checked = schema["~standard"].validate(view.content);
  if (checked instanceof Promise)
    throw new TypeError("acceptedContent(responses, key, schema) requires a synchronously-validating schema");
  return checked.issues ? undefined : checked.value;
}

/** A response to an input request, by its kind. */
export type InputResponseView =
  | { kind: "missing" }
  | { kind: "elicit"; action: "accept" | "decline" | "cancel"; content?: Record<string, unknown> }
  | { kind: "sampling"; result: CreateMessageResult | CreateMessageResultWithTools }
  | { kind: "roots"; roots: Root[] };

/** Returns the response with this key. */
export function inputResponse(responses: Responses, key: string): InputResponseView {
  const response = (responses as Readonly<Record<string, unknown>> | undefined)?.[key];
  if (typeof response !== "object" || response === null) return { kind: "missing" };
  const { action, content, roots, role } = response as Readonly<Record<string, unknown>>;
  if (action === "accept" || action === "decline" || action === "cancel") {
    const isForm = typeof content === "object" && content !== null && !Array.isArray(content);
    return { kind: "elicit", action, ...(isForm && { content: content as Record<string, unknown> }) };
  }
  if (Array.isArray(roots)) return { kind: "roots", roots: roots as Root[] };
  if (typeof role === "string" && content !== undefined)
    return { kind: "sampling", result: response as CreateMessageResult };
  return { kind: "missing" };
}
