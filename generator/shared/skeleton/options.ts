/** How a server is reached. `both`: over stdio, or over HTTP with `--http`. */
export const transports = ["stdio", "http", "both"] as const;
export type SkeletonTransport = (typeof transports)[number];

export const kinds = ["server", "client"] as const;
export type SkeletonKind = (typeof kinds)[number];

export interface ServerSkeleton {
  readonly kind: "server";
  /** Of the npm package. */
  readonly name: string;
  readonly transport: SkeletonTransport;
  /** Serves clients of HTTP+SSE (2024-11-05), too; only with HTTP. */
  readonly legacySse: boolean;
}

export interface ClientSkeleton {
  readonly kind: "client";
  /** Of the npm package. */
  readonly name: string;
}

/** All that a skeleton depends on, besides the templates. Plain data: it is kept in the project, for updates. */
export type SkeletonOptions = ServerSkeleton | ClientSkeleton;
