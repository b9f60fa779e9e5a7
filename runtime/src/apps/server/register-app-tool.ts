import type { McpUiToolMeta } from "@mcpwright/protocol/extensions/apps";
import type { InputRequests } from "../../authoring.js";
import type { AuthorSchema, OptionalSchema } from "../../schema/author-schema.js";
import type { McpServer } from "../../server/mcp-server.js";
import type { RegisteredTool, ToolCallback, ToolConfig } from "../../server/tool-config.js";
import { FLAT_RESOURCE_URI } from "../tool-link.js";
import { assertHasApps } from "./apps-extension.js";
import { assertToolMeta } from "./check-meta.js";

/** The configuration of a tool that belongs to an app. */
export interface AppToolConfig<
  Input extends OptionalSchema = OptionalSchema,
  Output extends OptionalSchema = OptionalSchema,
  Requests extends InputRequests = InputRequests,
> extends ToolConfig<Input, Output, Requests> {
  readonly _meta: AppToolMeta;
}

/** The `_meta` of a tool that belongs to an app. */
export interface AppToolMeta extends Record<string, unknown> {
  /**
   * `resourceUri` is the URI of the app that shows the results, `ui://…`; without it, the results are not shown. `visibility` says who may
   * call the tool; default: the model and apps of the same server.
   */
  readonly ui: McpUiToolMeta;
}

/**
 * Registers a tool whose results an app shows, or that apps call.
 *
 * Results need content that makes sense without the app, for the model and for clients without apps: see `showsApps`. The app receives the
 * whole result, so data that only it needs belongs into `structuredContent` or `_meta`.
 * @example
 * ```ts
 * registerAppTool(
 *   server,
 *   "forecast",
 *   { inputSchema: z.object({ city: z.string() }), _meta: { ui: { resourceUri: "ui://weather/chart" } } },
 *   async ({ city }) => ({ content: [{ type: "text", text: await summaryOf(city) }], structuredContent: await daysOf(city) }),
 * );
 * ```
 * @param server has the extension `apps()`
 * @param callback as that of `registerTool`
 * @throws SdkError `INVALID_CONFIGURATION` when `_meta.ui` is invalid, and as `registerTool`
 */
export function registerAppTool<
  Input extends AuthorSchema | undefined = undefined,
  Output extends AuthorSchema | undefined = AuthorSchema | undefined,
  Requests extends InputRequests = InputRequests,
>(
  server: AppServer,
  name: string,
  config: AppToolConfig<Input, Output, Requests>,
  callback: ToolCallback<Input, Output, Requests>,
): RegisteredTool<NoInfer<Input>, NoInfer<Output>> {
  assertHasApps(server.server, "registerAppTool");
  const registered = server.registerTool(name, { ...config, _meta: completeMeta(name, config._meta) }, callback);
  const update = registered.update.bind(registered);
  return Object.assign(registered, {
    update: ((changes) =>
      update(
        changes._meta ? { ...changes, _meta: completeMeta(changes.name ?? name, changes._meta) } : changes,
      )) satisfies typeof update,
  });
}

/** The server that `registerAppTool` and `registerAppResource` register at: an `McpServer` with any revisions and extensions. */
export interface AppServer extends Pick<McpServer, "registerTool" | "registerResource"> {
  /** The low-level server. */
  readonly server: object;
}

/** Adds the URI where older hosts look for it. */
function completeMeta(name: string, meta: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  const { ui } = meta;
  assertToolMeta(`tool "${name}"`, ui);
  return { ...meta, ...(ui.resourceUri !== undefined && { [FLAT_RESOURCE_URI]: ui.resourceUri }) };
}
