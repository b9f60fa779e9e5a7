import { fail } from "../../../shared/diagnostics/diagnostic.js";
import type { ConfigText } from "./config-text.js";
import type { HttpServerConfig, StdioServerConfig } from "./gateway-config.js";

const common = { disabled: false, tools: {}, isolation: "auto", limits: {} } as const;

/**
 * The server of `mcpwright gateway -- npx -y some-server`. Words of a command line have no references: the shell has replaced
 * its own, and the rest is literal.
 */
export function commandServer(
  name: string,
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>> = {},
): StdioServerConfig {
  return { ...common, name, kind: "stdio", command: literal(command), args: args.map(literal), env: literals(env) };
}

/**
 * The server of `mcpwright gateway https://…`.
 * @throws DiagnosticError target-url-invalid
 */
export function urlServer(name: string, url: string, headers: Readonly<Record<string, string>> = {}): HttpServerConfig {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) fail("target-url-invalid", { url });
  return {
    ...common,
    name,
    kind: "http",
    url: literal(url),
    headers: literals(headers),
    transport: "detect",
    auth: { type: "user" },
  };
}

function literals(values: Readonly<Record<string, string>>): Readonly<Record<string, ConfigText>> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, literal(value)]));
}

function literal(source: string): ConfigText {
  return { source, parts: source === "" ? [] : [source] };
}
