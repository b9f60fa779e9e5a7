/** What the official changelogs name, in our words: where `diff` finds it, or why no schema can show it. */
export interface ChangelogEntry {
  readonly change: string;
  /** `rule at place`, each of which must be a finding. */
  readonly found?: readonly string[];
  readonly hiddenBecause?: string;
}

export interface Changelog {
  readonly from: string;
  readonly to: string;
  readonly entries: readonly ChangelogEntry[];
}

const oauth = "it is about OAuth requests, which are no MCP messages";
const advice = "it is advice to people";
const process = "it is about how the specification is made";

export const changelogs: readonly Changelog[] = [
  {
    from: "2024-11-05",
    to: "2025-03-26",
    entries: [
      { change: "OAuth 2.1 authorization over HTTP", found: ["behaviour-changed profile.authorization"] },
      {
        change: "Streamable HTTP instead of HTTP+SSE",
        found: [
          "behaviour-changed profile.httpTransport",
          "behaviour-changed profile.session",
          "behaviour-changed profile.getStream",
          "behaviour-changed profile.resumption",
        ],
      },
      {
        change: "JSON-RPC batching",
        found: [
          "batching-allowed profile.batch",
          "envelope-changed JSONRPCBatchRequest",
          "envelope-changed JSONRPCBatchResponse",
          "envelope-changed JSONRPCMessage",
        ],
      },
      {
        change: "hints on how tools behave",
        found: ["member-added Tool.annotations", "definition-added ToolAnnotations"],
      },
      { change: "a text in progress notifications", found: ["member-added ProgressNotificationParams.message"] },
      {
        change: "audio content",
        found: [
          "definition-added AudioContent",
          "alternative-added CallToolResult.content[]",
          "alternative-added PromptMessage.content",
          "alternative-added SamplingMessage.content",
        ],
      },
      {
        change: "a capability for completion",
        found: ["capability-added server.completions", "capability-needed client completion/complete"],
      },
    ],
  },
  {
    from: "2025-03-26",
    to: "2025-06-18",
    entries: [
      {
        change: "no JSON-RPC batching",
        found: [
          "batching-forbidden profile.batch",
          "envelope-changed JSONRPCBatchRequest",
          "envelope-changed JSONRPCBatchResponse",
        ],
      },
      {
        change: "structured results of tools",
        found: ["member-added CallToolResult.structuredContent", "member-added Tool.outputSchema"],
      },
      { change: "MCP servers are OAuth resource servers", found: ["behaviour-changed profile.authorization"] },
      { change: "clients name the resource they want a token for (RFC 8707)", hiddenBecause: oauth },
      { change: "security considerations made clearer", hiddenBecause: advice },
      {
        change: "elicitation",
        found: [
          "method-added server elicitation/create",
          "capability-added client.elicitation",
          "definition-added ElicitResult",
          "behaviour-changed profile.elicitation",
        ],
      },
      {
        change: "links to resources in tool results",
        found: ["definition-added ResourceLink", "alternative-added CallToolResult.content[]"],
      },
      { change: "the negotiated revision in an HTTP header", found: ["behaviour-changed profile.versionHeader"] },
      {
        change: "a SHOULD of the lifecycle is a MUST",
        hiddenBecause: "how strongly the prose asks for something is not in the messages",
      },
      {
        change: "`_meta` in more types",
        found: ["Tool", "Prompt", "Resource", "ResourceTemplate", "ResourceContents", "Root", "TextContent"].map(
          (type) => `member-added ${type}._meta`,
        ),
      },
      { change: "how `_meta` is to be used", found: ["behaviour-changed profile.reservedMetaKeys"] },
      { change: "what has been filled in, with completion", found: ["member-added CompleteRequestParams.context"] },
      {
        change: "titles for people",
        found: ["Tool", "Prompt", "PromptArgument", "Resource", "ResourceTemplate", "Implementation"].map(
          (type) => `member-added ${type}.title`,
        ),
      },
    ],
  },
  {
    from: "2025-06-18",
    to: "2025-11-25",
    entries: [
      { change: "discovery by OpenID Connect", hiddenBecause: oauth },
      {
        change: "icons",
        found: ["Tool", "Resource", "ResourceTemplate", "Prompt"].map((type) => `member-added ${type}.icons`),
      },
      { change: "consent to further scopes when they are needed", hiddenBecause: oauth },
      { change: "what tools should be called", found: ["limit-changed Tool.name"] },
      {
        change: "choices in elicitation by standard JSON Schema",
        found: [
          "type-widened EnumSchema",
          "definition-kind-changed EnumSchema",
          "alternative-added ElicitResult.content[key]",
          "definition-added UntitledSingleSelectEnumSchema",
          "definition-added TitledSingleSelectEnumSchema",
          "definition-added UntitledMultiSelectEnumSchema",
          "definition-added TitledMultiSelectEnumSchema",
        ],
      },
      {
        change: "elicitation by URL",
        found: [
          "definition-added ElicitRequestURLParams",
          "capability-added client.elicitation.url",
          "capability-needed server elicitation/create",
          "method-added server notifications/elicitation/complete",
          "error-added URL_ELICITATION_REQUIRED",
          "behaviour-changed profile.elicitation",
          "behaviour-changed profile.urlCompletion",
        ],
      },
      {
        change: "tools in sampling",
        found: [
          "member-added CreateMessageRequestParams.tools",
          "member-added CreateMessageRequestParams.toolChoice",
          "capability-added client.sampling.tools",
          "capability-needed server sampling/createMessage",
          "behaviour-changed profile.samplingTools",
        ],
      },
      { change: "client id metadata documents", hiddenBecause: oauth },
      {
        change: "tasks, as an experiment",
        found: [
          "method-added client tasks/get",
          "method-added server tasks/get",
          "method-added client tasks/result",
          "method-added client tasks/list",
          "method-added client tasks/cancel",
          "method-added server notifications/tasks/status",
          "result-alternative-added client tools/call",
          "result-alternative-added server sampling/createMessage",
          "member-added CallToolRequestParams.task",
          "capability-added server.tasks",
          "capability-added client.tasks",
          "behaviour-changed profile.tasks",
        ],
      },
      { change: "stderr is for all logging of stdio servers", hiddenBecause: "stderr carries no messages" },
      { change: "a description in `Implementation`", found: ["member-added Implementation.description"] },
      {
        change: "HTTP status 403 for a wrong Origin",
        hiddenBecause: "it is refused before a message is read, and was to be refused before",
      },
      { change: "security guidance renewed", hiddenBecause: advice },
      {
        change: "faulty tool arguments are errors of the tool, not of the protocol",
        found: ["behaviour-changed profile.inputErrors"],
      },
      { change: "servers may close an SSE stream and be polled", found: ["behaviour-changed profile.polling"] },
      {
        change: "how polled streams are resumed, made clearer",
        hiddenBecause: "it explains what the profile field `polling` already tells",
      },
      { change: "discovery of protected resource metadata as in RFC 9728", hiddenBecause: oauth },
      {
        change: "default values in elicitation",
        found: ["member-added StringSchema.default", "member-added NumberSchema.default", "type-widened EnumSchema"],
      },
      {
        change: "JSON Schema 2020-12 unless stated otherwise",
        found: [
          "behaviour-changed profile.schemaDialect",
          "member-added Tool.inputSchema.$schema",
          "member-added Tool.outputSchema.$schema",
        ],
      },
      {
        change: "params are types of their own",
        found: [
          "params-named CallToolRequestParams",
          "params-named InitializeRequestParams",
          "params-named CancelledNotificationParams",
        ],
      },
      { change: "governance", hiddenBecause: process },
      { change: "guidelines for communication", hiddenBecause: process },
      { change: "working groups and interest groups", hiddenBecause: process },
      { change: "tiers of SDKs", hiddenBecause: process },
    ],
  },
  {
    from: "2025-11-25",
    to: "2026-07-28",
    entries: [
      { change: "no sessions over HTTP", found: ["behaviour-changed profile.session"] },
      {
        change: "lists are the same for every connection",
        hiddenBecause: "which items a list has is no matter of its type",
      },
      {
        change: "no handshake: every request carries version and capabilities",
        found: [
          "opening-changed profile.opening",
          "method-removed client initialize",
          "method-removed client notifications/initialized",
          "member-required RequestParams._meta",
          'member-added-required RequestParams._meta["io.modelcontextprotocol/protocolVersion"]',
          'member-added-required RequestParams._meta["io.modelcontextprotocol/clientCapabilities"]',
          'member-added RequestParams._meta["io.modelcontextprotocol/clientInfo"]',
          'meta-key-added _meta["io.modelcontextprotocol/serverInfo"]',
          "error-added UNSUPPORTED_PROTOCOL_VERSION",
          "behaviour-changed profile.unsupportedVersionCode",
        ],
      },
      {
        change: "`server/discover`",
        found: ["method-added client server/discover", "definition-added DiscoverResult"],
      },
      {
        change: "`subscriptions/listen` instead of GET and of subscriptions by resource",
        found: [
          "behaviour-changed profile.getStream",
          "behaviour-changed profile.subscriptions",
          "method-removed client resources/subscribe",
          "method-removed client resources/unsubscribe",
          "method-added client subscriptions/listen",
          "method-added server notifications/subscriptions/acknowledged",
          "definition-added SubscriptionFilter",
          'meta-key-added _meta["io.modelcontextprotocol/subscriptionId"]',
        ],
      },
      {
        change: "no `ping`, no `logging/setLevel`, no notice of changed roots; the log level comes with each request",
        found: [
          "method-removed client ping",
          "method-removed server ping",
          "method-removed client logging/setLevel",
          "method-removed client notifications/roots/list_changed",
          "behaviour-changed profile.ping",
          "behaviour-changed profile.logLevel",
          'meta-key-added _meta["io.modelcontextprotocol/logLevel"]',
        ],
      },
      {
        change: "tasks are an extension",
        found: [
          "method-removed client tasks/get",
          "method-removed client tasks/result",
          "method-removed client tasks/list",
          "method-removed client tasks/cancel",
          "method-removed server tasks/get",
          "result-alternative-removed client tools/call",
          "capability-removed server.tasks",
          "capability-removed client.tasks",
          "behaviour-changed profile.tasks",
        ],
      },
      {
        change: "how the tasks extension works",
        hiddenBecause: "an extension has a schema of its own",
      },
      {
        change: "questions to the client travel in results",
        found: [
          "method-in-band server roots/list",
          "method-in-band server sampling/createMessage",
          "method-in-band server elicitation/create",
          "behaviour-changed profile.serverRequests",
          "result-alternative-added client tools/call",
          "result-alternative-added client prompts/get",
          "result-alternative-added client resources/read",
          "definition-added InputRequiredResult",
          "member-added CallToolRequestParams.inputResponses",
          "member-added CallToolRequestParams.requestState",
        ],
      },
      {
        change: "every result says what it is",
        found: [
          "member-added-required Result.resultType",
          "result-tag-changed resultTag",
          "behaviour-changed profile.resultType",
        ],
      },
      { change: "broken streams are not resumed", found: ["behaviour-changed profile.resumption"] },
      {
        change: "a place for extensions in capabilities",
        found: ["capability-added client.extensions", "capability-added server.extensions"],
      },
      {
        change: "trace context in `_meta`",
        found: ["traceparent", "tracestate", "baggage"].map((key) => `meta-key-added _meta["${key}"]`),
      },
      { change: "tools come in the same order every time", hiddenBecause: "order is no matter of types" },
      {
        change: "method and name in HTTP headers",
        found: ["behaviour-changed profile.standardHeaders", "routing-changed client tools/call"],
      },
      {
        change: "how long lists and resources may be cached",
        found: [
          ...["ListToolsResult", "ListPromptsResult", "ListResourcesResult", "ReadResourceResult"].flatMap((type) => [
            `member-added-required ${type}.ttlMs`,
            `member-added-required ${type}.cacheScope`,
          ]),
          "member-added-required ListResourceTemplatesResult.ttlMs",
          "definition-added CacheableResult",
          "behaviour-changed profile.cacheHints",
        ],
      },
      {
        change: "another code for a resource that does not exist",
        found: ["behaviour-changed profile.notFoundCode", "error-removed RESOURCE_NOT_FOUND"],
      },
      { change: "clients check `iss` of authorization responses", hiddenBecause: oauth },
      { change: "clients register with an `application_type`", hiddenBecause: oauth },
      { change: "credentials are bound to who issued them", hiddenBecause: oauth },
      {
        change: "any JSON Schema for tools, any JSON as structured content",
        found: [
          "member-unlisted Tool.inputSchema.properties",
          "member-unlisted Tool.outputSchema.properties",
          "required-member-removed Tool.outputSchema.type",
          "index-added Tool.inputSchema[key]",
          "type-widened CallToolResult.structuredContent",
          "behaviour-changed profile.structuredContent",
        ],
      },
      {
        change: "where `$ref` may lead, and how large schemas may be",
        hiddenBecause: "a schema inside a message is any object to the type of the message",
      },
      {
        change: "no notice that an elicitation by URL is complete",
        found: [
          "method-removed server notifications/elicitation/complete",
          "required-member-removed ElicitRequestURLParams.elicitationId",
          "behaviour-changed profile.urlCompletion",
        ],
      },
      {
        change: "which codes are whose, and codes for three errors",
        found: [
          "error-added HEADER_MISMATCH",
          "error-added MISSING_REQUIRED_CLIENT_CAPABILITY",
          "error-added UNSUPPORTED_PROTOCOL_VERSION",
          "definition-added HeaderMismatchError",
          "behaviour-changed profile.missingCapabilityCode",
        ],
      },
      {
        change: "three codes of the draft renumbered",
        hiddenBecause: "the older numbers were in no published revision",
      },
      {
        change: "roots, sampling and logging are deprecated",
        found: [
          "member-deprecated ClientCapabilities.roots",
          "member-deprecated ClientCapabilities.sampling",
          "member-deprecated ServerCapabilities.logging",
          "definition-deprecated CreateMessageRequest",
          "definition-deprecated ListRootsRequest",
          "definition-deprecated LoggingMessageNotification",
        ],
      },
      {
        change: "HTTP+SSE is deprecated",
        hiddenBecause: "it is the transport of an older revision, which does not change",
      },
      {
        change: "two values of `includeContext` are deprecated",
        found: ["member-deprecated CreateMessageRequestParams.includeContext"],
      },
      { change: "dynamic client registration is deprecated", hiddenBecause: oauth },
      {
        change: "schema.json has numbers where it had integers",
        hiddenBecause:
          "schema.ts had numbers before; `mcpwright compare-schema` tells what a schema.json says otherwise",
      },
      { change: "a policy for deprecation", hiddenBecause: process },
      { change: "how proposals are made", hiddenBecause: process },
    ],
  },
];
