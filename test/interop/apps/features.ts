import { same } from "../feature.js";
import type { LogInFeature } from "../log-in/outcomes.js";
import { appMeta, appUri, html, structuredContent, texts, tools } from "./facts.js";

interface ListedTool {
  readonly name: string;
  readonly inputSchema: never;
  readonly _meta?: Record<string, unknown>;
}

/** The members of a client that ours and the official one both have. */
interface AnyClient {
  getNegotiatedProtocolVersion(): string | undefined;
  getServerCapabilities(): { readonly extensions?: object | undefined } | undefined;
  listTools(): Promise<{ readonly tools: readonly object[] }>;
  readResource(params: { readonly uri: string }): Promise<{ readonly contents: readonly object[] }>;
  callTool(params: { readonly name: string }): Promise<object>;
  close(): Promise<void>;
}

export interface AppsPeers {
  /** Connects a client, which shows apps or does not. */
  readonly connect: (showsApps: boolean) => Promise<AnyClient>;
  /** Reads what a listed tool says about apps. */
  readonly appOf: (tool: ListedTool) => {
    readonly uri: string | undefined;
    readonly model: boolean;
    readonly app: boolean;
  };
  /** Whether the server hides tools for apps alone from clients that show none, and declares the extension. */
  readonly hidesAppTools: boolean;
}

export function appFeatures(revision: string, { connect, appOf, hidesAppTools }: AppsPeers): readonly LogInFeature[] {
  const host = connect(true);
  return [
    [
      "opening",
      async () => {
        const client = await host;
        same("the revision", client.getNegotiatedProtocolVersion(), revision);
        if (hidesAppTools)
          same("the extension", client.getServerCapabilities()?.extensions, { "io.modelcontextprotocol/ui": {} });
      },
    ],
    [
      "apps of tools",
      async () => {
        const listed = (await (await host).listTools()).tools as readonly ListedTool[];
        same(
          "the apps",
          listed.map((tool) => [tool.name, appOf(tool)]),
          tools.map(({ name, app }) => [name, app]),
        );
      },
    ],
    [
      "resource of an app",
      async () => {
        const { contents } = await (await host).readResource({ uri: appUri });
        const [{ uri, mimeType, text, _meta } = {}] = contents as readonly Readonly<Record<string, unknown>>[];
        const found = { count: contents.length, uri, mimeType, text, _meta };
        const expected = {
          count: 1,
          uri: appUri,
          mimeType: "text/html;profile=mcp-app",
          text: html,
          _meta: { ui: appMeta },
        };
        same("the resource", found, expected);
      },
    ],
    ["call by a host with apps", async () => called(await host, texts.withApps)],
    [
      "client without apps",
      async () => {
        const client = await connect(false);
        const names = (await client.listTools()).tools.map((tool) => (tool as ListedTool).name);
        const all = tools.filter(({ app }) => app.model || !hidesAppTools).map(({ name }) => name);
        same("the tools", names, all);
        await called(client, texts.withoutApps);
        await client.close();
      },
    ],
  ];
}

async function called(client: AnyClient, text: string): Promise<void> {
  const { content, structuredContent: output } = (await client.callTool({ name: "chart" })) as Readonly<
    Record<string, unknown>
  >;
  same("the result", [content, output], [[{ type: "text", text }], structuredContent]);
}
