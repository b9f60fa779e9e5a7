/** The changes that the official changelogs list, in our words: where `diff` finds each, or why no schema shows it. */
export interface ChangelogEntry {
  readonly change: string;
  /** `rule place`: each must be a finding. */
  readonly found?: readonly string[];
  readonly hiddenBecause?: string;
}

export interface Changelog {
  readonly from: string;
  readonly to: string;
  readonly entries: readonly ChangelogEntry[];
}

const oauth = "OAuth requests are not MCP messages";
const advice = "guidance for readers, not a message";
const process = "about how the specification is developed";

export const changelogs: readonly Changelog[] = [
  {
    from: "2024-11-05",
    to: "2025-03-26",
    entries: [
      { change: "OAuth 2.1 authorization over HTTP", found: ["behaviour-changed profile.authorization"] },
      {
        change: "Streamable HTTP replaces HTTP+SSE",
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
        change: "tool annotations",
        found: ["member-added Tool.annotations", "definition-added ToolAnnotations"],
      },
      { change: "`message` in progress notifications", found: ["member-added ProgressNotificationParams.message"] },
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
        change: "the `completions` capability",
        found: ["capability-added server.completions", "capability-needed client completion/complete"],
      },
    ],
  },
  {
    from: "2025-03-26",
    to: "2025-06-18",
    entries: [
      {
        change: "JSON-RPC batching removed",
        found: [
          "batching-forbidden profile.batch",
          "envelope-changed JSONRPCBatchRequest",
          "envelope-changed JSONRPCBatchResponse",
        ],
      },
      {
        change: "structured tool output",
        found: ["member-added CallToolResult.structuredContent", "member-added Tool.outputSchema"],
      },
      { change: "MCP servers are OAuth resource servers", found: ["behaviour-changed profile.authorization"] },
      {
        change: "resource indicators in token requests (RFC 8707)",
        found: ["authorization-changed authorization.resourceParameter"],
      },
      { change: "clearer security considerations", hiddenBecause: advice },
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
        change: "resource links in tool results",
        found: ["definition-added ResourceLink", "alternative-added CallToolResult.content[]"],
      },
      {
        change: "the negotiated revision in the `MCP-Protocol-Version` header",
        found: ["behaviour-changed profile.versionHeader"],
      },
      {
        change: "a SHOULD of the lifecycle became a MUST",
        hiddenBecause: "messages do not show whether a rule is a SHOULD or a MUST",
      },
      {
        change: "`_meta` in more types",
        found: ["Tool", "Prompt", "Resource", "ResourceTemplate", "ResourceContents", "Root", "TextContent"].map(
          (type) => `member-added ${type}._meta`,
        ),
      },
      { change: "rules for `_meta` keys", found: ["behaviour-changed profile.reservedMetaKeys"] },
      {
        change: "`context` in completion requests, with the arguments already resolved",
        found: ["member-added CompleteRequestParams.context"],
      },
      {
        change: "`title`, a display name",
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
      { change: "OpenID Connect discovery", found: ["authorization-changed authorization.serverMetadata"] },
      {
        change: "icons",
        found: ["Tool", "Resource", "ResourceTemplate", "Prompt"].map((type) => `member-added ${type}.icons`),
      },
      { change: "incremental scope consent", hiddenBecause: oauth },
      { change: "guidance on tool names", found: ["limit-changed Tool.name"] },
      {
        change: "choices in elicitation forms as standard JSON Schema",
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
        change: "URL mode elicitation",
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
        change: "tools in sampling requests",
        found: [
          "member-added CreateMessageRequestParams.tools",
          "member-added CreateMessageRequestParams.toolChoice",
          "capability-added client.sampling.tools",
          "capability-needed server sampling/createMessage",
          "behaviour-changed profile.samplingTools",
        ],
      },
      { change: "client ID metadata documents", found: ["authorization-changed authorization.clientIdMetadata"] },
      {
        change: "tasks (experimental)",
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
      { change: "stdio servers may use stderr for all logging", hiddenBecause: "stderr does not carry messages" },
      { change: "`description` in `Implementation`", found: ["member-added Implementation.description"] },
      {
        change: "HTTP status 403 for an invalid `Origin`",
        hiddenBecause: "the request is rejected before a message is read; earlier revisions required that, too",
      },
      { change: "updated security guidance", hiddenBecause: advice },
      {
        change: "invalid tool arguments are tool errors, not protocol errors",
        found: ["behaviour-changed profile.inputErrors"],
      },
      { change: "servers may close an SSE stream, and clients poll", found: ["behaviour-changed profile.polling"] },
      {
        change: "clearer rules for resuming polled streams",
        hiddenBecause: "the profile field `polling` already covers it",
      },
      { change: "protected resource metadata discovery as in RFC 9728", hiddenBecause: oauth },
      {
        change: "default values in elicitation",
        found: ["member-added StringSchema.default", "member-added NumberSchema.default", "type-widened EnumSchema"],
      },
      {
        change: "JSON Schema 2020-12 as the default dialect",
        found: [
          "behaviour-changed profile.schemaDialect",
          "member-added Tool.inputSchema.$schema",
          "member-added Tool.outputSchema.$schema",
        ],
      },
      {
        change: "params are named types",
        found: [
          "params-named CallToolRequestParams",
          "params-named InitializeRequestParams",
          "params-named CancelledNotificationParams",
        ],
      },
      { change: "governance", hiddenBecause: process },
      { change: "communication guidelines", hiddenBecause: process },
      { change: "working groups and interest groups", hiddenBecause: process },
      { change: "SDK tiers", hiddenBecause: process },
    ],
  },
  {
    from: "2025-11-25",
    to: "2026-07-28",
    entries: [
      { change: "sessions over HTTP removed", found: ["behaviour-changed profile.session"] },
      {
        change: "lists do not depend on the connection",
        hiddenBecause: "the type of a list does not show which items it has",
      },
      {
        change: "handshake removed; every request carries version and capabilities",
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
        change: "`subscriptions/listen` replaces the GET stream and `resources/subscribe`",
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
        change:
          "`ping`, `logging/setLevel` and `notifications/roots/list_changed` removed; each request carries its log level",
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
        change: "tasks became an extension",
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
        hiddenBecause: "an extension has its own schema",
      },
      {
        change: "requests to the client are part of results",
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
        change: "every result states its kind in `resultType`",
        found: [
          "member-added-required Result.resultType",
          "result-tag-changed resultTag",
          "behaviour-changed profile.resultType",
        ],
      },
      { change: "broken streams cannot be resumed", found: ["behaviour-changed profile.resumption"] },
      {
        change: "`extensions` in capabilities",
        found: ["capability-added client.extensions", "capability-added server.extensions"],
      },
      {
        change: "trace context in `_meta`",
        found: ["traceparent", "tracestate", "baggage"].map((key) => `meta-key-added _meta["${key}"]`),
      },
      { change: "`tools/list` returns tools in a stable order", hiddenBecause: "types do not show order" },
      {
        change: "method and name in HTTP headers",
        found: ["behaviour-changed profile.standardHeaders", "routing-changed client tools/call"],
      },
      {
        change: "cache hints for lists and resources",
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
        change: "a different error code for a missing resource",
        found: ["behaviour-changed profile.notFoundCode", "error-removed RESOURCE_NOT_FOUND"],
      },
      {
        change: "clients check `iss` of authorization responses",
        found: ["authorization-changed authorization.issuerParameter"],
      },
      {
        change: "clients register with an `application_type`",
        found: ["authorization-changed authorization.applicationType"],
      },
      { change: "credentials are bound to their issuer", hiddenBecause: oauth },
      {
        change: "any JSON Schema in tool schemas, any JSON value as structured content",
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
        change: "limits on `$ref` and on the size of schemas",
        hiddenBecause: "message types allow any object where a schema is expected",
      },
      {
        change: "`notifications/elicitation/complete` removed",
        found: [
          "method-removed server notifications/elicitation/complete",
          "required-member-removed ElicitRequestURLParams.elicitationId",
          "behaviour-changed profile.urlCompletion",
        ],
      },
      {
        change: "ranges of error codes, and codes for three errors",
        found: [
          "error-added HEADER_MISMATCH",
          "error-added MISSING_REQUIRED_CLIENT_CAPABILITY",
          "error-added UNSUPPORTED_PROTOCOL_VERSION",
          "definition-added HeaderMismatchError",
          "behaviour-changed profile.missingCapabilityCode",
        ],
      },
      {
        change: "three error codes of the draft renumbered",
        hiddenBecause: "no published revision had the old numbers",
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
        change: "`number` instead of `integer` in schema.json",
        hiddenBecause: "schema.ts had `number` before; `mcpwright compare-schema` lists how a schema.json differs",
      },
      { change: "a deprecation policy", hiddenBecause: process },
      { change: "the process for proposals", hiddenBecause: process },
    ],
  },
];
