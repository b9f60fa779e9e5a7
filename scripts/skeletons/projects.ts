/** A project to make, and how its servers are reached. */
export interface Project {
  readonly name: string;
  /** What `mcpwright new` is told. */
  readonly options: readonly string[];
  /** What starts it over each transport. */
  readonly reached: readonly Reached[];
  /** The Inspector uses all its features, not only one of each kind: the features are the same in all projects. */
  readonly thorough: boolean;
}

export interface Reached {
  readonly transport: "stdio" | "http" | "sse";
  readonly args: readonly string[];
}

const stdio: Reached = { transport: "stdio", args: [] };
const port = ["--port", "0"];

/** Every kind over every transport. */
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
