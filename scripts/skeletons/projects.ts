/** A project to create, and how to connect to its servers. */
export interface Project {
  readonly name: string;
  /** The options of `mcpwright new`. */
  readonly options: readonly string[];
  /** The arguments that start it, for each transport. */
  readonly reached: readonly Reached[];
  /** Whether the Inspector uses all features instead of one of each kind. All projects have the same features. */
  readonly thorough: boolean;
}

export interface Reached {
  readonly transport: "stdio" | "http" | "sse";
  readonly args: readonly string[];
}

const stdio: Reached = { transport: "stdio", args: [] };
const port = ["--port", "0"];

/** Every kind of project over every transport. */
export const projects: readonly Project[] = [
  { name: "stdio-server", options: ["--yes"], reached: [stdio], thorough: true },
  {
    name: "http-server",
    options: ["--kind", "server", "--transport", "http"],
    reached: [{ transport: "http", args: port }],
    thorough: true,
  },
  {
    name: "legacy-server",
    options: ["--kind", "server", "--transport", "http", "--legacy-sse"],
    reached: [
      { transport: "http", args: port },
      { transport: "sse", args: port },
    ],
    thorough: false,
  },
  {
    name: "both-server",
    options: ["--kind", "server", "--transport", "both", "--name", "@skeletons/both"],
    reached: [stdio, { transport: "http", args: ["--http", ...port] }],
    thorough: false,
  },
  {
    name: "all-ways-server",
    options: ["--kind", "server", "--transport", "both", "--legacy-sse"],
    reached: [stdio, { transport: "http", args: ["--http", ...port] }, { transport: "sse", args: ["--http", ...port] }],
    thorough: false,
  },
  { name: "chat", options: ["--kind", "client"], reached: [], thorough: false },
];
