/** The plan of a gateway, which its process gets on its command line, as JSON. */
export interface GatewayPlan {
  /** The bundle of the server on stdio. */
  readonly stdioUpstream: string;
  /** The ports of the servers on HTTP, by their names. */
  readonly ports: Readonly<Record<string, number>>;
  readonly transport: "http" | "stdio";
}

/** The revisions of the servers, by their names. Undefined: all. */
export const upstreams = {
  old: { transport: "stdio", revision: "2025-06-18" },
  new: { transport: "stdio", revision: "2026-07-28" },
  web: { transport: "http", revision: undefined },
  oldweb: { transport: "http", revision: "2025-11-25" },
} as const;

export type UpstreamName = keyof typeof upstreams;

export const upstreamNames = Object.keys(upstreams) as readonly UpstreamName[];

/** What a gateway keeps. */
export interface GatewayState {
  readonly heapBytes: number;
  /** Clients that are connected. */
  readonly clients: number;
  /** Connections to servers. */
  readonly connections: number;
  /** What keeps the process alive, and how many of each. */
  readonly resources: Readonly<Record<string, number>>;
  /** Warnings of Node, and rejections without a handler. */
  readonly alarms: readonly string[];
}
