/** How a server is reached. `both`: over stdio, or over HTTP with `--http`. */
export const projectTransports = ["stdio", "http", "both"] as const;
export type ProjectTransport = (typeof projectTransports)[number];

export const projectKinds = ["server", "client"] as const;
export type ProjectKind = (typeof projectKinds)[number];

export interface ServerProject {
  readonly kind: "server";
  /** Of the npm package. */
  readonly name: string;
  readonly transport: ProjectTransport;
  /** Serves clients of HTTP+SSE (2024-11-05), too; only with HTTP. */
  readonly legacySse: boolean;
}

export interface ClientProject {
  readonly kind: "client";
  /** Of the npm package. */
  readonly name: string;
}

/** All that a project depends on, besides the templates. Plain data: it is kept in the project, for updates. */
export type ProjectOptions = ServerProject | ClientProject;
