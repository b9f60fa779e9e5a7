import type { McpServer, RegisteredTool } from "@mcpwright/runtime/server";

interface Golden {
  readonly registerTools: (server: McpServer) => Readonly<Record<string, RegisteredTool>>;
}

interface Weather extends Golden {
  readonly isGetForecastInput: (value: unknown) => boolean;
  readonly checkGetForecastInput: (value: unknown) => readonly { readonly message: string }[];
}

/** The golden files are a project of their own, as those of users are: compiled apart, and run here. */
const golden = (name: string): Promise<unknown> => import(new URL(`fixtures/${name}.mcp.ts`, import.meta.url).href);

export const weather = (await golden("weather")) as Weather;
export const hostile = (await golden("hostile")) as Golden;
