import { type AppsExtensionTypes, appsExtension } from "@mcpwright/protocol/extensions/apps";
import { reportTo } from "../../connection/error-reporting.js";
import type { ServerContext } from "../../server/contracts.js";
import type { ServerHooks, ToolsView } from "../../server/extension-hooks.js";
import type { ServerExtension, ServerHost } from "../../server/server-extension.js";
import { toolApp } from "../tool-link.js";
import { brokenLink } from "./broken-link.js";
import { invalid } from "./check-meta.js";
import { showsApps } from "./shows-apps.js";

const servers = /* @__PURE__ */ new WeakSet<object>();

/**
 * Apps on servers, for the option `extensions` of `McpServer`: the extension `io.modelcontextprotocol/ui` (SEP-1865). Register tools and
 * the resources of their apps with `registerAppTool` and `registerAppResource`.
 *
 * Tools that only apps can call are listed only for clients that show apps: others would offer them to the model. `connect` rejects with
 * `INVALID_CONFIGURATION` when a tool names a resource that is not registered. Over HTTP, and of tools that are registered later, `onerror`
 * receives the problem when a client lists the tools.
 * @example
 * ```ts
 * const server = new McpServer(info, { extensions: [apps()] });
 * registerAppResource(server, "Chart", "ui://weather/chart", {}, await readFile("chart.html", "utf8"));
 * registerAppTool(server, "forecast", { _meta: { ui: { resourceUri: "ui://weather/chart" } } }, forecast);
 * ```
 */
export function apps(): ServerExtension<AppsExtensionTypes> {
  return { ...appsExtension, attachServer: attach };
}

/** @throws SdkError `INVALID_CONFIGURATION` when a server does not have the extension */
export function assertHasApps(server: object, call: string): void {
  if (!servers.has(server)) throw invalid(`${call} needs extensions: [apps()] (@mcpwright/runtime/apps)`);
}

function attach(server: ServerHost): void {
  servers.add(server);
  const { viewTools, describeTool, onConnect } = server;
  let isChecked = false;
  const reported = new Set<string>();
  const hooks: Required<Pick<ServerHooks<ServerContext>, "viewTools" | "describeTool" | "onConnect">> = {
    viewTools(context) {
      const other = viewTools?.(context);
      return showsApps(context) ? other : withoutAppTools(other);
    },
    describeTool(tool, side) {
      const problem = brokenLink(tool.definition, server);
      if (problem !== undefined && !reported.has(problem)) {
        reported.add(problem);
        reportTo(server.options, invalid(problem));
      }
      return describeTool?.(tool, side);
    },
    onConnect() {
      onConnect?.();
      if (isChecked) return;
      for (const { definition } of server.features.tools?.registry ?? []) {
        const problem = brokenLink(definition, server);
        if (problem !== undefined) throw invalid(problem);
      }
      isChecked = true;
    },
  };
  Object.assign(server, hooks);
}

/** The tools of a client that does not show apps. */
function withoutAppTools(other: ToolsView | undefined): ToolsView {
  return {
    name: `${other?.name ?? ""} without apps`,
    includes: (tool) => toolApp(tool.definition).isForModel && other?.includes(tool) !== false,
  };
}
