import { agentsView } from "./agents-view.js";
import { hostConfiguration } from "./host-configuration.js";
import { isNotesProject, type NotesProject, notesFeatures, type TemplateProject } from "./project-options.js";
import { unscoped } from "./package-name.js";

/** The values for the templates. Names are validated and everything else is defined here, so no raw input reaches code. */
export function projectView(options: TemplateProject): object {
  const bin = unscoped(options.name);
  const shared = {
    name: options.name,
    bin,
    kind: options.start === "client" ? "client" : "server",
    agents: agentsView(options),
  };
  if (isNotesProject(options)) return { ...shared, ...notesView(options) };
  return { ...shared, ...(options.start === "client" ? clientView : smallView(options)) };
}

function smallView({ start }: TemplateProject): object {
  const include = start === "extension" ? '"rank", "src", "test"' : '"src", "test"';
  return { include, envReason: "Use it for secrets." };
}

const clientView = {
  include: '"src", "test", "vitest.config.ts"',
  stdio: false,
  deprecatedFiles: '"src/deprecated/**", "test/**"',
  stdoutNote: "; standard output is for the conversation",
  envReason: "Use it for API keys.",
  hostExample: hostConfiguration("notes", { command: "node", args: ["/home/you/notes/build/main.js"] }),
};

/** In a container, requests come from outside. */
const anyHost = ["--host", "0.0.0.0", "--allowed-host", "localhost", "--allowed-host", "127.0.0.1"];

function notesView(project: NotesProject): object {
  const { name } = project;
  const { stdio, http, auth, legacySse, skills } = notesFeatures(project);
  const both = stdio && http;
  const bin = unscoped(name);
  const started = (path: string): string => hostConfiguration(bin, { command: "node", args: [path] });
  return {
    stdio,
    http,
    both,
    legacySse,
    auth,
    skills,
    anonymous: !auth || stdio,
    include: '"src", "examples", "test", "vitest.config.ts"',
    deprecatedFiles: '"examples/**", "test/**"',
    stdoutNote: stdio ? "; standard output carries the protocol" : "",
    envReason: stdio
      ? "The current folder does not matter, because hosts start servers in any folder."
      : "Use it for secrets.",
    transportText: both ? "stdio or HTTP" : http ? "HTTP" : "stdio",
    devEffect: http ? "compiles on every change" : "restarts the server on every change; clients stay connected",
    devNote: http
      ? `In a second terminal, run \`node --watch build/main.js${both ? " --http" : ""}\`: it restarts the server after each build.`
      : "The server is at http://127.0.0.1:3000/mcp. In the configuration of a host, use `npx mcpwright dev` with the path of `src/main.ts`.",
    legacyNote: legacySse ? " Also serves clients of HTTP+SSE (2024-11-05) on the same URL." : "",
    legacyText: legacySse
      ? "\n\nThe same URL also serves clients of HTTP+SSE, which 2025-03-26 replaced. To disable this, set `legacySse: false` in\n`src/start-http.ts`."
      : "",
    macosConfiguration: started(`/Users/you/${bin}/build/main.js`),
    linuxConfiguration: started(`/home/you/${bin}/build/main.js`),
    windowsConfiguration: started(`C:\\Users\\you\\${bin}\\build\\main.js`),
    npxConfiguration: hostConfiguration(bin, { command: "npx", args: ["-y", name], env: { LOG_LEVEL: "warning" } }),
    dockerConfiguration: hostConfiguration(bin, { command: "docker", args: ["run", "--rm", "-i", bin] }),
    urlConfiguration: hostConfiguration(bin, { url: "http://127.0.0.1:3000/mcp" }),
    nameJson: JSON.stringify(name),
    httpFlagText: both ? "--http " : "",
    httpFlagItem: both ? '"--http"' : "",
    httpFlag: both ? '"--http", ' : "",
    httpArgs: both ? '"--http", "--port", "0"' : '"--port", "0"',
    dockerArgs: anyHost.map((arg) => JSON.stringify(arg)).join(", "),
    dockerText: both ? ` --http ${anyHost.join(" ")}` : "",
    defaults: [
      "help: false",
      "readOnly: false",
      "maxNotes: 100",
      ...(both ? ["http: false"] : []),
      ...(http ? ["port: 3000", 'host: "127.0.0.1"'] : []),
    ].join(", "),
  };
}
