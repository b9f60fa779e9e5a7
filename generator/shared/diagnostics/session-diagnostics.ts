import type { CatalogueEntry } from "./catalogue-entry.js";

/** Diagnostics of connecting to a running server and of exchanging messages with it. */
export const sessionDiagnostics = {
  "target-not-found": {
    severity: "error",
    message: "the file {path} does not exist",
    hint: "Check the path. A TypeScript server must be built first.",
  },
  "target-typescript": {
    severity: "error",
    message: "{path} is a TypeScript file, which cannot be started directly",
    hint: "Pass the .js file that it is built to, or the program that runs it: -- npx tsx {path}",
  },
  "target-folder-missing": {
    severity: "error",
    message: "the working directory {path} does not exist",
    hint: "Correct --cwd, or the cwd in the configuration.",
  },
  "target-url-invalid": {
    severity: "error",
    message: "{url} is not an HTTP URL",
    hint: "Pass a URL that begins with http:// or https://, for example http://127.0.0.1:3000/mcp",
  },
  "target-option-unfit": {
    severity: "error",
    message: "{option} does not apply to {kind}",
    hint: "--header, --token and the options of log-ins apply to servers at a URL, --env and --cwd to servers started by a command, and --server to configurations.",
  },
  "target-header-invalid": {
    severity: "error",
    message: "{name} is not a valid HTTP header: {reason}",
    hint: "Header names consist of letters, digits and hyphens; values are one line without control characters.",
  },
  "config-not-readable": {
    severity: "error",
    message: "cannot read {path}: {reason}",
    hint: "Check the path and its permissions.",
  },
  "config-malformed": {
    severity: "error",
    message: "{reason}",
    hint: 'Example of a configuration: { "mcpServers": { "name": { "command": "node", "args": ["server.js"] } } }. A server may have "url" instead of "command".',
  },
  "config-server-unknown": {
    severity: "error",
    message: "{path} does not configure a server named {name}",
    hint: "{hint}",
  },
  "config-server-unnamed": {
    severity: "error",
    message: "{path} configures {count} servers: {names}",
    hint: "Choose one with --server <name>.",
  },
  "config-variable-open": {
    severity: "finding",
    message: "{where} contains {variable}, which hosts replace and mcpwright does not",
    hint: "Pass the value on the command line: --env NAME=value for variables, --header 'Name: value' for headers.",
  },
  "server-command-not-found": {
    severity: "error",
    message: "cannot start {command}: the program was not found",
    hint: "Check the spelling, that the program is installed, and that its folder is in PATH.",
  },
  "server-not-startable": {
    severity: "error",
    message: "cannot start {command}: {reason}",
    hint: "Check that it is an executable program (chmod +x).",
  },
  "server-exited": {
    severity: "error",
    message: "{command} {how} before it responded{wrote}",
    hint: "Start it yourself to see why. Servers inherit only a few environment variables; --env NAME passes one through.",
  },
  "server-gone": {
    severity: "error",
    message: "the connection to the server was lost: {reason}",
    hint: "See the standard error or the log of the server.",
  },
  "server-stdout-broken": {
    severity: "error",
    message: "{command} wrote a non-message to stdout: {text}",
    hint: "Only MCP messages may be written to stdout; logs belong on stderr. If this is not an MCP server, check the command; some servers use stdio only when an argument selects it.",
  },
  "server-stdout-noise": {
    severity: "finding",
    message: "{command} wrote a non-message to stdout: {text}",
    hint: "Only MCP messages may be written to stdout, and other clients may fail: change the server to log to stderr.",
  },
  "server-silent": {
    severity: "error",
    message: "{server} did not respond in time: {reason}",
    hint: "Increase --timeout <seconds>, or check that this is an MCP server; --trace shows the messages sent to it.",
  },
  "server-port-refused": {
    severity: "error",
    message: "no server listens at {url}",
    hint: "Start the server, or correct the host and port.",
  },
  "server-host-unknown": {
    severity: "error",
    message: "the host of {url} was not found",
    hint: "Check the spelling and your network connection.",
  },
  "server-not-reachable": {
    severity: "error",
    message: "cannot reach {url}: {reason}",
    hint: "Check the URL (http or https?), proxies and firewalls.",
  },
  "server-certificate": {
    severity: "error",
    message: "the certificate of {url} is not trusted: {reason}",
    hint: "If it is self-signed or issued by your company's own authority, pass that certificate: NODE_EXTRA_CA_CERTS=/path/to/ca.pem mcpwright …",
  },
  "server-tls": {
    severity: "error",
    message: "cannot establish a TLS connection to {url}: {reason}",
    hint: "The server may use plain HTTP: try http:// instead of https://.",
  },
  "server-wrong-url": {
    severity: "error",
    message: "{url} is not an MCP endpoint: it responded with {answer}",
    hint: "Pass the URL of the endpoint, often /mcp (Streamable HTTP) or /sse (HTTP+SSE) on that server.",
  },
  "server-unauthorized": {
    severity: "error",
    message: "{url} requires authorization (401{challenge})",
    hint: "{hint}",
  },
  "login-required": {
    severity: "error",
    message: "{url} requires a log-in",
    hint: "Run mcpwright login {url} on a terminal, or pass a token with --token or in MCPWRIGHT_TOKEN.",
  },
  "login-failed": {
    severity: "error",
    message: "cannot log in to {url}: {reason}",
    hint: "{hint}",
  },
  "login-not-offered": {
    severity: "error",
    message: "{url} does not ask for a log-in, and names no authorization server",
    hint: "Use it without a log-in. If it expects a token, pass it with --token.",
  },
  "login-scopes-missing": {
    severity: "error",
    message: "{url} denies access: {reason}",
    hint: "Log in again, as a user who has these rights: mcpwright login {url}{options}",
  },
  "credentials-unusable": {
    severity: "error",
    message: "the credentials of your log-ins cannot be used: {reason}",
    hint: "Without them, pass a token with --token or in MCPWRIGHT_TOKEN.",
  },
  "token-unencrypted": {
    severity: "error",
    message: "the token is not sent to {url}, because http is not encrypted",
    hint: "Use https. Only a server on this machine may use http.",
  },
  "server-forbidden": {
    severity: "error",
    message: "{url} denies access (403): {body}",
    hint: "Pass a token with sufficient rights: --token <token>. Some servers also reject unknown hosts and origins.",
  },
  "server-http-failed": {
    severity: "error",
    message: "{url} failed: {reason} {body}",
    hint: "See the log of the server, or show the messages with --trace.",
  },
  "server-no-common-revision": {
    severity: "error",
    message: "the server and mcpwright have no revision in common: {reason}",
    hint: "Omit --revision, or choose a revision that the server supports; mcpwright supports {known}.",
  },
  "server-refused": {
    severity: "error",
    message: "the server rejected {what} with error {code}: {reason}",
    hint: "Run mcpwright inspect without a request to see what the server expects.",
  },
  "server-task-ended": {
    severity: "error",
    message: "{what} ran as a task, which has no result: {reason}",
    hint: "Call the tool again; a server may delete a task when its time is over.",
  },
  "server-lacks": {
    severity: "error",
    message: "{what} is not possible: {reason}",
    hint: "mcpwright inspect lists what the server offers.",
  },
  "server-broke-protocol": {
    severity: "error",
    message: "the server violated the protocol: {reason}",
    hint: "This is a bug in the server; --trace shows the message.",
  },
  "server-list-failed": {
    severity: "finding",
    message: "cannot list {what}: {reason}",
    hint: "The server declares that it offers them; the rest is shown.",
  },
  "server-item-invalid": {
    severity: "finding",
    message: "{method} returned an invalid item, which is omitted: {name}",
    hint: "It does not match the protocol's schema. This is a bug in the server.",
  },
  "output-unfit": {
    severity: "finding",
    message: "the structured content of the tool {tool} does not match its output schema: {reason}",
    hint: "This is a bug in the server; clients may reject such a result.",
  },
  "output-unchecked": {
    severity: "finding",
    message: "the structured content of the tool {tool} could not be checked: {reason}",
    hint: "The tool's output schema is invalid, or uses keywords or references that mcpwright does not support.",
  },
  "request-unlisted": {
    severity: "finding",
    message: "the server does not list the {kind} {name}",
    hint: "{hint}",
  },
  "request-arguments": {
    severity: "error",
    message: "{reason}",
    hint: "Pass --args '{\"key\": value}' or --arg key=value; the tool's input schema determines the type of an argument.",
  },
  "app-missing": {
    severity: "error",
    message: "the app of the tool {tool} cannot be shown: {reason}",
    hint: "{hint}",
  },
  "app-silent": {
    severity: "error",
    message: "the app {uri} was not shown: {reason}",
    hint: "Open it without --screenshot, and look at the console of the browser.",
  },
  "app-browser-missing": {
    severity: "error",
    message: "a screenshot needs a browser: {reason}",
    hint: "Install Chromium or Google Chrome, or set CHROMIUM to the path of one. Without --screenshot, your default browser shows the app.",
  },
  "app-browser-failed": {
    severity: "error",
    message: "{program} does not work: {reason}",
    hint: "Set CHROMIUM to the path of another Chromium or Google Chrome.",
  },
  "app-screenshot-unwritable": {
    severity: "error",
    message: "cannot write the screenshot to {path}: {reason}",
    hint: "Choose another file.",
  },
  "answer-invalid": {
    severity: "error",
    message: "--answer does not match the form: {reason}",
    hint: "Pass the fields of the form as JSON: --answer '{\"field\": value}'.",
  },
  "trace-not-writable": {
    severity: "error",
    message: "cannot write the trace to {path}: {reason}",
    hint: "Choose another file.",
  },
  "bind-schema-unused": {
    severity: "finding",
    message: "the {part} schema of the tool {tool} cannot be used: {reason}",
    hint: "The client types it as unknown; the tool can still be called.",
  },
  "bind-template-unused": {
    severity: "finding",
    message: "the URI template {template} cannot be used: {reason}",
    hint: "It is omitted from the client. This is a bug in the server.",
  },
  "bind-extension-undeclared": {
    severity: "finding",
    message: "the server does not declare the extension {id}",
    hint: "The client declares it nevertheless; its messages are rejected until the server declares it, too.",
  },
  "bind-drift": {
    severity: "finding",
    message: "{path} is out of date: the server has changed",
    hint: "Run bind without --check, and adapt your code to the new types.",
  },
  "conversation-revision-untold": {
    severity: "error",
    message: "the conversation does not state its revision within {lines} lines",
    hint: "Pass it with --revision.",
  },
} as const satisfies Record<string, CatalogueEntry>;
