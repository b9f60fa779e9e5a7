import { isObject } from "../../../shared/is-object.js";
import { type serverFolders, transports } from "./config-fields.js";
import { type ConfigText, readText } from "./config-text.js";
import type {
  AuthConfig,
  AuthorizationConfig,
  CommonServerConfig,
  GatewayConfig,
  GatewaySettings,
  InputConfig,
  LimitsConfig,
  ServerConfig,
  ToolsConfig,
} from "./gateway-config.js";

type Members = Readonly<Record<string, unknown>>;

/** Converts a document without errors. @param isUsable whether a server has no errors */
export function buildConfig(
  document: Members,
  folder: (typeof serverFolders)[number],
  path: string,
  isUsable: (name: string) => boolean,
): GatewayConfig {
  const { audit, authorization, logIn, ...gateway } = members(document["gateway"]);
  const inputs = (document["inputs"] ?? []) as readonly InputConfig[];
  return {
    path,
    servers: Object.entries(members(document[folder]))
      .filter(([name]) => isUsable(name))
      .map(([name, server]) => buildServer(name, members(server))),
    inputs: inputs.map(({ id, default: value }) => ({ id, ...(value !== undefined && { default: value }) })),
    gateway: {
      ...(gateway as GatewaySettings),
      ...(isObject(audit) && { audit: { ...audit, file: textOf(audit["file"]) } }),
      ...(isObject(authorization) && { authorization: buildAuthorization(authorization) }),
      ...(isObject(logIn) && { logIn: withTexts(logIn, ["file", "clientId", "clientSecret"]) }),
    },
  };
}

function buildServer(name: string, server: Members): ServerConfig {
  const { tools = {}, limits = {}, isolation = "auto", disabled = false } = server;
  const common: CommonServerConfig = {
    name,
    disabled: disabled === true,
    tools: tools as ToolsConfig,
    isolation: isolation as CommonServerConfig["isolation"],
    limits: limits as LimitsConfig,
    ...pick(server, ["timeoutMs", "idleMs", "scopes"]),
  };
  if (server["command"] === undefined) {
    const type = (server["type"] ?? server["transport"] ?? "http") as Exclude<keyof typeof transports, "stdio">;
    return {
      ...common,
      kind: "http",
      url: textOf(server["url"]),
      headers: textsOf(server["headers"]),
      transport: transports[type],
      auth: buildAuth(members(server["auth"])),
      ...(server["logIn"] !== undefined && {
        logIn: withTexts(members(server["logIn"]), ["clientId", "clientSecret"]),
      }),
    };
  }
  return {
    ...common,
    kind: "stdio",
    command: textOf(server["command"]),
    args: ((server["args"] ?? []) as readonly string[]).map(textOf),
    env: textsOf(server["env"]),
    ...mapped(pick(server, ["envFile", "cwd"]), textOf),
  };
}

function buildAuth({ CLIENT_ID, CLIENT_SECRET, ...auth }: Members): AuthConfig {
  const { clientId = CLIENT_ID, clientSecret = CLIENT_SECRET, type = "user" } = auth;
  return {
    ...pick(auth, ["scopes", "issuer", "authHosts"]),
    type: type as AuthConfig["type"],
    ...(clientId !== undefined && { clientId: textOf(clientId) }),
    ...(clientSecret !== undefined && { clientSecret: textOf(clientSecret) }),
  };
}

function buildAuthorization({ introspection, ...authorization }: Members): AuthorizationConfig {
  if (!isObject(introspection)) return authorization as unknown as AuthorizationConfig;
  const { clientId, clientSecret } = introspection;
  const texts = { clientId: textOf(clientId), clientSecret: textOf(clientSecret) };
  return { ...authorization, introspection: { ...introspection, ...texts } } as unknown as AuthorizationConfig;
}

/** @param names the fields in which references are replaced */
function withTexts(record: Members, names: readonly string[]): Members {
  return { ...record, ...mapped(pick(record, names), textOf) };
}

function textOf(value: unknown): ConfigText {
  return readText(value as string).text;
}

function textsOf(value: unknown): Readonly<Record<string, ConfigText>> {
  return mapped(members(value), textOf);
}

function mapped<T>(record: Members, convert: (value: unknown) => T): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, convert(value)]));
}

function pick(record: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}

function members(value: unknown): Members {
  return isObject(value) ? value : {};
}
