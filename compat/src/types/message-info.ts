import type {
  ClientCapabilities,
  CompleteRequest,
  CompleteRequestParams,
  CreateMessageRequestParams,
  Implementation,
  LoggingLevel,
  Prompt,
  PromptReference,
  RequestMeta,
  Resource,
  ResourceTemplateReference,
  Tool,
} from "./core-messages.js";

export type MetaObject = Record<string, unknown>;
export type RequestMetaObject = RequestMeta;

/** The metadata with which each request of 2026-07-28 describes its client. */
// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- programs assign it to `_meta`, which has an index signature
export type RequestMetaEnvelope = {
  "io.modelcontextprotocol/protocolVersion": string;
  "io.modelcontextprotocol/clientInfo"?: Implementation;
  "io.modelcontextprotocol/clientCapabilities": ClientCapabilities;
  "io.modelcontextprotocol/logLevel"?: LoggingLevel;
};

/** The client that sent a request, as a verifier of access tokens describes it. */
export interface AuthInfo {
  token: string;
  clientId: string;
  scopes: string[];
  /** Seconds since the epoch. */
  expiresAt?: number;
  resource?: URL;
  resourceMetadataUrl?: string;
  extra?: Record<string, unknown>;
}

/** The era by which a message is served, and the revision that it names. */
export interface MessageClassification {
  era: "legacy" | "modern";
  revision?: string;
}

/** What a transport knows about a message in addition to its content. */
export interface MessageExtraInfo {
  request?: globalThis.Request | undefined;
  classification?: MessageClassification | undefined;
  authInfo?: AuthInfo | undefined;
  closeSSEStream?: (() => void) | undefined;
  closeStandaloneSSEStream?: (() => void) | undefined;
}

/** Called with the changed list, or with the error that prevented its refresh. */
export type ListChangedCallback<T> = (error: Error | null, items: T[] | null) => void;

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- as in the official SDK, whose programs assign it to other types
export type ListChangedOptions<T> = {
  /** Whether the list is requested again. Default: `true`. */
  autoRefresh?: boolean;
  /** Milliseconds without a further change after which the callback is called. Default: `300`. */
  debounceMs?: number;
  onChanged: ListChangedCallback<T>;
};

// eslint-disable-next-line @typescript-eslint/consistent-type-definitions -- as above
export type ListChangedHandlers = {
  tools?: ListChangedOptions<Tool>;
  prompts?: ListChangedOptions<Prompt>;
  resources?: ListChangedOptions<Resource>;
};

export type CreateMessageRequestParamsBase = Omit<CreateMessageRequestParams, "tools" | "toolChoice">;
export interface CreateMessageRequestParamsWithTools extends CreateMessageRequestParams {
  tools: Tool[];
}

export type CompleteRequestPrompt = CompleteRequest & { params: CompleteRequestParams & { ref: PromptReference } };
export type CompleteRequestResourceTemplate = CompleteRequest & {
  params: CompleteRequestParams & { ref: ResourceTemplateReference };
};
