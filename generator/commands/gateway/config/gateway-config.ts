import type { ConfigText } from "./config-text.js";

/** The configuration of a gateway. Plain data; two configurations with the same content are deeply equal. */
export interface GatewayConfig {
  /** The file that was read. */
  readonly path: string;
  /** In the order of the file, with those that are disabled. */
  readonly servers: readonly ServerConfig[];
  readonly inputs: readonly InputConfig[];
  readonly gateway: GatewaySettings;
}

/** A server of the gateway. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

/** Fields of every server. */
export interface CommonServerConfig {
  /** The key in `mcpServers` or `servers`. */
  readonly name: string;
  readonly disabled: boolean;
  readonly tools: ToolsConfig;
  /** Default: `"auto"` */
  readonly isolation: "auto" | "shared" | "session";
  /** Milliseconds to wait for each response. */
  readonly timeoutMs?: number;
  /** Milliseconds without a request after which the connection is closed; 0 means never. */
  readonly idleMs?: number;
  readonly limits: LimitsConfig;
  /** The scopes that clients need: for all of the server, or by patterns of its own names of tools. Default: none */
  readonly scopes?: readonly string[] | Readonly<Record<string, readonly string[]>>;
}

/** A server that a command starts. */
export interface StdioServerConfig extends CommonServerConfig {
  readonly kind: "stdio";
  readonly command: ConfigText;
  readonly args: readonly ConfigText[];
  readonly env: Readonly<Record<string, ConfigText>>;
  /** A file with variables; those of `env` have priority. */
  readonly envFile?: ConfigText;
  readonly cwd?: ConfigText;
}

/** A server at a URL. */
export interface HttpServerConfig extends CommonServerConfig {
  readonly kind: "http";
  readonly url: ConfigText;
  readonly headers: Readonly<Record<string, ConfigText>>;
  /** `"detect"` tries Streamable HTTP first, and then HTTP+SSE. */
  readonly transport: "detect" | "streamable-http" | "sse";
  readonly auth: AuthConfig;
  /** How each user of the gateway logs in, in place of `auth`. Default: one log-in for all */
  readonly logIn?: LogInConfig;
}

/** Which tools of a server clients see, and how. All names are those of the server. */
export interface ToolsConfig {
  /** Names of tools, in which `*` stands for any characters. Default: all tools */
  readonly allow?: readonly string[];
  /** Has priority over `allow`. */
  readonly deny?: readonly string[];
  readonly rename?: Readonly<Record<string, string>>;
  readonly override?: Readonly<Record<string, ToolOverride>>;
}

/** Members of a tool that replace those of the server. */
export interface ToolOverride {
  readonly title?: string;
  readonly description?: string;
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint?: boolean;
  };
}

/** Limits of what one server and the calls to it may use. Default: none */
export interface LimitsConfig {
  /** Requests at the same time; further ones wait. */
  readonly concurrency?: number;
  readonly callsPerMinute?: number;
  /** Connections at the same time, which are as many processes of a command. */
  readonly maxConnections?: number;
  /** The largest message of the server, in bytes. */
  readonly maxBytes?: number;
  /** Milliseconds that a call may take, with its progress. */
  readonly timeoutMs?: number;
}

/** How the gateway logs in to a server. */
export interface AuthConfig {
  /** Default: `"user"` */
  readonly type: "user" | "service" | "none";
  readonly clientId?: ConfigText;
  readonly clientSecret?: ConfigText;
  /** Scopes to request besides those that the server names. */
  readonly scopes?: readonly string[];
  /** The authorization server of `clientId`. */
  readonly issuer?: string;
  /** Hosts of authorization servers that may have a private address. */
  readonly authHosts?: readonly string[];
}

/** How each user logs in to a server. */
export type LogInConfig = Omit<AuthConfig, "type">;

/** A value that VS Code asks for. */
export interface InputConfig {
  readonly id: string;
  readonly default?: string;
}

/** Settings of the gateway itself, in the member `gateway`. */
export interface GatewaySettings {
  readonly name?: string;
  /** `"none"` leaves the names of tools and prompts as they are. */
  readonly names?: "none" | { readonly separator?: string; readonly maxLength?: number };
  /** Instructions before those of the servers; `false` sends none. Default: only those of the servers */
  readonly instructions?: string | false;
  readonly pinning?: "refuse" | "quarantine" | "report";
  /** The path of the lock, relative to the configuration. */
  readonly lock?: string;
  /** Where hidden and confusable characters are reported. Default: `"items"` */
  readonly review?: "items" | "results" | "none";
  readonly audit?: AuditConfig;
  readonly authorization?: AuthorizationConfig;
  readonly logIn?: LogInPageConfig;
}

/** Which access tokens clients need, over HTTP. */
export interface AuthorizationConfig {
  /** The URL of the gateway, as clients use it. */
  readonly resource: string;
  /** The issuers whose tokens are JWTs. */
  readonly issuer?: string | readonly string[];
  /** Where their keys are. Default: in the metadata of each issuer */
  readonly jwks?: string;
  readonly algorithms?: readonly string[];
  readonly introspection?: IntrospectionConfig;
  /** Default: `resource` */
  readonly audience?: string | readonly string[];
  /** The scopes that every request needs. */
  readonly scopes?: readonly string[];
  readonly scopeIncludes?: Readonly<Record<string, readonly string[]>>;
}

/** An authorization server that is asked about each token. */
export interface IntrospectionConfig {
  readonly issuer: string;
  readonly clientId: ConfigText;
  readonly clientSecret: ConfigText;
  readonly endpoint?: string;
}

/** Where users log in to servers with `logIn`, and where their tokens are kept. */
export interface LogInPageConfig extends Omit<LogInConfig, "scopes"> {
  /** The page, as browsers reach it. Default: `/log-in` at the host of `authorization.resource` */
  readonly url?: string;
  /** The file with the tokens. Default: in the folder of the credentials of `mcpwright login` */
  readonly file?: ConfigText;
}

/** A log of the calls. */
export interface AuditConfig {
  /** The file to which a JSON line per call is appended. */
  readonly file: ConfigText;
  /** Whether the log contains the arguments of calls. Default: `false` */
  readonly arguments?: boolean;
  /** Names of arguments whose values are replaced in the log; `*` stands for any characters. */
  readonly redact?: readonly string[];
}
