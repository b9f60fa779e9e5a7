import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The imports that are allowed between the folders of a top folder. */
export interface Borders {
  /** The top folder, from the root of the repository. */
  readonly root: string;
  /**
   * Each listed folder or file of `root`, and the folders and files of `root` that it may import besides itself. Names with an
   * extension are files. Folders and files that are not listed may import everything.
   */
  readonly folders: Readonly<Record<string, readonly string[]>>;
}

/** Small functions that any folder of generator/shared/ may import. */
const helpers = ["assert-never.ts", "is-object.ts", "package-root.ts"] as const;

/** The direction of imports that ARCHITECTURE.md describes. A folder may import only folders that precede it here. */
export const borders: readonly Borders[] = [
  {
    root: "generator",
    folders: {
      shared: [],
      pipeline: ["shared"],
      commands: ["pipeline", "shared"],
      cli: ["commands", "shared"],
    },
  },
  {
    root: "generator/shared",
    folders: {
      names: [],
      model: [...helpers],
      diagnostics: ["model"],
      command: ["diagnostics"],
      files: ["diagnostics"],
      hosts: ["files"],
      json: ["model", ...helpers],
      code: ["names", ...helpers],
      sources: ["code", "diagnostics", "model", ...helpers],
      fidelity: ["model", "sources", ...helpers],
      loopback: [],
      project: ["diagnostics", "files", ...helpers],
      "schema-code": ["code", "diagnostics", "names", ...helpers],
      sessions: ["command", "diagnostics", "files", "json", "names", ...helpers],
    },
  },
  {
    root: "generator/pipeline",
    folders: {
      read: [],
      overlay: [],
      passes: ["overlay"],
      conversions: ["passes"],
      render: [],
      emit: ["conversions", "passes", "render"],
      format: [],
      write: [],
    },
  },
  {
    root: "generator/commands",
    folders: {
      bind: [],
      bundle: [],
      "compare-schema": [],
      compile: [],
      completion: [],
      diff: [],
      explain: ["diff"],
      gateway: [],
      generate: [],
      inspect: [],
      install: [],
      login: [],
      logout: [],
      manifest: [],
      migrate: [],
      model: [],
      new: [],
      revisions: [],
      update: ["new"],
      validate: ["diff"],
      dev: ["inspect", "validate"],
      doctor: ["dev", "install"],
      vendor: ["generate"],
      outdated: ["diff", "doctor", "vendor"],
    },
  },
  {
    root: "runtime/src",
    folders: {
      "authoring.ts": [],
      collections: [],
      timing: ["collections"],
      jsonrpc: [],
      options: ["jsonrpc"],
      pages: [],
      rules: ["jsonrpc"],
      schema: ["jsonrpc"],
      http: ["jsonrpc"],
      "request-state": ["jsonrpc"],
      "uri-template": ["jsonrpc"],
      "uri-template.ts": ["uri-template", "jsonrpc"],
      transport: ["jsonrpc", "http"],
      connection: ["transport", "jsonrpc", "authoring.ts", "collections", "options", "rules", "timing"],
      "input-requests": ["connection", "jsonrpc", "authoring.ts", "rules", "schema", "timing"],
      "own-methods": ["jsonrpc", "schema"],
      sqlite: ["jsonrpc", "options", "timing"],
      stdio: ["transport", "jsonrpc", "node/decode-utf8.ts", "options", "timing"],
      "http-client": ["transport", "jsonrpc", "http", "options", "timing"],
      auth: ["http-client", "jsonrpc", "options", "timing"],
      "http-server": [
        "authoring.ts",
        "connection",
        "transport",
        "jsonrpc",
        "collections",
        "http",
        "options",
        "request-state",
        "rules",
        "timing",
      ],
      client: [
        "http-client",
        "connection",
        "transport",
        "jsonrpc",
        "authoring.ts",
        "input-requests",
        "options",
        "rules",
        "schema",
        "timing",
        "uri-template.ts",
      ],
      server: [
        "http-server",
        "connection",
        "transport",
        "jsonrpc",
        "authoring.ts",
        "collections",
        "http",
        "input-requests",
        "options",
        "request-state",
        "rules",
        "schema",
        "timing",
        "uri-template.ts",
      ],
      apps: [
        "server",
        "connection",
        "transport",
        "jsonrpc",
        "authoring.ts",
        "input-requests",
        "options",
        "rules",
        "schema",
        "timing",
      ],
      backplane: ["http-server", "http", "request-state", "connection", "transport", "jsonrpc", "options", "timing"],
      otel: ["connection", "transport", "jsonrpc", "options", "timing"],
      operations: ["server", "http-server", "connection", "jsonrpc", "options", "timing"],
      "rate-limits": ["server", "http-server", "connection", "transport", "jsonrpc", "options", "timing"],
      redis: ["backplane.ts", "backplane", "jsonrpc", "options", "timing"],
      tasks: [
        "server",
        "client",
        "connection",
        "transport",
        "jsonrpc",
        "authoring.ts",
        "collections",
        "input-requests",
        "options",
        "redis",
        "sqlite",
        "timing",
      ],
      skills: [
        "skills.ts",
        "server",
        "client",
        "connection",
        "jsonrpc",
        "authoring.ts",
        "node/resolve-inside.ts",
        "options",
        "rules",
      ],
      gateway: [
        "index.ts",
        "server.ts",
        "server",
        "client.ts",
        "client",
        "http-server",
        "http-client",
        "connection",
        "transport",
        "jsonrpc",
        "apps/tool-link.ts",
        "authoring.ts",
        "input-requests",
        "options",
        "request-state",
        "rules",
        "schema",
        "timing",
        "uri-template.ts",
        "collections/swap-remove-set.ts",
        "tasks/server/any-responses.ts",
        // Of the log-in, which is an entry of its own.
        "auth.ts",
        "auth/discovery/secure-url.ts",
        "auth/error-text.ts",
        "auth-server.ts",
        "pages",
      ],
      testing: ["backplane", "tasks", "transport", "jsonrpc"],
      // The loopback redirect explains failures of `listen` as `serveHttp` does.
      "auth-node": ["auth.ts", "http-client", "jsonrpc", "node/listen-error.ts", "options", "timing"],
      // The metadata of issuers is found as clients find it.
      "auth-server": [
        "auth",
        "server",
        "http-server",
        "http-client",
        "connection",
        "transport",
        "jsonrpc",
        "collections",
        "http",
        "options",
        "rules",
        "schema",
        "timing",
      ],
      // Of the client, code without shared state, which both entries may contain. Bodies and hosts are read as by the endpoint on Node.
      "auth-proxy": [
        "auth-proxy.ts",
        "backplane.ts",
        "backplane",
        "auth.ts",
        "auth-node.ts",
        "auth-node/address-kind.ts",
        "auth/client-identity/signing-key.ts",
        "auth/discovery/read-bounded.ts",
        "auth/error-text.ts",
        "auth-server.ts",
        "auth-server/match-audience.ts",
        "auth-server/resource-identifier.ts",
        "node/read-body.ts",
        "node/request-target.ts",
        "http-client",
        "transport",
        "jsonrpc",
        "collections",
        "options",
        "pages",
        "rules",
        "sqlite",
        "timing",
      ],
      // `serveHttp` starts the server that the entry server/http.ts creates.
      node: ["server/http.ts", "http-server", "connection", "transport", "jsonrpc", "collections", "options", "timing"],
      // The handlers are those of the entries server/http.ts and node.ts.
      frameworks: ["server/http.ts", "node.ts", "node", "http-server", "transport", "jsonrpc"],
    },
  },
  {
    // Transports and servers of several packages of the official SDK are built of the same parts; version 1 adapts those of version 2.
    root: "compat/src",
    folders: {
      types: [],
      shared: ["types"],
      core: ["types", "shared"],
      server: ["types", "shared"],
      client: ["types", "shared", "core"],
      node: ["server.ts", "server", "types", "shared"],
      express: ["types", "shared"],
      hono: ["types", "shared"],
      fastify: ["types", "shared"],
      // The authorization server of version 1, which `server-legacy` has too.
      "oauth-server": ["express", "types", "shared"],
      sdk: ["server", "client", "express", "oauth-server", "node", "types", "shared"],
      "server-legacy": ["sdk", "oauth-server", "express", "types", "shared"],
    },
  },
];

/** Listed folders and files that do not exist, and whose entries therefore check nothing. */
export function missingPaths(repository: string, all: readonly Borders[]): readonly string[] {
  return all
    .flatMap(({ root, folders }) =>
      Object.entries(folders).flatMap(([from, to]) => [from, ...to].map((name) => `${root}/${name}`)),
    )
    .filter((path, index, paths) => paths.indexOf(path) === index && !existsSync(join(repository, path)));
}

/** Existing folders that have no entry, and whose imports are therefore not checked. */
export function unlistedFolders(repository: string, all: readonly Borders[]): readonly string[] {
  return all.flatMap(({ root, folders }) =>
    readdirSync(join(repository, root), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !Object.hasOwn(folders, entry.name))
      .map(({ name }) => `${root}/${name}`),
  );
}
