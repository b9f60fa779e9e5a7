/** How the schemas of the official SDK differ from the models: facts about its versions 2.4.0 (`core`) and 1.32.2 (`sdk`). */
import {
  array,
  boolean,
  integer,
  type Mode,
  type Node,
  number,
  object,
  part,
  record,
  ref,
  string,
  union,
  unknown,
  type Version,
} from "./node.js";

const RELATED_TASK = "io.modelcontextprotocol/related-task";
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";
const SUBSCRIPTION_ID = "io.modelcontextprotocol/subscriptionId";

/** An object without a fixed shape. */
const anyObject: Readonly<Record<Version, Node>> = { core: ref("JSONObject"), sdk: part("assertObject", "object") };

export interface Facts {
  /** Definitions that the models do not have, or have otherwise. */
  readonly definitions: Readonly<Record<string, Node>>;
  /** Members that differ, as `Definition.member`; undefined ones do not exist. */
  readonly members: Readonly<Record<string, Node | undefined>>;
  /** Members that the model does not have or requires; they are optional. */
  readonly optional: Readonly<Record<string, Node>>;
  /** Values of absent members, as code. */
  readonly fallbacks: Readonly<Record<string, string>>;
  readonly modes: Readonly<Record<string, Mode>>;
  /** Unions that a member decides. */
  readonly tags: Readonly<Record<string, string>>;
  readonly anyObject: Node;
  readonly resultMeta: Node;
  /** Definitions of the newest revision. */
  readonly newest: readonly string[];
}

/** Definitions of the models under the names of the official SDK. */
export const renamed: Readonly<Record<string, string>> = {
  RequestParams: "BaseRequestParams",
  NotificationParams: "NotificationsParams",
  SubscriptionsListenResultMetaObject: "SubscriptionsListenResultMeta",
};

/** Definitions of the models that the official SDK does not name. */
export const unnamed: ReadonlySet<string> = new Set([
  "Error",
  "GetTaskRequestParams",
  "GetTaskPayloadRequestParams",
  "CancelTaskRequestParams",
  "URLElicitationRequiredError",
]);

/** Definitions whose schemas `core` exports only from its entry `internal`, and those that the modules of `sdk` do not export. */
export const internalNames: Readonly<Record<Version, ReadonlySet<string>>> = {
  core: new Set([
    "BaseRequestParams",
    "NotificationsParams",
    "ListChangedOptionsBase",
    "ClientTasksCapability",
    "ServerTasksCapability",
    "OptionalSafeUrl",
    "SafeUrl",
  ]),
  sdk: new Set(["BaseRequestParams", "NotificationsParams", "RequestMeta"]),
};

const commonTypeNames = {
  BaseRequestParams: "RequestParams",
  NotificationsParams: "NotificationParams",
  ListChangedOptionsBase: undefined,
  SafeUrl: undefined,
  OptionalSafeUrl: undefined,
  ClientTasksCapability: undefined,
  ServerTasksCapability: undefined,
};

/** Definitions whose types have other names than their schemas; those without a name have no type. */
export const typeNames: Readonly<Record<Version, Readonly<Record<string, string | undefined>>>> = {
  core: { ...commonTypeNames, ResourceTemplate: "ResourceTemplateType" },
  sdk: commonTypeNames,
};

function messages(...names: string[]): Node {
  return union(...names.map(ref));
}

function tasksCapability(requests: Readonly<Record<string, Node>>, any: Node): Node {
  return object("loose", { "list?": any, "cancel?": any, "requests?": object("loose", requests) });
}

export function factsOf(version: Version): Facts {
  const any = anyObject[version];
  const looseParams = object("loose", { "_meta?": ref("RequestMeta") });
  const isCore = version === "core";
  const task = isCore ? [] : ["GetTaskRequest", "GetTaskPayloadRequest", "ListTasksRequest", "CancelTaskRequest"];
  const taskNotification = isCore ? [] : ["TaskStatusNotification"];
  const taskResult = isCore ? [] : ["GetTaskResult", "ListTasksResult", "CreateTaskResult"];
  const ofCore = (...names: string[]): string[] => (isCore ? names : []);
  const schemaObject = object("loose", {
    type: { kind: "literal", value: "object" },
    "properties?": record(isCore ? ref("JSONValue") : any),
    "required?": array(string),
  });
  const rootResult = isCore ? ref("ResultMetaObject") : ref("RequestMeta");
  const base64 = part("base64", "string");

  return {
    anyObject: any,
    resultMeta: rootResult,
    newest: isCore
      ? [
          "DiscoverRequest",
          "DiscoverResult",
          "SubscriptionFilter",
          "SubscriptionsListenRequestParams",
          "SubscriptionsListenRequest",
          "SubscriptionsListenResult",
          "SubscriptionsAcknowledgedNotificationParams",
          "SubscriptionsAcknowledgedNotification",
        ]
      : [],
    definitions: {
      ...(isCore && {
        JSONValue: part("jsonValue", "JSONValue"),
        JSONObject: part("jsonObject", "JSONObject"),
        JSONArray: part("jsonArray", "JSONArray"),
        ResultMetaObject: object("loose", { [`${SERVER_INFO}?`]: { kind: "lenient", name: "Implementation" } }),
        SubscriptionsListenResultMeta: object("loose", {
          [`${SERVER_INFO}?`]: { kind: "lenient", name: "Implementation" },
          [SUBSCRIPTION_ID]: ref("RequestId"),
        }),
      }),
      ...(!isCore && {
        JSONRPCError: ref("JSONRPCErrorResponse"),
        ResourceReference: ref("ResourceTemplateReference"),
      }),
      RequestMeta: object("loose", {
        "progressToken?": ref("ProgressToken"),
        [`${RELATED_TASK}?`]: ref("RelatedTaskMetadata"),
      }),
      BaseRequestParams: object("strip", { "_meta?": ref("RequestMeta") }),
      NotificationsParams: object("strip", { "_meta?": ref("RequestMeta") }),
      EmptyResult: object("strict", { "_meta?": rootResult }),
      Progress: object("strip", { progress: number, "total?": number, "message?": string }),
      SamplingContent: { ...union(ref("TextContent"), ref("ImageContent"), ref("AudioContent")), tag: "type" } as Node,
      CreateMessageResultWithTools: object("loose", {
        "_meta?": rootResult,
        model: string,
        "stopReason?": { kind: "enum", values: ["endTurn", "stopSequence", "maxTokens", "toolUse"], open: true },
        role: ref("Role"),
        content: union(ref("SamplingMessageContentBlock"), array(ref("SamplingMessageContentBlock"))),
      }),
      CompatibilityCallToolResult: union(
        ref("CallToolResult"),
        object("loose", { "_meta?": rootResult, toolResult: unknown }),
      ),
      TaskCreationParams: object("loose", { "ttl?": number, "pollInterval?": number }),
      TaskAugmentedRequestParams: object("strip", {
        "_meta?": ref("RequestMeta"),
        "task?": ref("TaskMetadata"),
      }),
      ListChangedOptionsBase: object("strip", {
        autoRefresh: boolean,
        debounceMs: { kind: "number", integer: true, minimum: 0 },
      }),
      ClientTasksCapability: tasksCapability(
        {
          "sampling?": object("loose", { "createMessage?": any }),
          "elicitation?": object("loose", { "create?": any }),
        },
        any,
      ),
      ServerTasksCapability: tasksCapability({ "tools?": object("loose", { "call?": any }) }, any),
      EnumSchema: messages("LegacyTitledEnumSchema", "SingleSelectEnumSchema", "MultiSelectEnumSchema"),
      PrimitiveSchemaDefinition: messages("EnumSchema", "BooleanSchema", "StringSchema", "NumberSchema"),
      JSONRPCMessage: messages(
        "JSONRPCRequest",
        "JSONRPCNotification",
        "JSONRPCResultResponse",
        "JSONRPCErrorResponse",
      ),
      ClientRequest: messages(
        "PingRequest",
        "InitializeRequest",
        ...ofCore("DiscoverRequest"),
        "CompleteRequest",
        "SetLevelRequest",
        "GetPromptRequest",
        "ListPromptsRequest",
        "ListResourcesRequest",
        "ListResourceTemplatesRequest",
        "ReadResourceRequest",
        "SubscribeRequest",
        "UnsubscribeRequest",
        ...ofCore("SubscriptionsListenRequest"),
        "CallToolRequest",
        "ListToolsRequest",
        ...task,
      ),
      ClientNotification: messages(
        "CancelledNotification",
        "ProgressNotification",
        "InitializedNotification",
        "RootsListChangedNotification",
        ...taskNotification,
      ),
      ClientResult: messages(
        "EmptyResult",
        "CreateMessageResult",
        "CreateMessageResultWithTools",
        "ElicitResult",
        "ListRootsResult",
        ...taskResult,
      ),
      ServerRequest: messages("PingRequest", "CreateMessageRequest", "ElicitRequest", "ListRootsRequest", ...task),
      ServerNotification: messages(
        "CancelledNotification",
        "ProgressNotification",
        "LoggingMessageNotification",
        "ResourceUpdatedNotification",
        "ResourceListChangedNotification",
        "ToolListChangedNotification",
        "PromptListChangedNotification",
        ...taskNotification,
        ...ofCore("SubscriptionsAcknowledgedNotification"),
        "ElicitationCompleteNotification",
      ),
      ServerResult: messages(
        "EmptyResult",
        "InitializeResult",
        ...ofCore("DiscoverResult"),
        "CompleteResult",
        "GetPromptResult",
        "ListPromptsResult",
        "ListResourcesResult",
        "ListResourceTemplatesResult",
        "ReadResourceResult",
        "CallToolResult",
        "ListToolsResult",
        ...ofCore("SubscriptionsListenResult"),
        ...taskResult,
      ),
    },
    members: {
      "Request.params": looseParams,
      "Notification.params": looseParams,
      "JSONRPCRequest.params": looseParams,
      "JSONRPCNotification.params": looseParams,
      "JSONRPCErrorResponse.error": object("strip", { code: integer, message: string, "data?": unknown }),
      "PaginatedRequest.method": string,
      "Annotations.lastModified": part("dateTime", "string"),
      "ImageContent.data": base64,
      "AudioContent.data": base64,
      "BlobResourceContents.blob": base64,
      "ClientCapabilities.elicitation": isCore
        ? part("elicitationCapability", "ElicitationCapability")
        : part("looseElicitationCapability", "LooseElicitationCapability"),
      "ClientCapabilities.tasks": ref("ClientTasksCapability"),
      "ServerCapabilities.tasks": ref("ServerTasksCapability"),
      "PromptArgument.title": undefined,
      "PromptReference.title": undefined,
      "ResourceTemplateReference.title": undefined,
      "Tool.inputSchema": schemaObject,
      "Tool.outputSchema": isCore ? object("loose", { "$schema?": string }) : schemaObject,
      ...(isCore && { "CallToolResult.structuredContent": unknown }),
      "ToolResultContent.structuredContent": isCore ? unknown : object("loose", {}),
      "CreateMessageRequestParams.maxTokens": integer,
      "CreateMessageResult.content": ref("SamplingContent"),
      "CreateMessageResult.stopReason": { kind: "enum", values: ["endTurn", "stopSequence", "maxTokens"], open: true },
      "ElicitRequestFormParams.requestedSchema": object(isCore ? "loose" : "strip", {
        type: { kind: "literal", value: "object" },
        properties: record(ref("PrimitiveSchemaDefinition")),
        "required?": array(string),
      }),
      "ElicitRequestURLParams.url": part("url", "string"),
      "ElicitResult.content": part("formContent", "Record<string, string | number | boolean | string[]>", true),
      "CompleteResult.completion": object("loose", {
        values: array(string, 100),
        "total?": integer,
        "hasMore?": boolean,
      }),
      "Root.uri": part("fileUri", "string"),
      "DiscoverResult.resultType": undefined,
      "DiscoverResult.ttlMs": undefined,
      "DiscoverResult.cacheScope": undefined,
      "SubscriptionsListenResult.resultType": undefined,
      "SubscriptionsListenResult._meta": ref("SubscriptionsListenResultMeta"),
    },
    optional: {
      "ClientCapabilities.extensions": record(any),
      "ServerCapabilities.extensions": record(any),
      "CancelledNotificationParams.requestId": ref("RequestId"),
      "DiscoverRequest.params": ref("BaseRequestParams"),
      "SubscriptionsListenRequestParams._meta": ref("RequestMeta"),
    },
    fallbacks: {
      "CallToolResult.content": "[]",
      ...(!isCore && { "ToolResultContent.content": "[]" }),
      "ListChangedOptionsBase.autoRefresh": "true",
      "ListChangedOptionsBase.debounceMs": "300",
    },
    modes: {
      JSONRPCRequest: "strict",
      JSONRPCNotification: "strict",
      JSONRPCResultResponse: "strict",
      JSONRPCErrorResponse: "strict",
      GetTaskResult: "strip",
      CancelTaskResult: "strip",
    },
    tags: { SamplingMessageContentBlock: "type" },
  };
}
