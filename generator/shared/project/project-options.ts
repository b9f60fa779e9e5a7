/** What `mcpwright new` can start a project as, with one line about each. */
export const projectStarts = {
  minimal: "A server over stdio with one tool, in one file",
  server: "A server over stdio that stores notes: tools, resources, a prompt, settings, logs and a Dockerfile",
  http: "The server that stores notes, over HTTP",
  "http-auth": "The server that stores notes, over HTTP, for callers with an access token of an authorization server",
  tasks: "A server over stdio with a tool that takes long and runs as a task",
  skills: "A server over stdio with a folder of skills, which are instructions for models",
  cluster: "A server over HTTP that runs as several nodes, which share their state in Redis",
  gateway: "A gateway over stdio that puts several servers behind one",
  extension: "A method of your own: its schema, and a server and a client that know it",
  client: "A chat host that uses the tools of several servers",
} as const satisfies Record<string, string>;

export type ProjectStart = keyof typeof projectStarts;

/** The starts that share the server about notes. */
export const notesStarts = ["server", "http", "http-auth"] as const;
export type NotesStart = (typeof notesStarts)[number];

export interface NotesProject {
  /** `server` serves over stdio, the others over HTTP; `http-auth` only requests with an access token. */
  readonly start: NotesStart;
  /** The name of the npm package. */
  readonly name: string;
  /** Whether to serve over stdio, too: the server then serves over HTTP with `--http`. Not for `server`. Default: `false`. */
  readonly stdio?: boolean;
  /** Whether to also serve HTTP+SSE clients (2024-11-05). Not for `server`. Default: `false`. */
  readonly legacySse?: boolean;
  /** Whether to serve a folder of skills. Default: `false`. */
  readonly skills?: boolean;
}

/** An OpenAPI description, and which of its operations become tools. */
export interface OpenapiSource {
  /** The path or URL of the description. */
  readonly source: string;
  /** Patterns of tags; `*` stands for any characters. Default: all tags. */
  readonly tags?: readonly string[];
  /** Patterns of paths; `*` stands for any characters. Default: all paths. */
  readonly paths?: readonly string[];
  /** The largest number of tools. */
  readonly limit: number;
}

/** A server over stdio whose tools call an API. It is not among the choices of `--start`, because it needs a description. */
export interface OpenapiProject {
  readonly start: "openapi";
  /** The name of the npm package. */
  readonly name: string;
  /** The description whose operations are the tools. */
  readonly openapi: OpenapiSource;
}

export interface PlainProject {
  readonly start: Exclude<ProjectStart, NotesStart>;
  /** The name of the npm package. */
  readonly name: string;
}

/** The options of a project. Plain data, stored in the project for updates. */
export type ProjectOptions = TemplateProject | OpenapiProject;

/** A project whose files are known without reading anything else. */
export type TemplateProject = NotesProject | PlainProject;

/** The options of each start besides its name. Those of {@link PlainProject} have none. */
export const startOptions: Readonly<Record<NotesStart, readonly ("stdio" | "legacySse" | "skills")[]>> = {
  server: ["skills"],
  http: ["stdio", "legacySse", "skills"],
  "http-auth": ["stdio", "legacySse", "skills"],
};

export function isProjectStart(value: unknown): value is ProjectStart {
  return typeof value === "string" && Object.hasOwn(projectStarts, value);
}

export function isNotesStart(start: ProjectOptions["start"]): start is NotesStart {
  return Object.hasOwn(startOptions, start);
}

/** Whether a project is the server about notes. */
export function isNotesProject(options: ProjectOptions): options is NotesProject {
  return isNotesStart(options.start);
}

export function isOpenapiProject(options: ProjectOptions): options is OpenapiProject {
  return options.start === "openapi";
}

/** What follows from the options of a server about notes. */
export function notesFeatures({
  start,
  stdio = false,
  legacySse = false,
  skills = false,
}: NotesProject): NotesFeatures {
  const isHttp = start !== "server";
  return { stdio: !isHttp || stdio, http: isHttp, auth: start === "http-auth", legacySse, skills };
}

interface NotesFeatures {
  readonly stdio: boolean;
  readonly http: boolean;
  readonly auth: boolean;
  readonly legacySse: boolean;
  readonly skills: boolean;
}
