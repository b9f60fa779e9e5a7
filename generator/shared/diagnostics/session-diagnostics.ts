import type { CatalogueEntry } from "./catalogue-entry.js";

/** What can go wrong with a running server: on the way to it, and while one talks to it. */
export const sessionDiagnostics = {
  "target-not-found": {
    severity: "error",
    message: "there is no file {path}",
    hint: "Check the path; a server in TypeScript has to be built first.",
  },
  "target-typescript": {
    severity: "error",
    message: "{path} is TypeScript, which is not started as it is",
    hint: "Give the .js file that it is built to, or name the program that runs it: -- npx tsx {path}",
  },
  "target-folder-missing": {
    severity: "error",
    message: "the working directory {path} does not exist",
    hint: "Correct --cwd, or the cwd in the configuration.",
  },
  "target-url-invalid": {
    severity: "error",
    message: "{url} is no URL of HTTP",
    hint: "Give one that begins with http:// or https://, for example http://127.0.0.1:3000/mcp",
  },
  "target-option-unfit": {
    severity: "error",
    message: "{option} means nothing for {kind}",
    hint: "--header is for servers that are reached by URL; --env and --cwd are for those that are started; --server is for configurations.",
  },
  "target-header-invalid": {
    severity: "error",
    message: "{name} cannot be sent as an HTTP header: {reason}",
    hint: "Names are words with hyphens; values are one line without control characters.",
  },
  "config-not-readable": {
    severity: "error",
    message: "cannot read {path}: {reason}",
    hint: "Check the path and whether you may read it.",
  },
  "config-malformed": {
    severity: "error",
    message: "{reason}",
    hint: 'A configuration looks so: { "mcpServers": { "name": { "command": "node", "args": ["server.js"] } } }, or has "url" in place of "command".',
  },
  "config-server-unknown": {
    severity: "error",
    message: "{path} has no server {name}",
    hint: "{hint}",
  },
  "config-server-unnamed": {
    severity: "error",
    message: "{path} has {count} servers: {names}",
    hint: "Say which one with --server <name>.",
  },
  "config-variable-open": {
    severity: "finding",
    message: "{where} has {variable}, which hosts fill in and mcpwright does not",
    hint: "Give the value on the command line: --env NAME=value for variables, --header 'Name: value' for headers.",
  },
  "server-command-not-found": {
    severity: "error",
    message: "cannot start {command}: there is no such program",
    hint: "Check the spelling, whether it is installed, and whether its folder is in PATH.",
  },
  "server-not-startable": {
    severity: "error",
    message: "cannot start {command}: {reason}",
    hint: "Check that it is a program that you may run (chmod +x).",
  },
  "server-exited": {
    severity: "error",
    message: "{command} {how} before it had answered{wrote}",
    hint: "Start it by hand to see why. Servers get few variables of your environment: --env NAME hands one on.",
  },
  "server-gone": {
    severity: "error",
    message: "the server went away: {reason}",
    hint: "See what it says on its standard error, or in its log.",
  },
  "server-stdout-broken": {
    severity: "error",
    message: "{command} writes to its standard output what is no message: {text}",
    hint: "Nothing but messages may go there: a server has to log to standard error. If it is no MCP server, check the command; some serve stdio only when an argument says so.",
  },
  "server-stdout-noise": {
    severity: "finding",
    message: "{command} writes to its standard output what is no message: {text}",
    hint: "Nothing but messages may go there, and other clients may fail: have it log to standard error.",
  },
  "server-silent": {
    severity: "error",
    message: "{server} has not answered in time: {reason}",
    hint: "Wait longer with --timeout <seconds>; or see whether this is an MCP server at all, and --trace what it was sent.",
  },
  "server-port-refused": {
    severity: "error",
    message: "nothing listens at {url}",
    hint: "Start the server, or correct the host and the port.",
  },
  "server-host-unknown": {
    severity: "error",
    message: "the host of {url} is not known",
    hint: "Check the spelling of its name, and whether you are online.",
  },
  "server-not-reachable": {
    severity: "error",
    message: "cannot reach {url}: {reason}",
    hint: "Check the URL (http or https?), proxies and firewalls.",
  },
  "server-certificate": {
    severity: "error",
    message: "the certificate of {url} is not trusted: {reason}",
    hint: "When it is self-signed or of your company's own authority, name that certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem mcpwright …",
  },
  "server-tls": {
    severity: "error",
    message: "no secure connection to {url}: {reason}",
    hint: "The server may speak plain HTTP there: try http:// in place of https://.",
  },
  "server-wrong-url": {
    severity: "error",
    message: "{url} is no MCP endpoint: it answered {answer}",
    hint: "Give the endpoint itself: often it is /mcp (Streamable HTTP) or /sse (HTTP+SSE) on that server.",
  },
  "server-unauthorized": {
    severity: "error",
    message: "{url} wants to know who you are (401{challenge})",
    hint: "{hint}",
  },
  "server-forbidden": {
    severity: "error",
    message: "{url} refuses access (403): {body}",
    hint: "Give a token that may do this with --header 'Authorization: Bearer <token>'; some servers also refuse hosts and origins that they do not know.",
  },
  "server-http-failed": {
    severity: "error",
    message: "{url} failed: {reason} {body}",
    hint: "See the log of the server, or --trace the messages.",
  },
  "server-no-common-revision": {
    severity: "error",
    message: "no revision in common: {reason}",
    hint: "Leave --revision out, or choose one that the server speaks; mcpwright speaks {known}.",
  },
  "server-refused": {
    severity: "error",
    message: "the server answered {what} with error {code}: {reason}",
    hint: "See what it wants with mcpwright inspect, without a request.",
  },
  "server-lacks": {
    severity: "error",
    message: "{what} cannot be done: {reason}",
    hint: "mcpwright inspect lists what the server offers.",
  },
  "server-broke-protocol": {
    severity: "error",
    message: "the server broke the protocol: {reason}",
    hint: "This is a defect of the server; --trace shows the message.",
  },
  "server-list-failed": {
    severity: "finding",
    message: "{what} could not be listed: {reason}",
    hint: "The server declares that it has them; the rest is shown.",
  },
  "server-item-invalid": {
    severity: "finding",
    message: "{method} lists something that is left out: {name}",
    hint: "It does not fit the protocol's schema: this is a defect of the server.",
  },
  "output-unfit": {
    severity: "finding",
    message: "the structured content of the tool {tool} does not fit its output schema: {reason}",
    hint: "This is a defect of the server; clients may refuse such a result.",
  },
  "output-unchecked": {
    severity: "finding",
    message: "the structured content of the tool {tool} could not be checked: {reason}",
    hint: "The tool's output schema has a defect, or asks for what mcpwright does not know or follow.",
  },
  "request-unlisted": {
    severity: "finding",
    message: "the server lists no {kind} {name}",
    hint: "{hint}",
  },
  "request-arguments": {
    severity: "error",
    message: "{reason}",
    hint: "Give --args '{\"key\": value}' or --arg key=value; an argument's type is that of the tool's input schema.",
  },
  "answer-invalid": {
    severity: "error",
    message: "--answer does not fit the question: {reason}",
    hint: "Give the fields of the form as JSON: --answer '{\"field\": value}'.",
  },
  "trace-not-writable": {
    severity: "error",
    message: "cannot write the trace to {path}: {reason}",
    hint: "Choose another file.",
  },
  "bind-schema-unused": {
    severity: "finding",
    message: "the {part} schema of the tool {tool} cannot be used: {reason}",
    hint: "Its type is unknown in the client; the tool can be called all the same.",
  },
  "bind-template-unused": {
    severity: "finding",
    message: "the URI template {template} cannot be used: {reason}",
    hint: "It is left out of the client; this is a defect of the server.",
  },
  "bind-drift": {
    severity: "finding",
    message: "{path} is not what the server offers now",
    hint: "Run bind without --check, and see what your code has to say to the new types.",
  },
  "conversation-revision-untold": {
    severity: "error",
    message: "the conversation does not tell its revision within {lines} lines",
    hint: "Say it with --revision.",
  },
} as const satisfies Record<string, CatalogueEntry>;
