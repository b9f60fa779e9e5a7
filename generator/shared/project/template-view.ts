import { hostConfiguration } from "./host-configuration.js";
import type { ServerProject, ProjectOptions } from "./project-options.js";
import { unscoped } from "./package-name.js";

/** What templates are filled with. Names have been checked, everything else is written here: no input reaches code as text. */
export function projectView(options: ProjectOptions): object {
  const shared = { name: options.name, bin: unscoped(options.name), kind: options.kind };
  return { ...shared, ...(options.kind === "server" ? serverView(options) : clientView) };
}

const clientView = {
  include: '"src", "test", "vitest.config.ts"',
  stdio: false,
  deprecatedFiles: '"src/deprecated/**", "test/**"',
  stdoutNote: ", apart from the conversation",
  envReason: "It is the place for keys.",
  hostExample: hostConfiguration("notes", { command: "node", args: ["/home/you/notes/build/main.js"] }),
};

/** In a container, the host's port arrives from outside. */
const anyHost = ["--host", "0.0.0.0", "--allowed-host", "localhost", "--allowed-host", "127.0.0.1"];

function serverView({ name, transport, legacySse }: ServerProject): object {
  const [stdio, http] = [transport !== "http", transport !== "stdio"];
  const both = stdio && http;
  const bin = unscoped(name);
  const started = (path: string): string => hostConfiguration(bin, { command: "node", args: [path] });
  return {
    stdio,
    http,
    both,
    legacySse,
    include: '"src", "examples", "test", "vitest.config.ts"',
    deprecatedFiles: '"examples/**", "test/**"',
    stdoutNote: stdio ? ": standard output belongs to the protocol" : "",
    envReason: stdio
      ? "Hosts start servers in any folder, so it is not looked for in the current one."
      : "It is for variables that are nobody else's business.",
    transportText: both ? "stdio or HTTP" : http ? "HTTP" : "stdio",
    devNote: http
      ? `; \`node --watch build/main.js${both ? " --http" : ""}\`, in a second terminal, then starts it anew`
      : "; reconnect in the Inspector",
    legacyNote: legacySse ? " Clients of HTTP+SSE (2024-11-05) are served on the same URL." : "",
    legacyText: legacySse
      ? " Clients of HTTP+SSE, which 2025-03-26 replaced, are served at the same URL; `legacySse: false` in `src/start-http.ts` ends that."
      : "",
    macosConfiguration: started(`/Users/you/${bin}/build/main.js`),
    linuxConfiguration: started(`/home/you/${bin}/build/main.js`),
    windowsConfiguration: started(`C:\\Users\\you\\${bin}\\build\\main.js`),
    npxConfiguration: hostConfiguration(bin, { command: "npx", args: ["-y", name], env: { LOG_LEVEL: "warning" } }),
    dockerConfiguration: hostConfiguration(bin, { command: "docker", args: ["run", "--rm", "-i", bin] }),
    urlConfiguration: hostConfiguration(bin, { url: "http://127.0.0.1:3000/mcp" }),
    nameJson: JSON.stringify(name),
    httpFlagText: both ? "--http " : "",
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
