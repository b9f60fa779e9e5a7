/** The transports of a server. `both`: stdio, or HTTP with `--http`. */
export const projectTransports = ["stdio", "http", "both"] as const;
export type ProjectTransport = (typeof projectTransports)[number];

export const projectKinds = ["server", "client"] as const;
export type ProjectKind = (typeof projectKinds)[number];

export interface ServerProject {
  readonly kind: "server";
  /** The name of the npm package. */
  readonly name: string;
  readonly transport: ProjectTransport;
  /** Whether to also serve HTTP+SSE clients (2024-11-05); requires HTTP. */
  readonly legacySse: boolean;
  /** Whether to serve only requests with an access token of an authorization server; requires HTTP. Default: `false`. */
  readonly auth?: boolean;
  /** Whether to serve a folder of skills. Default: `false`. */
  readonly skills?: boolean;
}

export interface ClientProject {
  readonly kind: "client";
  /** The name of the npm package. */
  readonly name: string;
}

/** The options of a project. Plain data, stored in the project for updates. */
export type ProjectOptions = ServerProject | ClientProject;
