/** A project to create, and how to connect to its servers. */
export interface Project {
  readonly name: string;
  /** The options of `mcpwright new`. */
  readonly options: readonly string[];
  /** The arguments that start it, for each transport, besides the port. */
  readonly reached: readonly Reached[];
  /** Whether the Inspector uses all features instead of one of each kind. All projects have the same features. */
  readonly thorough: boolean;
  /** Whether its server accepts only requests with an access token. */
  readonly isProtected?: boolean;
}

export interface Reached {
  readonly transport: "stdio" | "http" | "sse";
  readonly args: readonly string[];
}

const stdio: Reached = { transport: "stdio", args: [] };

/** Every kind of project over every transport. */
export const projects: readonly Project[] = [
  { name: "stdio-server", options: ["--yes"], reached: [stdio], thorough: true },
  {
    name: "http-server",
    options: ["--kind", "server", "--transport", "http"],
    reached: [{ transport: "http", args: [] }],
    thorough: true,
  },
  {
    name: "legacy-server",
    options: ["--kind", "server", "--transport", "http", "--legacy-sse"],
    reached: [
      { transport: "http", args: [] },
      { transport: "sse", args: [] },
    ],
    thorough: false,
  },
  {
    name: "both-server",
    options: ["--kind", "server", "--transport", "both", "--name", "@skeletons/both"],
    reached: [stdio, { transport: "http", args: ["--http"] }],
    thorough: false,
  },
  {
    name: "all-ways-server",
    options: ["--kind", "server", "--transport", "both", "--legacy-sse"],
    reached: [stdio, { transport: "http", args: ["--http"] }, { transport: "sse", args: ["--http"] }],
    thorough: false,
  },
  {
    name: "protected-server",
    options: ["--auth"],
    reached: [{ transport: "http", args: [] }],
    thorough: true,
    isProtected: true,
  },
  {
    name: "all-ways-protected-server",
    options: ["--auth", "--transport", "both", "--legacy-sse"],
    reached: [
      { transport: "http", args: ["--http"] },
      { transport: "sse", args: ["--http"] },
    ],
    thorough: false,
    isProtected: true,
  },
  { name: "skills-server", options: ["--yes", "--skills"], reached: [stdio], thorough: false },
  { name: "chat", options: ["--kind", "client"], reached: [], thorough: false },
];
